package tasks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
)

// taskArgument is the argument that names a task.
var taskArgument = reflect.StructField{Name: "OfTask", Type: reflect.TypeFor[string](), Tag: `flag:"task" value:"ID" help:"the task; default: the one that goes on"`}

// looker returns the places in files that an answer of an operation showed, of which sent is what its reader got.
type looker func(ctx context.Context, p *project.Project, in, answer any, sent *operation.Sent) ([]task.ReadPart, error)

// recordingTool makes a task operation out of base: it does the same and records in the task which places its answer showed.
func recordingTool(base *tool, name guard.Tool, summary string, looks looker) *tool {
	return base.As(operation.Alias[*project.Project]{
		Name: string(name), Group: group, Topic: operation.ChangeSafely, Rare: true, Logged: true, MCP: offer(), Summary: summary, Long: "The same as \"ken " + base.Name + "\"; what was looked at is noted in the task.",
		Extra: []reflect.StructField{taskArgument},
		Before: func(ctx context.Context, p *project.Project, extra func(string) string) error {
			return checkAdmitted(ctx, p, extra("OfTask"), name)
		},
		After: func(ctx context.Context, p *project.Project, extra func(string) string, in, answer any, sent *operation.Sent) error {
			ctx = context.WithoutCancel(ctx)
			list, err := looks(ctx, p, in, answer, sent)
			if err != nil {
				return err
			}
			for i := range list {
				list[i].Tool = string(name)
			}
			return recordLooks(ctx, p, extra("OfTask"), list)
		},
	})
}

// checkAdmitted returns an error if the open task does not allow the tool in its present state.
func checkAdmitted(ctx context.Context, p *project.Project, id string, name guard.Tool) error {
	m, err := p.Memory(false)
	if err != nil || m == nil || isAlwaysAllowed(string(name)) {
		return nil
	}
	k, err := currentTask(ctx, m, p.Session, id)
	if err != nil {
		return nil // without a task nothing is guarded
	}
	t, err := parseTask(&k)
	if err != nil {
		return err
	}
	if d := guard.Decide(taskPolicy(p), t, &guard.Request{Tool: name}); !d.Allowed {
		return code.Usagef("%s: %s; next: %s; allowed: %s", d.Error, d.Message, d.Hint, toolNames(d.AllowedTools))
	}
	return nil
}

func toolNames(list []guard.Tool) string {
	var out []string
	for _, t := range list {
		if !isAlwaysAllowed(string(t)) {
			out = append(out, string(t))
		}
	}
	return strings.Join(out, ", ")
}

// inputField returns the named field of an operation's input.
func inputField(in any, name string) reflect.Value {
	return reflect.ValueOf(in).Elem().FieldByName(name)
}

// maxNamed is the number of files of one answer that are recorded.
const maxNamed = 200

// namedLooks returns the files that an answer names, as places shown.
func namedLooks(_ context.Context, _ *project.Project, _, answer any, sent *operation.Sent) (out []task.ReadPart, err error) {
	var b bytes.Buffer
	if err := operation.WritePaths(&b, answer, true); err != nil {
		return nil, err
	}
	for p := range bytes.SplitSeq(b.Bytes(), []byte{0}) {
		if len(p) > 0 && len(out) < maxNamed && sent.Holds(string(p)) {
			out = append(out, task.ReadPart{Path: string(p), Depth: task.Named})
		}
	}
	return out, nil
}

// Briefing returns the operation that gives a brief, which records in the task that goes on the source that it showed.
func Briefing(base *tool) *tool {
	return base.Then(func(ctx context.Context, p *project.Project, in, answer any, sent *operation.Sent) error {
		if !inputField(in, "Source").Bool() {
			return nil
		}
		text, err := json.Marshal(answer)
		var shown functionAnswer
		if err = errors.Join(err, json.Unmarshal(text, &shown)); err != nil {
			return err
		}
		return recordLooks(context.WithoutCancel(ctx), p, "", shown.functionLooks(sent))
	})
}

func queryTool(base *tool) *tool {
	return recordingTool(base, guard.Query, "files and symbols that a question is about, agreements first", namedLooks)
}

