package storetest

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// readerChecks are the checks of the readers, each over the stored sample.
var readerChecks = []struct {
	name  string
	check func(t *testing.T, s sample)
}{
	{"Meta", checkMeta},
	{"Files", checkFiles},
	{"Documents", checkDocuments},
	{"Directories", checkDirectories},
	{"Configs", checkConfigs},
	{"Symbols", checkSymbols},
	{"SymbolLookups", checkSymbolLookups},
	{"Names", checkNames},
	{"Facts", checkFacts},
	{"Edges", checkEdges},
	{"EdgesToTests", checkEdgesToTests},
	{"Totals", checkTotals},
	{"Reports", checkReports},
	{"History", checkHistory},
	{"Search", checkSearch},
	{"Missing", checkMissing},
	{"StopEarly", checkStopEarly},
}

// sample is a reader over the stored sample project, with the ids of its files.
type sample struct {
	store.Reader
	ids map[string]int64
}

func checkMeta(t *testing.T, s sample) {
	want(t, "Meta", "2")(s.Meta("b"))
	want(t, "Revision", code.Rev(41))(store.Revision(s))
	want(t, "Look", []byte("look"))(s.Look())
	want(t, "Noted", []string{"a", "z"})(s.Noted())
}

// paths returns the sample's paths in the order that a store must use: byte by byte.
func paths() []string {
	return []string{pathA, pathTest, pathGen, pathHelper, pathGem, pathScript, pathB, pathChanges, pathGuide, pathMod, pathLogo, pathSubMod}
}

// fullRow returns the whole row of a file of the sample.
func (s sample) fullRow(t *testing.T, path string) code.File {
	t.Helper()
	f := sampleFile(t, path)
	row := f.row
	row.ID, row.Symbols, row.Slug = s.ids[path], uint32(len(f.content.Symbols)), code.Slug(path)
	row.Dependents = map[string]uint32{pathA: 5, pathB: 1, pathGen: 1}[path]
	row.Rank = map[string]float64{pathA: 0.5, pathB: 0.25}[path]
	if long := map[string]string{pathB: "b-b~9c7fdc", pathScript: "b-b~baedf3"}[path]; long != "" {
		row.Slug = long
	}
	return row
}

func (s sample) fullRows(t *testing.T, paths ...string) []code.File {
	t.Helper()
	var out []code.File
	for _, p := range paths {
		out = append(out, s.fullRow(t, p))
	}
	return out
}

func checkFiles(t *testing.T, s sample) {
	wantAll(t, "Files", s.Files(), s.fullRows(t, paths()...))
	var rows []store.PathRow
	hashes := map[int64][32]byte{}
	for _, p := range paths() {
		id := s.ids[p]
		found(t, "FileByPath "+p, s.fullRow(t, p))(s.FileByPath(p))
		found(t, "FileByID "+p, s.fullRow(t, p))(s.FileByID(id))
		want(t, "FileID "+p, id)(s.FileID(p))
		want(t, "PathByID "+p, p)(s.PathByID(id))
		rows = append(rows, store.PathRow{ID: id, Path: p})
		hashes[id] = sampleFile(t, p).row.Hash
	}
	wantAll(t, "Paths", s.Paths(), rows)
	got := map[int64][32]byte{}
	for _, h := range collect(t, "ContentHashes", s.ContentHashes()) {
		got[h.ID] = h.Hash
	}
	equal(t, "ContentHashes", got, hashes)
	ranked := collect(t, "Ranked", s.Ranked())
	slices.SortFunc(ranked, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) })
	var want []code.File
	for _, row := range rows {
		f := s.fullRows(t, row.Path)[0]
		want = append(want, code.File{ID: f.ID, Path: f.Path, Lang: f.Lang, Flags: f.Flags, Class: f.Class, Symbols: f.Symbols,
			Dependents: f.Dependents, Rank: f.Rank})
	}
	equal(t, "Ranked", ranked, want)
}

func checkDocuments(t *testing.T, s sample) {
	wantAll(t, "Documents", s.Documents(), []store.DocumentRow{
		{PathRow: store.PathRow{ID: s.ids[pathChanges], Path: pathChanges}, Class: code.ClassDocument | code.ClassChangelog},
		{PathRow: store.PathRow{ID: s.ids[pathGuide], Path: pathGuide}, Class: code.ClassDocument}})
}

