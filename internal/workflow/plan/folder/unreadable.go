package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"ken/internal/workflow/plan/document"
)

// errDangling reports a link to a file that is not there.
var errDangling = errors.New("is a link to a file that is not there")

// seen is what was read of a folder. Its texts are examined only when that is asked for.
type seen struct {
	mu    sync.Mutex // guards the maps, because some operations read files side by side
	texts map[string]string
	errs  map[string]error
}

func newSeen() *seen { return &seen{texts: map[string]string{}, errs: map[string]error{}} }

// Note notes what was read of a file below the planning folder, for Unreadable: its text, or why it could not be read. A file that is not
// there is none.
func (f *Folder) Note(name, text string, err error) {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	switch {
	case err == nil:
		f.seen.texts[name] = text
	case !errors.Is(err, fs.ErrNotExist):
		f.seen.errs[name] = err
	}
}

// Unreadable returns an error for each file that was read, or would have been, and cannot be relied on, ordered by path: it is not
// accessible, or its text has a defect.
func (f *Folder) Unreadable() (list []error) {
	f.seen.mu.Lock()
	defer f.seen.mu.Unlock()
	names := slices.Sorted(maps.Keys(f.seen.texts))
	for name := range f.seen.errs {
		if _, ok := f.seen.texts[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		err := f.seen.errs[name]
		if err == nil {
			err = Defect(name, f.seen.texts[name])
		}
		if err != nil {
			list = append(list, err)
		}
	}
	return list
}

// Defect returns an *Error if the text of a file below the planning folder cannot be relied on, as document.Defect describes it. A file of
// settings or data has to be JSON.
func Defect(name, text string) error {
	if p := document.Defect(text); p != nil {
		return &Error{path.Join(Name, name), *p}
	}
	if strings.HasSuffix(name, ".json") && strings.TrimSpace(text) != "" {
		return jsonDefect(name, strings.TrimPrefix(text, "\ufeff"))
	}
	return nil
}

// jsonDefect returns an *Error with the line at which a text is not JSON, or nil.
func jsonDefect(name, text string) error {
	if json.Valid([]byte(text)) {
		return nil
	}
	line := 1
	var value any
	if at, ok := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(text), &value)); ok {
		line += strings.Count(text[:min(int(at.Offset), len(text))], "\n")
	}
	return &Error{path.Join(Name, name), fmt.Errorf("line %d is not JSON", line)}
}
