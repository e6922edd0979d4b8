package storetest

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// dumpContent returns the content of a reader as text, one fact a line, so that two states can be compared. It leaves out the
// words of changed files, because they record the changes since the last merge of the search index, not the content.
func dumpContent(t *testing.T, r store.Reader) string {
	t.Helper()
	d := &dumper{t: t, r: r}
	d.dumpMeta()
	d.dumpFiles()
	d.dumpNames()
	d.dumpSums()
	d.dumpExact()
	return d.b.String()
}

// dumpState returns the dump of a store's present content.
func dumpState(t *testing.T, s store.Store) (text string) {
	t.Helper()
	readState(t, s, func(r store.Reader) { text = dumpContent(t, r) })
	return text
}

type dumper struct {
	t *testing.T
	r store.Reader
	b strings.Builder
}

func (d *dumper) addLine(what string, v any) { fmt.Fprintf(&d.b, "%s: %+v\n", what, v) }

// dumpValue returns a function that writes the result of a reader to the dump, and fails the test if the reader failed.
func dumpValue[T any](d *dumper, what string) func(T, error) {
	return func(v T, err error) {
		d.t.Helper()
		if err != nil {
			d.t.Errorf("%s: %v", what, err)
		}
		d.addLine(what, v)
	}
}

func dumpValues[T any](d *dumper, what string, seq iter.Seq2[T, error]) []T {
	d.t.Helper()
	list := collect(d.t, what, seq)
	for _, v := range list {
		d.addLine(what, v)
	}
	return list
}

func (d *dumper) dumpMeta() {
	for _, key := range []string{"b", store.MetaRevision, store.MetaCommit} {
		dumpValue[string](d, "meta "+key)(d.r.Meta(key))
	}
	dumpValue[[]byte](d, "look")(d.r.Look())
	dumpValue[[]string](d, "noted")(d.r.Noted())
	keys, err := d.r.HistoryKeys()
	dumpValue[[]store.HistoryKey](d, "history keys")(keys, err)
	for _, k := range keys {
		dumpValue[[]byte](d, fmt.Sprint("history ", k))(d.r.History(k))
	}
	dumpValue[[]byte](d, "search head")(d.r.SearchHead())
	dumpValues(d, "search bucket", d.r.SearchBuckets())
	dumpValues(d, "document", d.r.Documents())
	for _, p := range []string{pathMod, pathSubMod, pathGem} {
		content, _, err := d.r.ConfigContent(p)
		dumpValue[[]byte](d, "config "+p)(content, err)
	}
	for _, base := range []string{"go.mod", "*.gemspec"} {
		dumpValue[[]string](d, "configs "+base)(d.r.ConfigPaths(base))
	}
	dumpValues(d, "secret", d.r.Secrets())
	dumpValues(d, "masked secret", d.r.MaskedSecrets())
	dumpValue[[]store.Skipped](d, "skipped")(d.r.Skipped())
}

func (d *dumper) dumpFiles() {
	for _, f := range dumpValues(d, "file", d.r.Files()) {
		dumpValue[[]store.SymbolRow](d, "symbols "+f.Path)(d.r.Symbols(f.ID))
		site, err := d.r.Site(f.ID)
		dumpValue[string](d, "site "+f.Path)(fmt.Sprintf("%+v %q %q", site.Node, site.Facts, site.Links), err)
		dumpValue[[]store.Secret](d, "secrets "+f.Path)(d.r.FileSecrets(f.ID))
		dumpValue[[]store.ExactFile](d, "exact "+f.Path)(d.r.ExactFiles(f.ID))
		key, add, err := d.r.ExactShape(f.ID)
		dumpValue[[2]uint64](d, "shape "+f.Path)([2]uint64{uint64(key), add}, err)
	}
	dumpValues(d, "edge", d.r.Edges())
	for o, err := range d.r.Outlines() {
		dumpValue[string](d, fmt.Sprint("outline ", o.FileID))(string(o.Text), err)
	}
	for _, key := range []uint64{7, 9, 99, highProbe} {
		dumpValue[[]int64](d, fmt.Sprint("probe ", key))(d.r.ProbedBy(key))
	}
}

func (d *dumper) dumpNames() {
	defined := collect(d.t, "Names", d.r.Names())
	slices.Sort(defined)
	d.addLine("defined", defined)
	for _, n := range []string{"Close", "Gone", "Open", "Pool", "Server", "Start", "TestOpen", "Use", "helper", "name"} {
		dumpValue[store.NameCount](d, "count of "+n)(d.r.NameCount(n))
		dumpValue[[]int64](d, "uses of "+n)(d.r.Referrers(n))
		dumpValue[[]code.SymbolID](d, "declarations of "+n)(d.r.SymbolIDs(n))
	}
}

func (d *dumper) dumpSums() {
	dumpValue[store.Sums](d, "totals")(d.r.Totals())
	imports, unresolved, err := d.r.ImportSums()
	dumpValue[[2]int](d, "imports")([2]int{imports, unresolved}, err)
	dumpValue[[]store.LangCount](d, "languages")(d.r.ByLanguage())
	dumpValue[[]store.External](d, "externals")(d.r.Externals(99))
}

func (d *dumper) dumpExact() {
	for _, u := range dumpValues(d, "unit", d.r.ExactUnits()) {
		dumpValue[map[int64][32]byte](d, fmt.Sprint("files of unit ", u.ID))(d.r.ExactHashes(u.ID))
	}
	dumpValues(d, "key", d.r.ExactKeys())
	for _, iface := range []bool{false, true} {
		dumpValue[[]store.ExactType](d, "types with Close")(d.r.ExactTypes("Close", iface))
	}
}
