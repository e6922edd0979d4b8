// Package lang is the table of languages, data only: by which names, extensions
// and interpreters a file's language is known, how comments are marked, how deep
// ken reads it, and the traits that other packages depend on (traits.go).
// table.go is the list; adding a language is adding a row. What needs code is
// elsewhere, by language in engine/extract and engine/resolve, and by family of
// languages in engine/graph/bind.
package lang

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"ken/internal/code"
)

// Tier is how much ken extracts from files of a language.
type Tier uint8

// The tiers.
const (
	None    Tier = iota // listed, counted and searchable
	Symbols             // declarations
	Full                // declarations, references, imports, resolution
)

// Sort is the use of a language: programs, data, markup or prose.
type Sort uint8

// The sorts of languages.
const (
	Programming Sort = iota
	Data             // configuration and data: JSON, YAML, protocol definitions' texts
	Markup           // HTML, XML, style sheets
	Prose            // documentation
)

// Info describes one language. It is one row of the table of languages.
type Info struct {
	Name         code.Lang
	Tier         Tier
	Sort         Sort
	Extensions   []string // with the dot, lower case; ".d.ts" beats ".ts"
	Names        []string // whole file names, matched without regard to case
	Interpreters []string // programs of a "#!" line, version digits dropped
	Line         []string // the marks that begin a comment up to the end of the line
	Block        [2]string
	Code         string // shapes of its lines of code, by the names of guard/garbage, with blanks between
	Strings      Strings
	Builds       bool // its files are instructions of a build and not part of the program
	Norm         Norm
	Tools
	Traits
}

// Strings describes how a language writes strings. In every language "text" is a
// string; unless Single is set, single quotes hold one character.
type Strings struct {
	Single     bool     // 'text' is a string, not a character
	Attributes bool     // "#[" begins an attribute, although "#" begins a comment
	Long       []string // marks of strings that may have several lines
}

// Norm has the naming styles on which the users of a language agree, so that a project that follows them needs no word about it. A style
// is "" where projects differ.
type Norm struct{ Functions, Constants, Files string }

// index holds the table of languages by name, extension and interpreter, for quick lookups.
type index struct {
	names, extensions, interpreters map[string]code.Lang
	families                        map[string][]code.Lang
	// rows is a hash table with open addressing: binding asks for the traits of a
	// language at every candidate of every reference, and this takes a third of
	// the time of a map.
	rows    [rowSlots]*Info
	unknown Info
}

// rowSlots is the size of the hash table, a power of two. It is some four
// times the number of languages, so that most lookups succeed at their first
// slot.
const rowSlots = 512

// tables is built once from table and never written after; filling the maps
// takes some 30 µs.
var tables = build()

func build() *index {
	ix := &index{
		names: make(map[string]code.Lang, 128), extensions: make(map[string]code.Lang, 256), interpreters: make(map[string]code.Lang, 64),
		families: make(map[string][]code.Lang, len(table)),
	}
	ix.unknown.WholeFiles, ix.unknown.PlainText = true, true
	for i := range table {
		row := &table[i]
		row.Family = cmp.Or(row.Family, string(row.Name))
		ix.families[row.Family] = append(ix.families[row.Family], row.Name)
		k := slot(row.Name)
		for ix.rows[k] != nil {
			k = (k + 1) % rowSlots
		}
		ix.rows[k] = row
		for _, s := range row.Names {
			ix.names[strings.ToLower(s)] = row.Name
		}
		for _, s := range row.Extensions {
			ix.extensions[s] = row.Name
		}
		for _, s := range row.Interpreters {
			ix.interpreters[s] = row.Name
		}
	}
	return ix
}

// All returns the table, in a fixed order. It must not be changed.
func All() []Info { return table }

// Of returns the row of a language, which must not be changed. For a language that
// the table lacks, as for a file of unknown language, it returns a row without a
// name.
func Of(l code.Lang) *Info {
	if l == "" {
		return &tables.unknown
	}
	for k := slot(l); ; k = (k + 1) % rowSlots {
		row := tables.rows[k]
		if row == nil {
			return &tables.unknown
		}
		if row.Name == l {
			return row
		}
	}
}

// slot returns the slot of the hash table at which the search for a language begins; l is not empty.
func slot(l code.Lang) uint {
	n := uint(len(l))
	return (uint(l[0])*29 + uint(l[n-1])*5 + uint(l[n/2])*3 + n) % rowSlots
}

// IsKnown reports whether the language is in the table.
func (i *Info) IsKnown() bool { return i.Name != "" }

// LanguageTier returns how much ken extracts from files of a language; None if it is unknown.
func LanguageTier(l code.Lang) Tier { return Of(l).Tier }

