package resolve

import "strings"

// shell finds a sourced file. An expansion at the beginning of its path ("$DIR/lib.sh", "$(dirname "$0")/lib.sh") most
// often is the script's own directory. Other paths are relative to the working directory of the script, which may be
// any directory above.
func (p *probe) shell(dir, spec string) Result {
	rest := afterExpansion(spec)
	switch {
	case rest == "" || strings.ContainsAny(rest, "$`*"):
		return Result{}
	case strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "~"):
		return Result{External: spec}
	}
	file := ""
	upwards(dir, func(d string) bool {
		target, ok := join(d, rest)
		if ok && target != "" && p.has(target) {
			file = target
		}
		return file != ""
	})
	return Result{File: file}
}

// afterExpansion returns a path without the shell expansion at its beginning.
func afterExpansion(spec string) string {
	open, shut := byte('{'), byte('}')
	switch {
	case strings.HasPrefix(spec, "$("):
		open, shut = '(', ')'
	case strings.HasPrefix(spec, "${"):
	case strings.HasPrefix(spec, "$"):
		_, rest, _ := strings.Cut(spec, "/")
		return rest
	case strings.HasPrefix(spec, "`"):
		_, rest, _ := strings.Cut(spec[1:], "`/")
		return rest
	default:
		return spec
	}
	depth := 0
	for i := 1; i < len(spec); i++ {
		switch spec[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return strings.TrimLeft(strings.TrimLeft(spec[i+1:], `"'`), "/")
			}
		}
	}
	return ""
}
