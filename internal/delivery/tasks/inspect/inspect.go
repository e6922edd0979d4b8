// Package inspect makes the rows of a review: each change of a task's work tree with its masked diff and its findings of garbage.
// guard/garbage judges; this package gives it the request, the classes of the files, their credentials, and the index of the project
// before the change (tree.go). Its parent delivery/tasks lists the operation.
package inspect

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ken/internal/ask/declared"
	"ken/internal/ask/secrets"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/guard/garbage"
	"ken/internal/guard/review"
	"ken/internal/operation"
	"ken/internal/worktree"
)

// Row is one change.
type Row struct {
	Path     operation.Path `json:"path" doc:"file, from the top of the repository"`
	ID       string         `json:"id" doc:"of the change as it is shown; finalize_changes with it fails if the file has changed since"`
	Kind     string         `json:"kind" doc:"added, modified or deleted"`
	Opaque   string         `json:"opaque,omitempty" doc:"why no lines are shown: binary, large, link, nested or mode"`
	Moved    string         `json:"moved_from,omitempty" doc:"a deleted file of the same content"`
	Done     bool           `json:"committed,omitempty" doc:"it is on the task's branch already"`
	Hunks    []string       `json:"hunks,omitempty" doc:"ids of the stretches, in order; each is behind @@ in the diff"`
	Patch    string         `json:"diff,omitempty" doc:"the change as a patch, secrets masked"`
	Outside  bool           `json:"without_leave,omitempty" doc:"the task gave no leave to write it"`
	Confirm  []string       `json:"confirm_reasons,omitempty" doc:"why keeping it has to be confirmed by its name: without_leave, deleted, link, ignored or credential"`
	Findings []Finding      `json:"findings,omitempty" doc:"what looks like garbage, by line; at most 50 of a file"`
	Left     int            `json:"findings_left,omitempty" doc:"findings that are not listed"`
}

// Finding is something that looks like garbage.
type Finding struct {
	Kind  string `json:"kind" doc:"secret, debug-print, commented-out-code, left-todo, unrequested-test or unrelated-file"`
	Sure  string `json:"sure" doc:"certain, likely, or possible: the same is often meant"`
	Line  int    `json:"line,omitempty" doc:"first line of the file as it is now; left out: the whole file"`
	Lines int    `json:"lines,omitempty" doc:"how many lines, if they are several"`
	Hunk  string `json:"hunk,omitempty" doc:"id of the stretch that it is in"`
	Text  string `json:"text,omitempty" doc:"the first line, secrets masked"`
	Why   string `json:"why" doc:"what it looks like"`
}

const (
	around      = 3   // lines that a diff shows around a change
	maxFindings = 50  // of one file
	maxShown    = 160 // bytes of a line
)

// Rows returns the changes of a review of a task, judged by the request. The texts of the review are masked on the way, because they
// may hold a part of a credential that alone does not look like one. It fails if the index or the work tree cannot be read.
func Rows(s *view.Snapshot, t *guard.Task, tree *worktree.Tree, r *review.Review, request string, ignored map[string]bool) ([]Row, error) {
	change := &garbage.Change{Request: request}
	described := map[string]secrets.Text{}
	for i := range r.Changes {
		c := &r.Changes[i]
		if err := maskChange(s, c, described, change); err != nil {
			return nil, err
		}
	}
	change.Files = r.Files(func(path, _ string) (code.Lang, code.FileClass) {
		d := described[path]
		return d.Lang, d.Class
	})
	before, err := newTree(s, tree, r)
	if err != nil {
		return nil, err
	}
	change.Tree = before
	found := map[string][]garbage.Finding{}
	for _, f := range garbage.NewFinder().Find(change) {
		found[f.Path] = append(found[f.Path], f)
	}
	if before.err != nil {
		return nil, before.err
	}
	rows := make([]Row, len(r.Changes))
	for i := range r.Changes {
		c := &r.Changes[i]
		rows[i] = newRow(c)
		whole, symbols := t.Leave(before.pathFromRoot(c.Path))
		rows[i].Outside = !whole
		if !whole && len(symbols) > 0 && c.Opaque == "" {
			changed := declared.Changes(c.Path, described[c.Path].Lang, []byte(c.Old), []byte(c.New))
			rows[i].Outside = slices.ContainsFunc(changed, func(d declared.Change) bool { c := guard.Change(d); return !c.Within(symbols) })
		}
		rows[i].addFindings(c, found[c.Path])
	}
	for i := range rows {
		rows[i].setConfirm(rows, ignored)
	}
	return rows, nil
}

// maskChange masks the texts of a change, and notes the credentials in its new lines.
func maskChange(s *view.Snapshot, c *review.Change, described map[string]secrets.Text, change *garbage.Change) error {
	now, err := secrets.InText(s, c.Path, c.New)
	if err != nil {
		return err
	}
	old, err := secrets.InText(s, c.Path, c.Old)
	if err != nil {
		return err
	}
	c.Old, c.New = old.Text, now.Text
	now.Text = ""
	described[c.Path] = *now
	for _, f := range now.Found {
		isNew := f.Line == 0 && c.Kind == review.Added || hunkAt(c, int(f.Line)) != ""
		if isNew && c.Kind != review.Deleted {
			change.Secrets = append(change.Secrets, garbage.Secret{Path: c.Path, Line: int(f.Line), Rule: f.Rule})
		}
	}
	return nil
}

// hunkAt returns the id of the hunk that added a line of the new text, "" if the line was there before.
func hunkAt(c *review.Change, line int) string {
	for _, h := range c.Hunks {
		if h.NewFrom <= line && line < h.NewFrom+h.NewLines {
			return h.ID
		}
	}
	return ""
}

