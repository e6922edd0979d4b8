// Package scope decides which project a call over the Model Context Protocol is about: roots.go holds the directories
// that a client works in, scope.go chooses. Its neighbour is delivery/mcp, which asks it before each call.
package scope

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// Scope knows the projects that calls may be about.
type Scope struct {
	Dir string // the working directory, absolute; calls are about its project by default
	// Projects are further directories, absolute.
	Projects []string
	// Root finds the root of the project that holds a directory, without opening it.
	Root func(dir string) (string, error)

	roots clientRoots // of the client on standard input and output

	mu     sync.Mutex        // guards the field below
	opened map[string]string // root of the project that was at a directory, by directory
}

// projectPlace is a project, or a directory without one, that calls may be about.
type projectPlace struct {
	dir  string // as it was named: the working directory, one given at start, or a client's root
	root string // of the project that holds it, "" if none does
	name string // short, if no other has it
}

// places returns the projects that calls may be about, that of the working directory first. If wait is set, it waits
// for the client's roots if they are under way.
func (s *Scope) places(ctx context.Context, wait bool) []projectPlace {
	var out []projectPlace
	dirs := slices.Concat([]string{s.Dir}, s.Projects, s.roots.list(ctx, wait))
	for _, dir := range dirs {
		p := projectPlace{dir: dir}
		if root, err := s.Root(dir); err == nil {
			p.root = root
		}
		same := func(o projectPlace) bool { return o.dir == p.dir || o.root == p.root && p.root != "" }
		if !slices.ContainsFunc(out, same) {
			out = append(out, p)
		}
	}
	for i := range out {
		p := &out[i]
		p.name = p.path()
		base := func(o projectPlace) bool { return filepath.Base(o.path()) == filepath.Base(p.path()) }
		if slices.IndexFunc(out, base) == i && !slices.ContainsFunc(out[i+1:], base) {
			p.name = filepath.Base(p.path())
		}
	}
	return out
}

// path returns the project's root, or the directory if it is in no project.
func (p projectPlace) path() string {
	if p.root != "" {
		return p.root
	}
	return p.dir
}

// contains reports whether a path is in the project.
func (p projectPlace) contains(path string) bool {
	if p.root == "" || path == p.root {
		return p.root != ""
	}
	rel, err := filepath.Rel(p.root, path)
	return err == nil && filepath.IsLocal(rel)
}

// isCalled reports whether an argument names the project: by its path, the directory it was named by, its name,
// or the URI of a root.
func (p projectPlace) isCalled(arg, from string) bool {
	if arg == p.name {
		return true
	}
	if dir := rootDir(arg); dir != "" {
		arg = dir
	}
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(from, arg)
	}
	arg = project.RealPath(filepath.Clean(arg))
	return arg == project.RealPath(p.dir) || arg == p.root
}

// hasSeveral reports whether calls may be about more than one project.
func (s *Scope) hasSeveral() bool { return len(s.Projects) > 0 || s.roots.mayBeNamed() }

// ChooseDirectory returns the directory that a call is about: that of the named project, else of the project that the paths in
// values are in, else the working directory, or, if that is in no project, the only project. Paths relative to the working
// directory become absolute if another directory is chosen. It fails if there is no project of that name or the paths are in
// several.
func (s *Scope) ChooseDirectory(ctx context.Context, name string, values []*string) (string, error) {
	if name == "" && !s.hasSeveral() {
		return s.Dir, nil
	}
	paths := outsideValues(values)
	list := s.places(ctx, name != "" || len(paths) > 0)
	if list[0].root == "" {
		list = s.places(ctx, true)
	}
	var chosen *projectPlace
	if name != "" {
		i := slices.IndexFunc(list, func(p projectPlace) bool { return p.isCalled(name, s.Dir) })
		if i < 0 {
			return "", code.Usagef("%s is no project that may be asked about here; there are: %s", operation.Quote(name), joinPaths(list))
		}
		chosen = &list[i]
	}
	chosen, err := owningProject(list, chosen, paths, s.Dir)
	if err == nil && chosen == nil {
		chosen, err = defaultProject(list)
	}
	if err != nil || chosen == &list[0] {
		return s.Dir, err
	}
	for _, v := range paths {
		if !filepath.IsAbs(*v) {
			*v = filepath.Join(s.Dir, *v)
		}
	}
	return chosen.path(), nil
}

