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
	wantResult(t, "Meta", "2")(s.Meta("b"))
	wantResult(t, "Revision", code.Rev(41))(store.Revision(s))
	wantResult(t, "Look", []byte("look"))(s.Look())
	wantResult(t, "Noted", []string{"a", "z"})(s.Noted())
}

// sortedPaths returns the sample's paths in the order that a store must use: byte by byte.
func sortedPaths() []string {
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
	wantAll(t, "Files", s.Files(), s.fullRows(t, sortedPaths()...))
	var rows []store.PathRow
	hashes := map[int64][32]byte{}
	for _, p := range sortedPaths() {
		id := s.ids[p]
		wantFound(t, "FileByPath "+p, s.fullRow(t, p))(s.FileByPath(p))
		wantFound(t, "FileByID "+p, s.fullRow(t, p))(s.FileByID(id))
		wantResult(t, "FileID "+p, id)(s.FileID(p))
		wantResult(t, "PathByID "+p, p)(s.PathByID(id))
		rows = append(rows, store.PathRow{ID: id, Path: p})
		hashes[id] = sampleFile(t, p).row.Hash
	}
	wantAll(t, "Paths", s.Paths(), rows)
	got := map[int64][32]byte{}
	for _, h := range collect(t, "ContentHashes", s.ContentHashes()) {
		got[h.ID] = h.Hash
	}
	wantEqual(t, "ContentHashes", got, hashes)
	ranked := collect(t, "Ranked", s.Ranked())
	slices.SortFunc(ranked, func(a, b code.File) int { return cmp.Compare(a.Path, b.Path) })
	var want []code.File
	for _, row := range rows {
		f := s.fullRows(t, row.Path)[0]
		want = append(want, code.File{ID: f.ID, Path: f.Path, Lang: f.Lang, Flags: f.Flags, Class: f.Class, Symbols: f.Symbols,
			Dependents: f.Dependents, Rank: f.Rank})
	}
	wantEqual(t, "Ranked", ranked, want)
}

func checkDocuments(t *testing.T, s sample) {
	wantAll(t, "Documents", s.Documents(), []store.DocumentRow{
		{PathRow: store.PathRow{ID: s.ids[pathChanges], Path: pathChanges}, Class: code.ClassDocument | code.ClassChangelog},
		{PathRow: store.PathRow{ID: s.ids[pathGuide], Path: pathGuide}, Class: code.ClassDocument}})
}

func checkDirectories(t *testing.T, s sample) {
	wantResult(t, "FilesIn a", s.fullRows(t, pathA, pathTest, pathHelper, pathGem))(s.FilesIn("a"))
	wantResult(t, "FilesIn the root", s.fullRows(t, pathScript, pathMod))(s.FilesIn(""))
	var nodes []code.File
	for _, f := range s.fullRows(t, pathA, pathTest, pathHelper, pathGem) {
		nodes = append(nodes, code.File{ID: f.ID, Path: f.Path, Lang: f.Lang, Package: f.Package, Flags: f.Flags, Problem: f.Problem})
	}
	wantResult(t, "NodesIn a", nodes)(s.NodesIn("a"))
	nodes, _ = s.NodesIn("a/gen")
	if len(nodes) != 1 || nodes[0].Problem != code.ProblemTooLarge {
		t.Errorf("NodesIn a/gen: %+v", nodes)
	}
	for dir, has := range map[string]bool{
		"": true, ".": true, "a": true, "a/gen": true, "b": true, "sub": true, "img": false, "no": false, "a/g": false,
	} {
		wantResult(t, "HasDir "+dir, has)(s.HasDir(dir))
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
		wantResult(t, "CountBelow "+c.dir, c.count)(s.CountBelow(c.dir, c.deep, c.limit))
	}
	wantResult(t, "PackageFiles", s.fullRows(t, pathA, pathTest, pathHelper))(s.PackageFiles("go", "a"))
	wantResult[[]code.File](t, "PackageFiles of another language", nil)(s.PackageFiles("java", "a"))
}

