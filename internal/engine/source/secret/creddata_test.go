package secret

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// outside are the categories of Samsung's CredData that name no credential of the six kinds: identifiers, nonces, salts, places.
var outside = []string{"UUID", "Nonce", "Salt", "AWS S3 Bucket", "Firebase Domain", "Tencent WeChat API App ID"}

// TestCredData scores the rules on a set in the form of CredData (github.com/Samsung/CredData): KEN_CREDDATA names a directory with
// meta/*.csv and data/, as its own scripts download and obfuscate them. A labelled true value is found if a finding overlaps it; a
// labelled false one is a false positive if a finding overlaps it that overlaps no true one.
func TestCredData(t *testing.T) {
	root := os.Getenv("KEN_CREDDATA")
	if root == "" {
		t.Skip("KEN_CREDDATA names no directory")
	}
	metas, err := filepath.Glob(filepath.Join(root, "meta", "*.csv"))
	if err != nil || len(metas) == 0 {
		t.Fatalf("no meta/*.csv in %s (%v)", root, err)
	}
	s := scorer{t: t, root: root, e: New(), files: map[string]*scored{}, kinds: map[string][2]int{}}
	var rows []label
	for _, m := range metas {
		rows = append(rows, s.read(m)...)
	}
	for _, r := range rows {
		if r.truth {
			s.files[r.path].truths = append(s.files[r.path].truths, r)
		}
	}
	for _, r := range rows {
		s.score(r)
	}
	t.Logf("recall %d of %d = %.3f in the six kinds, %d of %d = %.3f without those that are UUIDs too, %d of %d = %.3f of all labels; false positives %d of %d = %.3f; precision %.3f",
		s.found, s.truths, ratio(s.found, s.truths), s.found-s.uuidFound, s.truths-s.uuids, ratio(s.found-s.uuidFound, s.truths-s.uuids), s.allFound, s.allTruths, ratio(s.allFound, s.allTruths), s.wrong, s.falses, ratio(s.wrong, s.falses), ratio(s.found, s.found+s.wrong))
	for k, n := range s.kinds {
		if n[1] >= 20 {
			t.Logf("%-40s %d of %d = %.3f", k, n[0], n[1], ratio(n[0], n[1]))
		}
	}
}

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

// label is a labelled stretch of a file.
type label struct {
	path   string
	truth  bool
	kinds  []string
	lo, hi int
}

type scored struct {
	text     []byte
	starts   []int // of lines
	findings []Finding
	truths   []label
}

type scorer struct {
	t                                  *testing.T
	root                               string
	e                                  *Engine
	files                              map[string]*scored
	kinds                              map[string][2]int
	found, truths, allFound, allTruths int
	uuidFound, uuids                   int // of found and truths
	wrong, falses                      int
}

func (s *scorer) file(path string) *scored {
	if f := s.files[path]; f != nil {
		return f
	}
	text, err := os.ReadFile(filepath.Join(s.root, path))
	if err != nil {
		s.t.Fatal(err)
	}
	f := &scored{text: text, starts: []int{0}, findings: s.e.Find(nil, text)}
	for i, c := range text {
		if c == '\n' {
			f.starts = append(f.starts, i+1)
		}
	}
	s.files[path] = f
	return f
}

// read reads the labels of one repository. Columns count characters.
func (s *scorer) read(meta string) (out []label) {
	file, err := os.Open(meta)
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rows[1:] { // Id,FileID,Domain,RepoName,FilePath,LineStart,LineEnd,GroundTruth,ValueStart,ValueEnd,…,Category
		f := s.file(r[4])
		first, _ := strconv.Atoi(r[5])
		last, _ := strconv.Atoi(r[6])
		if first < 1 || last > len(f.starts) {
			continue
		}
		l := label{path: r[4], truth: r[7] == "T", kinds: strings.Split(r[12], ":"), lo: f.starts[first-1], hi: len(f.text)}
		if last < len(f.starts) {
			l.hi = f.starts[last] - 1
		}
		if line := []rune(string(f.text[l.lo:l.hi])); first == last && r[8] != "" {
			base := l.lo
			at := func(n string) int {
				i, _ := strconv.Atoi(n)
				return base + len(string(line[:min(max(i, 0), len(line))]))
			}
			l.lo = at(r[8])
			if r[9] != "" {
				l.hi = at(r[9])
			}
		}
		out = append(out, l)
	}
	return out
}

func (s *scorer) score(l label) {
	f := s.files[l.path]
	hit, alone := false, false
	for _, x := range f.findings {
		if int(x.Start) < l.hi && int(x.End) > l.lo {
			hit = true
			alone = alone || !slices.ContainsFunc(f.truths, func(t label) bool { return int(x.Start) < t.hi && int(x.End) > t.lo })
		}
	}
	inside := slices.ContainsFunc(l.kinds, func(k string) bool { return !slices.Contains(outside, k) })
	one := 0
	if hit {
		one = 1
	}
	switch {
	case !l.truth:
		s.falses++
		if alone {
			s.wrong++
		}
	case inside:
		s.truths, s.found = s.truths+1, s.found+one
		if slices.Contains(l.kinds, "UUID") {
			s.uuids, s.uuidFound = s.uuids+1, s.uuidFound+one
		}
		k := strings.Join(l.kinds, "|")
		s.kinds[k] = [2]int{s.kinds[k][0] + one, s.kinds[k][1] + 1}
		fallthrough
	default:
		s.allTruths, s.allFound = s.allTruths+1, s.allFound+one
	}
}