func semanticTool(base *tool) *tool {
	return recordingTool(base, guard.SemanticSearch, "what resembles a text: what was agreed on before all other code",
		func(ctx context.Context, p *project.Project, in, answer any, sent *operation.Sent) ([]task.ReadPart, error) {
			list, err := namedLooks(ctx, p, in, answer, sent)
			return append(list, task.ReadPart{Depth: task.Named}), err // that it was asked counts, whatever it found
		})
}

func searchTextTool(base *tool) *tool {
	return recordingTool(base, guard.SearchText, "lines that match a regular expression, with the symbol around each",
		func(_ context.Context, _ *project.Project, in, _ any, sent *operation.Sent) ([]task.ReadPart, error) {
			return searchLooks(inputField(in, "Regex").String(), searchedLines(sent)), nil
		})
}

func definitionsTool(base *tool) *tool {
	return recordingTool(base, guard.FindDefinitions, "where a name is defined",
		func(ctx context.Context, p *project.Project, in, _ any, sent *operation.Sent) (out []task.ReadPart, err error) {
			defs, err := findDefinitions(ctx, p, inputField(in, "Name").String())
			return symbolLooks(defs, sent), err
		})
}

func findDefinitions(ctx context.Context, p *project.Project, name string) (defs []view.Symbol, err error) {
	err = p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		defs, err = s.Definitions(ctx, p.SymbolName(name))
		return nil, ignoreNotFound(err)
	})
	return defs, err
}

// symbolLooks returns the declarations whose files an answer names.
func symbolLooks(defs []view.Symbol, sent *operation.Sent) (out []task.ReadPart) {
	for i := range defs[:min(len(defs), maxNamed)] {
		if !sent.Holds(defs[i].Path) {
			continue
		}
		line := int(defs[i].Span.Line)
		out = append(out, task.ReadPart{Path: defs[i].Path, Symbol: defs[i].Qualified, Depth: task.Named, First: line, Last: line})
	}
	return out
}

// referencesTool returns the operation that finds references. It records the declarations of the name, those that use it, and the lines
// that were printed: they count as read for this name.
func referencesTool(base *tool) *tool {
	return recordingTool(base, guard.FindReferences, "who uses or calls a symbol, with confidence and source lines",
		func(ctx context.Context, p *project.Project, in, _ any, sent *operation.Sent) (out []task.ReadPart, err error) {
			defs, err := findDefinitions(ctx, p, inputField(in, "Name").String())
			if err != nil || len(defs) == 0 {
				return nil, err
			}
			out = symbolLooks(defs, sent)
			for _, l := range referencedLines(sent) {
				if len(out) >= maxNamed {
					break
				}
				out = append(out, task.ReadPart{Path: l.path, Symbol: l.in, Depth: task.Named, First: l.line, Last: l.line})
				for i := range defs {
					if l.text {
						of := defs[i].Path + ":" + defs[i].Qualified
						out = append(out, task.ReadPart{Path: l.path, Depth: task.Read, First: l.line, Last: l.line, Of: of})
					}
				}
			}
			return out, nil
		})
}

// maxOutlined is the number of files up to which an outline counts as one of each: that of a large folder is not read to its end.
const maxOutlined = 10

// outlineTool returns the outline operation under one of the two names that agents know for it.
func outlineTool(base *tool, name guard.Tool) *tool {
	return recordingTool(base, name, "declarations of a file in source order, bodies gone",
		func(ctx context.Context, p *project.Project, in, answer any, sent *operation.Sent) ([]task.ReadPart, error) {
			list, err := namedLooks(ctx, p, in, answer, sent)
			if sent.Whole && len(list) <= maxOutlined {
				for i := range list {
					list[i].Depth = task.Outlined
				}
			}
			return list, err
		})
}