func checkConfigs(t *testing.T, s sample) {
	wantResult(t, "ConfigPaths go.mod", []string{pathMod, pathSubMod})(s.ConfigPaths("go.mod"))
	wantResult(t, "ConfigPaths by ending", []string{pathGem})(s.ConfigPaths("*.gemspec"))
	wantResult(t, "ConfigPaths by ending", []string{pathMod, pathSubMod})(s.ConfigPaths("*mod"))
	wantResult[[]string](t, "ConfigPaths of a part", nil)(s.ConfigPaths("mod"))
	wantFound(t, "ConfigContent", []byte("module sub"))(s.ConfigContent(pathSubMod))
	wantFound(t, "ConfigContent", []byte("Gem.new"))(s.ConfigContent(pathGem))
	wantMissing[[]byte](t, "ConfigContent of code")(s.ConfigContent(pathA))
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
	for _, p := range sortedPaths() {
		rows := s.symbolRows(t, p)
		wantResult(t, "Symbols "+p, rows)(s.Symbols(s.ids[p]))
		for _, row := range rows {
			wantFound(t, "Symbol "+row.Qualified, row)(s.Symbol(row.ID()))
			wantResult(t, "Container "+row.Qualified, row.Container())(s.Container(row.ID()))
			name, kind, err := s.QualifiedName(row.ID())
			wantResult(t, "QualifiedName", row.Qualified)(name, err)
			wantEqual(t, "kind of "+row.Qualified, kind, row.Kind)
		}
	}
	rows := s.symbolRows(t, pathB)
	functions := func(k code.Kind) bool { return k == code.KindFunction }
	wantResult(t, "SymbolsOf", rows[:2])(s.SymbolsOf(s.ids[pathB], 4, functions))
	wantResult(t, "SymbolsOf the first", rows[:1])(s.SymbolsOf(s.ids[pathB], 1, functions))
	wantResult[[]store.SymbolRow](t, "SymbolsOf none", nil)(s.SymbolsOf(s.ids[pathGuide], 9, functions))
	outlines := map[int64]string{}
	last := int64(0)
	for o, err := range s.Outlines() {
		if err != nil || o.FileID <= last {
			t.Errorf("Outlines: file %d after %d, %v", o.FileID, last, err)
		}
		last, outlines[o.FileID] = o.FileID, string(o.Text)
	}
	wantEqual(t, "Outlines", outlines, map[int64]string{
		s.ids[pathA]: "outline of a", s.ids[pathB]: "outline of b", s.ids[pathTest]: "outline of a_test",
		s.ids[pathGuide]: "outline of guide", s.ids[pathScript]: "outline of script",
	})
}

func checkSymbolLookups(t *testing.T, s sample) {
	opens := []code.SymbolID{s.symbolID(pathB, 0), s.symbolID(pathA, 3), s.symbolID(pathGuide, 0), s.symbolID(pathScript, 0)}
	wantResult(t, "SymbolIDs", opens)(s.SymbolIDs("Open"))
	helpers := []code.SymbolID{s.symbolID(pathB, 1), s.symbolID(pathB, 3)}
	wantResult(t, "SymbolIDs of one file", helpers)(s.SymbolIDs("helper"))
	var named []store.SymbolRow
	for _, at := range []struct {
		path string
		ord  int
	}{{pathA, 3}, {pathScript, 0}, {pathB, 0}, {pathGuide, 0}} {
		row := s.symbolRows(t, at.path)[at.ord]
		row.Path = at.path
		named = append(named, row)
	}
	wantResult(t, "SymbolsNamed", named)(s.SymbolsNamed("Open"))
	rows, err := s.SymbolsNamed("helper")
	var got []code.SymbolID
	for _, row := range rows {
		got = append(got, row.ID())
	}
	wantResult(t, "SymbolsNamed of one file", helpers)(got, err)
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
		wantResult(t, "NameCount "+c.Name, c)(s.NameCount(c.Name))
		wantResult(t, "Referrers "+c.Name, referrers[c.Name])(s.Referrers(c.Name))
		if c.Defs > 0 {
			defined = append(defined, c.Name)
		}
	}
	names := collect(t, "Names", s.Names())
	slices.Sort(names)
	wantEqual(t, "Names", names, defined)
	hot := []store.NameCount{{Name: "Start", Defs: 1, Files: 3}, {Name: "Pool", Defs: 1, Files: 2}, {Name: "Server", Defs: 1, Files: 2}}
	wantResult(t, "HotNames", hot)(s.HotNames(99))
	wantResult(t, "HotNames, two", hot[:2])(s.HotNames(2))
}

