package garbage

import (
	"path"
	"regexp"
	"strings"

	"ken/internal/code"
)

// junkTable lists names of files that programs and searches leave behind;
// testdata/files.txt has samples of each. An expression is matched against
// the whole path.
var junkTable = [...]struct {
	name, expr string
	sure       Sureness
	why        string
}{
	{"editor", `(~|\.(swp|swo|swn|un~)|(^|/)(\.#[^/]*|#[^/]*#))$|(^|/)\.(netrwhist|idea/workspace\.xml)$`, Certain, "an editor made it for itself"},
	{"system", `(^|/)(\.DS_Store|\._[^/]*|Thumbs\.db|ehthumbs\.db|desktop\.ini|\.Spotlight-V100|\.Trashes|\.directory)$`, Certain, "the system made it for itself"},
	{"merge", `\.(orig|rej)$|(^|/|[._])(BACKUP|BASE|LOCAL|REMOTE)[._]\d+[^/]*$|\.mine$|\.r\d+$`, Certain, "a merge left it"},
	{"backup", `\.(bak|backup|old|save|sav|back|bk)$|\.bak\d*\.|(^|/)(copy of |backup[ _-])|[ _-](copy|backup|bak|old)( ?\(?\d+\)?)?\.\w+$| \(\d+\)\.\w+$`, Likely, "it is a copy of something"},
	{"cache", `(^|/)(__pycache__|node_modules|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.gradle|\.sass-cache|\.nyc_output|\.parcel-cache|\.eggs|\.ipynb_checkpoints|\.venv|venv|\.terraform|bower_components)/|\.(pyc|pyo|pyd)$|(^|/)\.(eslintcache|coverage|stylelintcache)$`, Certain, "a tool makes it anew"},
	{"binary", `\.(o|obj|class|a|so|dylib|dll|exe|pdb|ilk|lib|elc|beam|hi|cmi|cmo|cmx|test|prof|cpuprofile|heapsnapshot|hprof|dmp|stackdump)$|(^|/)(a\.out|core(\.\d+)?|vgcore\.\d+|__debug_bin\d*)$`, Likely, "a build or a run made it"},
	{"log", `\.(log|trace|pid|seed)$|(^|/)(nohup\.out|npm-debug\.log.*|yarn-(debug|error)\.log.*|hs_err_pid\d+\.log|output\.txt|out\.txt|log\.txt|debug\.txt|err(ors?)?\.txt|results?\.txt)$`, Likely, "a run wrote it"},
	{"patch", `(^|/)[^/]*\.(patch|diff)$`, Possible, "it is a change to something, kept as a file"},
	{"scratch", `(?i)(^|/)(te?mp|scratch|junk|foo+|bar|baz|asdf\w*|qwer\w*|untitled|playground|sandbox|debug|repro|wip|delete_?me|test_?me|try|hello|aaa+|xxx+|new_?file|blah)[-_.]?\d*(\.\w+)?$`, Likely, "its name is that of a trial"},
	{"scratch-word", `(?i)(^|/)((te?mp|scratch|junk|debug|repro|wip|delete)[-_.][\w.-]+|[\w-]+[-_](te?mp|scratch|junk|wip|repro|debug))\.\w+$|(^|/)WIP[-_ ][^/]*$`, Possible, "its name may be that of a trial"},
	{"nameless", `^[a-zA-Z]{1,2}$|(^|/)\d{1,2}$`, Likely, "a command wrote it by mistake"},
	{"command", `(^|/)[^/]*[<>|"*?;&=][^/]*$|^-\w+$`, Possible, "a command wrote it by mistake"},
	{"archive", `\.(zip|tar|tgz|tar\.gz|rar|7z|war|ear|dmg|iso|deb|rpm|msi)$`, Possible, "an archive among sources"},
	{"dump", `(^|/)(dump\.rdb|[^/]*\.(sqlite3?-journal|db-wal|db-shm|tfstate(\.backup)?))$`, Certain, "a program keeps its state there"},
	{"settings", `(^|/)(\.env(\.local|\.development\.local|\.production\.local)?|\.envrc|local\.properties|[^/]*\.(suo|user|userprefs|sln\.docstates|iml))$|(^|/)(\.idea|\.vs)/`, Likely, "it is somebody's own settings"},
}

