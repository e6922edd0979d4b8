package render

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/brief"
	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// Unused is the evidence for "nothing uses it": how much of the code that could use it was resolved, and which uses leave no reference.
type Unused struct {
	Verdict    string      `json:"verdict" doc:"none: proven, as far as the repository goes; could_not_tell: a use may be where it is not seen, see the doubts among the hatches"`
	Share      float64     `json:"share" doc:"share (0 to 1) of the code that could use it that was resolved, less than 1 unless the verdict is none: files read whole times references of the name that were shown to mean something else (of a file: imports that lead somewhere known; of callees and deps: of the code itself)"`
	Files      int         `json:"files" doc:"files in languages that could use it"`
	Whole      int         `json:"whole" doc:"of them, read whole, or without a use in the rest"`
	Named      int         `json:"named" doc:"references with the name; of a file: imports of the repository"`
	Decided    int         `json:"decided" doc:"of them, decided by more than the bare name; of a file: those that lead somewhere known"`
	UnseenUses []unseenUse `json:"hatches" doc:"ways a use could escape notice, doubts first"`
	Searched   float64     `json:"strings_searched" doc:"share (0 to 1) of the texts with its name in which it was looked for in strings and data: all up to 64 MB"`

	outgoing bool // of what it uses itself
}

// Outgoing returns the evidence for "it uses nothing".
func Outgoing(a unused.Absence) *Unused {
	row := NewUnused(a)
	row.outgoing = true
	return row
}

// unseenUse is a way in which a declaration can be used without a reference by its name, such as reflection.
type unseenUse struct {
	Kind   string         `json:"kind" doc:"decorated, dynamic, entry, exported, interface, outside, override, possible, reflection, string, text, twin, unread or value"`
	Detail string         `json:"detail" doc:"what was found"`
	Path   operation.Path `json:"path,omitempty" doc:"file"`
	Line   uint32         `json:"line,omitempty" doc:"line"`
	Doubt  bool           `json:"doubt" doc:"with it the verdict is could_not_tell; else it is a hint"`
}

// NewUnused returns the evidence that a question gathered.
func NewUnused(a unused.Absence) *Unused {
	row := &Unused{
		Verdict: string(a.Verdict()), Share: a.Share, Files: a.Files, Whole: a.Whole, Named: a.Named, Decided: a.Decided, Searched: a.Searched,
	}
	for _, h := range a.UnseenUses {
		row.UnseenUses = append(row.UnseenUses, unseenUse{h.Kind, h.Detail, operation.Path(h.Path), h.Line, h.Doubt})
	}
	return row
}

// Nothing returns the error for an answer that found no use: a NothingError if it is
// proven that there is none, else an UnprovenError.
func (a *Unused) Nothing(format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	switch {
	case a.isUnknown() && a.outgoing:
		return &operation.UnprovenError{Message: "could not tell: " + what + ", but not all of it could be read"}
	case a.isUnknown():
		return &operation.UnprovenError{Message: "could not tell: " + what + ", but a use may be where it is not seen"}
	}
	return operation.Nothingf("%s", what)
}

// IsNone reports whether it is proven that there is nothing.
func (a *Unused) IsNone() bool { return a.Verdict == string(unused.None) }

// Resolved returns a share as a percentage, which is all only if the answer is proven to be complete.
func Resolved(share float64, settled bool) string {
	if share == 1 && !settled {
		return "not all"
	}
	return operation.Percent(share)
}

func (a *Unused) isUnknown() bool { return !a.IsNone() }

// unseenUseWords introduce an unseen use in text, by its kind.
var unseenUseWords = map[string]string{
	unused.UnseenDecorated:  "decorated, may be registered by",
	unused.UnseenDynamic:    "its name in a string, may be imported by",
	unused.UnseenEntry:      "entry point:",
	unused.UnseenExported:   "exported:",
	unused.UnseenInterface:  "has the form of",
	unused.UnseenOutside:    "may be called from outside as",
	unused.UnseenOverride:   "may be called through",
	unused.UnseenPossible:   "possible use:",
	unused.UnseenReflection: "found by name at run time:",
	unused.UnseenString:     "its name in a text:",
	unused.UnseenText:       "named where uses are not read:",
	unused.UnseenTwin:       "declared as well:",
	unused.UnseenUnread:     "not parsed:",
	unused.UnseenValue:      "other use:",
}

