package profile

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"ken/internal/workflow/plan/planop"
)

// The limits of reading transcripts.
const (
	maxMessages = 300
	maxLine     = 8 << 20
	maxChars    = 2000
	maxFiles    = 20000
)

// transcripts is a folder of transcripts that the user named. It contains a folder for each project.
type transcripts struct {
	root     *os.Root
	projects []project
}

type project struct {
	dir, name string
	sessions  []session // newest first
}

type session struct {
	id, file string
	size     int64
	modified time.Time
}

// openTranscripts lists the sessions in a folder of transcripts. There is no default folder, because transcripts contain a person's words
// and are only read where that person names them.
func openTranscripts(c *planop.Call, dir string) (*transcripts, error) {
	if dir == "" {
		return nil, planop.Usagef("--path is missing: transcripts are read only in a folder that you name, such as ~/.claude/projects")
	}
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && c.Home != "" {
		dir = filepath.Join(c.Home, rest)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.Dir, dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, planop.Faultf("path_not_found", "there are no transcripts in %s: %s", dir, err)
	}
	t := &transcripts{root: root}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	for _, e := range entries {
		if e.IsDir() && strings.IndexFunc(e.Name(), unicode.IsControl) < 0 {
			if p := t.project(e.Name()); len(p.sessions) > 0 {
				t.projects = append(t.projects, p)
			}
		}
	}
	slices.SortStableFunc(t.projects, func(a, b project) int { return b.sessions[0].modified.Compare(a.sessions[0].modified) })
	return t, nil
}

func (t *transcripts) project(dir string) project {
	p := project{dir: dir, name: dir}
	entries, _ := fs.ReadDir(t.root.FS(), dir) // as far as it can be read
	for _, e := range entries[:min(len(entries), maxFiles)] {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		st, err := e.Info()
		if ok && err == nil && st.Mode().IsRegular() && strings.IndexFunc(id, unicode.IsControl) < 0 {
			p.sessions = append(p.sessions, session{id, path.Join(dir, e.Name()), st.Size(), st.ModTime()})
		}
	}
	slices.SortStableFunc(p.sessions, func(a, b session) int { return b.modified.Compare(a.modified) })
	index := path.Join(dir, "sessions-index.json")
	if st, err := t.root.Lstat(filepath.FromSlash(index)); err != nil || !st.Mode().IsRegular() || st.Size() > maxLine {
		return p
	}
	if text, err := fs.ReadFile(t.root.FS(), index); err == nil {
		var index struct{ OriginalPath string }
		if json.Unmarshal(text, &index) == nil && index.OriginalPath != "" {
			p.name = path.Base(filepath.ToSlash(index.OriginalPath))
		}
	}
	return p
}

// Project describes the sessions of a project.
type Project struct {
	Name     string    `json:"name"`
	Dir      string    `json:"directory"`
	Count    int       `json:"sessionCount"`
	Size     int64     `json:"totalSize"`
	Human    string    `json:"totalSizeHuman"`
	Last     string    `json:"lastActive"`
	Range    dates     `json:"dateRange"`
	Sessions []Session `json:"sessions,omitempty"`
}

type dates struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// Session is a transcript.
type Session struct {
	ID       string `json:"sessionId"`
	Size     int64  `json:"size"`
	Human    string `json:"sizeHuman"`
	Modified string `json:"modified"`
}

func humanSize(n int64) string {
	switch f := float64(n); {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", f/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", f/(1<<20))
	default:
		return fmt.Sprintf("%.1f GB", f/(1<<30))
	}
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func scanSessions(_ context.Context, c *planop.Call, in *scanSessionsInput) ([]Project, error) {
	t, err := openTranscripts(c, in.Path)
	if err != nil {
		return nil, err
	}
	defer t.root.Close()
	list := []Project{}
	for _, p := range t.projects {
		newest, oldest := p.sessions[0].modified, p.sessions[len(p.sessions)-1].modified
		one := Project{
			Name: p.name, Dir: p.dir, Count: len(p.sessions), Last: newest.UTC().Format("2006-01-02 15:04:05"),
			Range: dates{formatTime(oldest), formatTime(newest)},
		}
		for _, s := range p.sessions {
			one.Size += s.size
			if in.Verbose {
				one.Sessions = append(one.Sessions, Session{s.id, s.size, humanSize(s.size), formatTime(s.modified)})
			}
		}
		one.Human = humanSize(one.Size)
		list = append(list, one)
	}
	return list, nil
}

