package resolve

import (
	"regexp"
	"strings"

	"ken/internal/code"
)

// dartURI finds the file of an import directive: package:name/x.dart is lib/x.dart of the package whose pubspec.yaml
// has that name, and other paths are relative.
func (r *plainResolver) dartURI(p *probe, dir, spec string) Result {
	if std, ok := strings.CutPrefix(spec, "dart:"); ok {
		return Result{External: "dart:" + std, Std: true}
	}
	path, ok := strings.CutPrefix(spec, "package:")
	if !ok {
		if strings.Contains(spec, ":") {
			return Result{External: spec}
		}
		return p.relative(dir, spec)
	}
	name, rest, _ := strings.Cut(path, "/")
	home, ok := r.dartPackages()[name]
	if !ok {
		return Result{External: name}
	}
	return p.relative(under(home, "lib"), rest)
}

// dartPackages maps the names of the Dart packages of the repository to their directories. If two share a name, the first by path counts.
func (r *plainResolver) dartPackages() map[string]string {
	if r.dart != nil {
		return r.dart
	}
	r.dart = map[string]string{}
	for _, file := range r.t.Configs("pubspec.yaml") {
		content, _ := config(r.t, file)
		if name := parsePubspec(content).Name; name != "" {
			if _, ok := r.dart[name]; !ok {
				r.dart[name] = code.Dir(file)
			}
		}
	}
	return r.dart
}

// pubspec holds the name of the package in a pubspec.yaml.
type pubspec struct{ Name string }

func parsePubspec(content []byte) pubspec {
	m := regexp.MustCompile(`(?m)^name:[ \t]*["']?([A-Za-z0-9_]+)`).FindSubmatch(content)
	if m == nil {
		return pubspec{}
	}
	return pubspec{Name: string(m[1])}
}
