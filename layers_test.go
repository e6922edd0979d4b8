// Package ken holds the tests that are about the whole source tree.
package ken

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"ken/bench/style/count"
)

// ring is a row of the table of who may import whom.
type ring struct {
	pkg string
	may []string
	why string
	// still are imports of today that the row does not mean to allow: they go
	// when what they are for has moved. The test logs those nobody uses any more.
	still []string
}

// questions are what every question may import: a view, the rows and the masked
// texts it hands out, and the parts without I/O.
const questions = "internal/code internal/lang internal/token internal/engine/view internal/engine/store internal/engine/source internal/engine/builtin internal/engine/graph internal/engine/graph/ " +
	"internal/engine/facts internal/engine/words internal/engine/search internal/engine/history internal/engine/vector internal/knowledge/ internal/ask/"

// rings says who may import whom inside the module, first match counts. An
// entry that ends in "/" is a folder of packages, one without is one package.
// Packages that do not exist yet have their row already, so that the first
// import of a new package is checked like any other.
var rings = []ring{
	{pkg: "internal/code", why: "vocabulary imports nothing of ours"},
	{pkg: "internal/statefile", why: "a file is read and replaced alike in every layer, whatever is in it"},
	{pkg: "internal/config", may: names("internal/code"), why: "settings know the vocabulary only"},
	{pkg: "internal/embed", may: names("internal/code"), why: "a client of a protocol knows the vocabulary only"},
	{pkg: "internal/git", may: names("internal/code internal/statefile"), why: "the wrapper of git knows the vocabulary only"},
	{pkg: "internal/git/foldercommit", may: names("internal/git internal/statefile"), why: "a commit is made by the wrapper of git, and info/exclude replaced whole"},
	{pkg: "internal/git/gittest", why: "repositories for tests are made by git itself; only tests import it"},
	{pkg: "internal/git/plumbing", may: names("internal/git"), why: "what writes is run by the wrapper of git"},
	{pkg: "internal/worktree", may: names("internal/code internal/statefile internal/git internal/git/plumbing"), why: "work trees are made through the wrapper of git"},
	{pkg: "internal/lang", may: names("internal/code"), why: "the table of languages is data"},
	{pkg: "internal/token", may: names("internal/code internal/token/"), why: "counting tokens needs nothing of ours"},
	{pkg: "internal/token/", may: names("internal/token internal/token/"), why: "counting tokens needs nothing of ours"},

	{pkg: "internal/engine/enginetest", may: names("internal/code internal/engine internal/engine/ internal/store/"), why: "projects for tests need an engine over a real store; only tests import it"},
	{pkg: "internal/engine/store", may: names("internal/code internal/engine/facts internal/engine/search internal/engine/history"),
		why: "the contract of storage knows the values that are stored, not who stores or asks"},
	{pkg: "internal/engine", may: names("internal/code internal/config internal/embed internal/git internal/lang internal/token internal/engine/"),
		why: "the engine knows neither stores nor questions nor surfaces"},
	{pkg: "internal/engine/", may: names("internal/code internal/statefile internal/git internal/lang internal/token internal/engine/"),
		why: "a part knows its siblings (TestSiblings says which), not the front door"},

	{pkg: "internal/knowledge/convention", may: names("internal/code internal/lang internal/engine/view"), why: "as all knowledge; what a language forces is no convention"},
	{pkg: "internal/knowledge/entity", may: names("internal/code internal/lang internal/engine/view internal/knowledge/textfile"),
		why: "as all knowledge; a page says of a file what its language and name make it, and its text is a file"},
	{pkg: "internal/knowledge/purpose", may: names("internal/code internal/lang internal/engine/view"), why: "as all knowledge; whether the doc comment of a file is that of its first type is a property of the language"},
	{pkg: "internal/knowledge/memory", may: names("internal/engine/words"), why: "items are found by the terms that search matches; it is pure, so it reads nothing"},
	{pkg: "internal/knowledge/textfile", may: names("internal/statefile"), why: "text files are read and written alike, whatever is in them"},
	{pkg: "internal/knowledge/essential", may: names("internal/code internal/engine/view internal/engine/source/scan/ignore internal/knowledge/textfile"),
		why: "as all knowledge; what is kept is a text file, and its patterns mean what git's do"},
	{pkg: "internal/knowledge/agreement", may: names("internal/code internal/engine/view internal/knowledge/textfile"), why: "as all knowledge; what is kept are text files"},
	{pkg: "internal/knowledge/", may: names("internal/code internal/statefile internal/git internal/token internal/engine internal/engine/view"),
		why: "knowledge reads through the engine; each part declares the small storage interface it uses, and none knows another"},
	{pkg: "internal/ask/diff", may: names(questions + " internal/engine/extract internal/git"),
		why: "as every question; trees are compared by the wrapper of git, and the declarations of an old version are extracted from its masked text"},
	{pkg: "internal/ask/declared", may: names("internal/code internal/lang internal/engine/extract"), why: "two texts are compared by what is extracted of them, without an index"},
	{pkg: "internal/ask/secrets", may: names(questions + " internal/git"), why: "as every question; what git keeps is read by its wrapper"},
	{pkg: "internal/ask/export", may: names(questions + " internal/engine/scip internal/engine/lookup"), why: "as every question; references are exported as SCIP"},
	{pkg: "internal/ask/grep", may: names(questions + " internal/engine/outline"), why: "as every question; patterns are matched on outlines"},
	{pkg: "internal/ask/matrix", may: names(questions + " internal/engine/lookup"), why: "as every question; the graph of all files is counted"},
	{pkg: "internal/ask/overview", may: names(questions + " internal/engine/lookup"), why: "as every question; the graph of all files is measured"},
	{pkg: "internal/ask/impact", may: names(questions + " internal/engine/source/scan"), why: "as every question; paths of vendored files are recognised as scan does"},
	{pkg: "internal/ask/fleet", may: names("internal/code internal/ask/surface internal/ask/surface/manifest"), why: "surfaces are joined as values, without an index"},
	{pkg: "internal/ask/surface/manifest", may: names("internal/code internal/lang"), why: "a text is read for itself"},
	{pkg: "internal/ask/", may: names(questions), why: "a question reads one view and computes; bytes come masked, from engine/source"},
	{pkg: "internal/guard", may: names("internal/code internal/ask/ internal/knowledge/ internal/guard/"), why: "the guard judges values, it neither reads nor delivers"},
	{pkg: "internal/guard/garbage", may: names("internal/code internal/lang"), why: "as all of the guard; comments and strings are recognised by the table of languages"},
	{pkg: "internal/guard/review", may: names("internal/code internal/ask/ internal/knowledge/ internal/guard internal/guard/ internal/worktree"), why: "the overlay is the guard's only I/O"},
	{pkg: "internal/guard/", may: names("internal/code internal/ask/ internal/knowledge/ internal/guard internal/guard/"), why: "the guard judges values, it neither reads nor delivers"},
	{pkg: "internal/workflow/plan/commit", may: names("internal/workflow/plan/ internal/git internal/git/foldercommit internal/git/plumbing internal/operation"), why: "commits and branches are made by the wrapper of git"},
	{pkg: "internal/workflow/plan/execute", may: names("internal/statefile internal/workflow/plan/ internal/git internal/git/foldercommit internal/worktree"),
		why: "whether git ignores the planning folder is asked as commits ask it"},
	{pkg: "internal/workflow/plan/checks", may: names("internal/workflow/plan/ internal/git internal/git/plumbing"), why: "what is ready to ship is asked of the wrapper of git"},
	{pkg: "internal/workflow/plan/workspace", may: names("internal/statefile internal/workflow/plan/ internal/git internal/git/plumbing"), why: "what would be lost with a repository is asked of the wrapper of git"},
	{pkg: "internal/workflow/install", may: names("internal/statefile internal/workflow/install/ internal/git internal/git/plumbing"), why: "changes of the user are merged by the wrapper of git"},
	{pkg: "internal/workflow/", may: names("internal/statefile internal/workflow/ internal/operation internal/code internal/git internal/token internal/worktree"), why: "planning works without an index"},

	{pkg: "internal/operation", may: names("internal/code"), why: "the framework of operations knows no operation"},
	{pkg: "internal/delivery/agenttext", may: names("internal/code internal/operation internal/delivery/injection"),
		why: "a text is escaped and fitted, whatever it is about; it is escaped as the framework does"},
	{pkg: "internal/delivery/pack", may: names("internal/code internal/token internal/engine/view internal/engine/source internal/ask/ internal/operation internal/delivery/agenttext internal/delivery/project"),
		why: "the files and symbols of a pack are found by asking the index, then chosen and rendered"},
	{pkg: "internal/delivery/project", may: names("internal/code internal/git internal/statefile internal/worktree internal/ask/find internal/engine internal/engine/view internal/engine/store internal/engine/source internal/knowledge/ internal/operation internal/delivery/injection"),
		why: "a project asks the engine and the memory, hands written pages to the search, and answers with the errors of the framework"},
	{pkg: "internal/delivery/export", may: names("internal/code internal/delivery/injection internal/lang internal/token internal/ask/ internal/engine/view internal/knowledge/ internal/operation internal/delivery/agenttext"),
		why: "a format of others is filled from a view, or with values of the memory that the caller gathers"},
	{pkg: "internal/delivery/render", may: names("internal/code internal/statefile internal/token internal/engine internal/engine/view internal/engine/source internal/ask/ internal/knowledge/ internal/operation internal/delivery/injection internal/delivery/agenttext internal/delivery/project"),
		why: "answers of questions become rows and texts within a budget; what is remembered is handed in as values"},
	{pkg: "internal/delivery/setup", may: names("internal/code internal/statefile internal/config internal/git internal/git/foldercommit internal/engine internal/engine/view internal/engine/source internal/engine/store internal/knowledge/ internal/workflow/ internal/operation internal/delivery/project"),
		why: "an installation is written and tried: settings are read, commands run, the index and the memory opened; other programs' files are shown masked"},
	{pkg: "internal/delivery/conventions", may: names("internal/code internal/lang internal/engine/view internal/knowledge/ internal/operation internal/delivery/project"),
		why: "an operation over what is counted in the index"},
	{pkg: "internal/delivery/entities", may: names("internal/code internal/git internal/engine/view internal/knowledge/ internal/operation internal/delivery/project internal/delivery/injection"),
		why: "an operation over text files that agents and people write, checked against the index"},
	{pkg: "internal/delivery/essentials", may: names("internal/code internal/git internal/engine/view internal/knowledge/ internal/operation internal/delivery/project internal/delivery/injection"),
		why: "an operation over a text file that agents and people write, checked against the index"},
	{pkg: "internal/delivery/outcomes", may: names("internal/code internal/engine internal/engine/view internal/knowledge/ internal/operation internal/delivery/project"),
		why: "an operation over logs of what sessions did, judged by git"},
	{pkg: "internal/delivery/tasks/targets", may: names("internal/code internal/lang internal/ask/ internal/engine/view internal/guard internal/operation"),
		why: "what the index says of targets is asked for by hooks and operations alike"},
	{pkg: "internal/delivery/tasks/inspect", may: names("internal/code internal/worktree internal/ask/ internal/engine/view internal/engine/store internal/guard internal/guard/ internal/operation"),
		why: "what was changed in a work tree is judged by what the index knew before, and shown masked"},
	{pkg: "internal/delivery/tasks/content", may: names("internal/knowledge/task internal/statefile"), why: "what was read is compared with files, whatever the index has"},
	{pkg: "internal/delivery/tasks/protected", may: names("internal/statefile internal/worktree"), why: "a path is judged by itself"},
	{pkg: "internal/delivery/tasks", may: names("internal/code internal/statefile internal/git internal/worktree internal/ask/ internal/engine internal/engine/view internal/knowledge/ internal/guard internal/guard/ internal/operation internal/delivery/project internal/delivery/injection internal/delivery/tasks/"),
		why: "requests of the guard are filled with what the index says, and what was decided is kept by the memory; what only reads is handed in"},
	{pkg: "internal/delivery/agreements", may: names("internal/code internal/git internal/engine/view internal/knowledge/ internal/operation internal/delivery/project internal/delivery/injection"),
		why: "an operation over text files that agents and people write, checked against the index"},
	{pkg: "internal/delivery/fleet", may: names("internal/code internal/engine/source internal/engine/store internal/engine/view internal/ask/ internal/operation internal/delivery/project"),
		why: "an operation that opens several projects and reads files of surfaces, which are not of the project"},
	{pkg: "internal/delivery/commitknowledge", may: names("internal/code internal/git internal/git/foldercommit internal/engine internal/engine/view internal/operation internal/delivery/project"),
		why: "a commit is made by the wrapper of git, of files that the index knows nothing of"},
	{pkg: "internal/delivery/op", may: names("internal/code internal/lang internal/git internal/token internal/engine internal/engine/view internal/engine/store internal/engine/source internal/ask/ internal/knowledge/ internal/guard " +
		"internal/guard/ internal/workflow/ internal/operation internal/delivery/project internal/delivery/agenttext internal/delivery/render internal/delivery/export internal/delivery/pack internal/delivery/conventions internal/delivery/entities internal/delivery/essentials internal/delivery/fleet internal/delivery/agreements internal/delivery/outcomes internal/delivery/tasks internal/delivery/memories internal/delivery/commitknowledge internal/delivery/setup internal/delivery/injection"), why: "operations know neither stores nor surfaces"},
	{pkg: "internal/delivery/injection", may: nil, why: "wordings are looked for in a text, whatever it is of"},
	{pkg: "internal/delivery/memories", may: names("internal/code internal/statefile internal/ask/find internal/engine internal/engine/view internal/knowledge/ internal/operation internal/delivery/agenttext internal/delivery/project internal/delivery/injection"),
		why: "what is remembered is gathered from the memory and the folders of knowledge, as values that a ranking takes and rows that answers show"},
	{pkg: "internal/delivery/agentevent", may: names("internal/guard internal/delivery/tasks internal/delivery/essentials internal/delivery/outcomes internal/code internal/lang internal/engine internal/engine/view internal/ask/ internal/knowledge/ internal/workflow/agent internal/workflow/plan/position internal/workflow/plan/evidence internal/operation internal/delivery/project internal/delivery/agenttext internal/delivery/render internal/delivery/memories internal/delivery/injection"),
		why: "an event is handled by asking the engine and the memory, in the words that runtimes have in common"},
	{pkg: "internal/delivery/hook", may: names("internal/code internal/knowledge/ internal/operation internal/delivery/project internal/workflow/agent internal/workflow/agent/ internal/workflow/plan/position internal/workflow/process"),
		why: "a surface decodes, has an event handled by the function it is given and encodes; it calls no operation, because replies are not answers of one"},
	{pkg: "internal/delivery/plancode/codebase", may: names("internal/code internal/lang internal/ask/ internal/engine/view internal/engine/store internal/engine/source/ internal/knowledge/ internal/workflow/plan/ " +
		"internal/workflow/content/templates internal/operation internal/delivery/agenttext internal/delivery/injection internal/ask/surface/manifest"),
		why: "documents are written from what the index says, in the forms of a planning folder; what quotes the repository is made safe as blocks are"},
	{pkg: "internal/delivery/plancode/", may: names("internal/code internal/lang internal/git internal/token internal/ask/ internal/engine/view internal/engine/store internal/engine/extract internal/workflow/plan/ internal/delivery/plancode/"),
		why: "parts of what joins plans and code: declarations that a plan copies are read as code is"},
	{pkg: "internal/delivery/plancode", may: names("internal/code internal/lang internal/git internal/token internal/ask/ internal/engine/view internal/engine/store internal/workflow/plan/ internal/operation internal/delivery/project internal/delivery/plancode/ internal/delivery/render internal/delivery/pack"),
		why: "operations of planning that ask the index: plans are read as workflow reads them, code through a view"},
	{pkg: "internal/delivery/planning", may: names("internal/code internal/git internal/workflow/ internal/operation"),
		why: "a surface reads a command line, has an operation of planning done and writes its answer; it asks no index"},
	{pkg: "internal/delivery/mcp/scope", may: names("internal/code internal/operation internal/delivery/project"), why: "which project a call is about is decided by paths alone"},
	{pkg: "internal/delivery/mcp/wire", may: nil, why: "a message is read for itself"},
	{pkg: "internal/delivery/mcp/stdio", may: names("internal/delivery/mcp/wire"), why: "messages are read and written; what they ask is the surface's"},
	{pkg: "internal/delivery/mcp/overhttp", may: names("internal/code internal/operation internal/delivery/httpfront internal/delivery/mcp/wire"), why: "messages are taken and written; what they ask is the surface's"},
	{pkg: "internal/delivery/web/picture", why: "figures are laid out, whatever they are of"},
	{pkg: "internal/delivery/web", may: names("internal/code internal/operation internal/delivery/project internal/delivery/httpfront internal/delivery/web/"),
		why: "a surface decodes, calls an operation that it is given and encodes; requests come through the front that surfaces over HTTP share"},
	{pkg: "internal/delivery/httpfront", may: names("internal/operation"), why: "requests are taken and checked by their heads, whatever they ask: two surfaces have clients there"},
	{pkg: "internal/delivery/mcp", may: names("internal/code internal/token internal/engine/view internal/operation internal/delivery/project internal/delivery/mcp/"),
		why: "a surface decodes, calls an operation that it is given and encodes; it counts the tokens of what it sends, and names what comes near"},
	{pkg: "internal/delivery/", may: names("internal/code internal/operation internal/delivery/project"), why: "a surface decodes, calls an operation that it is given and encodes"},
	{pkg: "internal/store/sqlite/memory", may: names("internal/code internal/statefile internal/knowledge/ internal/worktree internal/store/"), why: "the memory keeps what knowledge and work trees declare"},
	{pkg: "internal/store/", may: names("internal/code internal/statefile internal/lang internal/engine/store internal/engine/facts internal/engine/search internal/engine/history internal/engine/exact internal/knowledge/ internal/store/"),
		why: "a store implements what others declare"},
	{pkg: "internal/app", may: names("internal/"), why: "the application builds everything"},
	{pkg: "cmd/ken", may: names("internal/app"), why: "main starts the program, no more"},
}