func checkDirectories(t *testing.T, s sample) {
	want(t, "FilesIn a", s.fullRows(t, pathA, pathTest, pathHelper, pathGem))(s.FilesIn("a"))
	want(t, "FilesIn the root", s.fullRows(t, pathScript, pathMod))(s.FilesIn(""))
	var nodes []code.File
	for _, f := range s.fullRows(t, pathA, pathTest, pathHelper, pathGem) {
		nodes = append(nodes, code.File{ID: f.ID, Path: f.Path, Lang: f.Lang, Package: f.Package, Flags: f.Flags, Problem: f.Problem})
	}
	want(t, "NodesIn a", nodes)(s.NodesIn("a"))
	nodes, _ = s.NodesIn("a/gen")
	if len(nodes) != 1 || nodes[0].Problem != code.ProblemTooLarge {
		t.Errorf("NodesIn a/gen: %+v", nodes)
	}
	for dir, has := range map[string]bool{
		"": true, ".": true, "a": true, "a/gen": true, "b": true, "sub": true, "img": false, "no": false, "a/g": false,
	} {
		want(t, "HasDir "+dir, has)(s.HasDir(dir))
	}
	for _, c := range []struct {
		dir   string
		deep  bool
		limit int
		count int
	}{
		{"a", false, 99, 4}, {"a", true, 99, 5}, {"a", false, 2, 2}, {"a", true, 3, 3}, {"b", true, 99, 1}, {"no", true, 99, 0}, {"no", false, 99, 0},
		{"img", true, 99, 0}, {"img", false, 99, 1}, {"", false, 99, 2},
	} {
		want(t, "CountBelow "+c.dir, c.count)(s.CountBelow(c.dir, c.deep, c.limit))
	}
	want(t, "PackageFiles", s.fullRows(t, pathA, pathTest, pathHelper))(s.PackageFiles("go", "a"))
	want[[]code.File](t, "PackageFiles of another language", nil)(s.PackageFiles("java", "a"))
}

func checkConfigs(t *testing.T, s sample) {
	want(t, "ConfigPaths go.mod", []string{pathMod, pathSubMod})(s.ConfigPaths("go.mod"))
	want(t, "ConfigPaths by ending", []string{pathGem})(s.ConfigPaths("*.gemspec"))
	want(t, "ConfigPaths by ending", []string{pathMod, pathSubMod})(s.ConfigPaths("*mod"))
	want[[]string](t, "ConfigPaths of a part", nil)(s.ConfigPaths("mod"))
	found(t, "ConfigContent", []byte("module sub"))(s.ConfigContent(pathSubMod))
	found(t, "ConfigContent", []byte("Gem.new"))(s.ConfigContent(pathGem))
	missing[[]byte](t, "ConfigContent of code")(s.ConfigContent(pathA))
}

// symbolRows returns a file's symbols as the store returns them.
func (s sample) symbolRows(t *testing.T, path string) []store.SymbolRow {
	t.Helper()
	var out []store.SymbolRow
	for i, y := range sampleFile(t, path).content.Symbols {
		out = append(out, store.SymbolRow{Symbol: y, FileID: s.ids[path], Ord: int32(i)})
	}
	return out
}

func (s sample) symbolID(path string, ord int32) code.SymbolID {
	return code.SymbolID{File: s.ids[path], Ord: ord}
}

func checkSymbols(t *testing.T, s sample) {
	for _, p := range paths() {
		rows := s.symbolRows(t, p)
		want(t, "Symbols "+p, rows)(s.Symbols(s.ids[p]))
		for _, row := range rows {
			found(t, "Symbol "+row.Qualified, row)(s.Symbol(row.ID()))
			want(t, "Container "+row.Qualified, row.Container())(s.Container(row.ID()))
			name, kind, err := s.QualifiedName(row.ID())
			want(t, "QualifiedName", row.Qualified)(name, err)
			equal(t, "kind of "+row.Qualified, kind, row.Kind)
		}
	}
	rows := s.symbolRows(t, pathB)
	functions := func(k code.Kind) bool { return k == code.KindFunction }
	want(t, "SymbolsOf", rows[:2])(s.SymbolsOf(s.ids[pathB], 4, functions))
	want(t, "SymbolsOf the first", rows[:1])(s.SymbolsOf(s.ids[pathB], 1, functions))
	want[[]store.SymbolRow](t, "SymbolsOf none", nil)(s.SymbolsOf(s.ids[pathGuide], 9, functions))
	outlines := map[int64]string{}
	last := int64(0)
	for o, err := range s.Outlines() {
		if err != nil || o.FileID <= last {
			t.Errorf("Outlines: file %d after %d, %v", o.FileID, last, err)
		}
		last, outlines[o.FileID] = o.FileID, string(o.Text)
	}
	equal(t, "Outlines", outlines, map[int64]string{
		s.ids[pathA]: "outline of a", s.ids[pathB]: "outline of b", s.ids[pathTest]: "outline of a_test",
		s.ids[pathGuide]: "outline of guide", s.ids[pathScript]: "outline of script",
	})
}

