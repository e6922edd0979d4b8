package resolve

import "strings"

// zig finds the target of @import: a file, relative to the importing one, or a package defined by the build.
func (p *probe) zig(dir, spec string) Result {
	switch {
	case strings.HasSuffix(spec, ".zig"), strings.HasSuffix(spec, ".zon"):
		return p.relative(dir, spec)
	case spec == "std", spec == "builtin", spec == "root":
		return Result{External: spec, Std: true}
	}
	return Result{External: spec}
}