// Message is a message of a person.
type Message struct {
	Session string  `json:"sessionId"`
	Project string  `json:"projectName,omitempty"`
	Path    *string `json:"projectPath"`
	Time    *string `json:"timestamp"`
	Content string  `json:"content"`
}

// record is a line of a transcript.
type record struct {
	Type, UserType      string
	IsMeta, IsSidechain bool
	Cwd, Timestamp      *string
	Message             struct{ Content any }
}

// ownText returns the text that a person wrote, if the record has such a text, else "".
func (r *record) ownText() string {
	text, _ := r.Message.Content.(string)
	if r.Type != "user" || r.UserType != "external" || r.IsMeta || r.IsSidechain {
		return ""
	}
	for _, mark := range [...]string{"<local-command", "<command-", "<task-notification"} {
		if strings.HasPrefix(text, mark) {
			return ""
		}
	}
	return text
}

// firstMessages returns the first messages of a session, at most the given number, each cut after chars characters.
func (t *transcripts) firstMessages(ctx context.Context, s session, most, chars int) (list []Message, cut int, err error) {
	f, err := t.root.Open(filepath.FromSlash(s.file))
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	for len(list) < most && ctx.Err() == nil {
		line, err := readLine(r)
		if err != nil && len(line) == 0 {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return list, cut, err
		}
		var one record
		if json.Unmarshal(line, &one) != nil {
			continue
		}
		text := one.ownText()
		if text == "" {
			continue
		}
		if short := clipText(text, chars); short != text {
			text = short
			cut++
		}
		list = append(list, Message{Session: s.id, Path: one.Cwd, Time: one.Timestamp, Content: text})
	}
	return list, cut, ctx.Err()
}

// readLine reads the next line. It drops a line that is too long.
func readLine(r *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, long = nil, true
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if long && err == nil {
				line = []byte("\n")
			}
			return line, err
		}
	}
}

func clipText(text string, chars int) string {
	n := 0
	for i := range text {
		if n == chars {
			return text[:i] + "... [truncated]"
		}
		n++
	}
	return text
}

// Extracted are a person's messages in the sessions of a project. They are only returned, never written to a file.
type Extracted struct {
	Project   string    `json:"project"`
	Processed int       `json:"sessions_processed"`
	Skipped   int       `json:"sessions_skipped"`
	Count     int       `json:"messages_extracted"`
	Truncated int       `json:"messages_truncated"`
	Messages  []Message `json:"messages"`
}

