package owner

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/statefile"
)

// State is the user's state directory, which has an id for each folder:
//
//	DIR/trees/INODE-UID
//
// where UID and INODE are those of the folder .ken. The file has a line "ken 1", a
// line "id " with 64 hex digits, and perhaps a line "memory " with the name of the
// memory that was made under this id; other lines are for later versions. Directories
// have mode 0700 and files 0600, and all belong to the user. A file that does not, or is a
// symbolic link, counts as missing.
type State struct{ dir string }

// NewState returns the state in a directory, which need not exist; "" means that there is none.
func NewState(dir string) *State { return &State{dir: dir} }

const (
	header     = "ken 1"
	maxRecord  = 4 << 10
	maxRecords = 10_000 // the least recently used are dropped
	// refreshed is the age of a record from which on reading it sets its time of use.
	refreshed = 30 * 24 * time.Hour
)

var (
	errUnknown = errors.New("there is no home directory, and neither XDG_STATE_HOME nor KEN_STATE names a place")
	errOpen    = errors.New("others than you can use it")
	errRecord  = errors.New("not a record of ken")
)

func (s *State) treesDir() string { return filepath.Join(s.dir, "trees") }

// checkPrivate returns an error unless the directories belong to the user alone.
func (s *State) checkPrivate() error {
	if s.dir == "" {
		return errUnknown
	}
	for _, d := range []string{s.dir, s.treesDir()} {
		st, err := os.Lstat(d)
		if err != nil {
			return err
		}
		if !st.IsDir() {
			return fmt.Errorf("%s: %w", d, errNotFolder)
		}
		if !statefile.IsPrivate(st) {
			return fmt.Errorf("%s: %w", d, errOpen)
		}
	}
	return nil
}

var errNotFolder = errors.New("it is not a directory")

// readID returns the id of a folder and the name of its memory, and reports whether there is an id.
func (s *State) readID(dir string) (folderID, string, bool) {
	r, err := s.readRecordOf(dir)
	return r.id, r.memory, err == nil
}

// RecordPath returns the file in the user's state directory that has the folder's id, "" if there is none.
func (f *Folder) RecordPath() string {
	name, err := recordName(f.dir)
	if err != nil || f.state == nil || f.state.checkPrivate() != nil {
		return ""
	}
	path := filepath.Join(f.state.treesDir(), name)
	if !statefile.IsRegular(path) {
		return ""
	}
	return path
}

// recordMemory records the name of the memory that is going to be made under a folder's id,
// unless there is one by now, and returns the recorded name. It fails if the record cannot be written.
func (s *State) recordMemory(dir, name string) (string, error) {
	r, err := s.readRecordOf(dir)
	if err != nil || r.memory != "" {
		return r.memory, err
	}
	file, err := recordName(dir)
	if err != nil {
		return "", err
	}
	r.memory = name
	f, err := s.createRecord(r)
	if err != nil {
		return "", err
	}
	defer os.Remove(f)
	if err := os.Rename(f, filepath.Join(s.treesDir(), file)); err != nil {
		return "", err
	}
	r, err = s.readRecordOf(dir)
	return r.memory, err
}

// createRecord writes a record to a new file with a temporary name.
func (s *State) createRecord(r record) (path string, err error) {
	text := header + "\nid " + hex.EncodeToString(r.id[:]) + "\n"
	if r.memory != "" {
		text += "memory " + r.memory + "\n"
	}
	return statefile.WriteTemp(s.treesDir(), []byte(text), statefile.Options{Sync: true})
}

// record is the stored state of one folder.
type record struct {
	id     folderID
	memory string
}

func (s *State) readRecordOf(dir string) (record, error) {
	name, err := recordName(dir)
	if err != nil {
		return record{}, err
	}
	if err := s.checkPrivate(); err != nil {
		return record{}, err
	}
	return readRecord(filepath.Join(s.treesDir(), name))
}

// readRecord reads a record, and updates its time of use from time to time. It fails if the file is not a record or not the user's alone.
func readRecord(path string) (record, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return record{}, err
	}
	if !before.Mode().IsRegular() || !statefile.IsPrivate(before) {
		return record{}, fmt.Errorf("%s: %w", path, errOpen)
	}
	f, err := os.Open(path)
	if err != nil {
		return record{}, err
	}
	defer f.Close()
	// Between the two calls the file may have been replaced.
	if st, err := f.Stat(); err != nil || !os.SameFile(before, st) {
		return record{}, errors.Join(errRecord, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxRecord))
	if err != nil {
		return record{}, err
	}
	if now := time.Now(); now.Sub(before.ModTime()) > refreshed {
		os.Chtimes(path, now, now) // if it cannot be, the record is dropped sooner
	}
	return parseRecord(string(text))
}

