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

// Tier is how deep a language is read.
type Tier uint8

// The tiers.
const (
	None    Tier = iota // listed, counted and searchable
	Symbols             // declarations
	Full                // declarations, references, imports, resolution
)

// Sort is the use of a language.
type Sort uint8

// The sorts of languages.
const (
	Programming Sort = iota
	Data             // configuration and data: JSON, YAML, protocol definitions' texts
	Markup           // HTML, XML, style sheets
	Prose            // documentation
)

// Info is one row of the table.
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
	Tools
	Traits
}

// Strings is the notation of strings. Every language has "text", and without Single one
// character between single quotes.
type Strings struct {
	Single     bool     // 'text' is a string, not a character
	Attributes bool     // "#[" begins an attribute, although "#" begins a comment
	Long       []string // marks of strings that may have several lines
}

// index is the table by the keys of its lookups.
type index struct {
	names, extensions, interpreters map[string]code.Lang
	families                        map[string][]code.Lang
	// rows is a hash table with open addressing: binding asks for the traits of a
	// language at every candidate of every reference, and this takes a third of
	// the time of a map.
	rows    [rowSlots]*Info
	unknown Info
}

// rowSlots is the size of the hash table, a power of two: some four times the
// number of languages, so that most are found in the first place looked at.
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

// Of returns the row of a language, which must not be changed. One that is not in the
// table, as that of a file whose language is not known, has a row without a name.
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

// slot returns where the row of a language is looked for first; l is not empty.
func slot(l code.Lang) uint {
	n := uint(len(l))
	return (uint(l[0])*29 + uint(l[n-1])*5 + uint(l[n/2])*3 + n) % rowSlots
}

// IsKnown reports whether the table has a row of the language.
func (i *Info) IsKnown() bool { return i.Name != "" }

// LanguageTier returns how deep a language is read; None for an unknown one.
func LanguageTier(l code.Lang) Tier { return Of(l).Tier }

// Detect names the language of a file: by its whole name, its extension (the
// content decides where two languages share one), or its "#!" line. head is the
// beginning of the content, 128 KB are enough and none will do. "" if it is
// not known.
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

// lowerASCII is ToLower that allocates nothing for names in lower case and does
// not touch bytes that are not ASCII letters.
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

// byExtension tries the two longest extensions: of "a.b.d.ts" ".d.ts" and ".ts".
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

// ambiguous settles extensions that several languages use, by what the content
// shows. The table's answer stays where it shows nothing.
func ambiguous(l code.Lang, name string, head []byte) code.Lang {
	rest := head[:min(len(head), 128<<10)]
	head = head[:min(len(head), 16<<10)]
	switch path.Ext(name) {
	case ".h":
		switch {
		case hasAny(head, "@interface", "@protocol", "@class ", "#import "):
			return "objective-c"
		case hasAny(head, "\nnamespace ", "\nclass ", "template <", "template<", "std::", "\n#include <vector>", "\n#include <string>", "public:",
			"constexpr ", "::"):
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

// Interpreter returns the program a "#!" line names, without folder and version:
// "python" for "#!/usr/bin/env -S python3.12 -u". "" if there is none.
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

// configs are the files whose content engine/resolve reads, whatever their
// language.
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

// IsConfig reports whether resolution of imports reads the file: a change of it
// can move the edges of files that did not change.
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
