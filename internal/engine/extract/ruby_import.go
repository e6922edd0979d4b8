package extract

import (
	"path"
	"strings"

	"ken/internal/code"
)

// require reads require, require_relative, load and autoload, and reports
// whether the path is known. A Spec that begins with "./" or "../" is
// relative to the file's directory; others are looked for on the load path.
func (r *ruby) require(n node, name string, args node) bool {
	first := r.firstNamed(args)
	imp := code.Import{Kind: code.ImportRequire, Line: r.line(n)}
	if name == "autoload" {
		constant, ok := r.symbolName(first)
		if !ok || constant == "" {
			return false
		}
		imp.Kind, imp.Names = code.ImportDynamic, []code.ImportName{{Name: constant, Alias: constant}}
		if first = r.nextNamed(first); first == none { // by the convention of names
			imp.Spec = constant
			if r.class.namespace != "" {
				imp.Spec = r.class.namespace + ">" + constant
			}
			imp.Kind = code.ImportPath
			r.facts.Imports = append(r.facts.Imports, imp)
			return true
		}
	}
	spec, ok := r.literalPath(first)
	if !ok || spec == "" {
		return false
	}
	if name == "require_relative" && !isRelative(spec) {
		spec = "./" + spec
	}
	imp.Spec = spec
	r.facts.Imports = append(r.facts.Imports, imp)
	return true
}

func isRelative(spec string) bool {
	return strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../")
}

// literalPath returns the path that an expression yields, if it is a string or built from the
// directory of this file.
func (r *ruby) literalPath(n node) (string, bool) {
	switch r.kind(n) {
	case rbString:
		c := r.firstNamed(n)
		if r.kind(c) == rbInterpolation && r.isHere(r.firstNamed(c)) {
			rest := r.nextNamed(c)
			return relativePath(r.str(rest)), r.kind(rest) == rbStringContent && r.nextNamed(rest) == none
		}
		return r.symbolName(n)
	case rbCall:
		return r.filePath(n)
	case rbBinary: // File.dirname(__FILE__) + "/x"
		right, ok := r.literalPath(r.child(n, rbfRight))
		if ok && r.isHere(r.child(n, rbfLeft)) {
			return relativePath(right), true
		}
	}
	return "", false
}

// filePath reads File.expand_path("../x", __FILE__) and File.join(__dir__, "x").
func (r *ruby) filePath(n node) (string, bool) {
	if r.fieldStr(n, rbfReceiver) != "File" {
		return "", false
	}
	first := r.firstNamed(r.child(n, rbfArguments))
	second := r.nextNamed(first)
	switch r.fieldStr(n, rbfMethod) {
	case "expand_path":
		s, ok := r.literalPath(first)
		switch {
		case !ok:
		case second == none:
			return s, isRelative(s)
		case r.isHere(second):
			return relativePath(s), true
		case r.str(second) == "__FILE__":
			rest, up := strings.CutPrefix(s, "../") // the file itself counts as a directory
			return relativePath(rest), up
		}
	case "join":
		if !r.isHere(first) || second == none {
			return "", false
		}
		joined := ""
		for c := second; c != none; c = r.nextNamed(c) {
			s, ok := r.symbolName(c)
			if !ok {
				return "", false
			}
			joined = path.Join(joined, s)
		}
		return relativePath(joined), true
	}
	return "", false
}

// relativePath returns a path below this directory or above it, with "./" or "../".
func relativePath(s string) string {
	s = path.Clean(strings.TrimLeft(s, "/"))
	if strings.HasPrefix(s, "../") {
		return s
	}
	return "./" + s
}

// isHere reports whether the expression n is the directory of this file, such as __dir__.
func (r *ruby) isHere(n node) bool {
	switch r.str(n) {
	case "__dir__", "File.dirname(__FILE__)", "::File.dirname(__FILE__)", "File.expand_path(__dir__)",
		"File.dirname(File.expand_path(__FILE__))", "File.expand_path(File.dirname(__FILE__))":
		return true
	}
	return false
}