func checkSymbolLookups(t *testing.T, s sample) {
	opens := []code.SymbolID{s.symbolID(pathB, 0), s.symbolID(pathA, 3), s.symbolID(pathGuide, 0), s.symbolID(pathScript, 0)}
	want(t, "SymbolIDs", opens)(s.SymbolIDs("Open"))
	helpers := []code.SymbolID{s.symbolID(pathB, 1), s.symbolID(pathB, 3)}
	want(t, "SymbolIDs of one file", helpers)(s.SymbolIDs("helper"))
	var named []store.SymbolRow
	for _, at := range []struct {
		path string
		ord  int
	}{{pathA, 3}, {pathScript, 0}, {pathB, 0}, {pathGuide, 0}} {
		row := s.symbolRows(t, at.path)[at.ord]
		row.Path = at.path
		named = append(named, row)
	}
	want(t, "SymbolsNamed", named)(s.SymbolsNamed("Open"))
	rows, err := s.SymbolsNamed("helper")
	var got []code.SymbolID
	for _, row := range rows {
		got = append(got, row.ID())
	}
	want(t, "SymbolsNamed of one file", helpers)(got, err)
}

func checkNames(t *testing.T, s sample) {
	ids := func(paths ...string) []int64 {
		var out []int64
		for _, p := range paths {
			out = append(out, s.ids[p])
		}
		return out
	}
	counts := []store.NameCount{{Name: "Close", Files: 1}, {Name: "Open", Defs: 3, Files: 2}, {Name: "Pool", Defs: 1, Files: 2},
		{Name: "Server", Defs: 1, Files: 2},
		{Name: "Start", Defs: 1, Files: 3}, {Name: "TestOpen", Defs: 1}, {Name: "helper", Defs: 2, Files: 1}, {Name: "name", Defs: 1}}
	referrers := map[string][]int64{"Close": ids(pathA), "Open": ids(pathTest, pathGuide), "Pool": ids(pathA, pathGuide),
		"Server": ids(pathB, pathTest),
		"Start":  ids(pathB, pathA, pathTest), "helper": ids(pathB)}
	var defined []string
	for _, c := range counts {
		want(t, "NameCount "+c.Name, c)(s.NameCount(c.Name))
		want(t, "Referrers "+c.Name, referrers[c.Name])(s.Referrers(c.Name))
		if c.Defs > 0 {
			defined = append(defined, c.Name)
		}
	}
	names := collect(t, "Names", s.Names())
	slices.Sort(names)
	equal(t, "Names", names, defined)
	hot := []store.NameCount{{Name: "Start", Defs: 1, Files: 3}, {Name: "Pool", Defs: 1, Files: 2}, {Name: "Server", Defs: 1, Files: 2}}
	want(t, "HotNames", hot)(s.HotNames(99))
	want(t, "HotNames, two", hot[:2])(s.HotNames(2))
}

func checkFacts(t *testing.T, s sample) {
	for _, p := range paths() {
		f := sampleFile(t, p)
		want(t, "Facts "+p, f.content.Packed)(s.Facts(s.ids[p]))
		want(t, "Links "+p, f.linkRow(s.ids).Packed)(s.Links(s.ids[p]))
		node := code.File{ID: s.ids[p], Path: p, Lang: f.row.Lang, Package: f.row.Package, Flags: f.row.Flags, Problem: f.row.Problem}
		site, err := s.Site(s.ids[p])
		want(t, "Site "+p, node)(site.Node, err)
		equal(t, "facts of a site", string(site.Facts), string(f.content.Packed))
		equal(t, "links of a site", string(site.Links), "links of "+p)
	}
	want(t, "ProbedBy 7", []int64{s.ids[pathB], s.ids[pathA]})(s.ProbedBy(7))
	want(t, "ProbedBy 9", []int64{s.ids[pathA]})(s.ProbedBy(9))
	want(t, "ProbedBy a large key", []int64{s.ids[pathB]})(s.ProbedBy(highProbe))
}