// siblings are the imports between parts of the same ring, each with its
// reason. A part that is not named here stays one that knows no sibling. The
// folder of a part counts as the part: scan and scan/ignore are one.
var siblings = []struct {
	pkg string
	may []string
	why string
}{
	{"internal/engine/", names("internal/engine/words internal/engine/facts internal/engine/store"), "terms, the packed facts and the rows of the store are values that parts hand each other"},
	{"internal/engine/extract", names("internal/engine/builtin"), "readers and binding know the same names that languages give"},
	{"internal/engine/extract/", names("internal/engine/extract/lexical internal/engine/extract/plain"), "scanners and repairs share what a byte and a short text is, and the file they fill"},
	{"internal/engine/facts", names("internal/engine/extract"), "facts packs what extract found"},
	{"internal/engine/gotypes", names("internal/engine/resolve"), "go.mod files are read as import resolution reads them"},
	{"internal/engine/graph", names("internal/engine/resolve"), "links are drawn from resolved imports"},
	{"internal/engine/graph/bind", names("internal/engine/builtin internal/engine/graph internal/engine/graph/infer"), "binding knows the names that languages give, follows the links of the graph and looks members up in inferred types"},
	{"internal/engine/source/scan/list", names("internal/engine/source/scan/ignore internal/engine/source/scan/nofollow"), "a tree is listed by ignore rules, and without following links"},
	{"internal/engine/update", names("internal/engine/"), "an update reads, links and writes with every part"},
	{"internal/engine/update/", names("internal/engine/"), "a part of the update, as the update itself"},
	{"internal/engine/enginetest", names("internal/engine/"), "a project for tests has every part"},
	{"internal/engine/graphtest", names("internal/engine/extract internal/engine/graph internal/engine/graph/infer internal/engine/lookup internal/engine/resolve internal/engine/source/scan"),
		"a repository in memory for tests is extracted and looked up as a real one"},
	{"internal/engine/source/secret/rules", names("internal/engine/source/secret/look"), "a rule demands a shape of its value"},
	{"internal/engine/source/known", names("internal/engine/source/secret/look"), "how random a value looks is measured in one place"},
	{"internal/engine/store", names("internal/engine/search internal/engine/history"), "the contract of storage holds the values of search and history"},
	{"internal/engine/lookup", names("internal/engine/graph internal/engine/resolve"), "a lookup answers what linking and resolution ask"},
	{"internal/engine/view", names("internal/engine/builtin internal/engine/lookup internal/engine/update/fingerprint internal/engine/exact internal/engine/extract internal/engine/gotypes internal/engine/graph internal/engine/graph/ internal/engine/history " +
		"internal/engine/resolve internal/engine/scip internal/engine/search internal/engine/source internal/engine/source/ internal/engine/vector"),
		"the view answers from every kind of stored fact, and reads texts through source"},
	{"internal/ask/refs", names("internal/ask/refs/gostd"), "interfaces of the standard library are a table"},
	{"internal/ask/unused", names("internal/ask/refs internal/ask/grep internal/ask/doctest"), "names in code in comments are known by what that code means, and uses without a reference are searched by pattern, and in bases outside the repository"},
	{"internal/ask/imported", names("internal/ask/grep"), "components in markup are found by pattern"},
	{"internal/ask/export", names("internal/ask/refs"), "references are exported as they are bound"},
	{"internal/ask/fleet", names("internal/ask/surface internal/ask/surface/manifest"), "several surfaces are joined by their keys, whose managers have their own order of versions"},
	{"internal/ask/surface", names("internal/ask/surface/manifest"), "what a repository provides and needs is read from its manifests"},
	{"internal/ask/calls", names("internal/ask/refs"), "a tree of calls is made of references"},
	{"internal/ask/why", names("internal/ask/refs internal/ask/unused internal/ask/impact"), "ways follow references, each step has the first use that an impact tells, and no way is a claim of absence"},
	{"internal/ask/rename", names("internal/ask/refs internal/ask/imported internal/ask/unused"), "a rename changes a declaration, its references and what else is written with its name"},
	{"internal/ask/impact", names("internal/ask/impact/describe internal/ask/filename internal/ask/refs internal/ask/diff internal/ask/rank"), "the impact of a change follows from its diff, from references, from names of files and from documents"},
	{"internal/ask/brief", names("internal/ask/find internal/ask/refs internal/ask/rank internal/ask/filename internal/ask/impact/describe"), "a brief gathers the answers of other questions, tests are known by their names, and documents by what they describe"},
	{"internal/ask/find", names("internal/ask/rank"), "features are weighed by one table"},
	{"internal/ask/overview", names("internal/ask/refs"), "an overview lists the symbols most files use"},
	{"internal/ask/summary", names("internal/ask/commands"), "the commands of a project are part of its summary"},
}

