package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// source is a kind of piece: which commits remove such pieces, by their
// subjects, and what a stretch they removed must look like to be of the kind.
// The looks are wide on purpose: they drop what a commit removed along with a
// piece, such as an import, and must not be a rule in disguise.
type source struct {
	kind    string
	subject string // read without regard to case
	most    int    // lines of a piece
	removes int    // lines of the whole commit at most: a large one does more than its subject says
	is      func(l code.Lang, lines []string) bool
}

// sources is the table of kinds that are drawn by line.
func sources() []source {
	outputs := regexp.MustCompile(`(?i)print|log|dump|debug|echo|puts|trace|inspect|dbg|write|console|alert|cat\b|pry|pp\b`)
	levelled := regexp.MustCompile(`(?i)\b_?(log|logger|logging|slog|tracing|level|klog|glog)\w*(\(\))?[.:>-]+(log)?(debug|trace|info|warn|error|fatal|verbose)`)
	marks := regexp.MustCompile(`(?i)\b(todo|fixme|xxx|hack)\b`)
	// what documents is no code, and prose has none of these
	documents := regexp.MustCompile(`^\s*(/\*\*|\*|///|//!|#'|##)`)
	punctuation := regexp.MustCompile(`[(;={\[]`)
	return []source{
		{debugPiece, `(remov|delet|drop|clean|strip|get rid of|forgot).{0,25}(debug(ging)? ?(print|output|log|statement|line|message|msg|code|stuff|trac|echo|puts|call|dump|info)` +
			`|debugging$|debug$|console\.log|print statement|print(s|ln|f)?$|\bprintln|leftover (print|log|debug)|var_dump|\bdd\(|dbg!|debugger|\bpdb\b|\bpry\b|\bputs\b|stray (print|log|puts))`, 6, 40,
			func(_ code.Lang, lines []string) bool {
				// levelled logging is no print: programs keep it
				return slices.ContainsFunc(lines, outputs.MatchString) && !slices.ContainsFunc(lines, levelled.MatchString) &&
					!slices.ContainsFunc(lines, marks.MatchString)
			}},
		{deadPiece, `(remov|delet|drop|clean).{0,25}(commented|comment(ed)? out|dead code|unused code|old code|comments? code)`, 12, 400,
			func(l code.Lang, lines []string) bool {
				return allComments(l, lines) && slices.ContainsFunc(lines, punctuation.MatchString) &&
					!slices.ContainsFunc(lines, documents.MatchString) && !slices.ContainsFunc(lines, marks.MatchString)
			}},
		{todoPiece, `(remov|delet|drop|clean).{0,25}(todo|fixme)`, 3, 40,
			func(l code.Lang, lines []string) bool {
				return allComments(l, lines) && slices.ContainsFunc(lines, marks.MatchString)
			}},
	}
}

// strayFile matches subjects of commits that remove files that should not be there.
const strayFile = `(remov|delet|drop|clean|rm ).{0,40}(accident|stray|leftover|left over|temp(orary)? (file|script|test)|by mistake|mistaken|junk|scratch|backup file|\.orig\b|\.rej\b|ds_store|\.swp\b|\.log\b|debug (file|script)|unwanted file|unneeded file|unnecessary file|should not)` +
	`|(accident|mistak|unintention).{0,30}(commit|added|check)`

// piece is a stretch of lines, or a file, that a commit removed.
type piece struct {
	kind         string
	repo, commit string
	path         string
	from, to     int
	lang         code.Lang
}

// perCommit is how many pieces one commit gives at most, so that no tidying of a
// whole repository is most of the sample.
const perCommit = 3

// allComments reports whether each line that is not blank begins as a comment does.
func allComments(l code.Lang, lines []string) bool {
	row := lang.Of(l)
	marks := slices.Clone(row.Line)
	if row.Block[0] != "" {
		marks = append(marks, row.Block[0], row.Block[1], "*")
	}
	some := false
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		some = true
		if !slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(line, m) }) || strings.HasPrefix(line, "#!") {
			return false
		}
	}
	return some
}