// renamedTool returns an operation under another name and with fixed arguments; it belongs to no task and records nothing.
func renamedTool(base *tool, name guard.Tool, summary string, fixed map[string]string, effect operation.Effect) *tool {
	offered := offer()
	var required []string
	if name == guard.UpdateContext {
		offered.Input, required = base.MCP.Input, []string{"Files"}
	}
	return base.As(operation.Alias[*project.Project]{
		Name: string(name), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offered, Effect: effect, Summary: summary, Long: "The same as \"ken " + base.Name + "\".", Fixed: fixed, Required: required,
	})
}

type searchFilesInput struct {
	Pattern string `arg:"PATTERN" help:"glob over names or whole paths: *.go, internal/*/x.go; or a part of a path"`
	Limit   int    `flag:"limit" value:"N" default:"100" help:"files listed; 0: all"`
	Task    string `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

type filesAnswer struct {
	Revision code.Rev  `json:"revision" doc:"state of the index the answer was computed from"`
	Files    []fileRow `json:"files" paths:"yes" doc:"by path"`
	Total    int       `json:"total" doc:"number of files, also those --limit left out"`
}

type fileRow struct {
	Path operation.Path `json:"path" doc:"file"`
}

func searchFilesTool() *tool {
	return spec[searchFilesInput, filesAnswer]{
		Name: string(guard.SearchFiles), Group: group, Topic: operation.ChangeSafely, Rare: true, Logged: true, MCP: offer(), Summary: "indexed files by name or path",
		Long:    "A pattern with wildcards is compared with whole paths and with names; one without is looked for in paths.",
		Example: []string{"task search_files '*.sql'", "task search_files models/user"},
		Run:     runSearchFiles,
		Text: func(t *operation.Text, _ *searchFilesInput, a *filesAnswer) error {
			for _, f := range a.Files {
				t.Line("%s", f.Path)
			}
			t.More("", a.Total-len(a.Files))
			return nil
		},
	}.Tool()
}

func runSearchFiles(ctx context.Context, e *env, in *searchFilesInput, emit func(*filesAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	if _, err := path.Match(in.Pattern, ""); err != nil {
		return code.Usagef("%s is no pattern", operation.Quote(in.Pattern))
	}
	a := &filesAnswer{}
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		*a = filesAnswer{Revision: s.Rev()}
		for f, err := range s.Files(ctx) {
			if err != nil {
				return err
			}
			if !matchesPattern(in.Pattern, f.Path) {
				continue
			}
			if a.Total++; in.Limit == 0 || len(a.Files) < in.Limit {
				a.Files = append(a.Files, fileRow{operation.Path(f.Path)})
			}
		}
		return nil
	})
	if err == nil && a.Total == 0 {
		err = operation.Nothingf("no file is called %s", operation.Quote(in.Pattern))
	}
	if err == nil {
		later := context.WithoutCancel(ctx)
		err = e.WhenSent(func(sent *operation.Sent) error {
			looks, err := namedLooks(later, p, nil, a, sent)
			for i := range looks {
				looks[i].Tool = string(guard.SearchFiles)
			}
			if err != nil {
				return err
			}
			return recordLooks(later, p, in.Task, looks)
		})
	}
	return operation.Finish(a, err, emit)
}

func matchesPattern(pattern, p string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return strings.Contains(p, strings.TrimPrefix(pattern, "./"))
	}
	whole, _ := path.Match(pattern, p)
	base, _ := path.Match(pattern, path.Base(p))
	return whole || base
}

type functionInput struct {
	File   string   `arg:"[FILE]" help:"file"`
	Line   string   `arg:"[LINE]" help:"a line of it"`
	Places []string `flag:"places" value:"FILE:LINE,…" help:"several places at once, with blanks between them: a.go:10,30 b.go:5; a few lines around each are shown; may be repeated"`
	Task   string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

type functionAnswer struct {
	Revision code.Rev `json:"revision" doc:"state of the index the answer was computed from"`
	placeText
	Truncated bool        `json:"truncated" doc:"the declaration is longer: lines around the one asked for are shown"`
	Places    []placeText `json:"places,omitempty" doc:"of several places: each with its lines"`
}

type placeText struct {
	Path    string   `json:"path" doc:"file"`
	Line    int      `json:"line" doc:"first line that is shown"`
	EndLine int      `json:"end_line" doc:"last line that is shown"`
	Name    string   `json:"name,omitempty" doc:"declaration around the line; left out where there is none: then the lines around it are shown"`
	Kind    string   `json:"kind,omitempty" doc:"what it is"`
	Text    []string `json:"text_lines" doc:"the lines, secrets masked"`
}

// The number of lines that get_function_at_line shows.
const (
	aroundLine      = 20  // lines before and after, where no function is
	maxFunction     = 150 // lines of a function
	aroundLongLines = 60  // of a longer one, before and after
	aroundPlace     = 3   // before and after each of several places
	maxPlaces       = 100 // lines that may be asked for at once
)

func functionTool() *tool {
	return spec[functionInput, functionAnswer]{
		Name: string(guard.GetFunction), Group: group, Topic: operation.ChangeSafely, Rare: true, Logged: true, MCP: offer(), Summary: "the text of the function around a line",
		Long: "The innermost function, method or type around the line is shown with the numbers of its lines; of one with more than 150 lines, those around the line asked for.\n" +
			"Of several places three lines before and after each are shown. What is shown counts as read in the task.",
		Example: []string{"task get_function_at_line internal/api/server.go 120", `task get_function_at_line --places "api/server.go:10,120 web/page.go:6"`},
		Run:     runFunction,
		Text: func(t *operation.Text, _ *functionInput, a *functionAnswer) error {
			for _, p := range append([]placeText{a.placeText}, a.Places...) {
				if p.Path == "" {
					continue
				}
				t.Line("%s", operation.Styled(p.header()))
				for i := range p.Text {
					t.Line("%s", operation.Styled(p.line(i)))
				}
			}
			return nil
		},
	}.Tool()
}

// header returns the line of a text that names a place.
func (p *placeText) header() string {
	return strings.TrimRight(operation.Escape(fmt.Sprintf("%s:%d  %s %s", p.Path, p.Line, p.Kind, p.Name)), " ")
}

// line returns a line of a place as a text shows it.
func (p *placeText) line(i int) string {
	return fmt.Sprintf("%d\t%s", p.Line+i, operation.EscapeLine(p.Text[i]))
}

// askedPlace is a file with lines of it.
type askedPlace struct {
	file  string
	lines []int
}

// placePattern matches a place at the beginning of a text; the file may have blanks in its name, and no lines.
var placePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:(\S.*?):(\d+(?:,\d+)*)|(\S+))(?:\s+|$)`) })

