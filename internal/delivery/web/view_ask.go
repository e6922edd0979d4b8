package web

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
)

type searchData struct {
	Query   text
	Symbols struct {
		Revision int64       `json:"revision"`
		Symbols  []symbolRow `json:"symbols"`
		Files    []struct {
			Symbols []symbolRow `json:"symbols"`
		} `json:"files"`
	}
	Files struct {
		Revision int64 `json:"revision"`
		Files    []struct {
			Path  text    `json:"path"`
			Score float64 `json:"score"`
			Why   []text  `json:"why"`
		} `json:"files"`
	}
	Matches struct {
		Matches []struct {
			Path text `json:"path"`
			Line int  `json:"line"`
			Text line `json:"text"`
			In   text `json:"in"`
		} `json:"matches"`
		More bool `json:"more"`
	}
	Items struct {
		Items []item `json:"items"`
	}
	IsNameSearch bool
	Message      [4]string // why a part is empty
}

// Found are the symbols: those of the name, or those that words are about.
func (d *searchData) Found() (out []symbolRow) {
	out = d.Symbols.Symbols
	for _, f := range d.Symbols.Files {
		out = append(out, f.Symbols...)
	}
	return out[:min(len(out), 20)]
}

type item struct {
	Kind      text   `json:"kind"`
	Date      text   `json:"date"`
	Topic     text   `json:"topic"`
	Text      text   `json:"text"`
	Rationale text   `json:"rationale"`
	Files     []text `json:"files"`
}

func viewSearch(ctx context.Context, s *asker, r *request) *page {
	d := searchData{Query: text(r.get("q"))}
	if d.Query == "" {
		return &page{Title: "Search", Data: &d}
	}
	q := string(d.Query)
	d.IsNameSearch = !strings.ContainsAny(q, " \t")
	symbols := newQuestion("def", "name", q, "limit", "20")
	if !d.IsNameSearch {
		symbols = newQuestion("find", "query", q, "symbols", "true", "limit", "12")
	}
	answers := s.askAll(ctx, asked{symbols, &d.Symbols}, asked{newQuestion("find", "query", q, "limit", "12"), &d.Files},
		asked{newQuestion("grep", "regex", regexp.QuoteMeta(q), "ignore_case", "true", "limit", "30"), &d.Matches},
		asked{newQuestion("recall", "text", q, "limit", "8"), &d.Items})
	for i, a := range answers {
		d.Message[i] = a.Message
	}
	for i := range d.Matches.Matches {
		d.Matches.Matches[i].Text = cutLine(d.Matches.Matches[i].Text)
	}
	return &page{Title: "Search: " + d.Query.String(), Data: &d, Answers: answers, Revision: d.Files.Revision}
}

type impactData struct {
	Revision int64       `json:"revision"`
	Targets  []fileName  `json:"targets"`
	Symbols  []symbolRow `json:"symbols"`
	Static   struct {
		Callers []impactCaller `json:"callers"`
		Total   int            `json:"total"`
		Files   int            `json:"files"`
	} `json:"static_references"`
	CoChange []struct {
		File     text    `json:"file"`
		Score    float64 `json:"score"`
		Together int     `json:"together"`
		Commits  int     `json:"commits"`
	} `json:"co_change"`
	Tests []struct {
		File   text `json:"file"`
		Line   int  `json:"line"`
		Reason text `json:"reason"`
	} `json:"tests"`
	Confirm struct {
		Must        []verifyRow `json:"must_verify"`
		Should      []verifyRow `json:"should_verify"`
		MustTotal   int         `json:"must_total"`
		ShouldTotal int         `json:"should_total"`
	} `json:"confirmation_required"`
	Mentions struct {
		Files []struct {
			File text `json:"file"`
		} `json:"files"`
	} `json:"document_mentions"`
	Summary struct {
		Risk    text `json:"risk"`
		Reason  text `json:"reason"`
		Direct  int  `json:"direct_files"`
		Reached int  `json:"reached_files"`
		Tests   int  `json:"tests"`
	} `json:"summary"`
	Settled bool   `json:"settled"`
	Cuts    []text `json:"cuts"`

	Target, Diff text
	Columns      []distance
	Most         int
	More         bool
}

