package resolve

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// elixirModule finds the file of a module by the convention of Mix, Elixir's build tool: MyApp.Foo.Bar is in
// lib/my_app/foo/bar.ex, or in the file of an enclosing module. The web part of a Phoenix application has folders that
// are not part of names (MyAppWeb.UserController is in my_app_web/controllers/).
func (r *plainResolver) elixirModule(p *probe, dir, spec string) Result {
	segs := strings.Split(spec, ".")
	if slices.Contains(segs, "") || strings.Contains(spec, "/") {
		return Result{}
	}
	parts := make([]string, len(segs))
	for i, s := range segs {
		parts[i] = rubySnake(s)
	}
	roots := r.elixirRoots(p, dir)
	for n := len(parts); n > 0 && (n > 1 || len(parts) == 1); n-- {
		for _, root := range roots {
			for _, stem := range elixirStems(parts[:n]) {
				if target := under(root, stem); p.hasExt(target, ".ex") {
					return Result{File: target + ".ex"}
				}
			}
		}
	}
	if isElixirStd(segs[0]) {
		return Result{External: spec, Std: true}
	}
	for _, root := range roots {
		if top := under(root, parts[0]); p.hasExt(top, ".ex") || p.hasBelow(top) {
			return Result{} // the namespace is ours, the module is missing
		}
	}
	return Result{External: parts[0]}
}

// elixirRoots returns the source folders of a file's project, then those of the other projects of the repository.
func (r *plainResolver) elixirRoots(p *probe, dir string) []string {
	if r.mix == nil {
		r.mix = []string{}
		for _, file := range r.t.Configs("mix.exs") {
			r.mix = append(r.mix, code.Dir(file))
		}
	}
	var roots []string
	add := func(d string) {
		for _, sub := range [...]string{"lib", "test/support"} {
			if root := under(d, sub); !slices.Contains(roots, root) && p.hasBelow(root) {
				roots = append(roots, root)
			}
		}
	}
	upwards(dir, func(d string) bool { add(d); return false })
	for _, d := range r.mix[:min(len(r.mix), maxGems)] {
		add(d)
	}
	return roots
}

// elixirStems returns the paths, without extension, that the file of a module may have in a source folder.
func elixirStems(parts []string) []string {
	stems := []string{strings.Join(parts, "/")}
	if len(parts) < 2 {
		return stems
	}
	last := parts[len(parts)-1]
	for _, kind := range [...][2]string{{"_controller", "controllers"}, {"_html", "controllers"}, {"_json", "controllers"}, {"_view", "views"}, {"_live", "live"},
		{"_component", "components"}, {"_components", "components"}, {"_channel", "channels"}, {"_socket", "channels"}, {"_plug", "plugs"}} {
		if strings.HasSuffix(last, kind[0]) {
			stems = append(stems, parts[0]+"/"+kind[1]+"/"+strings.Join(parts[1:], "/"))
		}
	}
	return stems
}

// isElixirStd reports whether the first part of a module's name belongs to Elixir's standard library.
func isElixirStd(name string) bool {
	switch name {
	case "Access", "Agent", "Application", "Atom", "Base", "Behaviour", "Bitwise", "Calendar", "Code", "Collectable", "Config", "Date", "DateTime",
		"Dict", "Duration", "DynamicSupervisor", "EEx", "Enum", "Enumerable", "ExUnit", "Exception", "File", "Float", "Function", "GenEvent", "GenServer",
		"HashDict", "HashSet", "IEx", "IO", "Inspect", "Integer", "JSON", "Kernel", "Keyword", "List", "Logger", "Macro", "Map", "MapSet", "Mix",
		"Module", "NaiveDateTime", "Node", "OptionParser", "PartitionSupervisor", "Path", "Port", "Process", "Protocol", "Range", "Record", "Regex",
		"Registry", "Set", "Stream", "String", "StringIO", "Supervisor", "System", "Task", "Time", "Tuple", "URI", "Version":
		return true
	}
	return false
}