// guarded lists imports from outside the module that only some packages may have.
var guarded = []struct {
	imp string // an entry that ends in "/" is a prefix
	by  []string
	why string
}{
	{"C", names("internal/engine/extract"), "C is called in one place"},
	{"github.com/tree-sitter/", names("internal/engine/extract"), "extraction alone touches grammars"},
	{"github.com/tree-sitter-grammars/", names("internal/engine/extract"), "extraction alone touches grammars"},
	{"github.com/alexaandru/", names("internal/engine/extract"), "extraction alone touches grammars"},
	{"go/parser", names("internal/engine/extract internal/engine/gotypes"), "extraction and the exact tier parse source, nobody else"},
	{"go/types", names("internal/engine/gotypes"), "types are checked in one place"},
	{"golang.org/x/tools/", names("internal/engine/enginetest internal/engine/graphtest"), "a module of tests"},
	{"os/exec", names("internal/git internal/git/gittest internal/workflow/process internal/engine/enginetest"), "git runs only through the wrapper that disarms a repository's configuration; ken itself and the user's own status line are run with limits, in one place"},
	{"github.com/fsnotify/", names("internal/engine/watch"), "notifications come in at one place"},
	{"zombiezen.com/", names("internal/store/sqlite internal/store/sqlite/"), "SQL stays in the store"},
	{"modernc.org/", names("internal/store/sqlite internal/store/sqlite/"), "SQL stays in the store"},
	{"github.com/modelcontextprotocol/", names("internal/delivery/mcp internal/delivery/mcp/"), "one surface speaks the protocol"},
	{"github.com/spf13/", names("internal/delivery/cli"), "the command line is one surface of several"},
	{"github.com/goccy/go-yaml/", names("internal/config internal/engine/resolve internal/workflow/install/yamledit"), "settings are read in one place, workspaces in another; an edit of another program's file is checked in a third"},
	{"github.com/google/go-cmp/", names("internal/engine/graphtest"), "a module of tests"},
	{"github.com/rogpeppe/", nil, "a module of tests"},
	{"net/http", names("internal/embed internal/delivery/mcp/overhttp internal/delivery/httpfront internal/delivery/web"), "ken does not use the network, but for the one endpoint that the user's own settings may name, and for requests that it takes when its user starts it with an address; both off by default"},
	{"plugin", nil, "nothing in a repository makes ken run code"},
}

