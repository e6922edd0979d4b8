// Package crosslang finds links from one language into another: the header that a
// generator writes, the table of a database that holds a model. Both are written alike
// in all languages, so they are looked for in the bytes of any source file, and no
// language's reader needs to know about the others. Its neighbour is engine/extract,
// which calls it for each file.
package crosslang

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// AddImports adds the imports that lead into other languages.
func AddImports(p string, lang code.Lang, src []byte, facts *code.Facts) {
	add := func(spec string, kind code.ImportKind, off int) {
		line := 1 + uint32(bytes.Count(src[:off], []byte("\n")))
		facts.Imports = append(facts.Imports, code.Import{Spec: spec, Kind: kind, Line: line})
	}
	if spec, off := generatedFrom(p, src); spec != "" {
		add(spec, code.ImportOrigin, off)
	}
	findTables(lang, src, func(name string, off int) {
		for i := range facts.Imports {
			if m := &facts.Imports[i]; m.Kind == code.ImportTable && m.Spec == name {
				return
			}
		}
		add(name, code.ImportTable, off)
	})
}

// originHead is how far into a file a generator's header reaches.
const originHead = 4 << 10

// generatedFrom returns the definition that a generated file names in its header
// ("// source: a/b.proto", as the generators of Protobuf write), and where it does, else
// the definition that its own name is made from.
func generatedFrom(p string, src []byte) (spec string, off int) {
	stem := generatedStem(path.Base(p))
	if head := src[:min(len(src), originHead)]; namesProto(head, stem != "") {
		for _, mark := range [...]string{"source: ", "@generated from file ", "Source: "} {
			i := bytes.Index(head, []byte(mark))
			if i < 0 {
				continue
			}
			name, _, _ := strings.Cut(string(head[i+len(mark):min(len(head), i+512)]), ".proto")
			if name != "" && !strings.ContainsAny(name, " \n\"'") {
				return name + ".proto", i
			}
		}
	}
	if stem != "" {
		return stem + ".proto", 0
	}
	return "", 0
}

// generatedStem returns a file name without the ending of a generator, or "" if it has none.
func generatedStem(base string) string {
	for _, suffix := range generatedSuffixes {
		if stem, ok := strings.CutSuffix(base, suffix); ok && stem != "" {
			return stem
		}
	}
	return ""
}

// namesProto reports whether the head of a file speaks of a .proto file, and, unless the
// file is known to be generated, of the compiler for these.
func namesProto(head []byte, generated bool) bool {
	if !bytes.Contains(head, []byte(".proto")) {
		return false
	}
	return generated || bytes.Contains(head, []byte("rotoc")) || bytes.Contains(head, []byte("protocol buffer compiler"))
}

// generatedSuffixes are the endings that generators of Protobuf append to the name of
// the definition.
var generatedSuffixes = [...]string{
	"_grpc.pb.go", ".pb.gw.go", ".pb.go", "_pb2_grpc.py", "_pb2.pyi", "_pb2.py",
	"_grpc_pb.js", "_grpc_web_pb.js", "_pb.js", "_grpc_pb.d.ts", "_pb.d.ts", "_pb.ts",
	".grpc.pb.cc", ".grpc.pb.h", ".pb.cc", ".pb.h", "_services_pb.rb", "_pb.rb",
	".pb.swift", ".pb.dart", ".pbgrpc.dart",
}

// maxTables bounds the tables one file names, and maxModelText the distance between a
// mark and the name.
const (
	maxTables    = 20
	maxModelText = 160
)

// tableMarks are the texts in front of the name of a model's table, by language.
var tableMarks = map[code.Lang][]string{
	"python":     {"__tablename__", "db_table"},
	"typescript": {"@Entity(", "tableName:", "pgTable(", "mysqlTable(", "sqliteTable("},
	"javascript": {"@Entity(", "tableName:", "pgTable(", "mysqlTable(", "sqliteTable("},
	"java":       {"@Table("},
	"kotlin":     {"@Table("},
	"scala":      {"@Table("},
	"csharp":     {"[Table("},
	"go":         {") TableName() string"},
	"ruby":       {"self.table_name", "< ApplicationRecord", "< ActiveRecord::Base"},
	"php":        {"protected $table", "ORM\\Table(", "@ORM\\Table(", "#[Table("},
}

// findTables finds the tables that the models of a file belong to. Where a framework
// derives the name from that of the class, it gives singular and plural of it.
func findTables(lang code.Lang, src []byte, add func(name string, off int)) {
	n := 0
	for _, mark := range tableMarks[lang] {
		for off := 0; n < maxTables; n++ {
			i := bytes.Index(src[off:], []byte(mark))
			if i < 0 {
				break
			}
			off += i + len(mark)
			text := string(src[off:min(len(src), off+maxModelText)])
			switch name := quotedTable(mark, text); {
			case name != "":
				add(name, off)
			case mark == "@Entity(":
				if class := wordAfter(text, "class "); class != "" {
					add(snakeCase(class), off)
					add(plural(snakeCase(class)), off)
				}
			case strings.HasPrefix(mark, "< "):
				before := src[max(0, off-200) : off-len(mark)]
				line := before[bytes.LastIndexByte(before, '\n')+1:]
				if class := wordAfter(string(line), "class "); class != "" {
					add(plural(snakeCase(class[strings.LastIndexByte(class, ':')+1:])), off)
				}
			}
		}
	}
}

// quotedTable returns the first quoted name after a mark, before the end of the call,
// function or line that the mark begins.
func quotedTable(mark, text string) string {
	if strings.HasPrefix(mark, "< ") {
		return ""
	}
	end := "\n"
	switch {
	case strings.HasSuffix(mark, "("):
		end = ")"
	case strings.HasSuffix(mark, "string"):
		end = "}"
	}
	text, _, _ = strings.Cut(text, end)
	if hasOptions(mark) {
		for _, key := range [...]string{"name:", "name =", "name="} {
			if _, after, ok := strings.Cut(text, key); ok {
				text = after
				break
			}
		}
	}
	i := strings.IndexAny(text, "\"'`")
	if i < 0 {
		return ""
	}
	n := strings.IndexByte(text[i+1:], text[i])
	if n <= 0 || n > 64 {
		return ""
	}
	name := text[i+1 : i+1+n]
	name = name[strings.LastIndexByte(name, '.')+1:]
	for k := range len(name) {
		if !lexical.IsWord(name[k]) && name[k] != '$' && name[k] != '-' {
			return ""
		}
	}
	return name
}

// hasOptions reports whether other options may come before the name of the table.
func hasOptions(mark string) bool {
	switch mark {
	case "@Entity(", "@Table(", "#[Table(", "ORM\\Table(", "@ORM\\Table(":
		return true
	}
	return false
}

// wordAfter returns the word after a mark, with its :: parts.
func wordAfter(text, mark string) string {
	i := strings.Index(text, mark)
	if i < 0 {
		return ""
	}
	rest := strings.TrimLeft(text[i+len(mark):], " ")
	n := 0
	for n < len(rest) && (lexical.IsWord(rest[n]) || rest[n] == ':') {
		n++
	}
	return rest[:n]
}

// snakeCase spells OrderItem as order_item.
func snakeCase(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// plural returns the regular plural of an English noun.
func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "y") && len(s) > 1 && strings.IndexByte("aeiou", s[len(s)-2]) < 0:
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	}
	return s + "s"
}
