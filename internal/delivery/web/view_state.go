package web

import (
	"context"
	"ken/internal/operation"
	"math"
	"slices"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

type hotspotsData struct {
	Revision int64          `json:"revision"`
	Files    []changingFile `json:"files"`
	Symbols  []hotSymbol    `json:"symbols"`

	By     string
	Limit  int
	Points points
}

type changingFile struct {
	hotFile
	Changes  int `json:"changes"`
	Together []struct {
		Path    text `json:"path"`
		Commits int  `json:"commits"`
	} `json:"co_change"`
}

// Orders are the orders of files.
func (hotspotsData) Orders() []string { return []string{"both", "changes", "dependents"} }

// points are files by how often they change and how many depend on them.
type points struct {
	Marks  []point
	XTicks []tick
	YTicks []tick
}

type point struct {
	changingFile
	X, Y  int
	Label string
}

type tick struct{ At, N int }

// Sides of the drawing, and how much of it the numbers take.
const (
	pointsWide = 760
	pointsHigh = 330
	pointsLeft = 46
	pointsLow  = 36
	maxPoints  = 60
	maxLabels  = 7
)

// newPoints lays files out on logarithmic axes, because a few are far ahead of all others.
func newPoints(files []changingFile) (p points) {
	files = files[:min(len(files), maxPoints)]
	x, y := 1, 1
	for _, f := range files {
		x, y = max(x, f.Changes), max(y, f.Dependents)
	}
	at := func(n, most, side int) int {
		return int(float64(side) * math.Log1p(float64(n)) / math.Log1p(float64(most)))
	}
	wide, high := pointsWide-pointsLeft-130, pointsHigh-pointsLow-24
	for n := 1; n <= x; n *= 4 {
		p.XTicks = append(p.XTicks, tick{pointsLeft + at(n, x, wide), n})
	}
	for n := 1; n <= y; n *= 4 {
		p.YTicks = append(p.YTicks, tick{pointsHigh - pointsLow - at(n, y, high), n})
	}
	for i, f := range files {
		one := point{changingFile: f, X: pointsLeft + at(f.Changes, x, wide), Y: pointsHigh - pointsLow - at(f.Dependents, y, high)}
		if i < maxLabels && p.isFree(one.X, one.Y) {
			one.Label = shorten(base(f.Path).String(), 20)
		}
		p.Marks = append(p.Marks, one)
	}
	return p
}

// isFree reports whether a label at a point covers no other label.
func (p *points) isFree(x, y int) bool {
	for _, m := range p.Marks {
		dx, dy := m.X-x, m.Y-y
		if m.Label != "" && max(dx, -dx) < 150 && max(dy, -dy) < 14 {
			return false
		}
	}
	return true
}

func viewHotspots(ctx context.Context, s *asker, r *request) *page {
	d := hotspotsData{By: r.get("by"), Limit: r.number("limit", 40, 200)}
	if !slices.Contains(d.Orders(), d.By) {
		d.By = "both"
	}
	answers := s.askAll(ctx, asked{newQuestion("hotspots", "by", d.By, "together", "3", "limit", itoa(d.Limit)), &d})
	if answers[0].Outcome == operation.Usage && r.get("by") == "" { // there is no history, or no commit in it counts
		d.By = "dependents"
		answers = s.askAll(ctx, asked{newQuestion("hotspots", "limit", itoa(d.Limit)), &d})
	}
	d.Points = newPoints(d.Files)
	return &page{Title: "Hotspots", Data: &d, Answers: answers, Revision: d.Revision}
}

type statusData struct {
	Revision int64  `json:"revision"`
	Commit   text   `json:"commit"`
	Head     text   `json:"head"`
	LookedAt text   `json:"looked_at"`
	Pending  int    `json:"pending"`
	Schema   int    `json:"schema"`
	Bytes    int64  `json:"index_bytes"`
	Reasons  counts `json:"reasons"`
	Counts   struct {
		Files, Parsed, Symbols, References, Edges int
		Lines                                     int64
	} `json:"counts"`
	History struct {
		Commits int  `json:"commits"`
		Shallow bool `json:"shallow"`
		Limit   int  `json:"limit"`
	} `json:"history"`
	Unparsed struct {
		Files        int `json:"files"`
		Declarations int `json:"declarations"`
	} `json:"unparsed"`
	Skipped []struct {
		Path   text `json:"path"`
		Reason text `json:"reason"`
	} `json:"skipped"`

	Secrets struct {
		Findings []struct {
			Path text `json:"path"`
			Line int  `json:"line"`
			Kind text `json:"kind"`
			Rule text `json:"rule"`
		} `json:"findings"`
	}
	More        int // findings that are not listed
	MoreSkipped int
}

// SkippedSum is the number of skipped files, those included that are not listed.
func (d *statusData) SkippedSum() (n int) {
	for _, one := range d.Reasons {
		n += one
	}
	return n
}

// SecretSum is the number of findings.
func (d *statusData) SecretSum() int { return len(d.Secrets.Findings) + d.More }

type counts map[text]int

const maxRows = 200 // of a table

func viewStatus(ctx context.Context, s *asker, r *request) *page {
	var d statusData
	answers := s.askAll(ctx, asked{newQuestion("status"), &d}, asked{newQuestion("secrets"), &d.Secrets})
	if n := len(d.Secrets.Findings); n > maxRows {
		d.More, d.Secrets.Findings = n-maxRows, d.Secrets.Findings[:maxRows]
	}
	if n := len(d.Skipped); n > maxRows {
		d.MoreSkipped, d.Skipped = n-maxRows, d.Skipped[:maxRows]
	}
	return &page{Title: "Status", Data: &d, Answers: answers, Revision: d.Revision}
}

type planShow struct {
	Version   text `json:"milestone_version"`
	Name      text `json:"milestone_name"`
	Percent   int  `json:"percent"`
	Completed int  `json:"completed_phases"`
	Count     int  `json:"phase_count"`
	Plans     int  `json:"total_plans"`
	Done      int  `json:"completed_plans"`
	Phases    []struct {
		Number  text   `json:"number"`
		Name    text   `json:"name"`
		Plans   int    `json:"plans"`
		Done    int    `json:"completed_plans"`
		Status  text   `json:"status"`
		Open    []text `json:"open_plans"`
		Current bool   `json:"current"`
	} `json:"phases"`
	Waiting  []text `json:"waiting"`
	Blockers []text `json:"blockers"`
	Next     struct {
		Command text `json:"command"`
		Reason  text `json:"reason"`
	} `json:"next"`
}

type planData struct {
	Show  planShow
	Phase text
	Waves struct {
		Plans []wavePlan `json:"plans"`
		Waves []struct {
			Wave     int  `json:"wave"`
			Complete bool `json:"complete"`
		} `json:"waves"`
		Warnings []text `json:"warnings"`
	}
	Writes struct {
		SetApart []struct {
			Wave  int    `json:"wave"`
			Plans []text `json:"plans"`
			Files []struct {
				Path    text `json:"path"`
				Reasons []struct {
					Kind   text `json:"kind"`
					Detail text `json:"detail"`
				} `json:"reasons"`
			} `json:"files"`
		} `json:"set_apart"`
		Warnings []text `json:"warnings"`
	}
	Columns []waveColumn
	Missing string // the reason why there is no plan
}

type wavePlan struct {
	ID     text   `json:"id"`
	File   text   `json:"file"`
	Wave   int    `json:"wave"`
	Needs  []text `json:"needs"`
	Files  []text `json:"files"`
	State  text   `json:"state"`
	Reason text   `json:"reason"`
}

// waveColumn is a wave with its plans.
type waveColumn struct {
	Wave     int
	Complete bool
	Plans    []wavePlan
}

func viewPlan(ctx context.Context, s *asker, r *request) *page {
	d := planData{Phase: text(r.get("phase"))}
	answers := s.askAll(ctx, asked{newQuestion("plan show"), &d.Show})
	p := &page{Title: "Plan", Data: &d, Answers: answers}
	if answers[0].Failed() {
		d.Missing = answers[0].Message
		return p
	}
	for _, f := range d.Show.Phases {
		if d.Phase == "" && (f.Current || f.Status == "in_progress") {
			d.Phase = f.Number
		}
	}
	if d.Phase == "" {
		return p
	}
	p.Answers = append(p.Answers, s.askAll(ctx, asked{newQuestion("plan waves", "phase", string(d.Phase)), &d.Waves},
		asked{newQuestion("plan writes", "phase|plan", string(d.Phase)), &d.Writes})...)
	for _, w := range d.Waves.Waves {
		col := waveColumn{Wave: w.Wave, Complete: w.Complete}
		for _, one := range d.Waves.Plans {
			if one.Wave == w.Wave {
				col.Plans = append(col.Plans, one)
			}
		}
		d.Columns = append(d.Columns, col)
	}
	return p
}

type timeData struct {
	Revision int64       `json:"revision"`
	Events   []timeEvent `json:"events"`
	More     bool        `json:"more"`
	Known    int         `json:"commits_known"`
	Problem  text        `json:"history_problem"`

	Path, Kind text
	Limit      int
	Days       []day
	Next       int
}

type timeEvent struct {
	At       text   `json:"at"`
	Kind     text   `json:"kind"`
	Text     text   `json:"text"`
	Commit   text   `json:"commit"`
	Result   text   `json:"outcome"`
	Duration int    `json:"duration_s"`
	Files    []text `json:"files"`
	Changed  int    `json:"files_changed"`
	Note     *struct {
		Topic    text   `json:"topic"`
		Why      text   `json:"rationale"`
		Pins     []text `json:"pins"`
		Outdated []text `json:"changed_pins"`
		Done     bool   `json:"done"`
		Foreign  bool   `json:"from_repository"`
	} `json:"note"`
}

// Time is the time of day, "" if only the day is known.
func (e timeEvent) Time() text {
	_, clock, ok := strings.Cut(string(e.At), "T")
	if !ok {
		return ""
	}
	return text(clock[:min(5, len(clock))])
}

// IsPast reports whether a thing to do is done, or what a decision is about has changed since.
func (e timeEvent) IsPast() bool { return e.Note != nil && (e.Note.Done || len(e.Note.Outdated) > 0) }

// day has the events of a day.
type day struct {
	Date   text
	Events []timeEvent
}

// Kinds are the kinds of events.
func (timeData) Kinds() []string {
	return []string{"session", "decision", "note", "todo", "outcome", "commit"}
}

// maxEvents is the most events of a page.
const maxEvents = 120

func viewTime(ctx context.Context, s *asker, r *request) *page {
	d := timeData{Path: text(r.get("path")), Kind: text(r.get("kind")), Limit: r.number("limit", 40, maxEvents)}
	answers := s.askAll(ctx, asked{newQuestion("timeline", "path", string(d.Path), "kind", string(d.Kind), "limit", itoa(d.Limit)), &d})
	for _, e := range d.Events {
		if n := len(d.Days); n == 0 || d.Days[n-1].Date != dateOnly(e.At) {
			d.Days = append(d.Days, day{Date: dateOnly(e.At)})
		}
		last := &d.Days[len(d.Days)-1]
		last.Events = append(last.Events, e)
	}
	if d.More && d.Limit < maxEvents {
		d.Next = min(maxEvents, d.Limit*2)
	}
	return &page{Title: "What happened", Data: &d, Answers: answers, Revision: d.Revision}
}