func names(s string) []string { return strings.Fields(s) }

// tree is the source of the module, read once for all tests.
var tree = sync.OnceValues(func() (*count.Tree, error) { return count.Load(".") })

func source(t *testing.T) *count.Tree {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Files) < 100 {
		t.Fatalf("only %d files found: the test looks in the wrong place", len(all.Files))
	}
	return all
}

func TestLayers(t *testing.T) {
	used := map[string]map[string]bool{} // the transitional imports that are in use, by row
	for _, f := range source(t).Files {
		for _, imp := range f.Imports() {
			if rest, ours := strings.CutPrefix(imp, count.Module+"/"); ours {
				checkRing(t, f, rest, used)
			} else {
				checkGuarded(t, f, imp)
			}
		}
	}
	for _, r := range rings {
		for _, m := range r.still {
			if !used[r.pkg][m] {
				t.Errorf("%s imports %s no more: take it out of the row", r.pkg, m)
			}
		}
	}
}

func checkRing(t *testing.T, f *count.File, imp string, used map[string]map[string]bool) {
	i := slices.IndexFunc(rings, func(r ring) bool { return count.IsInPlaces(f.Package, r.pkg) })
	if i < 0 {
		if strings.HasPrefix(f.Package, "internal/") {
			t.Errorf("%s: no ring is declared for package %s", f.Path, f.Package)
		}
		return
	}
	r := rings[i]
	if count.IsInPlaces(imp, r.may...) {
		return
	}
	for _, m := range r.still {
		if count.IsInPlaces(imp, m) {
			if used[r.pkg] == nil {
				used[r.pkg] = map[string]bool{}
			}
			used[r.pkg][m] = true
			return
		}
	}
	t.Errorf("%s imports ken/%s: %s", f.Path, imp, r.why)
}