func newRow(c *review.Change) Row {
	r := Row{Path: operation.Path(c.Path), ID: c.ID, Kind: string(c.Kind), Opaque: string(c.Opaque), Moved: c.MovedFrom, Done: c.Committed}
	for _, h := range c.Hunks {
		r.Hunks = append(r.Hunks, h.ID)
	}
	r.Patch = c.Diff(around)
	return r
}

// LeftOut returns how many of the last lines of the differences no answer has shown: not this one, nor the one before it, which showed the
// beginning of the same change and left out so many. begun reports whether this answer shows the change.
func (r *Row) LeftOut(sent *operation.Sent, same bool, left int) (n int, begun bool) {
	patch := r.PatchLines()
	if !same {
		left = len(patch)
	}
	var rows struct {
		Changes []Row `json:"changes"`
	}
	switch {
	case sent.Whole:
		return 0, true
	case sent.Decode(&rows):
		if slices.ContainsFunc(rows.Changes, func(o Row) bool { return o.ID == r.ID && o.Patch == r.Patch }) {
			return 0, true
		}
		return left, same
	}
	text := strings.Split(sent.Text, "\n")
	at := slices.IndexFunc(text, func(l string) bool {
		return strings.HasPrefix(l, operation.Escape(string(r.Path))+"  ") && strings.Contains(l, "  "+r.ID+" ")
	})
	begin := func(from, line int) { // lines of the text from the one on, which may be the differences from another on
		k := line
		for ; k < len(patch) && from < len(text) && text[from] == patch[k]; k++ {
			from++
		}
		left = min(left, len(patch)-k)
	}
	if at >= 0 {
		for from := at + 1; from < len(text); from++ { // behind the findings
			if len(patch) > 0 && text[from] == patch[0] {
				begin(from, 0)
				break
			}
		}
		return left, true
	}
	for line := 0; line <= len(patch)-left; line++ { // an answer that goes on where one was cut
		begin(0, line)
	}
	return left, same
}

// PatchLines returns the lines of the differences as a text shows them.
func (r *Row) PatchLines() (out []string) {
	for l := range strings.Lines(r.Patch) {
		out = append(out, "    "+operation.EscapeLine(strings.TrimRight(l, " \t\r\n")))
	}
	return out
}

// Reasons to confirm a change by its name before it is kept.
const (
	withoutLeave = "without_leave"
	deleted      = "deleted"
	isLink       = "link"
	isIgnored    = "ignored"
	isCredential = "credential"
)

// setConfirm sets the reasons why the change has to be confirmed. A deleted file that another of the rows has under a new name is not lost.
func (r *Row) setConfirm(rows []Row, ignored map[string]bool) {
	path := string(r.Path)
	secret := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Kind == string(garbage.SecretValue) })
	moved := slices.ContainsFunc(rows, func(o Row) bool { return o.Moved == path })
	for _, c := range []struct {
		reason string
		is     bool
	}{
		{withoutLeave, r.Outside}, {deleted, r.Kind == string(review.Deleted) && !moved}, {isLink, r.Opaque == string(review.Link)},
		{isIgnored, ignored[path]}, {isCredential, secret || r.Kind != string(review.Deleted) && isCredentialName(path)},
	} {
		if c.is {
			r.Confirm = append(r.Confirm, c.reason)
		}
	}
}

// credentialNames are names of files that hold credentials and nothing else.
var credentialNames = []string{".env", ".env.*", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.key", "*.p12", "*.pfx",
	"*.jks", "*.keystore", "credentials", "credentials.json", "secrets.y*ml", "service-account*.json"}

func isCredentialName(file string) bool {
	name := strings.ToLower(path.Base(file))
	for _, end := range []string{".example", ".sample", ".template", ".dist"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return slices.ContainsFunc(credentialNames, func(p string) bool { ok, _ := path.Match(p, name); return ok })
}

// addFindings adds findings to a row.
func (r *Row) addFindings(c *review.Change, found []garbage.Finding) {
	if len(found) > maxFindings {
		r.Left = len(found) - maxFindings
		found = found[:maxFindings]
	}
	var lines []string
	if len(found) > 0 {
		lines = strings.Split(c.New, "\n")
	}
	for _, f := range found {
		out := Finding{Kind: string(f.Kind), Sure: f.Sure.String(), Line: f.From, Why: f.Why}
		if f.To > f.From {
			out.Lines = f.To - f.From + 1
		}
		if f.From > 0 {
			out.Hunk = hunkAt(c, f.From)
			out.Text = displayLine(lines[f.From-1])
		}
		r.Findings = append(r.Findings, out)
	}
}

// displayLine returns a source line as an answer shows it.
func displayLine(s string) string {
	return code.Cut(strings.TrimSpace(s), maxShown)
}

// WriteFindings writes the findings of garbage.
func (r *Row) WriteFindings(t *operation.Text) {
	for _, f := range r.Findings {
		place := "the file"
		if f.Line > 0 {
			place = "line " + strconv.Itoa(f.Line)
		}
		t.Line("  %s  %s  %s: %s", t.Bold(f.Kind), f.Sure, operation.Styled(place), f.Why)
		if f.Text != "" {
			t.Line("    %s", f.Text)
		}
	}
	if r.Left > 0 {
		t.Line("  and %s more", operation.Plural(r.Left, "finding"))
	}
}

// pathFromRoot converts a path relative to the top of the repository to one relative to the project's root. Outside of the project it
// begins with "..".
func (t *projectTree) pathFromRoot(path string) string {
	name, err := filepath.Rel(t.root, filepath.Join(t.top, filepath.FromSlash(path)))
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}
