package extract

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// read reads the row's files below dirs. Dependencies and what git keeps are no part of
// a corpus.
func (o *oracle) read(t *testing.T, dirs ...string) (files []oracleFile) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && path != dir && slices.Contains([]string{".git", "node_modules", "site-packages"}, d.Name()) {
				return fs.SkipDir
			}
			if !d.Type().IsRegular() || !slices.Contains(o.exts, filepath.Ext(path)) {
				return nil
			}
			src, err := os.ReadFile(path)
			if err != nil || o.maxSize > 0 && int64(len(src)) > o.maxSize {
				return err
			}
			files = append(files, oracleFile{path, src})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// output is what a command that finds or fetches a corpus prints. Such a command fails
// where there is no network, which is no failure of the row outside of CI.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		unfetched(t, name, err)
	}
	return strings.TrimSpace(string(out))
}

func unfetched(t *testing.T, what string, err error) {
	t.Helper()
	if exit, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s: %v", what, err)
	}
	t.Skipf("%s: %v", what, err)
}

// goModule returns a folder of a Go module, of the version go.mod requires if none is given.
func goModule(module, dir string) func(t *testing.T) string {
	return func(t *testing.T) string {
		var m struct{ Dir string }
		if err := json.Unmarshal([]byte(output(t, "go", "mod", "download", "-json", module)), &m); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(m.Dir, dir)
	}
}

// standardLibrary returns the folder that a language's interpreter prints.
func standardLibrary(name string, args ...string) func(t *testing.T) string {
	return func(t *testing.T) string { return output(t, name, args...) }
}

// nodeModules returns a folder with the compiler of TypeScript and a library to read:
// NODE_PATH if it is set, otherwise one that is filled once.
func nodeModules(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("NODE_PATH"); dir != "" {
		return dir
	}
	dir := filepath.Join(os.TempDir(), "ken-oracle-npm")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "rxjs")); err != nil {
		output(t, "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, "typescript@5.9.3", "rxjs@7.8.2")
	}
	return filepath.Join(dir, "node_modules")
}

// mavenJars returns a folder with the jars of a pom below testdata/oracle.
func mavenJars(t *testing.T, name string) string {
	t.Helper()
	jars := filepath.Join(os.TempDir(), "ken-oracle-"+name)
	output(t, "mvn", "-q", "-f", "testdata/oracle/"+name+"/pom.xml", "dependency:copy-dependencies", "-DoutputDirectory="+jars)
	return jars
}

// mavenSources returns a folder with the sources of artifacts of Maven Central.
func mavenSources(artifacts ...string) func(t *testing.T) string {
	return func(t *testing.T) string {
		dir := t.TempDir()
		for _, a := range artifacts {
			output(t, "mvn", "-q", "dependency:copy", "-Dartifact="+a+":jar:sources", "-DoutputDirectory="+dir)
		}
		jars, err := filepath.Glob(filepath.Join(dir, "*.jar"))
		if err != nil || len(jars) != len(artifacts) {
			t.Fatalf("%d of %d jars: %v", len(jars), len(artifacts), err)
		}
		for _, jar := range jars {
			if err := unzip(jar, strings.TrimSuffix(jar, ".jar")); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
}

func unzip(archive, dir string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, f := range r.File {
		if f.FileInfo().IsDir() || !filepath.IsLocal(f.Name) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
