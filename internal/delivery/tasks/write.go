package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/impact"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/essential"
	"ken/internal/operation"
)

type analyzeInput struct {
	Targets []string `arg:"[TARGET…]" key:"target_files" help:"files, or PATH:NAME, that shall change; default: the targets of the task"`
	Change  string   `flag:"change-description" value:"TEXT" help:"what is going to be changed: its words are looked for in documents"`
	Task    string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func analyzeTool() *tool {
	return spec[analyzeInput, answer]{
		Name: string(guard.AnalyzeImpact), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "what a change concerns: what must be verified, tests, documents",
		Long: "Files that use a target must be verified: each is given a status by submit_impact_analysis. A line of each form of use is shown and counts as read. So must documents be confirmed\n" +
			"that describe a target in a heading, a row of a table, an item of a list or a definition. Tests, files that go with the targets by name and documents that only mention them should be looked at. Of more than\n" +
			"20 files that use the targets, those most likely to break must be verified and the others are counted.",
		Example: []string{`task analyze_impact app/models.py --change-description 'the price becomes "decimal"'`},
		Run:     runAnalyze,
		Text:    text[analyzeInput],
	}.Tool()
}

func runAnalyze(ctx context.Context, e *env, in *analyzeInput, emit func(*answer) error) error {
	return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
		r := &guard.Request{Tool: guard.AnalyzeImpact}
		var err error
		if r.Targets, err = w.newFinder().Find(ctx, in.Targets); err != nil {
			return err
		}
		for _, g := range w.task.Targets {
			if len(g.Candidates) == 0 && !containsTarget(r.Targets, g) {
				r.Targets = append(r.Targets, g)
			}
		}
		if len(r.Targets) == 0 {
			return code.Usagef("name the files that shall change: the task has no targets yet")
		}
		for i := range r.Targets {
			if c := r.Targets[i].Candidates; len(c) > 0 {
				return code.Usagef("%s means %d declarations: name one as PATH:NAME, such as %s:%s", operation.Quote(r.Targets[i].Name), len(c), c[0].Path, c[0].Symbol)
			}
		}
		if err := w.addRelatedFiles(ctx, r, in.Change); err != nil {
			return err
		}
		should := w.a.Should
		d, err := w.decide(ctx, r)
		if err != nil || !d.Allowed {
			w.a.Should = nil
			return firstError(err, &d)
		}
		w.a.Should = slices.DeleteFunc(should, func(p placeRow) bool { return w.task.Analysis.Describes(string(p.Path)) })
		w.a.setAnalysis(w.task)
		if err := w.showLines(ctx); err != nil {
			return err
		}
		of := r.Targets[0].Key()
		later := context.WithoutCancel(ctx)
		return e.WhenSent(func(sent *operation.Sent) error {
			return recordLooks(later, w.p, w.task.ID, w.a.analysedLooks(of, sent))
		})
	})
}

// showLines adds to the answer the texts of the lines that have to be read, so that no call is needed for them.
func (w *taskCall) showLines(ctx context.Context) error {
	for _, list := range [][]placeRow{w.a.Must, w.a.Confirm} {
		for i := range list {
			p := &list[i]
			if p.Seen || len(p.Lines) == 0 {
				continue
			}
			text, err := w.s.Text(ctx, string(p.Path))
			if err != nil {
				return err
			}
			lines := strings.Split(string(text), "\n")
			for _, n := range p.Lines {
				if n > len(lines) { // it has changed meanwhile
					p.Texts = nil
					break
				}
				p.Texts = append(p.Texts, clipLine(strings.Join(lines[n-1:endOfCall(lines, n)], " "), maxLineText))
			}
		}
	}
	return nil
}

// endOfCall returns the last line of what begins on a line, from 1: a call that is written over several lines says nothing on its first.
func endOfCall(lines []string, n int) int {
	end := n
	for open := "("; end < len(lines) && end < n+maxCallLines; open = "," {
		if !strings.HasSuffix(strings.TrimRight(lines[end-1], " \t\r"), open) {
			break
		}
		end++
	}
	return end
}