// RiskClass is a class for the colour of the verdict.
func (d *impactData) RiskClass() string {
	switch d.Summary.Risk {
	case "low", "moderate", "high":
		return string(d.Summary.Risk)
	case "none found":
		return "none"
	}
	return "unknown"
}

type impactCaller struct {
	File       text `json:"file"`
	Line       int  `json:"line"`
	In         text `json:"in"`
	Target     text `json:"target"`
	How        text `json:"how"`
	Depth      int  `json:"depth"`
	Confidence text `json:"confidence"`
	Test       bool `json:"test"`
}

type verifyRow struct {
	File   text `json:"file"`
	Line   int  `json:"line"`
	Reason text `json:"reason"`
}

// distance is a column: what is so many steps away.
type distance struct {
	Steps   int
	Files   int
	Folders []folderUsers
	More    int // folders that are not listed
}

// impactDepth is the number of steps that are columns.
const impactDepth = 3

func viewImpact(ctx context.Context, s *asker, r *request) *page {
	d := impactData{Target: text(r.get("t")), Diff: text(r.get("diff")), Most: 4, More: r.get("more") != ""}
	if d.More {
		d.Most = 60
	}
	if d.Target == "" && d.Diff == "" {
		return &page{Title: "Impact", Data: &d}
	}
	q := newQuestion("impact", "target", string(d.Target), "depth", "3")
	title := "Impact of " + d.Target.String()
	if d.Target == "" {
		q = newQuestion("impact", "target", string(d.Diff), "diff", "true", "depth", "3")
		title = "Impact of what changed since " + d.Diff.String()
	}
	answers := s.askAll(ctx, asked{q, &d})
	d.Columns = columns(d.Static.Callers, d.Most)
	return &page{Title: title, Data: &d, Answers: answers, Revision: d.Revision}
}

// columns groups callers by their distance and then by folder.
func columns(callers []impactCaller, most int) []distance {
	var out []distance
	for steps := 1; steps <= impactDepth; steps++ {
		var uses []fileUse
		seen := map[text]bool{}
		for _, c := range callers {
			if c.Depth != steps || seen[c.File] {
				continue
			}
			seen[c.File] = true
			uses = append(uses, fileUse{Path: c.File, Line: c.Line, Confidence: c.Confidence, Relation: c.How, Test: c.Test, In: c.In})
		}
		col := distance{Steps: steps, Files: len(uses), Folders: groupUsers(uses)}
		if len(col.Folders) > most {
			col.More = len(col.Folders) - most
			col.Folders = col.Folders[:most]
		}
		out = append(out, col)
	}
	return out
}

type matrixAnswer struct {
	Revision int64 `json:"revision"`
	Folder   text  `json:"folder"`
	Parts    []struct {
		Folder text `json:"folder"`
		Files  int  `json:"files"`
	} `json:"parts"`
	Cells  []matrixCell `json:"cells"`
	Cycles []struct {
		Parts []text `json:"parts"`
	} `json:"cycles"`
}

type matrixCell struct {
	From  text `json:"from"`
	To    text `json:"to"`
	Files int  `json:"files"`
	Uses  int  `json:"uses"`
	Back  bool `json:"back"`
}

type depsData struct {
	matrixAnswer
	Path    text
	PartsN  int
	Rows    []matrixRow
	Marks   []matrixMark
	Hidden  int // cells that are not drawn
	Size    int // of the drawing
	Side    int
	Backs   []matrixCell
	Listed  []matrixCell
	Unshown int
}

// matrixRow is the name of a part beside and above the drawing.
type matrixRow struct {
	Folder  text
	Label   string
	Files   int
	X, Y, N int
	Mid     int
}

