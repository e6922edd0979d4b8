package resolve

import (
	"path"
	"strings"

	"ken/internal/code"
)

// Languages whose imports are paths of files: documents, pages, style sheets, data, build files, interface definitions.
// A path is first resolved by the rule of its language. Because its base often depends on the program that reads it (the
// build context of a Dockerfile, the include path of protoc, the repository of a workflow), it is then tried from the
// directories above, the nearest first.

// fileResolver resolves imports that are paths.
type fileResolver struct {
	t    Tree
	memo map[fileQuery]Result
}

type fileQuery struct {
	dir, spec string
	lang      code.Lang
	kind      code.ImportKind
}

func (r *fileResolver) resolve(from string, lang code.Lang, imp *code.Import) Result {
	q := fileQuery{code.Dir(from), imp.Spec, lang, imp.Kind}
	res, ok := r.memo[q]
	if !ok {
		p := &probe{t: r.t}
		res = r.find(p, q)
		res.Probes = p.keys
		r.memo[q] = res
	}
	return res
}

func (r *fileResolver) find(p *probe, q fileQuery) Result {
	switch {
	case q.kind == code.ImportOrigin:
		return Result{File: p.origin(q)}
	case strings.HasPrefix(q.spec, "//"), strings.Contains(q.spec, "://"):
		_, host, _ := strings.Cut(q.spec, "//")
		host, _, _ = strings.Cut(host, "/")
		return Result{External: host}
	case q.lang == "dockerfile" && q.kind == code.ImportStatic:
		return Result{External: imageName(q.spec)}
	case q.lang == "hcl" && q.kind == code.ImportStatic:
		return p.hclModule(q)
	case q.lang == "proto":
		return p.protoImport(q)
	case q.lang == "scss" || q.lang == "less" || q.lang == "sass":
		if res, ok := p.styleSheet(q); ok {
			return res
		}
	}
	return Result{File: p.path(q)}
}

// endings returns the endings that a path may omit in a language: an extension, or the file that a path to a directory means.
func endings(lang code.Lang) []string {
	switch lang {
	case "yaml":
		return []string{"/Dockerfile", "/action.yml", "/action.yaml", "/kustomization.yaml", "/kustomization.yml"}
	case "json":
		return []string{".json", ".js", ".ts", "/index.js", "/index.ts", "/tsconfig.json", "/package.json"}
	case "markdown":
		return []string{".md", "/README.md", "/index.md"}
	case "html", "vue", "svelte":
		return []string{"/index.html"}
	}
	return nil
}

// siteRoots are folders whose files a web server serves at "/".
var siteRoots = [...]string{"", "public", "static", "src", "www", "dist", "app", "assets"}

// path finds the file to which a path in the source leads.
func (p *probe) path(q fileQuery) string {
	spec, rooted := strings.CutPrefix(q.spec, "/")
	if rooted {
		found := ""
		ancestors(q.dir, func(dir string) bool {
			for _, root := range siteRoots {
				if root != "" && dir != "" {
					continue // of the repository only
				}
				if found = p.at(under(dir, root), spec, endings(q.lang)); found != "" {
					return true
				}
			}
			return false
		})
		return found
	}
	if found := p.at(q.dir, spec, endings(q.lang)); found != "" || strings.HasPrefix(spec, "../") || q.lang == "css" || q.dir == "" {
		return found
	}
	found := ""
	ancestors(code.Dir(q.dir), func(dir string) bool {
		ends := endings(q.lang)
		if dir != "" {
			ends = nil // directories in between hold too many a README
		}
		found = p.at(dir, spec, ends)
		return found != ""
	})
	return found
}

// at finds the file spec, or spec with one of the endings, relative to a directory.
func (p *probe) at(dir, spec string, ends []string) string {
	f, ok := join(dir, spec)
	if !ok || f == "" {
		return ""
	}
	if p.has(f) {
		return f
	}
	for _, e := range ends {
		if p.has(f + e) {
			return f + e
		}
	}
	return ""
}

// imageName returns the name of a container image without tag and digest.
func imageName(spec string) string {
	if i := strings.IndexByte(spec, '@'); i > 0 {
		spec = spec[:i]
	}
	if i := strings.LastIndexByte(spec, ':'); i > strings.LastIndexByte(spec, '/') && i > 0 {
		spec = spec[:i]
	}
	return spec
}

// hclModule resolves the source of a Terraform module. A local source begins
// with a dot; the others come from a registry or repository.
func (p *probe) hclModule(q fileQuery) Result {
	if !isRelative(q.spec) {
		return Result{External: strings.TrimPrefix(strings.TrimPrefix(q.spec, "git::"), "https://")}
	}
	dir, ok := join(q.dir, q.spec)
	if !ok || !p.hasBelow(dir) {
		return Result{}
	}
	return Result{Dir: dir, IsDir: true}
}

// protoImport resolves an import of Protobuf. It is relative to an include
// path of protoc, which is a directory above the file or a directory with a
// usual name in one.
func (p *probe) protoImport(q fileQuery) Result {
	found := ""
	ancestors(q.dir, func(dir string) bool {
		for _, root := range [...]string{"", "proto", "protos", "protobuf", "third_party", "src"} {
			if found = p.at(under(dir, root), q.spec, nil); found != "" {
				return true
			}
		}
		return false
	})
	if found != "" {
		return Result{File: found}
	}
	if strings.HasPrefix(q.spec, "google/protobuf/") {
		return Result{External: q.spec, Std: true}
	}
	if d := path.Dir(q.spec); d != "." {
		return Result{External: d}
	}
	return Result{}
}

// origin finds the source file that a generated file names in its header. It looks for the file's name beside the
// generated file, then in its directory and those above it for the path as named and for the ends of that path.
func (p *probe) origin(q fileQuery) string {
	if f := p.at(q.dir, path.Base(q.spec), nil); f != "" {
		return f
	}
	found := ""
	ancestors(q.dir, func(dir string) bool {
		spec := q.spec
		for range 8 {
			if found = p.at(dir, spec, nil); found != "" {
				return true
			}
			_, rest, ok := strings.Cut(spec, "/")
			if !ok {
				return false
			}
			spec = rest
		}
		return false
	})
	return found
}

// styleSheet resolves @use and @import of Sass and @import of Less, whose
// paths may leave out the extension and the underscore that begins the name of
// a partial.
func (p *probe) styleSheet(q fileQuery) (Result, bool) {
	if q.kind != code.ImportStatic {
		return Result{}, false
	}
	if name, ok := strings.CutPrefix(q.spec, "sass:"); ok {
		return Result{External: "sass:" + name, Std: true}, true
	}
	spec, module := strings.CutPrefix(q.spec, "~")
	dir, base := path.Split(spec)
	for _, name := range [...]string{base, "_" + base, base + "/index", base + "/_index"} {
		for _, ext := range [...]string{"", ".scss", ".sass", ".less", ".css"} {
			if ext == "" && !strings.Contains(name, ".") {
				continue
			}
			if f, ok := join(q.dir, dir+name+ext); ok && p.has(f) {
				return Result{File: f}, true
			}
		}
	}
	if module || !strings.HasPrefix(spec, ".") && strings.Contains(spec, "/") && path.Ext(spec) == "" {
		name, _ := splitPackage(spec)
		return Result{External: name}, true
	}
	return Result{}, false
}