// maxCallLines is the number of lines of a call that are shown after its first.
const maxCallLines = 5

// maxLineText is the number of bytes of a line that is shown.
const maxLineText = 160

// addRelatedFiles adds the files beside the users of the targets: companions such as tests, and files that reach the targets through
// interfaces, which references by name do not show.
func (w *taskCall) addRelatedFiles(ctx context.Context, r *guard.Request, change string) error {
	q := impact.ImpactQuery{Change: change, Documents: essential.Load(w.p.Root).Search.Matcher(), Described: true}
	for i := range r.Targets {
		g := &r.Targets[i]
		if g.New || g.Unindexed {
			continue
		}
		t := view.Target{File: g.Path}
		if g.Symbol != "" {
			defs, err := w.s.Definitions(ctx, g.Path+":"+g.Symbol)
			if err != nil {
				return err
			}
			t = view.Target{Symbols: defs}
		}
		q.Targets = append(q.Targets, t)
	}
	if len(q.Targets) == 0 {
		return nil
	}
	found, err := impact.Of(ctx, w.s, q)
	if err != nil {
		return err
	}
	must, should := found.Verify()
	for _, v := range must {
		if !isUsedBy(r.Targets, v.Path) {
			g := &r.Targets[0]
			g.Callers = append(g.Callers, guard.Caller{Path: v.Path})
		}
	}
	for _, d := range found.Described {
		for _, l := range d.Lines {
			r.Mentions = append(r.Mentions, guard.Mention{Path: d.Path, Line: l.Number, Name: l.Name, As: guard.Manner(l.As)})
		}
	}
	for _, v := range should {
		r.Should = append(r.Should, v.Path)
		w.a.Should = append(w.a.Should, placeRow{Path: operation.Path(v.Path), Reason: v.Reason})
	}
	return nil
}

func isUsedBy(targets []guard.Target, file string) bool {
	for i := range targets {
		if targets[i].Path == file {
			return true
		}
		for _, c := range targets[i].Callers {
			if c.Path == file {
				return true
			}
		}
	}
	return false
}

type impactInput struct {
	Files    []string `flag:"verified-files" value:"JSON" objects:"yes" help:"{file, status: will_modify, no_change_needed or not_affected, reason} of each file that must be verified and each document that must be confirmed; may be repeated"`
	Inferred []string `flag:"inferred-from-rules" value:"TEXT" help:"what follows from rules of the project; it is not judged"`
	Task     string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func submitImpactTool() *tool {
	return spec[impactInput, answer]{
		Name: string(guard.SubmitImpact), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "say what becomes of each file that a change concerns: ends IMPACT_ANALYSIS",
		Example: []string{`task submit_impact_analysis --verified-files '{"file":"cart.php","status":"no_change_needed","reason":"it only reads the price"}'`},
		Run: func(ctx context.Context, e *env, in *impactInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				r := &guard.Request{Tool: guard.SubmitImpact}
				for _, s := range in.Files {
					var f guard.FileStatus
					if json.Unmarshal([]byte(w.p.Engine.Hide(s)), &f) != nil || f.Path == "" {
						return code.Usagef("a verified file is no object with file, status and reason")
					}
					if rel, _, err := w.p.Locate(f.Path); err == nil {
						f.Path = rel
					}
					r.Statuses = append(r.Statuses, f)
				}
				if err := w.recordMissingDocuments(r); err != nil {
					return err
				}
				r.Was = w.fingerprints(r.Statuses)
				return w.decideAndDemand(ctx, r)
			})
		},
		Text: text[impactInput],
	}.Tool()
}

// recordMissingDocuments records which documents of the analysis no longer exist, because they cannot be read.
func (w *taskCall) recordMissingDocuments(r *guard.Request) error {
	if w.task.Analysis == nil {
		return nil
	}
	for _, d := range w.task.Analysis.Documents {
		if _, there, err := w.s.Index.FileByPath(d.Path); err != nil {
			return err
		} else if !there {
			r.Gone = append(r.Gone, d.Path)
		}
	}
	return nil
}

