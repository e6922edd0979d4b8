package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
)

// shot is a page by a name.
type shot struct{ name, path string }

// shotList is the pages of a repository that are pictured. The file is the one that most others depend on.
func shotList(ken, folder string) ([]shot, error) {
	cmd := exec.Command(ken, "hotspots", "--json", "--limit", "1")
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ken hotspots in %s: %w", folder, err)
	}
	var hot struct {
		Files   []struct{ Path string }
		Symbols []struct{ Path, Qualified string }
	}
	if err := json.Unmarshal(out, &hot); err != nil || len(hot.Files) == 0 || len(hot.Symbols) == 0 {
		return nil, fmt.Errorf("ken hotspots in %s: no hotspot: %w", folder, err)
	}
	file, symbol := hot.Files[0].Path, hot.Symbols[0]
	return []shot{
		{"overview", ""}, {"search", query("search", "q", symbol.Qualified)}, {"file", query("file", "path", file)},
		{"symbol", query("symbol", "name", symbol.Path+":"+symbol.Qualified)}, {"impact", query("impact", "t", file)}, {"deps", "deps"},
		{"why", query("why", "from", ".", "to", file)}, {"hotspots", "hotspots"}, {"time", "time"}, {"plan", "plan"}, {"status", "status"},
		{"tree", query("tree", "path", strings.Split(file, "/")[0])},
	}, nil
}

// takeShots writes pictures of the views of repositories.
func takeShots(ctx context.Context, opt *options) error {
	if err := os.MkdirAll(opt.shots, 0o755); err != nil {
		return err
	}
	for _, folder := range opt.repositories {
		list, err := shotList(opt.ken, folder)
		if err != nil {
			return err
		}
		if err := takeOne(ctx, opt.ken, folder, filepath.Join(opt.shots, filepath.Base(folder)), list); err != nil {
			return err
		}
	}
	return nil
}

func takeOne(ctx context.Context, ken, folder, prefix string, list []shot) error {
	p, b, end, err := enter(ctx, ken, folder)
	if err != nil {
		return err
	}
	defer end()
	for _, s := range list {
		for _, theme := range []string{"light", "dark"} {
			for _, size := range [][2]int{{1280, 900}, {390, 844}} {
				if err := b.size(size[0], size[1], theme); err != nil {
					return err
				}
				if err := b.visit(p, s.path); err != nil {
					return err
				}
				var picture []byte
				if err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot(&picture)); err != nil {
					return err
				}
				if err := os.WriteFile(fmt.Sprintf("%s-%s-%s-%d.png", prefix, s.name, theme, size[0]), picture, 0o644); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
