package resolve

import "strings"

// lua finds the file of a require: a.b is a/b.lua or a/b/init.lua in a directory above the file, or in a usual source
// folder there.
func (p *probe) lua(dir, spec string) Result {
	rel := spec
	if !strings.Contains(rel, "/") {
		rel = strings.ReplaceAll(rel, ".", "/")
	}
	if rel == "" || strings.HasPrefix(rel, "/") || strings.Contains(rel, "//") {
		return Result{}
	}
	top, _, _ := strings.Cut(rel, "/")
	file, ours := "", false
	upwards(dir, func(d string) bool {
		for _, sub := range [...]string{"", "lua", "src", "lib"} {
			root := under(d, sub)
			if sub != "" && !p.hasBelow(root) {
				continue
			}
			stem := under(root, rel)
			if p.hasExt(stem, ".lua") {
				file = stem + ".lua"
			} else if p.has(stem + "/init.lua") {
				file = stem + "/init.lua"
			}
			if file != "" {
				return true
			}
			ours = ours || strings.Contains(rel, "/") && p.hasBelow(under(root, top))
		}
		return false
	})
	switch {
	case file != "":
		return Result{File: file}
	case isLuaStd(top):
		return Result{External: spec, Std: true}
	case ours:
		return Result{} // the namespace is ours, the file is missing
	}
	return Result{External: top}
}

// isLuaStd reports whether a module belongs to the standard library of Lua 5.1 to 5.4 or LuaJIT.
func isLuaStd(name string) bool {
	switch name {
	case "bit", "bit32", "coroutine", "debug", "ffi", "io", "jit", "math", "os", "package", "string", "table", "utf8":
		return true
	}
	return false
}
