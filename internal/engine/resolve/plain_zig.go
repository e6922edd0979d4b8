package resolve

import "strings"

// zig finds what @import names: a file, relative to the importing one, or a
// package that the build gives.
func (p *probe) zig(dir, spec string) Result {
	switch {
	case strings.HasSuffix(spec, ".zig"), strings.HasSuffix(spec, ".zon"):
		return p.relative(dir, spec)
	case spec == "std", spec == "builtin", spec == "root":
		return Result{External: spec, Std: true}
	}
	return Result{External: spec}
}
