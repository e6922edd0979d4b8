package code

import (
	"path"
	"strings"
)

// Slug is the node id of document 000 for a path: leading slash and extension
// off, lower case, every run of other characters than letters and digits one '-'.
// "src/lib/db.ts" is "src-lib-db". Two paths can share a slug; the store then
// appends '~' and six hex digits of the path's SHA-256 to both.
func Slug(p string) string {
	p = strings.ToLower(strings.TrimPrefix(p, "/"))
	if ext := path.Ext(p); ext != "" && ext != path.Base(p) {
		p = strings.TrimSuffix(p, ext)
	}
	var b strings.Builder
	dash := false
	for _, r := range p {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 && r != 0xFFFD {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
			continue
		}
		dash = true
	}
	if b.Len() == 0 {
		return "file"
	}
	return b.String()
}

// typeSegments map path segments to the node types of document 000 §9.4, and
// typeSuffixes the last part of a dotted or compound file name.
var typeSegments = map[string]string{
	"service": "service", "services": "service",
	"component": "component", "components": "component", "widgets": "component", "views": "component", "pages": "component", "ui": "component",
	"util": "util", "utils": "util", "lib": "util", "libs": "util", "helper": "util", "helpers": "util", "common": "util", "shared": "util", "support": "util",
	"api": "api", "apis": "api", "route": "api", "routes": "api", "router": "api", "routers": "api", "controller": "api", "controllers": "api", "handler": "api", "handlers": "api", "endpoints": "api", "rest": "api", "graphql": "api",
	"config": "config", "configs": "config", "configuration": "config", "settings": "config",
	"model": "model", "models": "model", "entity": "model", "entities": "model", "schema": "model", "schemas": "model", "types": "model", "dto": "model", "domain": "model",
	"hook": "hook", "hooks": "hook",
}

// NodeType is the node type of a file, one of the list of document 000 §9.4. Tests
// and configuration are told by their flags; then the file's own name counts
// ("user.service.ts", "use-auth.ts" in hooks), then the nearest directory that
// names a type; "module" is everything else.
func NodeType(f File) string {
	switch {
	case f.Flags&FlagTest != 0:
		return "test"
	case f.Flags&FlagConfig != 0:
		return "config"
	}
	base := strings.ToLower(path.Base(f.Path))
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch f.Lang {
	case "yaml", "toml", "json", "ini", "properties":
		return "config"
	}
	if t, ok := typeSegments[stem]; ok {
		return t
	}
	if i := strings.LastIndexAny(stem, "._-"); i >= 0 {
		if t, ok := typeSegments[stem[i+1:]]; ok {
			return t
		}
	}
	segs := strings.Split(strings.ToLower(path.Dir(f.Path)), "/")
	for i := len(segs) - 1; i >= 0; i-- {
		if t, ok := typeSegments[segs[i]]; ok {
			return t
		}
	}
	return "module"
}

// Purpose is the first sentence of the module's own doc comment, at most 200
// bytes, "" if it has none.
func Purpose(f File) string {
	doc := strings.Join(strings.Fields(f.Doc), " ")
	for i := 0; i < len(doc); i++ {
		if (doc[i] == '.' || doc[i] == '!' || doc[i] == '?') && (i+1 == len(doc) || doc[i+1] == ' ') && !abbreviation(doc[:i]) {
			doc = doc[:i+1]
			break
		}
	}
	if len(doc) > 200 {
		cut := strings.LastIndexByte(doc[:197], ' ')
		if cut < 100 {
			cut = 197
			for cut > 0 && doc[cut]&0xC0 == 0x80 {
				cut--
			}
		}
		doc = doc[:cut] + "…"
	}
	return doc
}

func abbreviation(before string) bool {
	for _, a := range [...]string{"e.g", "i.e", "etc", "vs", "cf"} {
		if strings.HasSuffix(before, a) {
			return true
		}
	}
	return false
}

// Complexity grades a file by its decision points (Facts.Branches): low
// below 20, medium below 100, high from there, and one grade up where every
// fourth line or more decides something. Files that were not parsed have none.
func Complexity(f File) string {
	if f.Lines == 0 || f.Problem != "" {
		return ""
	}
	grade := 0
	switch {
	case f.Branches >= 100:
		grade = 2
	case f.Branches >= 20:
		grade = 1
	}
	if f.Branches >= 8 && f.Branches*4 >= f.Lines && grade < 2 {
		grade++
	}
	return [...]string{"low", "medium", "high"}[grade]
}