// The lines of the texts of references and of a search: a path alone and below it lines with a number, or a path with a number.
var (
	referenceLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^  (\d+)  \S+(?:  in (\S+))?  \[[^\]]*\](  .*)?$`) })
	matchLine     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+?)[:-](\d+)  `) })
)

// places returns the places that are asked for; those of one file are one. It fails with a code.UsageError if none or too many are.
func (in *functionInput) places() (out []askedPlace, err error) {
	n := 0
	for _, text := range in.Places {
		for strings.TrimSpace(text) != "" {
			m := placePattern().FindStringSubmatch(text)
			text = text[len(m[0]):]
			p := askedPlace{file: m[1] + m[3], lines: []int{1}}
			if m[2] != "" {
				p.lines = nil
				for l := range strings.SplitSeq(m[2], ",") {
					line, _ := strconv.Atoi(l)
					p.lines = append(p.lines, max(line, 1))
				}
			}
			n += len(p.lines)
			if i := slices.IndexFunc(out, func(o askedPlace) bool { return o.file == p.file }); i >= 0 {
				out[i].lines = append(out[i].lines, p.lines...)
				continue
			}
			out = append(out, p)
		}
	}
	if n > maxPlaces {
		return nil, code.Usagef("%d lines are asked for; at most %d are shown at once", n, maxPlaces)
	}
	return out, nil
}