func (t *transcripts) findProject(name string) (*project, error) {
	var found []*project
	var names []string
	for i := range t.projects {
		p := &t.projects[i]
		if p.dir == name || strings.EqualFold(p.name, name) {
			return p, nil
		}
		names = append(names, p.name)
		if strings.Contains(strings.ToLower(p.dir), strings.ToLower(name)) {
			found = append(found, p)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		names = nil
		for _, p := range found {
			names = append(names, p.dir)
		}
		message := fmt.Sprintf("more than one project has %.60q in its name", name)
		return nil, &planop.Fault{Reason: "project_ambiguous", Message: message, Near: names[:min(8, len(names))]}
	}
	message := fmt.Sprintf("no project is called %.60q", name)
	return nil, &planop.Fault{Reason: "project_not_found", Message: message, Near: names[:min(8, len(names))]}
}

func extractMessages(ctx context.Context, c *planop.Call, in *extractMessagesInput) (Extracted, error) {
	limit := in.Limit
	t, err := openTranscripts(c, in.Path)
	if err != nil {
		return Extracted{}, err
	}
	defer t.root.Close()
	p, err := t.findProject(in.Project)
	if err != nil {
		return Extracted{}, err
	}
	sessions := p.sessions
	if id := in.Session; id != "" {
		sessions = slices.DeleteFunc(sessions, func(s session) bool { return s.id != id })
		if len(sessions) == 0 {
			return Extracted{}, planop.Faultf("session_not_found", "%s has no session %.60q", p.name, id)
		}
	}
	if limit > 0 {
		sessions = sessions[:min(limit, len(sessions))]
	}
	a := Extracted{Project: p.name, Messages: []Message{}}
	for _, s := range sessions {
		if len(a.Messages) >= maxMessages {
			break
		}
		list, cut, err := t.firstMessages(ctx, s, maxMessages-len(a.Messages), maxChars)
		if ctx.Err() != nil {
			return Extracted{}, ctx.Err()
		}
		if err != nil {
			a.Skipped++
			continue
		}
		a.Processed++
		a.Truncated += cut
		a.Messages = append(a.Messages, list...)
	}
	a.Count = len(a.Messages)
	return a, nil
}

// Sample is a sample of a person's messages in all projects.
type Sample struct {
	Projects  int       `json:"projects_sampled"`
	Count     int       `json:"messages_sampled"`
	Cap       int       `json:"per_project_cap"`
	Chars     int       `json:"message_char_limit"`
	Dumps     int       `json:"skipped_context_dumps"`
	Breakdown []share   `json:"project_breakdown"`
	Messages  []Message `json:"messages"`
}

type share struct {
	Project  string `json:"project"`
	Messages int    `json:"messages"`
	Sessions int    `json:"sessions"`
}

func sampleMessages(ctx context.Context, c *planop.Call, in *profileSampleInput) (Sample, error) {
	limit, most := in.Limit, in.MaxPerProject
	if limit == 0 {
		limit = math.MaxInt32
	}
	t, err := openTranscripts(c, in.Path)
	if err != nil {
		return Sample{}, err
	}
	defer t.root.Close()
	if most <= 0 {
		most = max(5, limit/max(1, len(t.projects)))
	}
	a := Sample{Cap: most, Chars: in.MaxChars, Breakdown: []share{}, Messages: []Message{}}
	for _, p := range t.projects {
		one := share{Project: p.name}
		for _, s := range p.sessions[:min(most, len(p.sessions))] {
			n, err := a.addMessages(ctx, t, p.name, s, limit, c.Now())
			if err != nil {
				return Sample{}, err
			}
			if one.Messages += n; n > 0 {
				one.Sessions++
			}
		}
		if one.Messages > 0 {
			a.Breakdown = append(a.Breakdown, one)
		}
	}
	a.Projects, a.Count = len(a.Breakdown), len(a.Messages)
	return a, nil
}

// addMessages adds messages of a session to the sample: more of them if the session is from the last month, none if it cannot be read. It
// returns their number.
func (a *Sample) addMessages(ctx context.Context, t *transcripts, name string, s session, limit int, now time.Time) (n int, err error) {
	const month = 30 * 24 * time.Hour
	most := 3
	if now.Sub(s.modified) < month {
		most = 10
	}
	most = min(most, limit-len(a.Messages))
	if most <= 0 {
		return 0, ctx.Err()
	}
	list, _, _ := t.firstMessages(ctx, s, most, maxChars)
	for _, m := range list {
		if isDump(m.Content) {
			a.Dumps++
			continue
		}
		m.Project, m.Content = name, clipText(m.Content, a.Chars)
		a.Messages = append(a.Messages, m)
		n++
	}
	return n, ctx.Err()
}

var logLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\[?(?:debug|info|warn|error|log)\]?|^\d{4}-\d{2}-\d{2}`)
})

// isDump reports whether a message was pasted, not written: a summary of a session, or lines of a log.
func isDump(text string) bool {
	if strings.HasPrefix(text, "This session is being continued") {
		return true
	}
	lines, logs := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines++
			if logLine().MatchString(line) {
				logs++
			}
		}
	}
	return lines > 3 && logs*5 > lines*4
}
