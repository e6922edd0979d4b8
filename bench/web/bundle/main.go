// Command bundle makes the script of ken's pages of its source with esbuild, a library that ken's own module does not know. The result is
// checked in, so that ken is built without it.
//
//	cd bench/web && go run ./bundle [-check]    write internal/delivery/web/assets/app.js, or compare with it
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "fail if the script that is checked in differs")
	root := flag.String("root", filepath.Join("..", ".."), "root of the repository")
	flag.Parse()
	if err := bundle(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// bundle writes the script, or compares it. It fails if the source is invalid or the scripts differ.
func bundle(root string, check bool) error {
	folder := filepath.Join(root, "internal", "delivery", "web")
	source, err := os.ReadFile(filepath.Join(folder, "script", "app.ts"))
	if err != nil {
		return err
	}
	made := api.Transform(string(source), api.TransformOptions{
		Loader: api.LoaderTS, Target: api.ES2022, MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
		Format: api.FormatIIFE, Charset: api.CharsetASCII,
	})
	if len(made.Errors) > 0 {
		return fmt.Errorf("app.ts, line %d: %s", made.Errors[0].Location.Line, made.Errors[0].Text)
	}
	to := filepath.Join(folder, "assets", "app.js")
	if !check {
		return os.WriteFile(to, made.Code, 0o644)
	}
	have, err := os.ReadFile(to)
	if err == nil && !bytes.Equal(have, made.Code) {
		err = errors.New("assets/app.js is not what script/app.ts gives: run bench/web/bundle")
	}
	return err
}
