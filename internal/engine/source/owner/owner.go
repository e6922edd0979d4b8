// Package owner says which files of a project's .ken folder were made by this
// user's ken for this tree. A folder can come with a clone or an archive, or belong
// to another user, so nothing in it is believed because it is there.
//
// For each folder the user's state directory holds an id: 32 random bytes that
// nobody else can read, under a name made of the folder's owner and inode. A path
// changes when a tree is moved and a device number when a disk is mounted again, so
// neither counts. The index carries a print of the id, the salt a seal made with it,
// and vectors are kept under a name made of the print. The name of the memory is noted beside the id. Whoever writes a repository
// can forge none of them, because they do not know the id.
//
// The package is a part of source because the salt is source's, and because the
// store needs no more of it than names of files and the print. Its neighbour
// store/owned is the store that reads and writes only what is the user's.
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

// id is what makes files of one folder this user's.
type id [32]byte

// derived is a key or name made of an id; it does not give the id away.
func (i id) derived(purpose string) []byte {
	h := hmac.New(sha256.New, i[:])
	h.Write([]byte("ken " + purpose))
	return h.Sum(nil)
}

// print is what an index carries.
func (i id) print() string { return hex.EncodeToString(i.derived("index")[:16]) }

// name is ID in index-ID.db.
func (i id) name() string { return hex.EncodeToString(i.derived("name")[:6]) }

// Folder is one project's .ken folder as this user's ken uses it. It is safe for
// concurrent use.
type Folder struct {
	dir   string // .ken
	root  string // of the project
	state *State
	warn  func(string)

	mu     sync.Mutex
	id     id
	known  bool      // id is set
	beside bool      // index.db is another's
	looked time.Time // when it was looked up what there is in the folder
	// unusable is set if git tracks files under both kinds of names.
	unusable bool
	memory   string // name of the user's memory, "" if there is none yet
	// noMemory is set if git tracks the memory or the spool, noLogs if it tracks logs: another commit would replace them.
	noMemory, noLogs bool
	temp             string // the temporary folder, "" if there is none
	said             map[string]bool
	lines            []string // to be shown by unlock
}

// New is the folder .ken of the project at root. warn shows a line to the user; each
// line is shown once.
func New(root string, state *State, warn func(string)) *Folder {
	return &Folder{dir: filepath.Join(root, ".ken"), root: root, state: state, warn: warn, said: map[string]bool{}}
}

// Place is where the user's files are. It opens nothing but the file of the id.
func (f *Folder) Place() store.Place {
	f.mu.Lock()
	defer f.unlock()
	f.look()
	return f.place()
}

// look finds the id, if there is one, and which names its files have; f.mu is held.
func (f *Folder) look() {
	if !f.known && f.temp == "" {
		f.id, f.memory, f.known = f.state.read(f.dir)
	}
	if !f.known || f.temp != "" || time.Since(f.looked) < lookAgain {
		return
	}
	f.looked = time.Now()
	f.lookInside()
	f.refuseTracked()
}

// lookAgain is how old a look at the folder may be. Most commands end before; one that
// watches must notice that somebody commits an index.
const lookAgain = 5 * time.Second

func (f *Folder) place() store.Place {
	p := store.Place{Temporary: f.temp != "", Beside: f.beside}
	usable := f.known && !f.unusable
	dir, name := f.dir, ""
	if f.temp != "" {
		dir = f.temp
	}
	if usable {
		p.Print, p.Key = f.id.print(), string(f.id.derived("salt"))
		if f.beside {
			name = f.id.name()
		}
	}
	p.Index = filepath.Join(dir, fileName("index.db", name))
	p.Salt = filepath.Join(dir, fileName("salt", name))
	p.Vectors = filepath.Join(dir, fileName("vectors.db", name))
	if usable && f.temp == "" && f.memory != "" && !f.noMemory {
		p.Memory = filepath.Join(dir, f.memory)
		p.Spool, p.SpoolKey = filepath.Join(dir, fileName("spool", name)), string(f.id.derived("spool"))
	}
	if usable && f.temp == "" && !f.noLogs {
		p.Logs, p.LogKey = filepath.Join(dir, fileName("logs", name)), string(f.id.derived("logs"))
	}
	return p
}

