// Package owner decides which files of a project's .ken folder were made by this
// user's ken for this tree. A folder can come with a clone or an archive, or belong
// to another user, so ken trusts no file in it only because it is there.
//
// For each folder the user's state directory has an id: 32 random bytes that
// only the user can read, under a name made of the folder's owner and inode. A path
// changes when a tree is moved and a device number when a disk is mounted again, so
// the name has neither. The index carries a fingerprint of the id, the salt a seal made with it,
// and vectors are kept under a name made of the fingerprint. The name of the memory is recorded beside the id. The author of a repository
// can forge none of them without the id.
//
// The package is a part of source because the salt is source's, and because the
// store needs only names of files and the fingerprint. Its neighbour
// store/owned is the store that reads and writes only the user's files.
package owner

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ken/internal/engine/store"
)

// folderID is the secret id of one folder. Files that carry its fingerprint or seal are this user's.
type folderID [32]byte

// deriveKey returns a key or name made of an id. It does not reveal the id.
func (i folderID) deriveKey(purpose string) []byte {
	h := hmac.New(sha256.New, i[:])
	h.Write([]byte("ken " + purpose))
	return h.Sum(nil)
}

// fingerprint returns the fingerprint of the id, which the user's index carries.
func (i folderID) fingerprint() string { return hex.EncodeToString(i.deriveKey("index")[:16]) }

// fileID returns the part ID of the file name index-ID.db.
func (i folderID) fileID() string { return hex.EncodeToString(i.deriveKey("name")[:6]) }

// Folder is one project's .ken folder for this user's ken. It is safe for
// concurrent use.
type Folder struct {
	dir   string // .ken
	root  string // of the project
	state *State
	warn  func(string)

	mu     sync.Mutex
	id     folderID
	known  bool      // id is set
	beside bool      // index.db is of another user or tree
	looked time.Time // time of the last look at the folder
	// unusable is set if git tracks files under both kinds of names.
	unusable bool
	memory   string // name of the user's memory, "" if there is none yet
	// noMemory is set if git tracks the memory or the spool, noLogs if it tracks logs: another commit would replace them.
	noMemory, noLogs bool
	temp             string // the temporary folder, "" if there is none
	said             map[string]bool
	lines            []string // to be printed by unlock
}

// New returns the folder .ken of the project at root. It calls warn with messages for
// the user, each message once.
func New(root string, state *State, warn func(string)) *Folder {
	return &Folder{dir: filepath.Join(root, ".ken"), root: root, state: state, warn: warn, said: map[string]bool{}}
}

// Place returns the paths of the user's files in the folder. It opens no file except that of the id.
func (f *Folder) Place() store.Place {
	f.mu.Lock()
	defer f.unlockAndPrint()
	f.readFolder()
	return f.place()
}

// readFolder reads the id, if there is one, and finds the names of its files. The caller holds f.mu.
func (f *Folder) readFolder() {
	if !f.known && f.temp == "" {
		f.id, f.memory, f.known = f.state.readID(f.dir)
	}
	if !f.known || f.temp != "" || time.Since(f.looked) < rereadAfter {
		return
	}
	f.looked = time.Now()
	f.checkExistingFiles()
	f.refuseTracked()
}

// rereadAfter is the time after which the folder is read again. Most commands end before that; a
// command that watches the project must detect that an index is committed.
const rereadAfter = 5 * time.Second

func (f *Folder) place() store.Place {
	p := store.Place{Temporary: f.temp != "", Beside: f.beside}
	usable := f.known && !f.unusable
	dir, name := f.dir, ""
	if f.temp != "" {
		dir = f.temp
	}
	if usable {
		p.Print, p.Key = f.id.fingerprint(), string(f.id.deriveKey("salt"))
		if f.beside {
			name = f.id.fileID()
		}
	}
	p.Index = filepath.Join(dir, fileName("index.db", name))
	p.Salt = filepath.Join(dir, fileName("salt", name))
	p.Vectors = filepath.Join(dir, fileName("vectors.db", name))
	if usable && f.temp == "" && f.memory != "" && !f.noMemory {
		p.Memory, p.TaskKey = filepath.Join(dir, f.memory), string(f.id.deriveKey("tasks"))
		p.Spool, p.SpoolKey = filepath.Join(dir, fileName("spool", name)), string(f.id.deriveKey("spool"))
	}
	if usable && f.temp == "" && !f.noLogs {
		p.Logs, p.LogKey = filepath.Join(dir, fileName("logs", name)), string(f.id.deriveKey("logs"))
	}
	return p
}

// fileName returns the name of a file in the folder, with the part ID in it. Files that
// belong to index.db have no such part.
func fileName(file, name string) string {
	if name == "" {
		return file
	}
	ext := filepath.Ext(file)
	return strings.TrimSuffix(file, ext) + "-" + name + ext
}