func checkGuarded(t *testing.T, f *count.File, imp string) {
	if !count.IsInPlaces(f.Package, "internal/", "cmd/ken") {
		return // tools of the developers
	}
	for _, g := range guarded {
		if imp != g.imp && !(strings.HasSuffix(g.imp, "/") && (strings.HasPrefix(imp, g.imp) || imp+"/" == g.imp)) {
			continue
		}
		if !count.IsInPlaces(f.Package, g.by...) {
			t.Errorf("%s imports %s: %s", f.Path, imp, g.why)
		}
	}
}

// TestSiblings holds the imports between parts of one ring to their table.
func TestSiblings(t *testing.T) {
	for _, f := range source(t).Files {
		for _, imp := range f.Imports() {
			to, ours := strings.CutPrefix(imp, count.Module+"/")
			if ours && areSiblings(f.Package, to) && !maySee(f.Package, to) {
				t.Errorf("%s imports its sibling ken/%s: if it must, the table of siblings says why", f.Path, to)
			}
		}
	}
}

// areSiblings reports whether two packages are different parts of the same ring.
func areSiblings(a, b string) bool {
	for _, folder := range []string{"internal/engine/", "internal/ask/"} {
		if !strings.HasPrefix(a, folder) || !strings.HasPrefix(b, folder) {
			continue
		}
		return !strings.HasPrefix(a+"/", b+"/") && !strings.HasPrefix(b+"/", a+"/")
	}
	return false
}