// edgeRow returns an edge of the sample between two paths.
func (s sample) edgeRow(from, to string, r code.Relation, c code.Confidence) store.EdgeRow {
	return store.EdgeRow{Source: s.ids[from], Target: s.ids[to], Relation: r, Confidence: c}
}

func checkEdges(t *testing.T, s sample) {
	fromTest := []store.EdgeRow{s.edgeRow(pathTest, pathB, code.RelUses, code.Ambiguous),
		s.edgeRow(pathTest, pathA, code.RelImports, code.ImportResolved), s.edgeRow(pathTest, pathA, code.RelTests, code.ImportResolved)}
	want(t, "EdgesFrom", fromTest)(s.EdgesFrom(s.ids[pathTest]))
	want(t, "EdgesTo", []store.EdgeRow{s.edgeRow(pathTest, pathB, code.RelUses, code.Ambiguous),
		s.edgeRow(pathGuide, pathB, code.RelMentions, code.ImportResolved)})(s.EdgesTo(s.ids[pathB]))
	toA := []store.EdgeRow{
		s.edgeRow(pathHelper, pathA, code.RelUses, code.UniqueName), s.edgeRow(pathHelper, pathA, code.RelMentions, code.UniqueName),
		s.edgeRow(pathB, pathA, code.RelImports, code.ImportResolved), s.edgeRow(pathB, pathA, code.RelExtends, code.Exact),
		s.edgeRow(pathTest, pathA, code.RelImports, code.ImportResolved), s.edgeRow(pathTest, pathA, code.RelTests, code.ImportResolved),
		s.edgeRow(pathGuide, pathA, code.RelMentions, code.ImportResolved), s.edgeRow(pathGem, pathA, code.RelUses, code.Ambiguous),
		s.edgeRow(pathScript, pathA, code.RelUses, code.Ambiguous),
	}
	want(t, "EdgesTo", toA)(s.EdgesTo(s.ids[pathA]))
	all := append(slices.Clone(toA), s.edgeRow(pathTest, pathB, code.RelUses, code.Ambiguous),
		s.edgeRow(pathGuide, pathB, code.RelMentions, code.ImportResolved),
		s.edgeRow(pathHelper, pathGen, code.RelGenerated, code.ImportResolved))
	slices.SortFunc(all, func(x, y store.EdgeRow) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target), cmp.Compare(x.Relation, y.Relation))
	})
	wantAll(t, "Edges", s.Edges(), all)
}

func checkEdgesToTests(t *testing.T, s sample) {
	want(t, "DependentDirs", []store.DependentDir{{Dir: "", Files: 1}, {Dir: "a", Files: 1}, {Dir: "a", Test: true, Files: 2},
		{Dir: "b", Files: 1}})(s.DependentDirs(s.ids[pathA]))
	tests := []store.EdgeRow{s.edgeRow(pathTest, pathA, code.RelTests, code.ImportResolved),
		s.edgeRow(pathHelper, pathA, code.RelUses, code.UniqueName),
		s.edgeRow(pathTest, pathA, code.RelImports, code.ImportResolved)}
	want(t, "EdgesFromTests", tests)(s.EdgesFromTests(s.ids[pathA], 99))
	want(t, "EdgesFromTests, two", tests[:2])(s.EdgesFromTests(s.ids[pathA], 2))
}