type writeInput struct {
	File string `arg:"FILE" key:"file_path" help:"file, or PATH:NAME, that is going to be written"`
	Task string `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func checkWriteTool() *tool {
	return spec[writeInput, answer]{
		Name: string(guard.CheckWriteTarget), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "whether a file may be written now, and what is missing",
		Long: "At level auto it names a target and judges it: which declaration is meant, whether the files that use it were read, whether so many depend on it that an analysis of\n" +
			"the impact is demanded. Of PATH:NAME less is demanded than of a whole file.",
		Example: []string{"task check_write_target internal/api/server.go:Server.Start"},
		Run: func(ctx context.Context, e *env, in *writeInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				targets, err := w.writeTargets(ctx, []string{w.projectPath(in.File)})
				if err != nil {
					return err
				}
				return w.decideAndDemand(ctx, &guard.Request{Tool: guard.CheckWriteTarget, Targets: targets})
			})
		},
		Text: text[writeInput],
	}.Tool()
}

// writeTargets returns the targets of a write. It fails for a path outside of the project. If the lookup reports a file as not
// indexed, that file is the only target.
func (w *taskCall) writeTargets(ctx context.Context, names []string) ([]guard.Target, error) {
	out, err := w.newFinder().Find(ctx, names)
	var un *operation.NotIndexedError
	if errors.As(err, &un) {
		out, err = []guard.Target{{Name: names[0], Path: path.Clean(un.Path), Unindexed: true}}, nil
	}
	for i := range out {
		if g := &out[i]; g.Path != "" {
			g.Uncovered = w.uncovered(treeFile(w.p, w.task.Root, g.Path))
		}
	}
	return out, err
}

type exploredInput struct {
	Files []string `arg:"FILE…" key:"files" help:"files that shall be written, too"`
	Task  string   `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func exploredTool() *tool {
	return spec[exploredInput, answer]{
		Name: string(guard.AddExplored), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "have further files written, that were read with what uses them",
		Example: []string{"task add_explored_files internal/api/routes.go"},
		Run: func(ctx context.Context, e *env, in *exploredInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				targets, err := w.writeTargets(ctx, in.Files)
				if err != nil {
					return err
				}
				return w.decideAndDemand(ctx, &guard.Request{Tool: guard.AddExplored, Targets: targets})
			})
		},
		Text: text[exploredInput],
	}.Tool()
}

type revertInput struct {
	Forget bool   `flag:"forget" help:"forget targets and claims, too; what was looked at stays known"`
	Task   string `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func revertTool() *tool {
	return spec[revertInput, answer]{
		Name: string(guard.Revert), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "go back to EXPLORATION",
		Example: []string{"task revert_to_exploration"},
		Run: func(ctx context.Context, e *env, in *revertInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				if err := w.forgetLostTree(ctx); err != nil {
					return err
				}
				return w.decideAndDemand(ctx, &guard.Request{Tool: guard.Revert, Forget: in.Forget})
			})
		},
		Text: text[revertInput],
	}.Tool()
}

func reviewTool() *tool {
	return spec[taskInput, answer]{
		Name: string(guard.SubmitForReview), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "end the writing: what was changed is reviewed",
		Long: "Files that changed without leave, by commands that nobody could stop, are listed and have to be judged or put back first. Files of which will_modify was said and that\n" +
			"are as they were then are named.",
		Example: []string{"task submit_for_review"},
		Run: func(ctx context.Context, e *env, in *taskInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
				unpermitted, unasked, err := w.changedWithoutLeave(ctx)
				if err != nil {
					return err
				}
				for _, f := range w.task.Unpermitted {
					if !slices.Contains(unpermitted, f) {
						unpermitted = append(unpermitted, f)
					}
				}
				return w.decideAndDemand(ctx, &guard.Request{
					Tool: guard.SubmitForReview, Unpermitted: unpermitted, Unasked: unasked, Unchanged: w.unchangedPromises(),
				})
			})
		},
		Text: text[taskInput],
	}.Tool()
}