func maySee(pkg, sibling string) bool {
	for _, s := range siblings {
		if count.IsInPlaces(pkg, s.pkg) && count.IsInPlaces(sibling, s.may...) {
			return true
		}
	}
	return false
}

// withoutC are the packages that need no C compiler, so that they can be
// checked for systems the tests do not run on.
var withoutC = names("internal/code internal/statefile internal/config internal/embed internal/git internal/git/plumbing internal/worktree internal/lang internal/token internal/token/ " +
	"internal/engine/exact internal/engine/extract/ internal/engine/facts internal/engine/gotypes internal/engine/graph internal/engine/graph/ internal/engine/history internal/engine/resolve " +
	"internal/engine/scip internal/engine/search internal/engine/source internal/engine/source/ internal/engine/store internal/engine/vector internal/engine/watch " +
	"internal/engine/words internal/operation internal/delivery/agenttext internal/workflow/")

// TestWithoutC: C is needed by extraction and what is built on it alone, and
// the modules that are guarded for it are those CI leaves out.
func TestWithoutC(t *testing.T) {
	imports, err := count.LoadImports(".")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for pkg := range imports.Source {
		if !count.IsInPlaces(pkg, withoutC...) {
			continue
		}
		found++
		if imports.NeedsC(pkg) {
			t.Errorf("%s needs C: only extraction and what is built on it may", pkg)
		}
	}
	if found < 10 {
		t.Errorf("only %d packages found that need no C", found)
	}
	for _, m := range count.CModules {
		if !slices.ContainsFunc(guardedModules(), func(imp string) bool { return imp == m }) {
			t.Errorf("%s needs C and is not guarded", m)
		}
	}
}

