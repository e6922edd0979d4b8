package cli

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

var update = flag.Bool("update", false, "rewrite docs/commands.md")

// TestReference keeps docs/commands.md equal to what the operations declare.
func TestReference(t *testing.T) {
	const page = "../../../docs/commands.md"
	want := reference()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/commands.md is not what the code declares; run: go test ./internal/delivery/cli -update\n%s", diff)
	}
}

const preface = `# Commands

<!-- Written by "go test ./internal/delivery/cli -update" from the declarations in internal/delivery/op. -->

ken answers questions about the repository it is called in. Every command has these flags:

%s**Exit status.** 0: done, or found. 1: done, and nothing was found; one line on standard error says so and offers near
names. 2: could not be done, or nothing was found and a use may be where it is not seen ("could not tell"); standard
error says why. 130: interrupted; what was committed stays. A command that was asked for several files of which some do
not exist answers for the others and exits with 1.

**Text** is for people and agents: short, in a fixed order, cut after some lines with a note of how many are left.
Control characters, invisible ones, controls of writing direction and bytes that are not UTF-8 are spelled out
(` + "`\\x1b`, `\\u202e`" + `), whether a terminal reads it or not.

**JSON** (` + "`--json`" + `) is one object: the revision of the index the answer was computed from, then lists, complete unless
` + "`--limit`" + `, given or by default, says otherwise, each in a total order, a row a line. Paths are relative to the project's
root, separated by ` + "`/`" + `; one that is not UTF-8 has U+FFFD for every bad byte, and its bytes in a second key that ends in ` + "`_base64`" + `. Lines
count from 1; ` + "`start` and `end`" + ` are byte offsets, the end not included. Having found nothing is an object with empty
lists. Errors are text on standard error in every format; then standard output may be empty or cut short.

**Paths** (` + "`--format paths`" + `) are the files of an answer, each once, a line each and escaped as in text; with ` + "`-0`" + ` raw
bytes, each ended by NUL.

**How true an answer is.** A file an answer shows is read again first if it changed. Answers that claim to be complete
(refs, deps, dependents, pattern, grep, overview, summary, export) compare the whole tree with the index first, and so does every
"there is no such name". hotspots re-reads the files it shows; status reads nothing and says how far the index is behind.

`

func reference() string {
	var b strings.Builder
	c := &Command{Tools: op.All()}
	root := c.commandTree(nil)
	fmt.Fprintf(&b, preface, flagTable(root.PersistentFlags()))
	for _, t := range c.Tools {
		command(&b, t, c.Tools)
	}
	b.WriteString("## ken completion SHELL\n\nPrint the completion script for bash, zsh, fish or powershell; `ken completion SHELL --help` says how to install it.\n\n")
	b.WriteString("## ken help [COMMAND]\n\nPrint what ken, or one of its commands, can do.\n")
	return b.String()
}

func flagTable(fs *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString("| flag | meaning |\n|---|---|\n")
	fs.VisitAll(func(f *pflag.Flag) {
		value, help := pflag.UnquoteUsage(f)
		name := "`--" + strings.TrimSpace(f.Name+" "+value) + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		if f.DefValue != "" && f.DefValue != "false" {
			help += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, cell(help))
	})
	b.WriteString("\n")
	return b.String()
}

func command(b *strings.Builder, t *project.Tool, all []*project.Tool) {
	fmt.Fprintf(b, "## ken %s\n\n%s%s.\n\n", strings.TrimSpace(t.Group+" "+t.Usage()), strings.ToUpper(t.Summary[:1]), t.Summary[1:])
	if t.Long != "" {
		b.WriteString(t.Long + "\n\n")
	}
	if len(t.Example) > 0 {
		b.WriteString("```\n")
		for _, l := range strings.Split(examplesHelp(t), "\n") {
			b.WriteString(strings.TrimPrefix(l, "  ") + "\n")
		}
		b.WriteString("```\n\n")
	}
	inputs(b, t)
	if first := all[slices.IndexFunc(all, t.AnswersAs)]; t.Group != "" && first != t {
		fmt.Fprintf(b, "The JSON is as that of `ken %s`.\n\n", first.Command())
		return
	}
	b.WriteString("| JSON | type | meaning |\n|---|---|---|\n")
	columns(b, "", t.Answer())
	b.WriteString("\n")
}

func inputs(b *strings.Builder, t *project.Tool) {
	if len(t.Input()) == 0 {
		return
	}
	b.WriteString("| argument | meaning |\n|---|---|\n")
	for _, f := range t.Input() {
		name := f.Name
		if !f.Positional {
			name = "--" + strings.TrimSpace(f.Name+" "+f.Value)
		}
		name = "`" + name + "`"
		if f.Short != "" {
			name = "`-" + f.Short + "`, " + name
		}
		help := f.Help
		if len(f.Enum) > 0 {
			help += " (" + strings.Join(f.Enum, ", ") + ")"
		}
		if f.Default != "" {
			help += " (default " + f.Default + ")"
		}
		fmt.Fprintf(b, "| %s | %s |\n", name, cell(help))
	}
	b.WriteString("\n")
}

func columns(b *strings.Builder, prefix string, cols []operation.Column) {
	for _, c := range cols {
		if strings.HasSuffix(c.Name, "_base64") && strings.HasPrefix(c.Doc, "the raw bytes of `") {
			continue // the preface says it once
		}
		doc := c.Doc
		if c.Optional {
			doc += "; left out if empty"
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, c.Name, c.Type, cell(doc))
		switch c.Type {
		case "list of objects":
			columns(b, prefix+c.Name+"[].", c.Fields)
		case "object of objects":
			columns(b, prefix+c.Name+"{}.", c.Fields)
		case "object":
			columns(b, prefix+c.Name+".", c.Fields)
		}
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
