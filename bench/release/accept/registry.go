package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/world"
)

const (
	files   = 500 // of the repository
	maxWait = 10 * time.Second
)

// checkRegistries has npx and uvx fetch and start ken with nothing in their caches.
func (a *acceptance) checkRegistries(ctx context.Context) {
	must := fmt.Sprintf("at most 10 s from an empty cache to the overview of a clone of %d files", files)
	address, stop, err := a.serve()
	if err != nil {
		a.table.LeaveOut("npx and uvx", must, err.Error())
		return
	}
	defer stop()
	origin := filepath.Join(a.scratch, "origin")
	if err := makeRepository(ctx, origin); err != nil {
		a.table.LeaveOut("npx and uvx", must, err.Error())
		return
	}
	uv := filepath.Join(a.scratch, "uv-program")
	_, uvError := command(ctx, a.scratch, nil, "python3", "-m", "pip", "install", "--quiet", "--target", uv, "uv==0.13.9")
	for _, c := range []struct {
		name string
		env  []string
		args []string
		err  error
	}{
		{"npx", []string{"npm_config_registry=" + address, "npm_config_update_notifier=false"}, []string{"npx", "--yes", "ken-code"}, nil},
		{"uvx", []string{"UV_DEFAULT_INDEX=" + address + "simple/", "UV_CACHE_DIR=" + a.scratch + "/uv", "UV_PYTHON_DOWNLOADS=never"},
			[]string{filepath.Join(uv, "bin", "uvx"), "ken-code"}, uvError},
	} {
		if c.err != nil {
			a.table.LeaveOut(c.name, must, c.err.Error())
			continue
		}
		tree := filepath.Join(a.scratch, "clone-"+c.name)
		home := filepath.Join(a.scratch, "home-"+c.name)
		_, err := world.Git(ctx, a.scratch, "clone", "-q", origin, tree)
		env := append(c.env, "HOME="+home, "npm_config_cache="+home+"/npm", "KEN_STATE="+home+"/state", "XDG_CACHE_HOME="+home+"/cache")
		var parts []string
		var whole time.Duration
		for _, step := range []string{"version", "overview"} {
			if err != nil {
				break
			}
			began := time.Now()
			_, err = command(ctx, tree, env, c.args[0], append(c.args[1:len(c.args):len(c.args)], step)...)
			took := time.Since(began)
			whole += took
			parts = append(parts, step+" "+seconds(took))
		}
		if err != nil {
			a.row(c.name, must, err)
			continue
		}
		a.table.Row(c.name+": the first call fetches, then an overview", must,
			seconds(whole)+" ("+strings.Join(parts, ", ")+")", whole <= maxWait)
	}
}

// makeRepository commits files of this module's own source.
func makeRepository(ctx context.Context, dir string) error {
	list, err := world.Git(ctx, ".", "ls-files", "internal/*.go")
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, f := range strings.Fields(list) {
		if len(texts) == files {
			break
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		texts[f] = string(text)
	}
	if len(texts) != files {
		return fmt.Errorf("%d files, %d are needed: start it in ken's own repository", len(texts), files)
	}
	if err := world.WriteFiles(dir, texts); err != nil {
		return err
	}
	if _, err := world.Git(ctx, dir, "init", "-q"); err != nil {
		return err
	}
	return world.Commit(ctx, dir, "files")
}

// serve answers as the registries of npm and PyPI do, with the packages of the release and nothing else.
func (a *acceptance) serve() (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address = "http://" + l.Addr().String() + "/"
	mux := http.NewServeMux()
	mux.Handle("/files/", http.StripPrefix("/files/", http.FileServer(http.Dir(a.dist))))
	mux.HandleFunc("/simple/ken-code/", func(w http.ResponseWriter, _ *http.Request) {
		list, _ := filepath.Glob(filepath.Join(a.dist, "python", "*.whl"))
		w.Header().Set("Content-Type", "text/html")
		for _, f := range list {
			fmt.Fprintf(w, "<a href=\"/files/python/%[1]s\">%[1]s</a>\n", html.EscapeString(filepath.Base(f)))
		}
	})
	list, err := filepath.Glob(filepath.Join(a.dist, "npm", "*.tgz"))
	if err != nil || len(list) == 0 {
		return "", nil, errors.Join(err, errors.New("no npm packages"), l.Close())
	}
	for _, f := range list {
		name, text, err := packument(f, address)
		if err != nil {
			return "", nil, errors.Join(err, l.Close())
		}
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write(text)
		})
	}
	server := &http.Server{Handler: mux}
	go server.Serve(l)
	return address, func() { server.Close() }, nil
}

// packument returns the name of a package and what a registry answers about it.
func packument(file, address string) (name string, text []byte, err error) {
	archive, err := os.ReadFile(file)
	if err != nil {
		return "", nil, err
	}
	zr, err := gzip.NewReader(strings.NewReader(string(archive)))
	if err != nil {
		return "", nil, err
	}
	var manifest map[string]any
	for tr := tar.NewReader(zr); manifest == nil; {
		h, err := tr.Next()
		if err != nil {
			return "", nil, fmt.Errorf("%s has no package.json: %w", file, err)
		}
		if h.Name == "package/package.json" {
			text, err := io.ReadAll(tr)
			if err == nil {
				err = json.Unmarshal(text, &manifest)
			}
			if err != nil {
				return "", nil, err
			}
		}
	}
	sum := sha512.Sum512(archive)
	integrity := "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
	manifest["dist"] = map[string]string{"tarball": address + "files/npm/" + filepath.Base(file), "integrity": integrity}
	name, version := fmt.Sprint(manifest["name"]), fmt.Sprint(manifest["version"])
	text, err = json.Marshal(map[string]any{"name": name, "dist-tags": map[string]string{"latest": version},
		"versions": map[string]any{version: manifest}})
	return name, text, err
}