func guardedModules() []string {
	var out []string
	for _, g := range guarded {
		out = append(out, g.imp)
	}
	return out
}

// The rules of shape that a machine can check. Each has a table of exceptions
// with the measure of today, by place: a list of packages as in the table of
// rings, measured together, so that code can move among them. An exception may
// only shrink: what is larger than its row fails, and so does a row that is
// larger than what it measures, so that it follows.
const (
	askPackageLines = 3000 // above it a row of packageAnswers says why the package has no seam
	maxPackageLines = 4500 // above it only packages of one file a thing are allowed
	maxMethods      = 8
	maxFileLines    = 800
	maxMainLines    = 40
)

// maxChain is the number of packages on the longest import path from cmd/ken, both ends included. It may only shrink.
const maxChain = 12

// TestLongestChain: a reader who follows imports down from the program meets at most maxChain packages.
func TestLongestChain(t *testing.T) {
	imports, err := count.LoadImports(".")
	if err != nil {
		t.Fatal(err)
	}
	longest := map[string][]string{}
	var chain func(pkg string) []string
	chain = func(pkg string) []string {
		if known, ok := longest[pkg]; ok {
			return known
		}
		var below []string
		for _, imp := range imports.Source[pkg] {
			if folder, ours := strings.CutPrefix(imp, count.Module+"/"); ours {
				if next := chain(folder); len(next) > len(below) {
					below = next
				}
			}
		}
		longest[pkg] = append([]string{pkg}, below...)
		return longest[pkg]
	}
	if got := chain("cmd/ken"); len(got) != maxChain {
		t.Errorf("the longest import path has %d packages, maxChain is %d: %s", len(got), maxChain, strings.Join(got, " > "))
	}
}

// packageAnswer answers "is there a seam?" for a package of more than 3,000
// lines, tests not counted.
type packageAnswer struct {
	pkg     string
	perFile bool // one file a thing, each readable alone: no bound
	why     string
}

var packageAnswers = []packageAnswer{
	{"internal/engine/extract", true, "one family of files a language"},
	{"internal/engine/resolve", true, "one file an ecosystem"},
	{"internal/engine/graph/bind", true, "one file a family of languages"},
	{"internal/engine/graph/infer", true, "one file a language"},
	{"internal/engine/source/secret", false, "the scanners share the reader of assignments and the places of values; shapes of values and rules of vendors, which do not, are packages"},
	{"internal/engine/view", false, "the methods of a snapshot share the rows that it keeps"},
	{"internal/ask/refs", false, "the rules of what overrides what share the search of hierarchies, which references need; tables of a library, which do not, are a package"},
	{"internal/ask/unused", false, "the ways of a use without a reference share the search that collects them"},
	{"internal/delivery/op", true, "one operation a file"},
	{"internal/delivery/tasks", false, "the operations of a guarded task share the task and its locks; targets and inspect, which do not, are packages"},
	{"internal/workflow/plan/wave", false, "the course of a run shares plans, waves and states with the division into waves; executors, gates and texts, which do not, are packages"},
	{"internal/worktree", false, "the steps of a work tree's life share its record, its locks and the states that a crash leaves"},
}

// interfaceMethods are the interfaces that list more than 8 methods themselves.
var interfaceMethods = map[string]int{}

// languageComparisons are the comparisons with one language (==, != and the
// clauses of a switch) outside extract, resolve and lang.
var languageComparisons = map[string]int{}

// longConditions are the conditions with four or more && and ||.
var longConditions = map[string]int{}

// wideLines are the lines over 140 columns outside tables and literals.
var wideLines = map[string]int{}