func checkFacts(t *testing.T, s sample) {
	for _, p := range sortedPaths() {
		f := sampleFile(t, p)
		wantResult(t, "Facts "+p, f.content.Packed)(s.Facts(s.ids[p]))
		wantResult(t, "Links "+p, f.linkRow(s.ids).Packed)(s.Links(s.ids[p]))
		node := code.File{ID: s.ids[p], Path: p, Lang: f.row.Lang, Package: f.row.Package, Flags: f.row.Flags, Problem: f.row.Problem}
		site, err := s.Site(s.ids[p])
		wantResult(t, "Site "+p, node)(site.Node, err)
		wantEqual(t, "facts of a site", string(site.Facts), string(f.content.Packed))
		wantEqual(t, "links of a site", string(site.Links), "links of "+p)
	}
	wantResult(t, "ProbedBy 7", []int64{s.ids[pathB], s.ids[pathA]})(s.ProbedBy(7))
	wantResult(t, "ProbedBy 9", []int64{s.ids[pathA]})(s.ProbedBy(9))
	wantResult(t, "ProbedBy a large key", []int64{s.ids[pathB]})(s.ProbedBy(highProbe))
}

// edgeRow returns an edge of the sample between two paths.
func (s sample) edgeRow(from, to string, r code.Relation, c code.Confidence) store.EdgeRow {
	return store.EdgeRow{Source: s.ids[from], Target: s.ids[to], Relation: r, Confidence: c}
}

func checkEdges(t *testing.T, s sample) {
	fromTest := []store.EdgeRow{s.edgeRow(pathTest, pathB, code.RelUses, code.Ambiguous),
		s.edgeRow(pathTest, pathA, code.RelImports, code.ImportResolved), s.edgeRow(pathTest, pathA, code.RelTests, code.ImportResolved)}
	wantResult(t, "EdgesFrom", fromTest)(s.EdgesFrom(s.ids[pathTest]))
	wantResult(t, "EdgesTo", []store.EdgeRow{s.edgeRow(pathTest, pathB, code.RelUses, code.Ambiguous),
		s.edgeRow(pathGuide, pathB, code.RelMentions, code.ImportResolved)})(s.EdgesTo(s.ids[pathB]))
	toA := []store.EdgeRow{
		s.edgeRow(pathHelper, pathA, code.RelUses, code.UniqueName), s.edgeRow(pathHelper, pathA, code.RelMentions, code.UniqueName),
		s.edgeRow(pathB, pathA, code.RelImports, code.ImportResolved), s.edgeRow(pathB, pathA, code.RelExtends, code.Exact),
		s.edgeRow(pathTest, pathA, code.RelImports, code.ImportResolved), s.edgeRow(pathTest, pathA, code.RelTests, code.ImportResolved),
		s.edgeRow(pathGuide, pathA, code.RelMentions, code.ImportResolved), s.edgeRow(pathGem, pathA, code.RelUses, code.Ambiguous),
		s.edgeRow(pathScript, pathA, code.RelUses, code.Ambiguous),
	}
	wantResult(t, "EdgesTo", toA)(s.EdgesTo(s.ids[pathA]))
	all := append(slices.Clone(toA), s.edgeRow(pathTest, pathB, code.RelUses, code.Ambiguous),
		s.edgeRow(pathGuide, pathB, code.RelMentions, code.ImportResolved),
		s.edgeRow(pathHelper, pathGen, code.RelGenerated, code.ImportResolved))
	slices.SortFunc(all, func(x, y store.EdgeRow) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Target, y.Target), cmp.Compare(x.Relation, y.Relation))
	})
	wantAll(t, "Edges", s.Edges(), all)
}

func checkEdgesToTests(t *testing.T, s sample) {
	wantResult(t, "DependentDirs", []store.DependentDir{{Dir: "", Files: 1}, {Dir: "a", Files: 1}, {Dir: "a", Test: true, Files: 2},
		{Dir: "b", Files: 1}})(s.DependentDirs(s.ids[pathA]))
	tests := []store.EdgeRow{s.edgeRow(pathTest, pathA, code.RelTests, code.ImportResolved),
		s.edgeRow(pathHelper, pathA, code.RelUses, code.UniqueName),
		s.edgeRow(pathTest, pathA, code.RelImports, code.ImportResolved)}
	wantResult(t, "EdgesFromTests", tests)(s.EdgesFromTests(s.ids[pathA], 99))
	wantResult(t, "EdgesFromTests, two", tests[:2])(s.EdgesFromTests(s.ids[pathA], 2))
}

