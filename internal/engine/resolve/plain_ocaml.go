package resolve

import (
	"slices"
	"strings"
)

// ocamlModule finds the file of a module: Foo is foo.ml beside the importing file, or in a directory above and the usual
// folders there; Foo.Bar may be bar.ml in the library of a folder foo. The names of libraries depend on build files,
// which are not read.
func (p *probe) ocamlModule(dir, spec string) Result {
	segs := strings.Split(spec, ".")
	if slices.Contains(segs, "") || strings.Contains(spec, "/") {
		return Result{}
	}
	top := lowerFirst(segs[0])
	file := ""
	try := func(stem string) bool {
		for _, ext := range [...]string{".ml", ".mli"} {
			if p.hasExt(stem, ext) {
				file = stem + ext
				return true
			}
		}
		return false
	}
	if upwards(dir, func(d string) bool {
		for _, sub := range [...]string{"", "src", "lib"} {
			root := under(d, sub)
			if sub != "" && !p.hasBelow(root) {
				continue
			}
			inLibrary := len(segs) > 1 && p.hasBelow(under(root, top)) && try(under(root, top+"/"+lowerFirst(segs[1])))
			if inLibrary || try(under(root, top)) || try(under(root, top+"/"+top)) {
				return true
			}
		}
		return false
	}) {
		return Result{File: file}
	}
	return Result{External: top, Std: isOCamlStd(segs[0])}
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// isOCamlStd reports whether a module belongs to OCaml's standard library.
func isOCamlStd(name string) bool {
	switch name {
	case "Arg", "Array", "ArrayLabels", "Atomic", "Bigarray", "Bool", "Buffer", "Bytes", "BytesLabels", "Callback", "Char", "Complex", "Condition", "Digest",
		"Domain", "Dynlink", "Effect", "Either", "Ephemeron", "Event", "Filename", "Float", "Format", "Fun", "Gc", "Hashtbl", "In_channel", "Int", "Int32",
		"Int64", "Lazy", "Lexing", "List", "ListLabels", "Map", "Marshal", "MoreLabels", "Mutex", "Nativeint", "Obj", "Oo", "Option", "Out_channel", "Parsing",
		"Printexc", "Printf", "Queue", "Random", "Result", "Scanf", "Semaphore", "Seq", "Set", "Stack", "StdLabels", "Stdlib", "Str", "Stream", "String",
		"StringLabels", "Sys", "Thread", "Uchar", "Unit", "Unix", "UnixLabels", "Weak":
		return true
	}
	return false
}