func TestPackageSize(t *testing.T) {
	lines := map[string]int{}
	for _, f := range source(t).Files {
		lines[f.Package] += f.Lines
	}
	answers := map[string]packageAnswer{}
	for _, a := range packageAnswers {
		answers[a.pkg] = a
		if lines[a.pkg] <= askPackageLines {
			t.Errorf("%s has %d lines; its row of packageAnswers is no longer needed", a.pkg, lines[a.pkg])
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(lines)) {
		a, answered := answers[pkg]
		switch n := lines[pkg]; {
		case n > askPackageLines && !answered:
			t.Errorf("%s has %d lines: is there a seam? If not, say why in packageAnswers", pkg, n)
		case n > maxPackageLines && !a.perFile:
			t.Errorf("%s has %d lines; a package that is not one file a thing has at most %d", pkg, n, maxPackageLines)
		}
	}
}

func TestInterfaces(t *testing.T) {
	methods := map[string]int{}
	for _, f := range source(t).Files {
		for _, i := range f.Interfaces() {
			if i.N > maxMethods {
				methods[f.Package+"."+i.What] = i.N
			}
		}
	}
	shrinking(t, "methods (an interface lists at most 8 itself)", methods, interfaceMethods)
}

func TestLanguages(t *testing.T) {
	shrinking(t, "comparisons with a language (behaviour asks the traits of package lang)", perPlace(t, languageComparisons, func(f *count.File) []count.Finding {
		if count.IsInPlaces(f.Package, count.LanguageHomes...) {
			return nil
		}
		return append(f.LanguageComparisons(), f.LanguageCases()...)
	}), languageComparisons)
}

func TestConditions(t *testing.T) {
	found := perPlace(t, longConditions, (*count.File).Conditions)
	shrinking(t, "conditions with four or more && and || (name a part, or use a table)", found, longConditions)
}

func TestWidth(t *testing.T) {
	shrinking(t, "lines over 140 columns outside tables and literals", perPlace(t, wideLines, (*count.File).WideLines), wideLines)
}

// perPlace counts what a measure finds, by the places of a table; a package of
// no place is one itself.
func perPlace(t *testing.T, table map[string]int, measure func(*count.File) []count.Finding) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, f := range source(t).Files {
		found := len(measure(f))
		if found == 0 {
			continue
		}
		place := f.Package
		for p := range table {
			if count.IsInPlaces(f.Package, names(p)...) {
				place = p
			}
		}
		n[place] += found
	}
	return n
}

// shrinking compares a measure with its table of exceptions.
func shrinking(t *testing.T, what string, now, exceptions map[string]int) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if now[key] > exceptions[key] {
			t.Errorf("%s: %d %s, %d are allowed", key, now[key], what, exceptions[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(exceptions)) {
		// A row may be as much as 3 % larger than its package, so that not every
		// commit that removes a line has to touch this table.
		if now[key]*100 < exceptions[key]*97 {
			t.Errorf("%s: shrink %d to %d: %s", key, exceptions[key], now[key], what)
		}
	}
}

// TestShape holds the few rules of shape that have no exceptions.
func TestShape(t *testing.T) {
	for _, f := range source(t).Files {
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has an init function: lists are explicit", f.Path)
			}
		}
		if f.Path == "cmd/ken/main.go" && f.Lines > maxMainLines {
			t.Errorf("%s has %d lines; what it does belongs to internal/app", f.Path, f.Lines)
		}
		table := path.Base(f.Path) == "table.go" || strings.HasSuffix(f.Path, "_table.go") || strings.Contains(f.Path, "_gen")
		if f.Lines > maxFileLines && !table {
			t.Errorf("%s has %d lines; split it", f.Path, f.Lines)
		}
	}
}

// sourceReads are the methods of engine/source/scan that give the bytes of a
// file of the project, as nobody but engine/source may use them.
var sourceReads = names("ReadInto Peek ReadWhole Stream RawContent")

// unmaskedReaders may ask engine/source for a text as it is. Each keeps nothing of it
// but places and names that the index has.
var unmaskedReaders = names("internal/engine/update/exactrun")

// TestSourceReads: the bytes of the project come in at one place, masked.
func TestSourceReads(t *testing.T) {
	readers := 0
	for _, f := range source(t).Files {
		if !count.IsInPlaces(f.Package, "internal/engine", "internal/engine/", "internal/ask/") || count.IsInPlaces(f.Package, "internal/engine/source", "internal/engine/source/") {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(sourceReads, sel.Sel.Name) {
				return true
			}
			if sel.Sel.Name == "RawContent" && slices.Contains(unmaskedReaders, f.Package) {
				readers++
				return true
			}
			t.Errorf("%s uses %s: the text of files comes masked, from engine/source", f.Path, sel.Sel.Name)
			return true
		})
	}
	if readers == 0 {
		t.Error("nobody reads unmasked text any more: take the exception out")
	}
}