func checkTotals(t *testing.T, s sample) {
	wantResult(t, "Totals", store.Sums{Files: 12, Parsed: 10, Symbols: 12, Edges: 12, Refs: 12, Imports: 8, Unresolved: 2,
		Lines: 92, Bytes: 98200, CL100K: 101, O200K: 102})(s.Totals())
	wantResult(t, "ByLanguage", []store.LangCount{
		{Problem: code.ProblemBinary, Files: 1, Bytes: 7000}, {Lang: "go", Files: 4, Bytes: 230},
		{Lang: "go", Problem: code.ProblemTooLarge, Files: 1, Bytes: 90000}, {Lang: "gomod", Files: 2, Bytes: 190},
		{Lang: "javascript", Files: 1, Bytes: 120}, {Lang: "markdown", Files: 2, Bytes: 560}, {Lang: "ruby", Files: 1, Bytes: 100},
	})(s.ByLanguage())
	imports, unresolved, err := s.ImportSums()
	wantResult(t, "ImportSums", [2]int{8, 2})([2]int{imports, unresolved}, err)
	wantResult(t, "HotFiles", s.fullRows(t, pathA, pathGen, pathB))(s.HotFiles(99))
	wantResult(t, "HotFiles, two", s.fullRows(t, pathA, pathGen))(s.HotFiles(2))
	externals := []store.External{{Name: "fmt", Std: true, Files: 3}, {Name: "lib", Files: 1}, {Name: "lib", Std: true, Files: 1}}
	wantResult(t, "Externals", externals)(s.Externals(99))
	wantResult(t, "Externals, two", externals[:2])(s.Externals(2))
	wantResult(t, "LangDirs", []string{"a", "a/gen", "b"})(s.LangDirs("go"))
	files, refs, err := s.LangRefs("go")
	wantResult(t, "LangRefs", [2]int{5, 12})([2]int{files, refs}, err)
}