// owningProject returns the project that holds the paths outside of the working directory, nil if none does. It fails if
// they are in several projects, or in another one than the chosen. The operation rejects paths in no project.
func owningProject(list []projectPlace, chosen *projectPlace, paths []*string, from string) (*projectPlace, error) {
	var found *projectPlace
	for _, v := range paths {
		path := *v
		if !filepath.IsAbs(path) {
			path = filepath.Join(from, path)
		}
		path = project.RealPath(filepath.Clean(path))
		var in *projectPlace
		for i := range list {
			if list[i].contains(path) && (in == nil || len(list[i].root) > len(in.root)) {
				in = &list[i]
			}
		}
		switch {
		case in == nil || in == chosen:
		case chosen != nil:
			return nil, code.Usagef("%s is in another project than %s: pass project=%s", operation.Quote(*v), operation.Quote(chosen.name), operation.Quote(in.name))
		case found != nil && found != in:
			return nil, code.Usagef("the paths are in several projects, %s and %s: ask about one at a time", operation.Escape(found.name), operation.Escape(in.name))
		default:
			found = in
		}
	}
	if chosen != nil {
		return chosen, nil
	}
	return found, nil
}

// defaultProject returns the project of the working directory or, if there is none, the only other one.
func defaultProject(list []projectPlace) (*projectPlace, error) {
	if list[0].root != "" {
		return &list[0], nil
	}
	var found *projectPlace
	for i := range list {
		switch {
		case list[i].root == "":
		case found != nil:
			return nil, code.Usagef("several projects may be asked about and the working directory is in none: name one in the argument project: %s",
				joinPaths(list))
		default:
			found = &list[i]
		}
	}
	if found == nil {
		found = &list[0]
	}
	return found, nil
}

// joinPaths returns a list of the projects for a message.
func joinPaths(list []projectPlace) string {
	var out []string
	for i := range list {
		out = append(out, operation.Escape(list[i].path()))
	}
	return strings.Join(out, ", ")
}

// outsideValues returns the values that begin with "..", or are absolute paths.
func outsideValues(values []*string) (out []*string) {
	for _, v := range values {
		if filepath.IsAbs(*v) || strings.HasPrefix(*v, "../") || *v == ".." {
			out = append(out, v)
		}
	}
	return out
}

// OtherProjectNote returns a note if a path that was not found in the project at root exists in another project, else "".
func (s *Scope) OtherProjectNote(root string, values []*string) string {
	if !s.hasSeveral() {
		return ""
	}
	for _, p := range s.places(context.Background(), false) {
		if p.root == "" || p.root == root {
			continue
		}
		for _, v := range values {
			if looksLikePath(*v) && exists(filepath.Join(p.root, filepath.FromSlash(*v))) {
				return fmt.Sprintf("; there is a %s in another project: pass project=%s", operation.Quote(*v), operation.Quote(p.name))
			}
		}
	}
	return ""
}

func looksLikePath(s string) bool {
	return filepath.IsLocal(s) && !strings.ContainsAny(s, " \n") && strings.ContainsAny(s, "/.")
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// CheckOpened checks the result of opening the project of a directory, which was found at root or failed with err. It returns
// the error to report: a project that was deleted must not be mistaken for the one around it.
func (s *Scope) CheckOpened(dir, root string, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.opened[dir]
	switch {
	case was == "" || was == root:
	case !isDir(was):
		return fmt.Errorf("the project %s is gone: it was deleted or moved while it was served", operation.Escape(was))
	case !isDir(filepath.Join(was, ".ken")):
		return fmt.Errorf("the index of %s is gone: its .ken was deleted while it was served; \"ken init\" there makes one", operation.Escape(was))
	}
	if err != nil {
		return err
	}
	if s.opened == nil {
		s.opened = map[string]string{}
	}
	s.opened[dir] = root
	return nil
}

func isDir(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.IsDir()
}

// Names returns the names of the projects that calls may be about, as far as they are known; none if there is only one.
func (s *Scope) Names(ctx context.Context) (names []string) {
	if !s.hasSeveral() {
		return nil
	}
	for _, p := range s.places(ctx, false) {
		if p.root != "" {
			names = append(names, p.name)
		}
	}
	if len(names) < 2 {
		return nil
	}
	return names
}
