package web

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/delivery/web/picture"
	"ken/internal/operation"
)

type overviewData struct {
	Revision int64 `json:"revision"`
	Counts   struct {
		Files, Parsed, Symbols, References, Edges int
		Lines, Bytes                              int64
	} `json:"counts"`
	Languages   []languageRow  `json:"languages"`
	Directories []directoryRow `json:"directories"`
	Entries     []fileName     `json:"entry_points"`
	Files       []hotFile      `json:"files"`
	Symbols     []hotSymbol    `json:"symbols"`
	Packages    []struct {
		Name  text `json:"name"`
		Files int  `json:"files"`
	} `json:"packages"`
	Cycles []struct {
		Files []fileName `json:"files"`
	} `json:"cycles"`

	Summary summaryData `json:"-"`
	Plan    *planShow   `json:"-"`
	Area    string      `json:"-"` // the measure of the areas
	Wide    treemap     `json:"-"`
	Narrow  treemap     `json:"-"`
}

type fileName struct {
	Path text `json:"path"`
}

type languageRow struct {
	Name   text  `json:"name"`
	Files  int   `json:"files"`
	Lines  int64 `json:"lines"`
	Tokens int64 `json:"o200k_base"`
}

type directoryRow struct {
	Path   text  `json:"path"`
	Files  int   `json:"files"`
	Lines  int64 `json:"lines"`
	Tokens int64 `json:"o200k_base"`
}

func (d *directoryRow) measure(name string) float64 {
	switch name {
	case "files":
		return float64(d.Files)
	case "tokens":
		return float64(d.Tokens)
	}
	return float64(d.Lines)
}

type hotFile struct {
	Path       text `json:"path"`
	Dependents int  `json:"dependents"`
	Type       text `json:"type"`
	Purpose    text `json:"purpose"`
}

type hotSymbol struct {
	symbolRow
	Files int `json:"dependents"`
}

type symbolRow struct {
	Path      text `json:"path"`
	Line      int  `json:"line"`
	Name      text `json:"name"`
	Qualified text `json:"qualified"`
	Kind      text `json:"kind"`
	Signature text `json:"signature"`
}

// Target names the symbol so that no other is meant, unless its file has two of the name.
func (s symbolRow) Target() text { return s.Path + ":" + cmp.Or(s.Qualified, s.Name) }

type summaryData struct {
	About struct {
		Text text `json:"text"`
		Path text `json:"path"`
	} `json:"about"`
	Commands []struct {
		Kind text `json:"kind"`
		Line text `json:"line"`
	} `json:"commands"`
	Layers []struct {
		Path  text `json:"path"`
		Files int  `json:"files"`
		Says  struct {
			Text text `json:"text"`
		} `json:"says"`
	} `json:"layers"`
}

// sideBySide is the length of the lists that stand side by side.
const sideBySide = "8"

func viewOverview(ctx context.Context, s *asker, r *request) *page {
	var d overviewData
	var plan planShow
	answers := s.askAll(ctx,
		asked{newQuestion("overview", "limit", sideBySide), &d},
		asked{newQuestion("summary"), &d.Summary},
		asked{newQuestion("plan show"), &plan})
	if !answers[2].Failed() {
		d.Plan = &plan
	}
	if answers[2].Failed() {
		answers = answers[:2] // most projects have no plan, which is no news
	}
	d.Area = r.get("area")
	if d.Area != "files" && d.Area != "tokens" {
		d.Area = "lines"
	}
	d.Wide, d.Narrow = newTreemap(d.Directories, d.Area, 1000, 600), newTreemap(d.Directories, d.Area, 340, 460)
	return &page{Title: "Overview", Data: &d, Answers: answers, Revision: d.Revision}
}

// Areas are the measures that tiles can show.
func (overviewData) Areas() []string { return []string{"lines", "files", "tokens"} }

const (
	maxFolderRows = 120
	maxLanguages  = 10
)