// PlaceWithID does the same as Place, but makes an id first if there is none. If no id can
// be stored, the files are in a temporary folder, because no file in .ken can be
// proved to be the user's then. It fails if no temporary folder can be made.
func (f *Folder) PlaceWithID() (store.Place, error) {
	f.mu.Lock()
	defer f.unlockAndPrint()
	f.readFolder()
	if f.temp == "" {
		_ = WriteIgnore(f.dir) // where it cannot be written no file is written, or a build reports it
	}
	switch {
	case f.unusable && f.temp == "":
		return f.makeTemporary()
	case f.known:
		return f.place(), nil
	}
	got, err := f.state.makeID(f.dir)
	if err != nil {
		f.addLine(fmt.Sprintf("no id of this project can be kept in %s: nothing in .ken is believed, and the index serves this command alone; "+
			"KEN_STATE can name another place", explainState(f.state.dir, err)))
		return f.makeTemporary()
	}
	f.id, f.known = got, true
	if f.readFolder(); f.unusable {
		return f.makeTemporary()
	}
	return f.place(), nil
}

// PlaceWithMemory does the same as Settle, and includes a path for a memory, which is recorded in the state
// directory before the memory is made. There is no path for a memory if no id can be stored. It fails if
// the record cannot be written.
func (f *Folder) PlaceWithMemory() (store.Place, error) {
	p, err := f.PlaceWithID()
	if err != nil || p.Memory != "" || p.Temporary || f.noMemory {
		return p, err
	}
	f.mu.Lock()
	defer f.unlockAndPrint()
	name := "memory.db"
	if _, err := os.Lstat(filepath.Join(f.dir, name)); err == nil || f.beside {
		name = fileName(name, f.id.fileID())
	}
	if f.memory, err = f.state.recordMemory(f.dir, name); err != nil {
		return p, fmt.Errorf("make a memory: %w", err)
	}
	return f.place(), nil
}

// UseTemporary moves to a folder that Close deletes, because .ken cannot be written, and warns with why. It fails if the folder cannot be
// made.
func (f *Folder) UseTemporary(why string) (store.Place, error) {
	f.mu.Lock()
	defer f.unlockAndPrint()
	if f.temp != "" {
		return f.place(), nil
	}
	f.addLine(why)
	return f.makeTemporary()
}

// makeTemporary makes the folder and an id for it. The caller holds f.mu.
func (f *Folder) makeTemporary() (store.Place, error) {
	dir, err := os.MkdirTemp("", "ken-")
	if err != nil {
		return store.Place{}, fmt.Errorf("make a temporary place for the index: %w", err)
	}
	f.temp, f.beside, f.known, f.unusable = dir, false, true, false
	rand.Read(f.id[:])
	return f.place(), nil
}

// UseNamesWithID switches to file names with an ID in them, because index.db belongs to another owner.
func (f *Folder) UseNamesWithID() store.Place {
	f.mu.Lock()
	defer f.unlockAndPrint()
	if f.known && f.temp == "" {
		f.beside = true
	}
	return f.place()
}

// KnowsPrint reports whether an index with this fingerprint was made by the user's ken for
// another tree. Then it is a copy that is not used in this tree.
func (f *Folder) KnowsPrint(print string) bool { return print != "" && f.state.knowsFingerprint(print) }

// OtherPlace returns the places of the user's files in another tree's folder. It reports false if
// none can be trusted.
func (f *Folder) OtherPlace(dir string) (store.Place, bool) {
	o := New(filepath.Dir(dir), f.state, func(string) {})
	if o.dir != dir || f.Place().Temporary {
		return store.Place{}, false
	}
	p := o.Place()
	return p, p.Print != ""
}

// Close deletes the temporary folder, if there is one. It fails if that is impossible.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.unlockAndPrint()
	if f.temp == "" {
		return nil
	}
	return os.RemoveAll(f.temp)
}

// PrintOnce prints a line to the user, unless it was printed before.
func (f *Folder) PrintOnce(line string) {
	f.mu.Lock()
	defer f.unlockAndPrint()
	f.addLine(line)
}

// addLine adds a line to those that unlock prints, unless it was printed before. The caller holds f.mu.
func (f *Folder) addLine(line string) {
	if !f.said[line] {
		f.said[line] = true
		f.lines = append(f.lines, line)
	}
}

// unlockAndPrint unlocks f.mu and prints the lines that were added while it was held. Not earlier, because printing
// masks them with secrets of the index, whose place comes from f.
func (f *Folder) unlockAndPrint() {
	lines := f.lines
	f.lines = nil
	f.mu.Unlock()
	for _, l := range lines {
		f.warn(l)
	}
}
