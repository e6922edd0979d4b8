// Package data scans files of data and of its schemas: YAML, JSON, TOML, SQL and the
// definitions of Protocol Buffers.
package data

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// keyTree makes symbols of the keys of a data file (YAML, JSON, TOML), which their
// scanners report in source order. Symbols are the top-level keys and the keys below
// those that name things people look for (scripts, jobs, services, …). A Kubernetes
// object is one symbol instead of its keys. Values that name files, under keys that
// hold paths, become mentions.
type keyTree struct {
	*plain.File
	base  string // the file's name, lower case
	stack []openKey
	// The document being read: where its symbols begin, and the values that identify a
	// Kubernetes object.
	docStart, docSymbols              int
	apiVersion, kind, name, namespace string
	nameAt                            int
	lock                              bool // a lock file, whose keys concern one program only
	pathKeys                          map[string]bool
	trace                             func(depth int, name string, at int) // called for every key, by tests
}

// openKey is a key whose value is being read.
type openKey struct {
	name string
	sym  int32
	list bool // a list: its items have no name
}

// nestedKeys are the top-level keys whose own keys are symbols too.
var nestedKeys = plain.Words("scripts jobs services tasks targets commands paths features workflows functions outputs pipelines tool")

// pathKeys are keys whose values name files of the repository, if the
// values look like paths.
var pathKeys = plain.Words("uses dockerfile build context $ref extends main module types typings bin include file files env_file path script " +
	"entrypoint template readme license-file local source browser")

// packageTrees are the keys of package.json below which each value that is a path names a file, under whatever key.
var packageTrees = plain.Words("bin exports imports browser")

// kustomizePaths are the keys in a Kustomization, a configuration of Kubernetes, whose values name files.
var kustomizePaths = plain.Words("resources bases components patches patchesStrategicMerge configurations crds generators transformers path files openapi")

// commandKeys are keys whose values are shell commands.
var commandKeys = plain.Words("run command script cmd before_script after_script args")

func newKeyTree(f *plain.File) *keyTree {
	k := &keyTree{File: f, base: strings.ToLower(path.Base(f.Path)), pathKeys: pathKeys}
	switch k.base {
	case "kustomization.yaml", "kustomization.yml":
		k.pathKeys = kustomizePaths
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "composer.lock", "pipfile.lock", "flake.lock",
		"yarn.lock", "cargo.lock", "poetry.lock", "uv.lock", "pdm.lock":
		k.lock = true
	}
	return k
}

// wants reports whether keys below the current position can become symbols.
func (k *keyTree) wants() bool { return len(k.stack) < 6 && !k.lock }

// open records a key at its start, before its value; sig is the source of key and value
// as far as it is on one line.
func (k *keyTree) open(name string, at int, sig, doc string) {
	o := openKey{name: name, sym: -1}
	if k.isSymbol(name) {
		before := k.Owner
		k.Owner = -1
		if d := len(k.stack); d > 0 {
			k.Owner = k.stack[d-1].sym
		}
		o.sym = k.AddSymbol(code.KindKey, name, at, at, at+len(name), sig, plain.MaxKeys)
		if o.sym >= 0 {
			k.Facts.Symbols[o.sym].Doc = doc
		}
		k.Owner = before
	}
	if k.trace != nil {
		k.trace(len(k.stack), name, at)
	}
	k.stack = append(k.stack, o)
}

// nameInQuotes moves the name of the key just opened one byte on, after its quote.
func (k *keyTree) nameInQuotes() {
	if sym := k.stack[len(k.stack)-1].sym; sym >= 0 {
		k.Facts.Symbols[sym].NameStart++
	}
}

func (k *keyTree) isSymbol(name string) bool {
	if name == "<<" || k.lock || strings.Contains(name, "{{") {
		return false
	}
	switch len(k.stack) {
	case 0:
		return true
	case 1:
		return nestedKeys[k.stack[0].name] && k.stack[0].sym >= 0
	}
	return false
}

