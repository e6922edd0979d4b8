package resolve

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestOracleRuby compares requires with Ruby's own load path, over the gems of a
// repository.
func TestOracleRuby(t *testing.T) {
	for name, gems := range map[string][]string{
		"jekyll":  {"."},
		"sinatra": {".", "rack-protection", "sinatra-contrib"},
		"rails": {"actioncable", "actionmailbox", "actionmailer", "actionpack", "actiontext", "actionview", "activejob", "activemodel", "activerecord",
			"activestorage", "activesupport", "railties"},
	} {
		t.Run(name, func(t *testing.T) {
			root := corpus(t, name)
			r := New(diskTree(t, root))
			var s score
			for _, a := range askOracle(t, exec.Command("ruby", append([]string{"testdata/oracle/ruby.rb", root}, gems...)...)) {
				s.add(a, s.resolve(r, a.From, langRuby, &code.Import{Spec: a.Spec, Kind: code.ImportRequire}).File)
			}
			s.check(t, 97)
		})
	}
}

// TestOracleZeitwerk asks for every constant that Zeitwerk expects below the app
// of a Rails application, as another file of the application would.
func TestOracleZeitwerk(t *testing.T) {
	for _, name := range []string{"lobsters", "feedbin"} {
		t.Run(name, func(t *testing.T) {
			root := corpus(t, name)
			r := New(diskTree(t, root))
			var s score
			for _, a := range askOracle(t, exec.Command("ruby", append([]string{"testdata/oracle/zeitwerk.rb", root}, autoloadRoots(t, root)...)...)) {
				a.From = "config/application.rb"
				s.add(a, s.resolve(r, a.From, langRuby, &code.Import{Spec: a.Spec, Kind: code.ImportPath}).File)
			}
			s.check(t, 97)
		})
	}
}

// autoloadRoots returns the folders Rails autoloads from: those of app, and the
// concerns in them.
func autoloadRoots(t *testing.T, root string) []string {
	var roots []string
	for _, pattern := range []string{"app/*", "app/*/concerns"} {
		dirs, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dirs {
			ruby := false
			err := filepath.WalkDir(d, func(p string, _ fs.DirEntry, err error) error {
				ruby = ruby || strings.HasSuffix(p, ".rb")
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if rel, err := filepath.Rel(root, d); err == nil && ruby {
				roots = append(roots, rel)
			}
		}
	}
	return roots
}