func checkTotals(t *testing.T, s sample) {
	want(t, "Totals", store.Sums{Files: 12, Parsed: 10, Symbols: 12, Edges: 12, Refs: 12, Imports: 8, Unresolved: 2,
		Lines: 92, Bytes: 98200, CL100K: 101, O200K: 102})(s.Totals())
	want(t, "ByLanguage", []store.LangCount{
		{Problem: code.ProblemBinary, Files: 1, Bytes: 7000}, {Lang: "go", Files: 4, Bytes: 230},
		{Lang: "go", Problem: code.ProblemTooLarge, Files: 1, Bytes: 90000}, {Lang: "gomod", Files: 2, Bytes: 190},
		{Lang: "javascript", Files: 1, Bytes: 120}, {Lang: "markdown", Files: 2, Bytes: 560}, {Lang: "ruby", Files: 1, Bytes: 100},
	})(s.ByLanguage())
	imports, unresolved, err := s.ImportSums()
	want(t, "ImportSums", [2]int{8, 2})([2]int{imports, unresolved}, err)
	want(t, "HotFiles", s.fullRows(t, pathA, pathGen, pathB))(s.HotFiles(99))
	want(t, "HotFiles, two", s.fullRows(t, pathA, pathGen))(s.HotFiles(2))
	externals := []store.External{{Name: "fmt", Std: true, Files: 3}, {Name: "lib", Files: 1}, {Name: "lib", Std: true, Files: 1}}
	want(t, "Externals", externals)(s.Externals(99))
	want(t, "Externals, two", externals[:2])(s.Externals(2))
	want(t, "LangDirs", []string{"a", "a/gen", "b"})(s.LangDirs("go"))
	files, refs, err := s.LangRefs("go")
	want(t, "LangRefs", [2]int{5, 12})([2]int{files, refs}, err)
}

func checkReports(t *testing.T, s sample) {
	want(t, "Skipped", []store.Skipped{{Path: pathGen, Problem: code.ProblemTooLarge}, {Path: "a/link", Problem: code.ProblemSymlink},
		{Path: pathLogo, Problem: code.ProblemBinary}})(s.Skipped())
	var all []store.FoundSecret
	for _, p := range []string{pathA, pathB} {
		var places []store.Secret
		for _, x := range sampleFile(t, p).content.Secrets {
			all = append(all, store.FoundSecret{Secret: x, Path: p})
			places = append(places, store.Secret{Start: x.Start, End: x.End, Line: x.Line})
		}
		want(t, "FileSecrets "+p, places)(s.FileSecrets(s.ids[p]))
	}
	wantAll(t, "Secrets", s.Secrets(), all)
	slices.SortStableFunc(all, func(x, y store.FoundSecret) int { return cmp.Compare(s.ids[x.Path], s.ids[y.Path]) })
	var masked []store.FoundSecret
	for _, x := range all {
		if x.Line != 0 {
			x.Path = ""
		}
		if x.Line == 0 || x.Copied && !x.Noted {
			masked = append(masked, x)
		}
	}
	if len(masked) == 0 || len(masked) == len(all) {
		t.Error("the sample has no finding that is masked, or none that is not")
	}
	wantAll(t, "MaskedSecrets", s.MaskedSecrets(), masked)
	want[[]store.Secret](t, "FileSecrets of a clean file", nil)(s.FileSecrets(s.ids[pathTest]))
}

func checkHistory(t *testing.T, s sample) {
	want(t, "HistoryKeys", []store.HistoryKey{{Part: 0, N: 0}, {Part: 1, N: 1<<32 - 1}, {Part: 2, N: 1}})(s.HistoryKeys())
	want(t, "History", []byte("first"))(s.History(store.HistoryKey{}))
	want(t, "History", []byte("last"))(s.History(store.HistoryKey{Part: 1, N: 1<<32 - 1}))
}

func checkSearch(t *testing.T, s sample) {
	want(t, "SearchHead", []byte(sampleHead))(s.SearchHead())
	wantAll(t, "SearchBuckets", s.SearchBuckets(), sampleBuckets())
	want(t, "SearchBucket", []byte("far"))(s.SearchBucket(1 << 33))
	want(t, "SearchFreshCount", 0)(s.SearchFreshCount())
	wantAll(t, "SearchFresh", s.SearchFresh(), nil)
}