// openList begins a list, whose items have no key.
func (k *keyTree) openList() { k.stack = append(k.stack, openKey{sym: -1, list: true}) }

// close ends the innermost key or list, whose value ends before end.
func (k *keyTree) close(end int) {
	n := len(k.stack) - 1
	k.SetEnd(k.stack[n].sym, end)
	k.stack = k.stack[:n]
}

// scalar reads a value of the innermost key.
func (k *keyTree) scalar(v string, at int) {
	n := len(k.stack)
	if n == 0 || v == "" {
		return
	}
	key := k.key()
	if n <= 2 {
		k.identify(v, at)
	}
	remote := key == "uses" && v[0] != '.' // an action of another repository
	namesFile := k.pathKeys[key] || k.base == "package.json" && packageTrees[k.stack[0].name]
	if namesFile && !k.lock && !remote && plain.IsPathLike(v) {
		k.Mention(v, at)
	}
	if commandKeys[key] || n == 2 && k.stack[0].name == "scripts" {
		k.MentionScripts(v, at)
	}
}

// key returns the name of the innermost key that is not a list item.
func (k *keyTree) key() string {
	for i := len(k.stack) - 1; i >= 0; i-- {
		if !k.stack[i].list {
			return k.stack[i].name
		}
	}
	return ""
}

// identify records the values that identify a Kubernetes object.
func (k *keyTree) identify(v string, at int) {
	top := k.stack[0].name
	if len(k.stack) == 1 {
		switch top {
		case "apiVersion":
			k.apiVersion = v
		case "kind":
			k.kind = v
		}
		return
	}
	if top != "metadata" {
		return
	}
	switch k.stack[1].name {
	case "name":
		k.name, k.nameAt = v, at
	case "namespace":
		k.namespace = v
	}
}

// endDocument closes a document and begins the next at end.
func (k *keyTree) endDocument(end int) {
	for len(k.stack) > 0 {
		k.close(end)
	}
	if k.apiVersion != "" && k.kind != "" {
		k.resource(end)
	}
	k.docStart, k.docSymbols = end, len(k.Facts.Symbols)
	k.apiVersion, k.kind, k.name, k.namespace = "", "", "", ""
}

// resource replaces the symbols of the keys of a Kubernetes object by one symbol for the object.
func (k *keyTree) resource(end int) {
	start := k.docStart
	if k.docSymbols < len(k.Facts.Symbols) {
		start = int(k.Facts.Symbols[k.docSymbols].Span.Start)
	}
	k.Facts.Symbols = k.Facts.Symbols[:k.docSymbols]
	name, at := k.name, k.nameAt
	if name == "" || strings.Contains(name, "{{") {
		name, at = k.kind, start
	}
	sig := k.apiVersion + " " + k.kind + " "
	if k.namespace != "" {
		sig += k.namespace + "/"
	}
	k.AddSymbol(code.KindResource, name, at, start, end, sig+name, plain.MaxKeys)
}

// Key is a key of a data file as its scanner meets it, before it is decided whether it
// is a symbol.
type Key struct {
	Depth int // 0 at the top
	Name  string
	At    int // offset
}

// YAMLKeys returns the keys of a YAML file outside of lists, so that they can be compared
// with those of another parser. It also reads lock files.
func YAMLKeys(f *plain.File) []Key {
	return keys(f, func(k *keyTree) {
		y := yaml{keyTree: k, s: f.Text}
		y.scan()
	})
}

// JSONKeys returns the keys of a JSON file outside of lists, so that they can be compared with those of another parser.
func JSONKeys(f *plain.File) []Key {
	return keys(f, func(k *keyTree) {
		w := flow{src: f.Text, keys: k}
		w.scanValue()
	})
}

func keys(f *plain.File, scan func(k *keyTree)) (out []Key) {
	k := newKeyTree(f)
	k.lock = false
	k.trace = func(depth int, name string, at int) {
		if !slices.ContainsFunc(k.stack, func(o openKey) bool { return o.list }) {
			out = append(out, Key{depth, name, at})
		}
	}
	scan(k)
	return out
}
