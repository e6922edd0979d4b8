package session

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/statefile"
)

// DecisionsFile is where decisions are kept as text, relative to the project's root:
//
//	## 2026-03-01 Topic
//
//	The decision, in as many lines as it takes.
//
//	Rationale: why
//	Files: a.go, b.go
//
// People may edit it. Sections of another form stay as they are, and Decisions lists them.
const DecisionsFile = ".ken/knowledge/decisions.md"

// maxDecisions is the largest file that is read, in bytes.
const maxDecisions = 1 << 20

const decisionsTitle = "# Decisions\n"

// OddSection is a section of the file of decisions that does not have the form of a decision.
type OddSection struct {
	Line    int // of its heading
	Heading string
}

// Decisions reads the file of decisions below root, oldest first. odd lists the sections that are not decisions. It fails if
// the file exists and cannot be read, is not a regular file, or is too large.
func Decisions(root string) (list []Note, odd []OddSection, err error) {
	text, err := readDecisions(root)
	if err != nil || text == "" {
		return nil, nil, err
	}
	var section []string
	number, begun := 0, 0
	flush := func() {
		if len(section) == 0 {
			return
		}
		if n, ok := parseDecision(section); ok {
			list = append(list, n)
		} else {
			odd = append(odd, OddSection{begun, strings.TrimSpace(strings.TrimPrefix(section[0], "## "))})
		}
		section = nil
	}
	sc := bufio.NewScanner(strings.NewReader(text))
	sc.Buffer(nil, maxDecisions+1)
	for sc.Scan() {
		number++
		line := strings.TrimSuffix(sc.Text(), "\r")
		if strings.HasPrefix(line, "## ") {
			flush()
			section, begun = []string{line}, number
		} else if section != nil {
			section = append(section, line)
		}
	}
	flush()
	return list, odd, sc.Err()
}

// readDecisions returns the text of the file, "" if there is none.
func readDecisions(root string) (string, error) {
	path := filepath.Join(root, DecisionsFile)
	if err := statefile.CheckFolder(filepath.Dir(path)); err != nil {
		return "", err
	}
	b, err := statefile.Read(path, maxDecisions)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, statefile.ErrNotRegular):
		return "", fmt.Errorf("%s is no regular file", DecisionsFile)
	case errors.As(err, new(*statefile.SizeError)):
		return "", fmt.Errorf("%s is larger than 1 MB", DecisionsFile)
	}
	return strings.TrimPrefix(string(b), "\ufeff"), err
}

// parseDecision returns the decision in a section of the file, and reports whether the section is one.
func parseDecision(lines []string) (n Note, ok bool) {
	head := strings.TrimSpace(strings.TrimPrefix(lines[0], "## "))
	date, topic, _ := strings.Cut(head, " ")
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return n, false
	}
	n = Note{Kind: Decided, At: at, Topic: strings.TrimSpace(topic)}
	var text []string
	for _, l := range lines[1:] {
		switch {
		case strings.HasPrefix(l, "Rationale: "):
			n.Rationale = strings.TrimSpace(strings.TrimPrefix(l, "Rationale: "))
		case strings.HasPrefix(l, "Files: "):
			for _, f := range strings.Split(strings.TrimPrefix(l, "Files: "), ",") {
				if f = strings.TrimSpace(f); f != "" {
					n.Pins = append(n.Pins, Pin{Target: f})
				}
			}
		default:
			text = append(text, l)
		}
	}
	n.Text = strings.TrimSpace(strings.Join(text, "\n"))
	return n, n.Text != "" || n.Topic != ""
}

// AddDecision appends a decision to the file below root. undo takes it away again if nothing was written after it. It fails if the file
// cannot be written, or is not a regular file; it is then as it was. The caller holds the lock of text files.
func AddDecision(root string, n Note) (undo func() error, err error) {
	text, err := readDecisions(root)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	switch {
	case text == "":
		b.WriteString(decisionsTitle)
	case !strings.HasSuffix(text, "\n"):
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n## %s %s\n\n%s\n", n.At.UTC().Format(time.DateOnly), oneLine(n.Topic), escapeHeadings(n.Text))
	if n.Rationale != "" || len(n.Pins) > 0 {
		b.WriteByte('\n')
	}
	if n.Rationale != "" {
		fmt.Fprintf(&b, "Rationale: %s\n", oneLine(n.Rationale))
	}
	if len(n.Pins) > 0 {
		var files []string
		for _, p := range n.Pins {
			files = append(files, p.Target)
		}
		fmt.Fprintf(&b, "Files: %s\n", strings.Join(files, ", "))
	}
	path := filepath.Join(root, DecisionsFile)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	// Appended with one write, so that a person's editor or git sees the whole decision or none.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	written, err := f.WriteString(b.String())
	err = errors.Join(err, f.Close())
	undo = func() error { return cutFile(path, st.Size(), int64(written)) }
	if err != nil { // the disk may be full
		return nil, errors.Join(err, undo())
	}
	return undo, nil
}

// cutFile shortens a file to a size, unless more than the next n bytes were written behind it. It removes an empty file.
func cutFile(path string, size, n int64) error {
	if st, err := os.Stat(path); err != nil || st.Size() != size+n {
		return err
	}
	if size == 0 {
		return os.Remove(path)
	}
	return os.Truncate(path, size)
}

// oneLine returns a text without line feeds.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// escapeHeadings changes a text so that no line can be mistaken for the heading of another decision.
func escapeHeadings(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "#") {
			lines[i] = " " + l
		}
	}
	return strings.Join(lines, "\n")
}
