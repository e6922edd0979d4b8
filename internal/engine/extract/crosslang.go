package extract

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"ken/internal/code"
)

// What leads from one language into another is told by text that is alike in
// all: the header a generator writes, the table a model is kept in. It is looked
// for in the bytes of any source file, beside what its language's reader finds.

// addCrossLanguageImports adds the imports that lead into other languages.
func addCrossLanguageImports(p string, lang code.Lang, src []byte, facts *code.Facts) {
	if spec, at := originOf(p, src); spec != "" {
		facts.Imports = append(facts.Imports, code.Import{Spec: spec, Kind: code.ImportOrigin, Line: 1 + uint32(bytes.Count(src[:at], []byte("\n")))})
	}
	tables(lang, src, func(name string, at int) {
		for i := range facts.Imports {
			if m := &facts.Imports[i]; m.Kind == code.ImportTable && m.Spec == name {
				return
			}
		}
		facts.Imports = append(facts.Imports, code.Import{Spec: name, Kind: code.ImportTable, Line: 1 + uint32(bytes.Count(src[:at], []byte("\n")))})
	})
}

// originHead is how far into a file a generator's header reaches.
const originHead = 4 << 10

// originOf is the definition that a generated file names in its header
// ("// source: a/b.proto", as the generators of Protobuf write), or the one its
// name is made from, where the header names none.
func originOf(p string, src []byte) (spec string, at int) {
	base := path.Base(p)
	stem := ""
	for _, suffix := range generatedSuffixes {
		if s, ok := strings.CutSuffix(base, suffix); ok && s != "" {
			stem = s
			break
		}
	}
	head := src[:min(len(src), originHead)]
	if bytes.Contains(head, []byte(".proto")) && (stem != "" || bytes.Contains(head, []byte("rotoc")) || bytes.Contains(head, []byte("protocol buffer compiler"))) {
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

// generatedSuffixes are the endings that generators of Protobuf put behind the
// name of the definition.
var generatedSuffixes = [...]string{"_grpc.pb.go", ".pb.gw.go", ".pb.go", "_pb2_grpc.py", "_pb2.pyi", "_pb2.py", "_grpc_pb.js", "_grpc_web_pb.js", "_pb.js", "_grpc_pb.d.ts", "_pb.d.ts", "_pb.ts",
	".grpc.pb.cc", ".grpc.pb.h", ".pb.cc", ".pb.h", "_services_pb.rb", "_pb.rb", ".pb.swift", ".pb.dart", ".pbgrpc.dart"}

// maxTables bounds the tables one file names, and maxModelText how far behind a
// mark the name may stand.
const (
	maxTables    = 20
	maxModelText = 160
)

// tableMarks stand before the name of a model's table, by language.
func tableMarks(lang code.Lang) []string {
	switch lang {
	case "python":
		return []string{"__tablename__", "db_table"}
	case "typescript", "javascript":
		return []string{"@Entity(", "tableName:", "pgTable(", "mysqlTable(", "sqliteTable("}
	case "java", "kotlin", "scala":
		return []string{"@Table("}
	case "csharp":
		return []string{"[Table("}
	case "go":
		return []string{") TableName() string"}
	case "ruby":
		return []string{"self.table_name", "< ApplicationRecord", "< ActiveRecord::Base"}
	case "php":
		return []string{"protected $table", "ORM\\Table(", "@ORM\\Table(", "#[Table("}
	}
	return nil
}

// tables finds the tables that the models of a file say they are kept in; where
// a framework derives the name from the class, singular and plural of it.
func tables(lang code.Lang, src []byte, add func(name string, at int)) {
	n := 0
	for _, mark := range tableMarks(lang) {
		for at := 0; n < maxTables; n++ {
			i := bytes.Index(src[at:], []byte(mark))
			if i < 0 {
				break
			}
			at += i + len(mark)
			text := string(src[at:min(len(src), at+maxModelText)])
			switch name := quotedTable(mark, text); {
			case name != "":
				add(name, at)
			case mark == "@Entity(":
				if class := wordAfter(text, "class "); class != "" {
					add(snakeCase(class), at)
					add(plural(snakeCase(class)), at)
				}
			case strings.HasPrefix(mark, "< "):
				line := src[bytes.LastIndexByte(src[max(0, at-200):at-len(mark)], '\n')+1+max(0, at-200) : at-len(mark)]
				if class := wordAfter(string(line), "class "); class != "" {
					add(plural(snakeCase(class[strings.LastIndexByte(class, ':')+1:])), at)
				}
			}
		}
	}
}

// quotedTable is the first quoted name behind a mark, as long as nothing stands
// between that ends what the mark began.
func quotedTable(mark, text string) string {
	if strings.HasPrefix(mark, "< ") {
		return ""
	}
	limit := len(text)
	stops := "\n"
	switch {
	case strings.HasSuffix(mark, "("):
		stops = ")"
	case strings.HasSuffix(mark, "string"):
		stops = "}"
	}
	if i := strings.IndexAny(text, stops); i >= 0 {
		limit = i
	}
	text = text[:limit]
	if mark == "@Entity(" || mark == "@Table(" || strings.Contains(mark, "ORM") || mark == "#[Table(" { // options may stand before the name
		for _, key := range [...]string{"name:", "name =", "name="} {
			if i := strings.Index(text, key); i >= 0 {
				text = text[i+len(key):]
				break
			}
		}
	}
	i := strings.IndexAny(text, "\"'`")
	if i < 0 {
		return ""
	}
	end := strings.IndexByte(text[i+1:], text[i])
	if end <= 0 || end > 64 {
		return ""
	}
	name := text[i+1 : i+1+end]
	name = name[strings.LastIndexByte(name, '.')+1:]
	for k := range len(name) {
		if !isWord(name[k]) && name[k] != '$' && name[k] != '-' {
			return ""
		}
	}
	return name
}

// wordAfter is the word behind a mark.
func wordAfter(text, mark string) string {
	i := strings.Index(text, mark)
	if i < 0 {
		return ""
	}
	rest := strings.TrimLeft(text[i+len(mark):], " ")
	n := 0
	for n < len(rest) && (isWord(rest[n]) || rest[n] == ':') {
		n++
	}
	return rest[:n]
}

// snakeCase is OrderItem as order_item.
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

// plural is the regular plural of an English noun.
func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "y") && len(s) > 1 && strings.IndexByte("aeiou", s[len(s)-2]) < 0:
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	}
	return s + "s"
}
