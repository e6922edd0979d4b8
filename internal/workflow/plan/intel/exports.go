package intel

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// Exports are the exported names of a file, and the syntax with which it exports them.
type Exports struct {
	File    string   `json:"file"`
	Exports []string `json:"exports"`
	Method  string   `json:"method"` // module.exports, exports.X, esm, mixed, none; index for a file that is not JavaScript
	From    Origin   `json:"answered_from"`
}

func (o *indexAsker) extractExports(ctx context.Context, c *planop.Call, in *intelExtractExportsInput) (Exports, error) {
	project, err := c.Project()
	if err != nil {
		return Exports{}, err
	}
	full := inProject(project, in.File)
	a := Exports{full, []string{}, "none", Origin{Source: sourceFiles}}
	at, err := argument.CheckPath(project, full)
	if err != nil {
		return Exports{}, planop.Faultf("path_outside", "%s", err.Error())
	}
	st, err := os.Stat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return Exports{}, err
	}
	text, err := statefile.ReadFollow(at, folder.MaxBytes)
	if err != nil {
		return Exports{}, err
	}
	a.readSyntax(string(text))
	x, err := o.askExports(ctx, c, project, full, in)
	switch {
	case err != nil:
		return Exports{}, err
	case !x.hasIndex() || x.Exports == nil:
		a.From = fileOrigin(st.ModTime(), c.Now(), x.missingIndexReason())
		return a, nil
	}
	a.Exports, a.From = append([]string{}, x.Exports...), x.origin(c.Now())
	if a.Method == "none" && len(a.Exports) > 0 {
		a.Method = sourceIndex
	}
	return a, nil
}

// askExports asks the index for the exports of a file. It does not fail without a project, because the file itself was read.
func (o *indexAsker) askExports(ctx context.Context, c *planop.Call, project, full string, in *intelExtractExportsInput) (*Indexed, error) {
	rel, err := filepath.Rel(project, full)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, nil
	}
	return o.askIndex(ctx, c, in.Source, Wanted{Exports: filepath.ToSlash(rel)})
}

var (
	wholeObject = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`module\.exports\s*=\s*\{`) })
	oneOfObject = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\w+)\s*(?:[,}:(]|$)`) })
	oneByOne    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(?:module\.)?exports\.(\w+)\s*=`) })
	esmNames    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|class|const|let|var)\s+(\w+)`)
	})
	esmDefault = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^export\s+default\s`) })
	esmBlock   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^export\s*\{([^}]+)\}`) })
)

func (a *Exports) readSyntax(text string) {
	add := func(name string) {
		if name != "" && !slices.Contains(a.Exports, name) {
			a.Exports = append(a.Exports, name)
		}
	}
	if all := wholeObject().FindAllStringIndex(text, -1); len(all) > 0 {
		a.Method = "module.exports"
		for line := range strings.SplitSeq(untilClosingBrace(text[all[len(all)-1][1]:]), "\n") {
			for part := range strings.SplitSeq(line, ",") {
				if part = strings.TrimSpace(part); strings.HasPrefix(part, "//") || strings.HasPrefix(part, "*") {
					break
				} else if m := oneOfObject().FindStringSubmatch(part); m != nil {
					add(m[1])
				}
			}
		}
	}
	for _, m := range oneByOne().FindAllStringSubmatch(text, -1) {
		if add(m[1]); a.Method == "none" {
			a.Method = "exports.X"
		}
	}
	common := len(a.Exports) > 0
	before := len(a.Exports)
	for _, m := range esmNames().FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	for _, m := range esmBlock().FindAllStringSubmatch(text, -1) {
		for part := range strings.SplitSeq(m[1], ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(part), " as ")
			add(strings.TrimSpace(name))
		}
	}
	if esmDefault().MatchString(text) && len(a.Exports) == before {
		add("default")
	}
	switch modern := len(a.Exports) > before; {
	case modern && common:
		a.Method = "mixed"
	case modern:
		a.Method = "esm"
	}
}

// untilClosingBrace returns the beginning of a text, which follows an opening brace, up to its closing brace. It leaves out nested
// braces, because they enclose values and not names.
func untilClosingBrace(text string) string {
	var b strings.Builder
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				return b.String()
			}
			continue
		}
		if depth == 1 || depth == 2 && strings.IndexByte("{([", text[i]) >= 0 {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