// junkRule is a compiled row of junkTable.
type junkRule struct {
	name  string
	expr  *regexp.Regexp
	sure  Sureness
	why   string
	built bool // applies to binary files only
}

// fileRules judge new files by their names and by their relations to other files.
type fileRules struct {
	junk     []junkRule
	word     *regexp.Regexp // of a name
	declared *regexp.Regexp // a name that a line declares
	tests    *regexp.Regexp // a request about tests
	adding   *regexp.Regexp // a request to add something; a request to mend tests adds none
	common   map[string]bool
}

func newFileRules() fileRules {
	junk := make([]junkRule, 0, len(junkTable))
	for _, row := range junkTable {
		junk = append(junk, junkRule{row.name, regexp.MustCompile(row.expr), row.sure, row.why, row.name == "binary"})
	}
	words := map[string]bool{}
	for _, w := range strings.Fields(commonWords) {
		words[w] = true
	}
	return fileRules{
		junk:     junk,
		common:   words,
		word:     regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+|\d+`),
		declared: regexp.MustCompile(`\b(?:func(?:\s*\([^)]*\))?|def|class|fn|function|const|let|var|val|interface|type|struct|enum|trait|module|record|fun)\s+(?:self\.)?([A-Za-z_$][\w$]{3,})|\b([A-Za-z_]\w{3,})\s*(?:\([^;]*\)\s*\{|:?=\s|:\s*(?:function|\())`),
		adding: regexp.MustCompile(`(?i)\b(add|adds|added|adding|new|more|write|create|creates|cover|covers|coverage|improve|improves|extend|extends|increase|` +
			`port|ports|import|move|moves|split|splits|rename|renames|convert|migrate|implement|implements|support|introduce|include|test|tests? for)\b`),
		tests: regexp.MustCompile(`(?i)\b(unit-?|e2e-?|re)?(tests?|testing|tested|testcases?|specs?|coverage|regression|fixtures?|testsuite|benchmarks?|snapshots?|reproduc\w*)\b|\w(Tests?|Specs?)\b|\btest[-_]\w`),
	}
}

// findFiles finds the new files that were not requested, and those that look left over by a program.
func (f *fileRules) findFiles(c *Change) []Finding {
	var out []Finding
	var r *nameRelations
	for i := range c.Files {
		file := &c.Files[i]
		if !file.Created {
			continue
		}
		if x, ok := f.findJunk(c, file); ok {
			out = append(out, x)
			continue
		}
		if len(c.Files) < 2 {
			continue // a single file is the requested one
		}
		if r == nil {
			r = f.collectNames(c)
		}
		if x, ok := f.judgeNewFile(c, r, i); ok {
			out = append(out, x)
		}
	}
	return out
}

// findJunk returns a finding if the name of a new file is that of a leftover.
func (f *fileRules) findJunk(c *Change, file *File) (Finding, bool) {
	for i := range f.junk {
		r := &f.junk[i]
		if r.built && !file.Binary || !r.expr.MatchString(file.Path) {
			continue
		}
		x := Finding{Kind: UnrelatedFile, Path: file.Path, Why: r.why, Sure: r.sure}
		switch {
		case strings.Contains(c.Request, path.Base(file.Path)) && len(path.Base(file.Path)) > 2:
			x.Sure, x.Why = Possible, x.Why+"; but the request names it"
		case x.Sure == Likely && file.Class.Has(code.ClassTest|code.ClassFixture|code.ClassExample):
			x.Sure, x.Why = Possible, x.Why+"; but tests and examples keep such files"
		}
		return x, true
	}
	return Finding{}, false
}
