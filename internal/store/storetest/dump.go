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

// dump returns the content of a reader as text, one fact a line, so that two states can be compared. It leaves out the
// words of changed files, because they record the changes since the last merge of the search index, not the content.
func dump(t *testing.T, r store.Reader) string {
	t.Helper()
	d := &dumper{t: t, r: r}
	d.meta()
	d.files()
	d.names()
	d.sums()
	d.exact()
	return d.b.String()
}

// state returns the dump of a store's present content.
func state(t *testing.T, s store.Store) (text string) {
	t.Helper()
	read(t, s, func(r store.Reader) { text = dump(t, r) })
	return text
}

type dumper struct {
	t *testing.T
	r store.Reader
	b strings.Builder
}

func (d *dumper) line(what string, v any) { fmt.Fprintf(&d.b, "%s: %+v\n", what, v) }

// value returns a function that writes the result of a reader to the dump, and fails the test if the reader failed.
func value[T any](d *dumper, what string) func(T, error) {
	return func(v T, err error) {
		d.t.Helper()
		if err != nil {
			d.t.Errorf("%s: %v", what, err)
		}
		d.line(what, v)
	}
}

func values[T any](d *dumper, what string, seq iter.Seq2[T, error]) []T {
	d.t.Helper()
	list := collect(d.t, what, seq)
	for _, v := range list {
		d.line(what, v)
	}
	return list
}

func (d *dumper) meta() {
	for _, key := range []string{"b", store.MetaRevision, store.MetaCommit} {
		value[string](d, "meta "+key)(d.r.Meta(key))
	}
	value[[]byte](d, "look")(d.r.Look())
	value[[]string](d, "noted")(d.r.Noted())
	keys, err := d.r.HistoryKeys()
	value[[]store.HistoryKey](d, "history keys")(keys, err)
	for _, k := range keys {
		value[[]byte](d, fmt.Sprint("history ", k))(d.r.History(k))
	}
	value[[]byte](d, "search head")(d.r.SearchHead())
	values(d, "search bucket", d.r.SearchBuckets())
	values(d, "document", d.r.Documents())
	for _, p := range []string{pathMod, pathSubMod, pathGem} {
		content, _, err := d.r.ConfigContent(p)
		value[[]byte](d, "config "+p)(content, err)
	}
	for _, base := range []string{"go.mod", "*.gemspec"} {
		value[[]string](d, "configs "+base)(d.r.ConfigPaths(base))
	}
	values(d, "secret", d.r.Secrets())
	values(d, "masked secret", d.r.MaskedSecrets())
	value[[]store.Skipped](d, "skipped")(d.r.Skipped())
}

func (d *dumper) files() {
	for _, f := range values(d, "file", d.r.Files()) {
		value[[]store.SymbolRow](d, "symbols "+f.Path)(d.r.Symbols(f.ID))
		site, err := d.r.Site(f.ID)
		value[string](d, "site "+f.Path)(fmt.Sprintf("%+v %q %q", site.Node, site.Facts, site.Links), err)
		value[[]store.Secret](d, "secrets "+f.Path)(d.r.FileSecrets(f.ID))
		value[[]store.ExactFile](d, "exact "+f.Path)(d.r.ExactFiles(f.ID))
		key, add, err := d.r.ExactShape(f.ID)
		value[[2]uint64](d, "shape "+f.Path)([2]uint64{uint64(key), add}, err)
	}
	values(d, "edge", d.r.Edges())
	for o, err := range d.r.Outlines() {
		value[string](d, fmt.Sprint("outline ", o.FileID))(string(o.Text), err)
	}
	for _, key := range []uint64{7, 9, 99, highProbe} {
		value[[]int64](d, fmt.Sprint("probe ", key))(d.r.ProbedBy(key))
	}
}

func (d *dumper) names() {
	defined := collect(d.t, "Names", d.r.Names())
	slices.Sort(defined)
	d.line("defined", defined)
	for _, n := range []string{"Close", "Gone", "Open", "Pool", "Server", "Start", "TestOpen", "Use", "helper", "name"} {
		value[store.NameCount](d, "count of "+n)(d.r.NameCount(n))
		value[[]int64](d, "uses of "+n)(d.r.Referrers(n))
		value[[]code.SymbolID](d, "declarations of "+n)(d.r.SymbolIDs(n))
	}
}

func (d *dumper) sums() {
	value[store.Sums](d, "totals")(d.r.Totals())
	imports, unresolved, err := d.r.ImportSums()
	value[[2]int](d, "imports")([2]int{imports, unresolved}, err)
	value[[]store.LangCount](d, "languages")(d.r.ByLanguage())
	value[[]store.External](d, "externals")(d.r.Externals(99))
}

func (d *dumper) exact() {
	for _, u := range values(d, "unit", d.r.ExactUnits()) {
		value[map[int64][32]byte](d, fmt.Sprint("files of unit ", u.ID))(d.r.ExactHashes(u.ID))
	}
	values(d, "key", d.r.ExactKeys())
	for _, iface := range []bool{false, true} {
		value[[]store.ExactType](d, "types with Close")(d.r.ExactTypes("Close", iface))
	}
}