// fileName is the name of a file in the folder with the name of an id in it. Files of
// the id that index.db is of have none.
func fileName(file, name string) string {
	if name == "" {
		return file
	}
	ext := filepath.Ext(file)
	return strings.TrimSuffix(file, ext) + "-" + name + ext
}

// Settle is Place after an id was made, if there was none. Where none can be kept
// the files are in a temporary folder: nothing in .ken can be known to be the
// user's then.
func (f *Folder) Settle() (store.Place, error) {
	f.mu.Lock()
	defer f.unlock()
	f.look()
	switch {
	case f.unusable && f.temp == "":
		return f.temporary()
	case f.known:
		return f.place(), nil
	}
	got, err := f.state.make(f.dir)
	if err != nil {
		f.say(fmt.Sprintf("no id of this project can be kept in %s: nothing in .ken is believed, and the index serves this command alone; "+
			"KEN_STATE can name another place", explainState(f.state.dir, err)))
		return f.temporary()
	}
	f.id, f.known = got, true
	if f.look(); f.unusable {
		return f.temporary()
	}
	return f.place(), nil
}

// SettleMemory is Settle with a place for a memory, which is noted in the state directory
// before there is one. Where no id can be kept there is no place for a memory.
func (f *Folder) SettleMemory() (store.Place, error) {
	p, err := f.Settle()
	if err != nil || p.Memory != "" || p.Temporary || f.noMemory {
		return p, err
	}
	f.mu.Lock()
	defer f.unlock()
	name := "memory.db"
	if _, err := os.Lstat(filepath.Join(f.dir, name)); err == nil || f.beside {
		name = fileName(name, f.id.name())
	}
	if f.memory, err = f.state.noteMemory(f.dir, name); err != nil {
		return p, fmt.Errorf("make a memory: %w", err)
	}
	return f.place(), nil
}

// Temporary moves to a folder that Close deletes, because .ken cannot be written.
func (f *Folder) Temporary(why string) (store.Place, error) {
	f.mu.Lock()
	defer f.unlock()
	if f.temp != "" {
		return f.place(), nil
	}
	f.say(why)
	return f.temporary()
}

// temporary makes the folder and an id for it; f.mu is held.
func (f *Folder) temporary() (store.Place, error) {
	dir, err := os.MkdirTemp("", "ken-")
	if err != nil {
		return store.Place{}, fmt.Errorf("make a temporary place for the index: %w", err)
	}
	f.temp, f.beside, f.known, f.unusable = dir, false, true, false
	rand.Read(f.id[:])
	return f.place(), nil
}

// Beside moves to names with an ID, because index.db is another id's.
func (f *Folder) Beside() store.Place {
	f.mu.Lock()
	defer f.unlock()
	if f.known && f.temp == "" {
		f.beside = true
	}
	return f.place()
}

// Made reports whether an index with this print was made by the user's ken for
// another tree: then it is a copy that nobody uses in this one.
func (f *Folder) Made(print string) bool { return print != "" && f.state.knows(print) }

// Other is where the user's files of another tree's folder are. It reports false if
// there are none that can be believed.
func (f *Folder) Other(dir string) (store.Place, bool) {
	o := New(filepath.Dir(dir), f.state, func(string) {})
	if o.dir != dir || f.Place().Temporary {
		return store.Place{}, false
	}
	p := o.Place()
	return p, p.Print != ""
}

// Close deletes what is temporary.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.unlock()
	if f.temp == "" {
		return nil
	}
	return os.RemoveAll(f.temp)
}

// Say shows a line to the user, once.
func (f *Folder) Say(line string) {
	f.mu.Lock()
	defer f.unlock()
	f.say(line)
}

// say keeps a line for unlock, unless it was shown before; f.mu is held.
func (f *Folder) say(line string) {
	if !f.said[line] {
		f.said[line] = true
		f.lines = append(f.lines, line)
	}
}

// unlock shows the lines that came up while f.mu was held. Not before, because who
// shows them masks them, with secrets read from the index, whose place is asked of f.
func (f *Folder) unlock() {
	lines := f.lines
	f.lines = nil
	f.mu.Unlock()
	for _, l := range lines {
		f.warn(l)
	}
}