func runFunction(ctx context.Context, e *env, in *functionInput, emit func(*functionAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	asked, err := in.places()
	if err != nil {
		return err
	}
	line := 0
	if len(asked) == 0 || in.File != "" {
		if line, err = strconv.Atoi(in.Line); err != nil || line < 1 || in.File == "" {
			return code.Usagef("LINE is %s; it must be the number of a line, from 1, of FILE", operation.Quote(in.Line))
		}
	}
	a := &functionAnswer{}
	err = p.AskShown(ctx, func(ctx context.Context, s *view.Snapshot) (files []string, err error) {
		*a = functionAnswer{Revision: s.Rev()}
		if line > 0 {
			f, err := p.File(ctx, s, in.File)
			if err != nil {
				return nil, err
			}
			a.Path = f.Path
			if files = append(files, f.Path); len(asked) == 0 {
				return files, a.readLines(ctx, s, line)
			}
			a.Path = ""
			asked = append(asked, askedPlace{f.Path, []int{line}})
		}
		for i := range asked {
			f, err := p.File(ctx, s, asked[i].file)
			if err != nil {
				return nil, err
			}
			files = append(files, f.Path)
			if err := a.readPlaces(ctx, s, f.Path, asked[i].lines); err != nil {
				return nil, err
			}
		}
		return files, nil
	})
	if err == nil {
		later := context.WithoutCancel(ctx)
		err = e.WhenSent(func(sent *operation.Sent) error { return recordLooks(later, p, in.Task, a.functionLooks(sent)) })
	}
	return operation.Finish(a, project.NotFound(err), emit)
}

// readPlaces adds to the answer the lines around some lines of a file. Stretches that touch each other are one.
func (a *functionAnswer) readPlaces(ctx context.Context, s *view.Snapshot, path string, lines []int) error {
	list, err := s.Symbols(ctx, path)
	if err != nil {
		return err
	}
	source, err := s.Text(ctx, path)
	if err != nil {
		return err
	}
	all := strings.Split(strings.TrimSuffix(string(source), "\n"), "\n")
	slices.Sort(lines)
	for _, n := range lines {
		if n > len(all) {
			return code.Usagef("%s has %d lines", operation.Quote(path), len(all))
		}
		first, last := max(1, n-aroundPlace), min(len(all), n+aroundPlace)
		if k := len(a.Places) - 1; k >= 0 && a.Places[k].Path == path && first <= a.Places[k].EndLine+1 {
			first = a.Places[k].Line
			a.Places = a.Places[:k]
		}
		p := placeText{Path: path, Line: first, EndLine: last, Text: all[first-1 : last]}
		for i := range list { // parents come before their children
			y := &list[i]
			around := int(y.Span.Line) <= first && last <= int(y.Span.EndLine)
			if around && (y.Kind.IsFunction() || y.Kind.IsType()) {
				p.Name, p.Kind = y.Qualified, y.Kind.String()
			}
		}
		a.Places = append(a.Places, p)
	}
	return nil
}

// readLines chooses the lines of the answer and reads them.
func (a *functionAnswer) readLines(ctx context.Context, s *view.Snapshot, line int) error {
	list, err := s.Symbols(ctx, a.Path)
	if err != nil {
		return err
	}
	source, err := s.Text(ctx, a.Path)
	if err != nil {
		return err
	}
	all := strings.Split(strings.TrimSuffix(string(source), "\n"), "\n")
	if line > len(all) {
		return code.Usagef("%s has %d lines", operation.Quote(a.Path), len(all))
	}
	a.Line, a.EndLine = max(1, line-aroundLine), min(len(all), line+aroundLine)
	for i := range list { // parents come before their children
		y := &list[i]
		around := int(y.Span.Line) <= line && line <= int(y.Span.EndLine)
		if around && (y.Kind.IsFunction() || y.Kind.IsType()) {
			a.Line, a.EndLine, a.Name, a.Kind = int(y.Span.Line), int(y.Span.EndLine), y.Qualified, y.Kind.String()
		}
	}
	if a.EndLine-a.Line >= maxFunction {
		a.Line, a.EndLine, a.Truncated = max(a.Line, line-aroundLongLines), min(a.EndLine, line+aroundLongLines), true
	}
	a.EndLine = min(a.EndLine, len(all))
	a.Text = all[a.Line-1 : a.EndLine]
	return nil
}
