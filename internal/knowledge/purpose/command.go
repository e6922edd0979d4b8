package purpose

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"ken/internal/engine/view"
)

// commandTexts are libraries by which programs declare their commands, with the form of the sentence that a command shows in
// its help.
var commandTexts = []struct {
	module string
	form   string // of the sentence
	name   string // of the command's name
}{
	{"github.com/spf13/cobra", "\\bShort:\\s*(?:heredoc\\.Doc(?:f)?\\()?(?:\"([^\"\\n]{3,200})\"|`([^`\\n]{3,200})`)", `\bUse:\s*"([\w-]+)`},
	{"github.com/urfave/cli", "\\bUsage:\\s*(?:\"([^\"\\n]{3,200})\"|`([^`\\n]{3,200})`)", `\bName:\s*"([\w-]+)"`},
}

// commandPurpose returns the description that a command shows its users, if the file declares just one.
func (r *purposeReading) commandPurpose(ctx context.Context) (Purpose, error) {
	for _, c := range commandTexts {
		imports := func(m view.ResolvedImport) bool { return strings.HasPrefix(m.Spec, c.module) }
		if !slices.ContainsFunc(r.imports, imports) {
			continue
		}
		text, err := r.s.Text(ctx, r.f.Path)
		if err != nil {
			return Purpose{}, err
		}
		found := regexp.MustCompile(c.form).FindAllSubmatch(text, 2)
		if len(found) != 1 {
			continue // with several commands it is unknown which is the main one
		}
		said := strings.TrimRight(string(found[0][1])+string(found[0][2]), ". ")
		if Describes(said) {
			what := "A command of the program"
			if name := regexp.MustCompile(c.name).FindAllSubmatch(text, 2); len(name) == 1 {
				what = "The command " + string(name[0][1])
			}
			return Purpose{Text: what + ": " + said + ".", From: Declaration}, nil
		}
	}
	return Purpose{}, nil
}