func checkReports(t *testing.T, s sample) {
	wantResult(t, "Skipped", []store.Skipped{{Path: pathGen, Problem: code.ProblemTooLarge}, {Path: "a/link", Problem: code.ProblemSymlink},
		{Path: pathLogo, Problem: code.ProblemBinary}})(s.Skipped())
	var all []store.FoundSecret
	for _, p := range []string{pathA, pathB} {
		var places []store.Secret
		for _, x := range sampleFile(t, p).content.Secrets {
			all = append(all, store.FoundSecret{Secret: x, Path: p})
			places = append(places, store.Secret{Start: x.Start, End: x.End, Line: x.Line})
		}
		wantResult(t, "FileSecrets "+p, places)(s.FileSecrets(s.ids[p]))
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
	wantResult[[]store.Secret](t, "FileSecrets of a clean file", nil)(s.FileSecrets(s.ids[pathTest]))
}

func checkHistory(t *testing.T, s sample) {
	wantResult(t, "HistoryKeys", []store.HistoryKey{{Part: 0, N: 0}, {Part: 1, N: 1<<32 - 1}, {Part: 2, N: 1}})(s.HistoryKeys())
	wantResult(t, "History", []byte("first"))(s.History(store.HistoryKey{}))
	wantResult(t, "History", []byte("last"))(s.History(store.HistoryKey{Part: 1, N: 1<<32 - 1}))
}

func checkSearch(t *testing.T, s sample) {
	wantResult(t, "SearchHead", []byte(sampleHead))(s.SearchHead())
	wantAll(t, "SearchBuckets", s.SearchBuckets(), sampleBuckets())
	wantResult(t, "SearchBucket", []byte("far"))(s.SearchBucket(1 << 33))
	wantResult(t, "SearchFreshCount", 0)(s.SearchFreshCount())
	wantAll(t, "SearchFresh", s.SearchFresh(), nil)
}

// checkMissing asks each reader for values that do not exist, and checks that it reports none.
func checkMissing(t *testing.T, s sample) {
	const none = 1 << 30
	id := code.SymbolID{File: none}
	wantZeroLookups(t, s.Reader)
	wantMissing[code.File](t, "FileByID")(s.FileByID(none))
	wantMissing[store.SymbolRow](t, "Symbol")(s.Symbol(id))
	wantMissing[store.SymbolRow](t, "Symbol beyond the last")(s.Symbol(s.symbolID(pathA, 4)))
	wantResult(t, "PathByID", "")(s.PathByID(none))
	wantResult(t, "Container", "")(s.Container(id))
	name, kind, err := s.QualifiedName(id)
	wantResult(t, "QualifiedName", "")(name, err)
	wantEqual(t, "kind of nothing", kind, code.KindUnknown)
	wantResult[[]store.SymbolRow](t, "Symbols", nil)(s.Symbols(none))
	wantResult[[]byte](t, "Facts", nil)(s.Facts(none))
	wantResult[[]byte](t, "Links", nil)(s.Links(none))
	site, err := s.Site(none)
	wantResult(t, "Site", "")(site.Node.Path, err)
	wantResult[[]store.EdgeRow](t, "EdgesFrom", nil)(s.EdgesFrom(none))
	wantResult[[]store.EdgeRow](t, "EdgesTo", nil)(s.EdgesTo(none))
	wantResult[[]store.EdgeRow](t, "EdgesFromTests", nil)(s.EdgesFromTests(none, 9))
	wantResult[[]store.DependentDir](t, "DependentDirs", nil)(s.DependentDirs(none))
	wantResult[[]store.Secret](t, "FileSecrets", nil)(s.FileSecrets(none))
}

// wantZeroLookups looks up names, paths and keys that no test stores, and checks that the results are zero.
func wantZeroLookups(t *testing.T, r store.Reader) {
	t.Helper()
	const none = "no such thing"
	wantResult(t, "Meta", "")(r.Meta(none))
	wantMissing[code.File](t, "FileByPath")(r.FileByPath(none))
	wantResult(t, "FileID", int64(0))(r.FileID(none))
	wantResult[[]code.File](t, "FilesIn", nil)(r.FilesIn(none))
	wantResult[[]code.File](t, "NodesIn", nil)(r.NodesIn(none))
	wantResult[[]code.File](t, "PackageFiles", nil)(r.PackageFiles("go", none))
	wantResult[[]string](t, "ConfigPaths", nil)(r.ConfigPaths(none))
	wantResult[[]string](t, "ConfigPaths by ending", nil)(r.ConfigPaths("*" + none))
	wantMissing[[]byte](t, "ConfigContent")(r.ConfigContent(none))
	wantResult[[]code.SymbolID](t, "SymbolIDs", nil)(r.SymbolIDs(none))
	wantResult[[]store.SymbolRow](t, "SymbolsNamed", nil)(r.SymbolsNamed(none))
	wantResult[[]int64](t, "Referrers", nil)(r.Referrers(none))
	wantResult(t, "NameCount", store.NameCount{})(r.NameCount(none))
	wantResult[[]int64](t, "ProbedBy", nil)(r.ProbedBy(77))
	wantResult[[]byte](t, "History", nil)(r.History(store.HistoryKey{Part: 77}))
	wantResult[[]byte](t, "SearchBucket", nil)(r.SearchBucket(77))
	wantResult(t, "HasExact", false)(r.HasExact())
	wantMissing[store.ExactUnit](t, "ExactUnit")(r.ExactUnit(77))
	wantMissing[store.ExactKey](t, "ExactKey")(r.ExactKey(none))
	wantResult(t, "ExactPrint", uint64(0))(r.ExactPrint(77))
	wantResult[[]store.ExactFile](t, "ExactFiles", nil)(r.ExactFiles(77))
	wantResult(t, "ExactHashes", map[int64][32]byte{})(r.ExactHashes(77))
	key, add, err := r.ExactShape(77)
	wantResult(t, "ExactShape", [2]uint64{})([2]uint64{uint64(key), add}, err)
	wantResult[[]store.ExactType](t, "ExactTypes", nil)(r.ExactTypes(none, false))
	wantResult[[]string](t, "LangDirs", nil)(r.LangDirs(none))
	files, refs, err := r.LangRefs(none)
	wantResult(t, "LangRefs", [2]int{})([2]int{files, refs}, err)
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
		wantEqual(t, "rows before the break", n, 1)
	}
	// An iteration inside another of the same kind would share its statement:
	// the contract has readers of one list at a time, and lookups between rows.
	for f, err := range s.Files() {
		if err != nil {
			t.Fatal(err)
		}
		wantResult(t, "a lookup inside an iteration", f.Path)(s.PathByID(f.ID))
		if strings.HasPrefix(f.Path, "b") {
			break
		}
	}
}