// checkMissing asks each reader for values that do not exist, and checks that it reports none.
func checkMissing(t *testing.T, s sample) {
	const none = 1 << 30
	id := code.SymbolID{File: none}
	wantZeroLookups(t, s.Reader)
	missing[code.File](t, "FileByID")(s.FileByID(none))
	missing[store.SymbolRow](t, "Symbol")(s.Symbol(id))
	missing[store.SymbolRow](t, "Symbol beyond the last")(s.Symbol(s.symbolID(pathA, 4)))
	want(t, "PathByID", "")(s.PathByID(none))
	want(t, "Container", "")(s.Container(id))
	name, kind, err := s.QualifiedName(id)
	want(t, "QualifiedName", "")(name, err)
	equal(t, "kind of nothing", kind, code.KindUnknown)
	want[[]store.SymbolRow](t, "Symbols", nil)(s.Symbols(none))
	want[[]byte](t, "Facts", nil)(s.Facts(none))
	want[[]byte](t, "Links", nil)(s.Links(none))
	site, err := s.Site(none)
	want(t, "Site", "")(site.Node.Path, err)
	want[[]store.EdgeRow](t, "EdgesFrom", nil)(s.EdgesFrom(none))
	want[[]store.EdgeRow](t, "EdgesTo", nil)(s.EdgesTo(none))
	want[[]store.EdgeRow](t, "EdgesFromTests", nil)(s.EdgesFromTests(none, 9))
	want[[]store.DependentDir](t, "DependentDirs", nil)(s.DependentDirs(none))
	want[[]store.Secret](t, "FileSecrets", nil)(s.FileSecrets(none))
}

// wantZeroLookups looks up names, paths and keys that no test stores, and checks that the results are zero.
func wantZeroLookups(t *testing.T, r store.Reader) {
	t.Helper()
	const none = "no such thing"
	want(t, "Meta", "")(r.Meta(none))
	missing[code.File](t, "FileByPath")(r.FileByPath(none))
	want(t, "FileID", int64(0))(r.FileID(none))
	want[[]code.File](t, "FilesIn", nil)(r.FilesIn(none))
	want[[]code.File](t, "NodesIn", nil)(r.NodesIn(none))
	want[[]code.File](t, "PackageFiles", nil)(r.PackageFiles("go", none))
	want[[]string](t, "ConfigPaths", nil)(r.ConfigPaths(none))
	want[[]string](t, "ConfigPaths by ending", nil)(r.ConfigPaths("*" + none))
	missing[[]byte](t, "ConfigContent")(r.ConfigContent(none))
	want[[]code.SymbolID](t, "SymbolIDs", nil)(r.SymbolIDs(none))
	want[[]store.SymbolRow](t, "SymbolsNamed", nil)(r.SymbolsNamed(none))
	want[[]int64](t, "Referrers", nil)(r.Referrers(none))
	want(t, "NameCount", store.NameCount{})(r.NameCount(none))
	want[[]int64](t, "ProbedBy", nil)(r.ProbedBy(77))
	want[[]byte](t, "History", nil)(r.History(store.HistoryKey{Part: 77}))
	want[[]byte](t, "SearchBucket", nil)(r.SearchBucket(77))
	want(t, "HasExact", false)(r.HasExact())
	missing[store.ExactUnit](t, "ExactUnit")(r.ExactUnit(77))
	missing[store.ExactKey](t, "ExactKey")(r.ExactKey(none))
	want(t, "ExactPrint", uint64(0))(r.ExactPrint(77))
	want[[]store.ExactFile](t, "ExactFiles", nil)(r.ExactFiles(77))
	want(t, "ExactHashes", map[int64][32]byte{})(r.ExactHashes(77))
	key, add, err := r.ExactShape(77)
	want(t, "ExactShape", [2]uint64{})([2]uint64{uint64(key), add}, err)
	want[[]store.ExactType](t, "ExactTypes", nil)(r.ExactTypes(none, false))
	want[[]string](t, "LangDirs", nil)(r.LangDirs(none))
	files, refs, err := r.LangRefs(none)
	want(t, "LangRefs", [2]int{})([2]int{files, refs}, err)
}

// checkStopEarly leaves an iteration after its first row and begins it again.
func checkStopEarly(t *testing.T, s sample) {
	for range 2 {
		n := 0
		for _, err := range s.Paths() {
			if err != nil {
				t.Fatal(err)
			}
			n++
			break
		}
		equal(t, "rows before the break", n, 1)
	}
	// An iteration inside another of the same kind would share its statement:
	// the contract has readers of one list at a time, and lookups between rows.
	for f, err := range s.Files() {
		if err != nil {
			t.Fatal(err)
		}
		want(t, "a lookup inside an iteration", f.Path)(s.PathByID(f.ID))
		if strings.HasPrefix(f.Path, "b") {
			break
		}
	}
}