// WriteUnused writes the evidence of an answer that found nothing.
func WriteUnused(t *operation.Text, a *Unused) {
	if a == nil {
		return
	}
	verdict, share := "none", operation.Percent(a.Share)
	if a.isUnknown() {
		if verdict = "could not tell"; a.Share >= unused.AlmostAll {
			share = "not all"
		}
	}
	of := "the code that could use it"
	if a.outgoing {
		of = "it"
	}
	t.Line("%s: %s of %s is resolved (%s of %s read whole, %s of %s decided)",
		t.Bold(verdict), share, of, operation.Group(a.Whole),
		operation.Plural(a.Files, "file"), operation.Group(a.Decided), operation.Plural(a.Named, "name"))
	if a.Searched < 1 {
		t.Line("its name was searched in the nearest files only; ken grep NAME searches all")
	}
	if len(a.UnseenUses) == 0 {
		return
	}
	for i := range a.UnseenUses {
		h := &a.UnseenUses[i]
		switch first := i == 0 || a.UnseenUses[i-1].Doubt != h.Doubt; {
		case first && h.Doubt:
			t.Heading("possible uses")
		case first:
			t.Heading("uses that could escape")
		}
		words := unseenUseWords[h.Kind]
		if a.outgoing && h.Kind == unused.UnseenText {
			words = ""
		}
		t.Printf("%s", strings.TrimSpace(words+" "+operation.Escape(h.Detail)))
		switch {
		case h.Line > 0:
			t.Line("  %s", t.Dim(fmt.Sprintf("%s:%d", h.Path, h.Line)))
		case h.Path != "":
			t.Line("  %s", t.Dim(operation.Escape(string(h.Path))))
		default:
			t.Line("")
		}
	}
}

// CompletenessRemark returns a remark on a list of uses: whether it is complete, and how many uses of the same name were dropped because
// they refer to something else.
func CompletenessRemark(dropped int, settled bool) string {
	out := ""
	if settled {
		out = "; 100% of the uses of this name decided"
	}
	if dropped > 0 {
		verb := "mean"
		if dropped == 1 {
			verb = "means"
		}
		out += fmt.Sprintf("; %s of this name %s something else (refs --tier dropped)", operation.Plural(dropped, "use"), verb)
	}
	return out
}

// Numbers of files without dependents and of declarations without users that are checked for other uses, because finding a name in
// strings means reading megabytes of text.
const (
	fileChecks  = 1
	reuseChecks = 1
)

// MarkUnused marks the files and declarations of a brief of which it is proven that nothing uses them. It returns an error if the index
// or the searched files cannot be read or ctx ends.
func MarkUnused(ctx context.Context, s *view.Snapshot, b *brief.Brief) error {
	checks := 0
	for i := range b.Modify {
		c := &b.Modify[i]
		isUsed := c.Dependents > 0 || c.Flags&code.FlagEntry != 0
		isCode := len(c.Declares) > 0 && c.Class.Kind() == 0
		if isUsed || !isCode || checks == fileChecks {
			continue
		}
		checks++
		a, err := unused.File(ctx, s, c.Path)
		if err != nil {
			return err
		}
		c.Unused, c.Public = isUnused(&a), a.Exported()
	}
	checks = 0
	for i := range b.Reuse {
		r := &b.Reuse[i]
		if r.Users > 0 || checks == reuseChecks {
			continue
		}
		checks++
		target := []view.Symbol{r.Declaration()}
		found, err := refs.References(ctx, s, target)
		if err != nil || len(found.List) > 0 {
			return err
		}
		a, err := unused.Symbols(ctx, s, target, &found, nil)
		if err != nil {
			return err
		}
		r.Unused, r.Public = isUnused(&a), a.Exported()
	}
	return nil
}

// isUnused reports whether it is proven that nothing in the repository uses a symbol or file, and nothing hints at another way.
func isUnused(a *unused.Absence) bool {
	isHint := func(u unused.UnseenUse) bool { return u.Kind != unused.UnseenExported }
	return a.Conclusive() && !slices.ContainsFunc(a.UnseenUses, isHint)
}
