package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/template"
)

// project is packaging/project.json: how the program is called where it is published.
type project struct {
	Package     string `json:"package"` // on npm, PyPI and in Debian packages
	Description string `json:"description"`
	Repository  string `json:"repository"`
	Maintainer  string `json:"maintainer"`
	License     string `json:"license"`
	MCP         string `json:"mcp"` // name in the registry of the Model Context Protocol
}

func readProject(source string) (p project, err error) {
	text, err := os.ReadFile(filepath.Join(source, "packaging", "project.json"))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	return p, err
}

// extras are the files that go beside the program into each archive.
type extras struct {
	texts, completions, manual []entry
}

func (r *release) extras(ctx context.Context, list []target) (*extras, error) {
	i := slices.IndexFunc(list, func(t target) bool { return t.OS == runtime.GOOS && t.Arch == runtime.GOARCH })
	if i < 0 {
		return nil, fmt.Errorf("completions are printed by the program: build one for %s/%s, too", runtime.GOOS, runtime.GOARCH)
	}
	x := &extras{}
	for shell, name := range map[string]string{"bash": "ken.bash", "zsh": "_ken", "fish": "ken.fish", "powershell": "ken.ps1"} {
		out, err := output(ctx, r.out, nil, list[i].program, "completion", shell)
		if err != nil {
			return nil, err
		}
		x.completions = append(x.completions, entry{name: name, data: []byte(out + "\n")})
	}
	page, err := os.ReadFile(filepath.Join(r.source, "docs", "commands.md"))
	if err != nil {
		return nil, err
	}
	x.manual = manual(string(page), r.version, r.time)
	modules, err := listModules(ctx, r.source)
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, r.source, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	third, err := licences(r.source, goroot, modules)
	if err != nil {
		return nil, err
	}
	changes, err := notes(r.source, r.version, r.time.Format("2006-01-02"))
	if err != nil {
		return nil, err
	}
	parts, err := r.components(modules, runtime.Version())
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(r.source, "README.md"))
	if err != nil {
		return nil, err
	}
	x.texts = []entry{{name: "LICENSE", data: own}, {name: "THIRD-PARTY-LICENCES.txt", data: third},
		{name: "README.md", data: readme}, {name: "CHANGES.md", data: changes}}
	if err := r.write("CHANGES.md", changes); err != nil {
		return nil, err
	}
	return x, r.write("ken_"+r.number()+"_components.cdx.json", parts)
}

// place returns entries below a folder.
func place(folder string, list []entry) []entry {
	list = slices.Clone(list)
	for i := range list {
		list[i].name = folder + list[i].name
	}
	return list
}

// pack writes the archive of a target and the packages that carry its program.
func (r *release) pack(ctx context.Context, t *target, x *extras) error {
	program, err := os.ReadFile(t.program)
	if err != nil {
		return err
	}
	base := "ken_" + r.number() + "_" + t.Name
	files := slices.Concat(place(base+"/", x.texts), place(base+"/completions/", x.completions), place(base+"/man/man1/", x.manual),
		[]entry{{base + "/" + t.Program(), program, true}})
	var archive []byte
	name := base + ".tar.xz"
	if t.OS == "windows" {
		name = base + ".zip"
		archive, err = zipped(files, r.time)
	} else {
		archive, err = tarXz(files, r.time, false)
	}
	if err == nil {
		fmt.Printf("%s: archive %.1f MB\n", t.Name, float64(len(archive))/1e6)
		err = r.write(name, archive)
	}
	if err == nil {
		err = r.writeNpm(t, program, x)
	}
	if err == nil {
		err = r.writeWheel(t, program, x)
	}
	if err == nil && t.Libc == "glibc" {
		err = r.writeDeb(t, program, x)
	}
	return err
}

// npmName returns the name of the npm package that carries the program of a target.
func (r *release) npmName(t *target) string {
	name := r.project.Package + "-" + t.npmSystem() + "-" + t.npmProcessor()
	if t.Libc == "musl" {
		name += "-musl"
	}
	return name
}