func parseRecord(text string) (r record, err error) {
	lines := strings.Split(text, "\n")
	if lines[0] != header {
		return r, errRecord
	}
	known := false
	for _, l := range lines[1:] {
		if v, ok := strings.CutPrefix(l, "id "); ok {
			b, err := hex.DecodeString(v)
			if err != nil || len(b) != len(r.id) {
				return r, errRecord
			}
			known = copy(r.id[:], b) > 0
		}
		if v, ok := strings.CutPrefix(l, "memory "); ok {
			r.memory = v
		}
	}
	if !known {
		return r, errRecord
	}
	return r, nil
}

// makeID makes an id for a folder, unless it has one by now, and returns it. It fails if it cannot be written.
func (s *State) makeID(dir string) (folderID, error) {
	name, err := recordName(dir)
	if err != nil {
		return folderID{}, fmt.Errorf("look at %s: %w", dir, err)
	}
	if err := s.makeFolders(); err != nil {
		return folderID{}, err
	}
	path := filepath.Join(s.treesDir(), name)
	switch r, err := readRecord(path); {
	case err == nil:
		return r.id, nil
	case !errors.Is(err, fs.ErrNotExist):
		// It is not ours, or damaged: the files of its id are not trusted any more.
		if err := os.Remove(path); err != nil {
			return folderID{}, err
		}
	}
	s.deleteOldRecords()
	return s.writeRecord(path)
}

// makeFolders makes the directories with access for the user alone.
func (s *State) makeFolders() error {
	if s.dir == "" {
		return errUnknown
	}
	for _, d := range []string{s.dir, s.treesDir()} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
		st, err := os.Lstat(d)
		if err != nil {
			return err
		}
		if st.IsDir() && statefile.IsOwn(st) && !statefile.IsPrivate(st) {
			if err := os.Chmod(d, 0o700); err != nil {
				return err
			}
		}
	}
	return s.checkPrivate()
}

// writeRecord makes a record. A process that is killed leaves a temporary file that is not read;
// of processes that make the same record at the same time the first wins.
func (s *State) writeRecord(path string) (folderID, error) {
	var made folderID
	rand.Read(made[:])
	f, err := s.createRecord(record{id: made})
	if err != nil {
		return folderID{}, err
	}
	defer os.Remove(f)
	if err := os.Link(f, path); err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(f, path) // there are file systems without hard links
		if err != nil {
			return folderID{}, err
		}
	}
	r, err := readRecord(path)
	return r.id, err
}

// knowsFingerprint reports whether the fingerprint is of an id that is kept for some folder.
func (s *State) knowsFingerprint(print string) bool {
	if s.checkPrivate() != nil {
		return false
	}
	entries, _ := os.ReadDir(s.treesDir())
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		r, err := readRecord(filepath.Join(s.treesDir(), e.Name()))
		return err == nil && r.id.fingerprint() == print
	})
}

// deleteOldRecords removes the least recently used records if there are too many,
// because a folder that is deleted leaves its record, and the temporary files of killed processes.
func (s *State) deleteOldRecords() {
	type used struct {
		path string
		at   time.Time
	}
	var list []used
	entries, _ := os.ReadDir(s.treesDir())
	for _, e := range entries {
		st, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(s.treesDir(), e.Name())
		if strings.HasPrefix(e.Name(), statefile.TempPrefix) {
			if time.Since(st.ModTime()) > time.Hour {
				os.Remove(path)
			}
			continue
		}
		list = append(list, used{path, st.ModTime()})
	}
	slices.SortFunc(list, func(a, b used) int { return a.at.Compare(b.at) })
	for len(list) >= maxRecords {
		os.Remove(list[0].path)
		list = list[1:]
	}
}

// explainState returns the directory and the error with it for a message.
func explainState(dir string, err error) string {
	if dir == "" {
		return "your state directory (" + err.Error() + ")"
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Sprintf("%s (%v)", dir, err)
}
