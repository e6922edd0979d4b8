package scan

import (
	"io"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/scan/ignore"
	"ken/internal/engine/source/scan/nofollow"
)

// attributesFile are the linguist-* settings of one .gitattributes file, by which
// a repository marks generated, vendored and documentation files. They win
// over all other signs, as on GitHub.
type attributesFile struct{ rules []attributeRule }

type attributeRule struct {
	pattern    *ignore.List // one pattern
	set, clear code.Flags
}

// maxAttributes bounds the bytes of a .gitattributes file that are read.
const maxAttributes = 8 << 20

// attributeNames are the attributes that ken reads.
var attributeNames = map[string]code.Flags{
	"linguist-generated":     code.FlagGenerated,
	"linguist-vendored":      code.FlagVendored,
	"linguist-documentation": code.FlagDoc,
}

// IsAttributes reports whether a file is a .gitattributes file, whose content decides
// the flags of other files. Those in its directory and below must be read again when it
// changes.
func IsAttributes(path string) bool {
	return path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes")
}

// applyAttributes applies the .gitattributes files from the root down to the file's
// own directory; the last line with an attribute counts.
func (b *Buffer) applyAttributes(r *nofollow.Root, path string, f code.Flags) code.Flags {
	for dir, i := "", 0; ; {
		f = b.directoryAttributes(r, dir).applyTo(path, f)
		n := strings.IndexByte(path[i:], '/')
		if n < 0 {
			return f
		}
		dir, i = path[:i+n], i+n+1
	}
}

func (a *attributesFile) applyTo(path string, f code.Flags) code.Flags {
	if a == nil {
		return f
	}
	base := len(code.Dir(path))
	if base > 0 {
		base++
	}
	for _, r := range a.rules {
		if r.pattern.Match(path, base, false) == ignore.Ignored {
			f = f&^r.clear | r.set
		}
	}
	return f
}

// directoryAttributes returns the parsed .gitattributes file of a directory, or nil if it has none.
func (b *Buffer) directoryAttributes(r *nofollow.Root, dir string) *attributesFile {
	if a, ok := b.attrs[dir]; ok {
		return a
	}
	if b.attrs == nil {
		b.attrs = make(map[string]*attributesFile)
	}
	a := readAttributes(r, dir)
	b.attrs[strings.Clone(dir)] = a
	return a
}

func readAttributes(r *nofollow.Root, dir string) *attributesFile {
	path := nofollow.Join(dir, ".gitattributes")
	if _, k, err := r.NewStatReader().Lstat("", path); err != nil || k != nofollow.Regular {
		return nil
	}
	file, err := r.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxAttributes))
	if err != nil {
		return nil
	}
	return parseAttributes(dir, string(data))
}

// parseAttributes reads gitattributes(5): a pattern, then attributes. Quoted
// patterns, macros and negative patterns (which git forbids) are skipped.
func parseAttributes(dir, text string) *attributesFile {
	base := dir
	if base != "" {
		base += "/"
	}
	a := &attributesFile{}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if !strings.Contains(line, "linguist-") {
			continue
		}
		fields := strings.Fields(line)
		if strings.ContainsAny(fields[0][:1], `#"!`) {
			continue
		}
		r := attributeRule{pattern: &ignore.List{Base: base}}
		r.pattern.Add(fields[0])
		for _, f := range fields[1:] {
			r.parseAttribute(f)
		}
		if r.set|r.clear != 0 {
			a.rules = append(a.rules, r)
		}
	}
	return a
}

// parseAttribute reads one attribute in the form "name", "-name" or "name=value".
func (r *attributeRule) parseAttribute(s string) {
	name, value, _ := strings.Cut(s, "=")
	name, off := strings.CutPrefix(name, "-")
	flag := attributeNames[name]
	if off || value == "false" {
		r.clear |= flag
		r.set &^= flag
	} else {
		r.set |= flag
		r.clear &^= flag
	}
}
