package op

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/operation"
)

// TestDeclarations holds what every operation must declare.
func TestDeclarations(t *testing.T) {
	seen := map[string]bool{}
	for _, tl := range All() {
		if seen[tl.Name] {
			t.Errorf("%s is declared twice", tl.Name)
		}
		seen[tl.Name] = true
		if s := tl.Summary; s == "" || strings.HasSuffix(s, ".") || s[0] < 'a' || s[0] > 'z' || strings.Contains(s, "\n") {
			t.Errorf("%s: summary %q is not one line in lower case without full stop", tl.Name, s)
		}
		cols := tl.Answer()
		if tl.Name == "mcp" || tl.Name == "web" { // they answer in another protocol
			checkInput(t, tl)
			continue
		}
		if first := cols[0].Name; first != "revision" && !slices.Contains([]string{"version", "export", "watch", "install", "uninstall", "doctor", "surface", "fleet"}, tl.Name) {
			t.Errorf("%s: the answer begins with %s", tl.Name, first)
		}
		checkColumns(t, tl.Name, cols)
		checkInput(t, tl)
	}
}

var (
	snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	camel = regexp.MustCompile(`^[a-z][A-Za-z0-9_]*$`)
)

// foreign reports whether an object is of a format that others defined.
func foreign(where string) bool {
	return strings.HasPrefix(where, "export") || where == "status.watch" || where == "watch.events"
}

func checkColumns(t *testing.T, where string, cols []operation.Column) {
	t.Helper()
	names := map[string]bool{}
	for _, c := range cols {
		at := where + "." + c.Name
		if names[c.Name] {
			t.Errorf("%s is there twice", at)
		}
		names[c.Name] = true
		if c.Doc == "" {
			t.Errorf("%s is not documented", at)
		}
		if form := snake; !form.MatchString(c.Name) && !(foreign(where) && camel.MatchString(c.Name)) {
			t.Errorf("%s is not written in small letters and underscores", at)
		}
		if strings.HasPrefix(c.Type, "list") && !strings.HasSuffix(c.Name, "s") && !plurals[c.Name] && where != "export.queue" {
			t.Errorf("%s is a list; its name is not a plural", at)
		}
		if len(c.Fields) > 0 {
			checkColumns(t, at, c.Fields)
		}
	}
}

// plurals are names of lists that end otherwise; those of export.queue are a format of others.
var plurals = map[string]bool{"why": true, "filesModified": true, "filesCreated": true, "filesDeleted": true, "sessionHistory": true, "added": true, "modified": true, "deleted": true, "skipped": true,
	"generated": true, "i18n": true, "co_change": true, "keywords_searched": true, "must_verify": true, "confirmation_required": true, "should_verify": true, "essential_context": true, "context_update_required": true, "changed_without_leave": true, "unread": true, "reached": true}

func checkInput(t *testing.T, tl *Tool) {
	t.Helper()
	flags := map[string]bool{}
	many := false
	for _, f := range tl.Input() {
		if f.Help == "" {
			t.Errorf("%s: %s has no help", tl.Name, f.Name)
		}
		if many && f.Positional {
			t.Errorf("%s: %s can never be given", tl.Name, f.Name)
		}
		many = many || f.Positional && f.Many
		if flags[f.Name] {
			t.Errorf("%s: %s is declared twice", tl.Name, f.Name)
		}
		flags[f.Name] = true
		if _, isBool := f.Pointer(tl.NewInput()).(*bool); !f.Positional && !isBool && f.Value == "" {
			t.Errorf("%s: --%s does not say what its value is called", tl.Name, f.Name)
		}
		if err := f.Check(f.Pointer(tl.NewInput())); err != nil && !f.Required {
			t.Errorf("%s: the default of %s: %v", tl.Name, f.Name, err)
		}
	}
}