// matrixMark is a cell as it is drawn.
type matrixMark struct {
	matrixCell
	X, Y, Shade int
}

const (
	cellSide  = 22
	labelWide = 230
	headHigh  = 34
	maxMarks  = 120
	maxCells  = 150 // rows of the table
)

func viewDeps(ctx context.Context, s *asker, r *request) *page {
	d := depsData{Path: text(cmp.Or(r.get("path"), ".")), PartsN: r.number("parts", 30, 60)}
	answers := s.askAll(ctx, asked{newQuestion("matrix", "path", string(d.Path), "parts", itoa(max(2, d.PartsN))), &d.matrixAnswer})
	d.draw()
	return &page{Title: "Dependencies between folders", Data: &d, Answers: answers, Revision: d.Revision}
}

// draw lays the matrix out. The most cells that are drawn are those of most files; those that lead back are always among them.
func (d *depsData) draw() {
	at := map[text]int{}
	for i, p := range d.Parts {
		at[p.Folder] = i
		y := headHigh + i*cellSide
		d.Rows = append(d.Rows, matrixRow{
			Folder: p.Folder, Label: shortenPath(p.Folder.String(), 30), Files: p.Files, X: labelWide + i*cellSide, Y: y, N: i + 1, Mid: y + 15,
		})
	}
	d.Side = len(d.Parts) * cellSide
	d.Size = d.Side + labelWide + 2
	cells := slices.Clone(d.Cells)
	slices.SortStableFunc(cells, func(a, b matrixCell) int {
		if a.Back != b.Back {
			if a.Back {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Files, a.Files)
	})
	most := 1
	for _, c := range cells {
		most = max(most, c.Files)
		if c.Back {
			d.Backs = append(d.Backs, c)
		}
	}
	for _, c := range cells[:min(len(cells), maxMarks)] {
		shade := 1
		for n := c.Files; n > 1 && shade < 5; n /= 4 {
			shade++
		}
		d.Marks = append(d.Marks, matrixMark{c, labelWide + at[c.To]*cellSide, headHigh + at[c.From]*cellSide, shade})
	}
	d.Hidden = len(cells) - len(d.Marks)
	d.Listed = cells[:min(len(cells), maxCells)]
	d.Unshown = len(cells) - len(d.Listed)
}

// High is the height of the drawing.
func (d *depsData) High() int { return d.Side + headHigh + 2 }

// shortenPath cuts the beginning of a path, because its end tells folders apart.
func shortenPath(p string, n int) string {
	r := []rune(p)
	if len(r) <= n {
		return p
	}
	return "…" + string(r[len(r)-n+1:])
}

type whyData struct {
	Revision int64 `json:"revision"`
	Ways     []struct {
		Confidence text `json:"confidence"`
		Steps      []struct {
			Path       text `json:"path"`
			Line       int  `json:"line"`
			Name       text `json:"name"`
			Kind       text `json:"kind"`
			To         text `json:"to"`
			Used       text `json:"used"`
			Uses       int  `json:"uses"`
			Relation   text `json:"relation"`
			Test       bool `json:"test"`
			Confidence text `json:"confidence"`
		} `json:"steps"`
	} `json:"ways"`
	More   bool `json:"more"`
	Starts int  `json:"starts"`
	Doubt  text `json:"doubt"`

	From, To text
}

func viewWhy(ctx context.Context, s *asker, r *request) *page {
	d := whyData{From: text(r.get("from")), To: text(r.get("to"))}
	if d.From == "" || d.To == "" {
		return &page{Title: "Why", Data: &d}
	}
	answers := s.askAll(ctx, asked{newQuestion("why", "from", string(d.From), "to", string(d.To)), &d})
	return &page{Title: "Why " + d.From.String() + " depends on " + d.To.String(), Data: &d, Answers: answers, Revision: d.Revision}
}