func (r *release) npmManifest(name string, more map[string]any) ([]byte, error) {
	m := map[string]any{"name": name, "version": r.number(), "description": r.project.Description, "license": r.project.License,
		"repository": map[string]string{"type": "git", "url": "git+" + r.project.Repository + ".git"}}
	for k, v := range more {
		m[k] = v
	}
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

func (r *release) writeNpm(t *target, program []byte, x *extras) error {
	more := map[string]any{"os": []string{t.npmSystem()}, "cpu": []string{t.npmProcessor()}, "files": []string{"bin"}}
	if t.Libc != "" {
		more["libc"] = []string{t.Libc}
	}
	manifest, err := r.npmManifest(r.npmName(t), more)
	if err != nil {
		return err
	}
	files := append(slices.Clone(x.texts[:2]), entry{"bin/" + t.Program(), program, true}, entry{name: "package.json", data: manifest})
	archive, err := tarGzip(place("package/", files), r.time)
	if err != nil {
		return err
	}
	return r.write("npm/"+r.npmName(t)+"-"+r.number()+".tgz", archive)
}

// writeNpmMain writes the package that users name: it depends on those with programs and starts the one that npm installed.
func (r *release) writeNpmMain(list []target) error {
	programs := map[string]string{}
	for i := range list {
		programs[r.npmName(&list[i])] = r.number()
	}
	manifest, err := r.npmManifest(r.project.Package, map[string]any{"bin": map[string]string{"ken": "bin/ken.js"},
		"files": []string{"bin"}, "engines": map[string]string{"node": ">=18"}, "optionalDependencies": programs, "mcpName": r.project.MCP})
	if err != nil {
		return err
	}
	files := []entry{{name: "package/package.json", data: manifest}}
	sources := map[string]string{"packaging/npm/ken.js": "bin/ken.js", "packaging/npm/README.md": "README.md", "LICENSE": "LICENSE"}
	for from, to := range sources {
		text, err := os.ReadFile(filepath.Join(r.source, from))
		if err != nil {
			return err
		}
		files = append(files, entry{"package/" + to, text, to == "bin/ken.js"})
	}
	archive, err := tarGzip(files, r.time)
	if err != nil {
		return err
	}
	return r.write("npm/"+r.project.Package+"-"+r.number()+".tgz", archive)
}

// pythonVersion returns a version in the form of PEP 440: v1.2.3-rc.1 is 1.2.3rc1, a snapshot is a development release.
func pythonVersion(version string) string {
	v := strings.TrimPrefix(version, "v")
	base, pre, ok := strings.Cut(v, "-")
	if !ok {
		return v
	}
	if strings.HasPrefix(version, "v0.0.0-") {
		at, _, _ := strings.Cut(pre, "-")
		return base + ".dev" + at
	}
	return base + strings.NewReplacer("alpha", "a", "beta", "b", ".", "").Replace(pre)
}

func (r *release) writeWheel(t *target, program []byte, x *extras) error {
	name, version := strings.ReplaceAll(r.project.Package, "-", "_"), pythonVersion(r.version)
	info := name + "-" + version + ".dist-info/"
	start, err := os.ReadFile(filepath.Join(r.source, "packaging", "wheel", "start.py"))
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(r.source, "packaging", "npm", "README.md"))
	if err != nil {
		return err
	}
	tags := ""
	for _, platform := range strings.Split(t.Wheel, ".") {
		tags += "Tag: py3-none-" + platform + "\n"
	}
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nHome-page: %s\nLicense: %s\n"+
		"Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n%s\nmcp-name: %s\n",
		r.project.Package, version, r.project.Description, r.project.Repository, r.project.License, readme, r.project.MCP)
	files := []entry{
		{name: name + "/__init__.py", data: start},
		{name + "-" + version + ".data/scripts/" + t.Program(), program, true},
		{name: info + "METADATA", data: []byte(metadata)},
		{name: info + "WHEEL", data: []byte("Wheel-Version: 1.0\nGenerator: ken\nRoot-Is-Purelib: false\n" + tags)},
		// uvx starts the program that has the name of the package.
		{name: info + "entry_points.txt", data: []byte("[console_scripts]\n" + r.project.Package + " = " + name + ":main\n")},
	}
	files = append(files, place(info+"licenses/", x.texts[:2])...)
	var record strings.Builder
	for _, e := range sortEntries(files) {
		sum := sha256.Sum256(e.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", e.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(e.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	archive, err := zipped(append(files, entry{name: info + "RECORD", data: []byte(record.String())}), r.time)
	if err != nil {
		return err
	}
	return r.write("python/"+name+"-"+version+"-py3-none-"+t.Wheel+".whl", archive)
}

// debianVersion returns a version that sorts before the release that it comes before.
func debianVersion(version string) string {
	return strings.Replace(strings.TrimPrefix(version, "v"), "-", "~", 1)
}

func (r *release) writeDeb(t *target, program []byte, x *extras) error {
	docs := "./usr/share/doc/" + r.project.Package + "/"
	files := []entry{{"./usr/bin/ken", program, true},
		{name: docs + "copyright", data: slices.Concat(x.texts[0].data, []byte("\n"), x.texts[1].data)}}
	for _, e := range x.manual {
		text, err := gzipped(e.data)
		if err != nil {
			return err
		}
		files = append(files, entry{name: "./usr/share/man/man1/" + e.name + ".gz", data: text})
	}
	for _, e := range x.completions {
		if to := debianCompletion(e.name); to != "" {
			files = append(files, entry{name: "./usr/share/" + to, data: e.data})
		}
	}
	size := 0
	for _, e := range files {
		size += len(e.data)
	}
	control := fmt.Sprintf("Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %d\n"+
		"Depends: libc6 (>= 2.17)\nRecommends: git\nSection: devel\nPriority: optional\nHomepage: %s\nDescription: %s\n",
		r.project.Package, debianVersion(r.version), t.Arch, r.project.Maintainer, size/1024, r.project.Repository, r.project.Description)
	data, err := tarXz(files, r.time, true)
	if err != nil {
		return err
	}
	meta, err := tarXz([]entry{{name: "./control", data: []byte(control)}}, r.time, true)
	if err != nil {
		return err
	}
	deb := ar([]entry{{name: "debian-binary", data: []byte("2.0\n")},
		{name: "control.tar.xz", data: meta}, {name: "data.tar.xz", data: data}}, r.time)
	return r.write(r.project.Package+"_"+debianVersion(r.version)+"_"+t.Arch+".deb", deb)
}

// debianCompletion returns where Debian has the completion of a shell, "" for shells that it has no place for.
func debianCompletion(name string) string {
	switch name {
	case "ken.bash":
		return "bash-completion/completions/ken"
	case "_ken":
		return "zsh/vendor-completions/_ken"
	case "ken.fish":
		return "fish/vendor_completions.d/ken.fish"
	}
	return ""
}

func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// filled are the files of packaging in which version and checksums are filled in.
func filled() []string {
	return []string{"homebrew/ken.rb", "docker/Dockerfile", "mcp/server.json",
		"devcontainer/src/ken/devcontainer-feature.json", "devcontainer/src/ken/install.sh"}
}

// render fills in the files of packaging. A target that was not built has "not built" as its checksum.
func (r *release) render() error {
	sums := map[string]string{}
	for _, t := range targets() {
		sums[t.Name] = "not built"
		for _, ending := range []string{".tar.xz", ".zip"} {
			if text, err := os.ReadFile(filepath.Join(r.out, "ken_"+r.number()+"_"+t.Name+ending)); err == nil {
				sums[t.Name] = hexSum(text)
			}
		}
	}
	for _, f := range filled() {
		text, err := fill(filepath.Join(r.source, "packaging", f), map[string]any{
			"Project": r.project, "Version": r.number(), "PythonVersion": pythonVersion(r.version), "Sums": sums})
		if err != nil {
			return err
		}
		if err := r.write("packaging/"+f, text); err != nil {
			return err
		}
	}
	return nil
}

func fill(file string, values map[string]any) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t, err := template.New(filepath.Base(file)).Delims("<<", ">>").Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, values)
	return b.Bytes(), err
}

func hexSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (r *release) write(name string, text []byte) error {
	path := filepath.Join(r.out, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	r.files = append(r.files, name)
	return os.WriteFile(path, text, 0o644)
}

// writeSums writes SHA256SUMS over all files, as sha256sum -c reads it.
func (r *release) writeSums() error {
	slices.SortFunc(r.files, cmp.Compare[string])
	var b strings.Builder
	for _, f := range r.files {
		text, err := os.ReadFile(filepath.Join(r.out, f))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", hexSum(text), f)
	}
	return r.write("SHA256SUMS", []byte(b.String()))
}