// groups are the one name of languages that can be planted into each other.
func groups() map[code.Lang]code.Lang {
	return map[code.Lang]code.Lang{"typescript": "javascript", "tsx": "javascript", "jsx": "javascript", "cpp": "c"}
}

// group is the group of a file's language, "" if it is no programming language.
func group(path string) code.Lang {
	l := lang.Detect(path, nil)
	if lang.Of(l).Sort != lang.Programming {
		return ""
	}
	return cmp.Or(groups()[l], l)
}

// clonesIn is the names of all repositories in a folder of clones, in order.
func clonesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), "repo", "HEAD")); err == nil {
			out = append(out, strings.Replace(e.Name(), "+", "/", 1))
		}
	}
	return out, nil
}

// pieces is what commits of a repository removed, by line and by file.
func pieces(dir, repo string) ([]piece, error) {
	var out []piece
	for _, s := range sources() {
		commits, err := commitsOf(dir, s.subject)
		if err != nil {
			return nil, err
		}
		for _, c := range commits {
			out = append(out, s.from(repo, c)...)
		}
	}
	commits, err := commitsOf(dir, strayFile)
	if err != nil {
		return nil, err
	}
	for _, c := range commits {
		out = append(out, strayFiles(repo, c)...)
	}
	return out, nil
}

// commitsOf is the commits whose subject matches, with their patches. A clone may
// lack its largest files: a commit that changes such a file is left out.
func commitsOf(dir, subject string) ([]*commit, error) {
	wider := strings.NewReplacer(`\b`, "", "$", "").Replace(subject) // git looks at the whole message
	ids, err := git(dir, "log", "--no-merges", "-i", "-E", "--grep="+wider, logFormat, "HEAD")
	if err != nil {
		return nil, err
	}
	re := regexp.MustCompile("(?i)" + subject)
	var all []*commit
	for _, c := range patches(ids) {
		if !re.MatchString(c.subject) {
			continue
		}
		if c, err := show(dir, c.id); err == nil {
			all = append(all, c)
		}
	}
	return all, nil
}

// from is the pieces of a commit that removes more than it adds, and not much.
func (s *source) from(repo string, c *commit) []piece {
	removed, added := 0, 0
	for _, f := range c.files {
		r, a := f.lines()
		removed += r
		added += a
	}
	if removed > s.removes || added > removed {
		return nil
	}
	var out []piece
	for _, f := range c.files {
		l := group(f.path)
		if l == "" || f.deleted {
			continue
		}
		for _, h := range f.hunks {
			from, to, ok := trimmed(h)
			if !ok || to-from+1 > s.most || !s.is(lang.Detect(f.path, nil), h.removed) {
				continue
			}
			if out = append(out, piece{s.kind, repo, c.id, f.path, from, to, l}); len(out) == perCommit {
				return out
			}
		}
	}
	return out
}

// trimmed is the lines of a hunk that only removes, without blank ones at its ends.
func trimmed(h hunk) (from, to int, ok bool) {
	if len(h.added) > 0 || len(h.removed) == 0 {
		return 0, 0, false
	}
	a, b := 0, len(h.removed)
	for a < b && strings.TrimSpace(h.removed[a]) == "" {
		a++
	}
	for a < b && strings.TrimSpace(h.removed[b-1]) == "" {
		b--
	}
	return h.oldFrom + a, h.oldFrom + b - 1, a < b
}

// strayFiles is the files that a commit of few files removed.
func strayFiles(repo string, c *commit) []piece {
	if len(c.files) > 4 {
		return nil
	}
	var out []piece
	for _, f := range c.files {
		if removed, _ := f.lines(); !f.deleted || removed > 500 {
			continue
		}
		if out = append(out, piece{kind: filePiece, repo: repo, commit: c.id, path: f.path}); len(out) == perCommit {
			return out
		}
	}
	return out
}
