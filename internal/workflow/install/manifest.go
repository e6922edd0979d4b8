package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ken/internal/statefile"
	"ken/internal/workflow/install/jsonedit"
)

// manifest is the record of one installation, as JSON in the file
//
//	STATE/install/NAME-HASH/manifest.json
//
// where HASH is that of the installation's folder. Beside it is a file for each content to restore or to merge with, named by its SHA-256,
// and a folder with versions of the user's (aside.go). Directories have mode 0700 and files 0600, because settings can hold secrets.
type manifest struct {
	Version int      `json:"version"`
	State   string   `json:"state"`
	Name    string   `json:"name"`
	Root    string   `json:"root"`
	Ken     string   `json:"ken,omitempty"` // version of ken
	Options []string `json:"options,omitempty"`
	Files   []record `json:"files"`
}

const manifestVersion = 1

// The states of a manifest. A killed process leaves one of the first two.
const (
	stateInstalling = "installing"
	stateRemoving   = "removing"
	stateInstalled  = "installed"
)

// The kinds of records.
const (
	kindFile     = "file"
	kindSettings = "settings"
	kindBlock    = "block"
	kindLines    = "lines"
	kindMember   = "member"
)

// record describes the changes that an installation made to one file.
type record struct {
	Path   string   `json:"path"`
	Kind   string   `json:"kind"`
	What   string   `json:"what"`
	Within string   `json:"within,omitempty"`
	Dirs   []string `json:"dirs,omitempty"`   // made for the file, the outermost first
	Before string   `json:"before,omitempty"` // SHA-256 of the file without ken; "" if there was none
	Made   bool     `json:"made,omitempty"`   // there was none when ken was first installed
	// After are the SHA-256 of ken's version: one, or two while it is being written.
	After []string `json:"after,omitempty"`
	// Text is the SHA-256 of the text of ken's in a file that is its alone, by comparison with which the changes of the user are seen.
	Text string `json:"text,omitempty"`
	// Aside are the user's versions of it that were replaced and are not merged yet.
	Aside []asideCopy `json:"aside,omitempty"`
	// Beside is a file that a killed process may leave.
	Beside string `json:"beside,omitempty"`

	Entries  []Entry            `json:"entries,omitempty"`
	Settings []jsonedit.Setting `json:"settings,omitempty"`
	JSON     jsonedit.Record    `json:"json,omitzero"`

	MadeMap bool `json:"made_map,omitempty"` // there was no map for the member
	Theirs  bool `json:"theirs,omitempty"`   // the file is the user's, and ken's is left out

	Begin string `json:"begin,omitempty"`
	End   string `json:"end,omitempty"`
	Lead  string `json:"lead,omitempty"` // added before the block

	Lines []string `json:"lines,omitempty"` // wanted
	Added []string `json:"added,omitempty"` // and not there before
}

// asideCopy is a version of the user's that was replaced.
type asideCopy struct {
	File string `json:"file"`           // in the folder aside
	Base string `json:"base,omitempty"` // SHA-256 of the text of ken's that the user has changed, "" if it is not known any more
}

// hasText reports whether a text is the one that ken has written.
func (r *record) hasText(name string) bool {
	if r.Text == "" { // an older version of ken has not recorded it
		return slices.Contains(r.After, name)
	}
	return r.Text == name
}

// usesContent reports whether a record needs a stored content.
func (r *record) usesContent(name string) bool {
	return r.Before == name || r.Text == name || slices.ContainsFunc(r.Aside, func(c asideCopy) bool { return c.Base == name })
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// maxManifest limits the size of a manifest that is read. A usual one has some kilobytes, and the settings it replaced.
const maxManifest = 64 << 20

// readManifest reads the manifest in a folder. It returns nil if there is none.
func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, "manifest.json")
	raw, err := statefile.Read(path, maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, statefile.ErrNotRegular), errors.As(err, new(*statefile.SizeError)):
		return nil, fmt.Errorf("%s is not a record that ken has written", path)
	case err != nil:
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Version != manifestVersion {
		return nil, fmt.Errorf("%s was written by another version of ken (%d, this one writes %d)", path, m.Version, manifestVersion)
	}
	return &m, nil
}

// findRecord returns the record of a file, or nil.
func (m *manifest) findRecord(path string) *record {
	if m == nil {
		return nil
	}
	for i := range m.Files {
		if m.Files[i].Path == path {
			return &m.Files[i]
		}
	}
	return nil
}

// writeManifest replaces the manifest in a folder, which it makes if necessary.
func writeManifest(dir string, m *manifest) error {
	raw, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	return writePrivate(filepath.Join(dir, "manifest.json"), append(raw, '\n'))
}

// writePrivate replaces a file in the state directory that only the user may read.
func writePrivate(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return statefile.Replace(path, data, statefile.Options{Sync: true})
}

// storeContent stores a content under its hash, unless it is stored already.
func storeContent(dir string, data []byte) error {
	path := filepath.Join(dir, hash(data))
	if old, err := os.ReadFile(path); err == nil && hash(old) == hash(data) {
		return nil
	}
	return writePrivate(path, data)
}

// readContent returns a stored content by its hash.
func readContent(dir, name string) ([]byte, error) {
	if name == hash(nil) {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err == nil && hash(data) != name {
		err = errors.New("it is not the content that ken has written")
	}
	return data, err
}

// removeUnusedContents deletes stored contents that the manifest no longer names.
func removeUnusedContents(dir string, m *manifest) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		used := slices.ContainsFunc(m.Files, func(r record) bool { return r.usesContent(e.Name()) })
		if e.Name() != "manifest.json" && !used && !e.IsDir() {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