// Folders are the folders of the table, by path.
func (d *overviewData) Folders() []directoryRow {
	out := slices.Clone(d.Directories[:min(len(d.Directories), maxFolderRows)])
	slices.SortFunc(out, func(a, b directoryRow) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// FoldersCut is the number of folders that the table lacks.
func (d *overviewData) FoldersCut() int { return max(0, len(d.Directories)-maxFolderRows) }

// TopLanguages are the languages of most files.
func (d *overviewData) TopLanguages() []languageRow {
	return d.Languages[:min(len(d.Languages), maxLanguages)]
}

// treemap is a treemap of folders with their names.
type treemap struct {
	W, H   float64
	Tiles  []tile
	Others int // folders without a tile of their own
}

// tile is a folder, or the frame around those below it.
type tile struct {
	picture.Tile
	directoryRow
	Label   string
	LabelY  float64
	Small   string // a second line
	IsFrame bool
	IsRest  bool // its own files, and folders without a tile
	Shade   int
}

const (
	maxTiles    = 60
	frameHeight = 22.0
	letterWidth = 7.2
	lineHeight  = 16.0
	minLabel    = 34.0
)

// newTreemap lays out the folders of two levels. Folders that would be too many are in the tile of the folder that holds them.
func newTreemap(rows []directoryRow, measure string, w, h float64) treemap {
	top := slices.DeleteFunc(slices.Clone(rows), func(d directoryRow) bool { return strings.Contains(string(d.Path), "/") })
	slices.SortStableFunc(top, func(a, b directoryRow) int { return cmp.Compare(b.measure(measure), a.measure(measure)) })
	m := treemap{W: w, H: h}
	if len(top) > maxTiles/3 {
		m.Others = len(top) - maxTiles/3
		top = top[:maxTiles/3]
	}
	left := maxTiles - len(top)
	values := measures(top, measure)
	for _, t := range picture.Treemap(values, 0, 0, w, h) {
		d := top[t.Index]
		one := tile{Tile: t, directoryRow: d}
		isElsewhere := func(c directoryRow) bool { return !strings.HasPrefix(string(c.Path), string(d.Path)+"/") }
		inner := slices.DeleteFunc(slices.Clone(rows), isElsewhere)
		slices.SortStableFunc(inner, func(a, b directoryRow) int { return cmp.Compare(b.measure(measure), a.measure(measure)) })
		share := min(len(inner), max(0, min(left, int(float64(maxTiles)*t.W*t.H/(w*h))+1)))
		m.Others += len(inner) - share
		one.IsFrame = share > 1 && t.W > 3*minLabel && t.H > 3*frameHeight
		m.Tiles = append(m.Tiles, one)
		if !one.IsFrame {
			continue
		}
		left -= share
		rest := d
		for _, c := range inner[:share] {
			rest.Files, rest.Lines, rest.Tokens = rest.Files-c.Files, rest.Lines-c.Lines, rest.Tokens-c.Tokens
		}
		inner = inner[:share]
		if rest.measure(measure) > d.measure(measure)/100 {
			inner = append(inner, rest) // the folder's own files and small folders
		}
		for _, t := range picture.Treemap(measures(inner, measure), t.X+2, t.Y+frameHeight, t.W-4, t.H-frameHeight-2) {
			c := inner[t.Index]
			m.Tiles = append(m.Tiles, tile{Tile: t, directoryRow: c, IsRest: c.Path == d.Path})
		}
	}
	for i := range m.Tiles {
		m.Tiles[i].label()
	}
	return m
}

func measures(rows []directoryRow, measure string) []float64 {
	out := make([]float64, len(rows))
	for i := range rows {
		out[i] = rows[i].measure(measure)
	}
	return out
}

// label gives a tile its name, as far as there is room, and its shade: the mean length of its files.
func (t *tile) label() {
	mean := 0.0
	if t.Files > 0 {
		mean = float64(t.Lines) / float64(t.Files)
	}
	for _, bound := range []float64{50, 100, 150, 250, 400} {
		if mean > bound {
			t.Shade++
		}
	}
	if t.W < minLabel || t.H < lineHeight+4 {
		return
	}
	name := asString(t.Path)
	if !t.IsFrame {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	switch {
	case name == ".":
		name = "(root)"
	case t.IsRest:
		name = "(others)"
	}
	t.Label, t.LabelY = shorten(operation.Escape(name), int((t.W-10)/letterWidth)), t.Y+15
	if !t.IsFrame && t.H > 2*lineHeight+8 && t.W > 2*minLabel {
		t.Small = operation.Group(t.Lines)
	}
}

// shorten cuts a text to a number of characters.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n < 3 {
		return ""
	}
	return string(r[:n-1]) + "…"
}