// Detect returns the language of a file, or "" if it is not known. It looks at
// the whole name, the extension and the "#!" line; if two languages share an
// extension, the content decides. head is the beginning of the content: 128 KB
// are enough, and it may be empty.
func Detect(p string, head []byte) code.Lang {
	name := lowerASCII(path.Base(p))
	if l, ok := tables.names[name]; ok {
		return l
	}
	if strings.HasPrefix(name, "dockerfile.") || strings.HasPrefix(name, "containerfile.") {
		return "dockerfile"
	}
	if l := byExtension(name); l != "" {
		return ambiguous(l, name, head)
	}
	if strings.HasPrefix(name, "makefile.") {
		return "makefile"
	}
	if program := Interpreter(head); program != "" {
		return tables.interpreters[program]
	}
	return ""
}

// lowerASCII is strings.ToLower for ASCII letters alone. It allocates nothing
// if the name is in lower case.
func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// byExtension looks up the two longest extensions of a name: for "a.b.d.ts" these are ".d.ts" and ".ts".
func byExtension(name string) code.Lang {
	last := strings.LastIndexByte(name, '.')
	if last < 0 {
		return ""
	}
	if first := strings.LastIndexByte(name[:last], '.'); first >= 0 {
		if l, ok := tables.extensions[name[first:]]; ok {
			return l
		}
	}
	return tables.extensions[name[last:]]
}

// ambiguous decides between languages that share an extension by the content
// of the file. If the content shows nothing, it returns l, the language that
// the table gives for the extension.
func ambiguous(l code.Lang, name string, head []byte) code.Lang {
	rest := head[:min(len(head), 128<<10)]
	head = head[:min(len(head), 16<<10)]
	switch path.Ext(name) {
	case ".h":
		switch {
		case hasAny(head, "@interface", "@protocol", "@class ", "#import "):
			return "objective-c"
		case hasAny(head, "\nnamespace ", "\nclass ", "\nenum class ", "\nenum struct ", "template <", "template<", "std::",
			"\n#include <vector>", "\n#include <string>", "public:", "constexpr ", "::"):
			return "cpp"
		case hasAny(rest, "\nnamespace ", "\ntemplate <", "\ntemplate<"): // after pages of macros, only words that no comment has
			return "cpp"
		}
	case ".m":
		if len(head) > 0 && !hasAny(head, "@interface", "@implementation", "@protocol", "#import", "#include", "/*", "//", "@import") {
			return "matlab"
		}
	case ".ts":
		text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
		if bytes.HasPrefix(text, []byte("<?xml")) || bytes.HasPrefix(text, []byte("<!DOCTYPE TS")) {
			return "xml" // Qt Linguist
		}
	case ".fs":
		if hasAny(head, "#version", "gl_FragColor", "void main(") {
			return "glsl"
		}
	}
	return l
}

func hasAny(b []byte, needles ...string) bool {
	for _, n := range needles {
		if bytes.Contains(b, []byte(n)) {
			return true
		}
	}
	return false
}

// Interpreter returns the program that a "#!" line runs, without its directory
// and version, or "" if there is none: "python" for "#!/usr/bin/env -S
// python3.12 -u".
func Interpreter(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line = line[:min(len(line), 256)]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	fields := strings.Fields(string(line))
	for i, f := range fields {
		name := path.Base(f)
		option := i > 0 && (strings.HasPrefix(f, "-") || strings.Contains(f, "="))
		if option || i == 0 && name == "env" {
			continue
		}
		return strings.TrimRight(name, "0123456789.-")
	}
	return ""
}

// configs are the names of files whose content engine/resolve reads to
// resolve imports, in any language.
var configs = map[string]bool{
	"go.mod": true, "go.work": true,
	"package.json": true, "pnpm-workspace.yaml": true, "pnpm-workspace.yml": true, "lerna.json": true, "jsconfig.json": true, "deno.json": true, "deno.jsonc": true,
	"Cargo.toml":     true,
	"pyproject.toml": true, "setup.cfg": true, "setup.py": true,
	"pom.xml": true, "build.gradle": true, "build.gradle.kts": true, "settings.gradle": true, "settings.gradle.kts": true,
	"composer.json": true, "compile_commands.json": true,
	"Directory.Build.props": true, "Directory.Build.targets": true,
	"pubspec.yaml": true, "mix.exs": true,
}

// IsConfig reports whether the resolution of imports depends on the content of
// the file p. A change of such a file can change the targets of imports in
// files that did not change.
func IsConfig(p string) bool {
	name := path.Base(p)
	switch path.Ext(name) {
	case ".gemspec", ".cabal", ".csproj":
		return true
	case ".json":
		return configs[name] || strings.HasPrefix(name, "tsconfig")
	}
	return configs[name]
}
