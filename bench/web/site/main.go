// Command site builds the pages of this repository into one folder that any server of files, and a browser without one, can show:
//
//	.ci/site FOLDER
//
// It needs no network and its pages load nothing from elsewhere. Pages keep their places and names, with .html instead of .md; README.md is
// index.html. A search field looks words up in an index that is a part of the folder. Links to files of the repository that are no pages
// lead to copies; a link that leads nowhere is an error.
//
// It is in a module of its own, so that ken does not depend on a parser of Markdown.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

//go:embed site.css
var style []byte

//go:embed search.js
var script []byte

func main() {
	root := flag.String("root", "../..", "the repository")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: site [-root REPOSITORY] FOLDER")
		os.Exit(2)
	}
	s, err := build(*root, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages, %d links, search index of %d kB in %s\n", len(s.pages), s.links, s.indexSize/1000, flag.Arg(0))
}

// site is a built site.
type site struct {
	root, out string
	pages     []*page
	nav       []navItem
	files     map[string]bool // what is in the folder, by paths with /
	links     int
	indexSize int
}

// navItem is an entry of the list of pages.
type navItem struct{ Title, To string }

var pageLink = regexp.MustCompile(`\]\(([\w./-]+\.md)\)`)

// sources returns the pages in the order of the list of pages: README.md, those of docs in the order of its map, then those to which
// README.md leads. It fails if the map lacks one of docs.
func sources(root string) ([]string, error) {
	list := []string{"README.md", "docs/README.md"}
	for _, from := range []string{"docs/README.md", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(from)))
		if err != nil {
			return nil, err
		}
		for _, m := range pageLink.FindAllSubmatch(text, -1) {
			if p := path.Join(path.Dir(from), string(m[1])); !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	all, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	for _, p := range all {
		if p := "docs/" + filepath.Base(p); !slices.Contains(list, p) {
			return nil, fmt.Errorf("docs/README.md does not lead to %s", p)
		}
	}
	return list, err
}

// build writes the site of a repository into a new or empty folder.
func build(root, out string) (*site, error) {
	s := &site{root: root, out: out, files: map[string]bool{}}
	if list, err := os.ReadDir(out); err == nil && len(list) > 0 {
		return nil, fmt.Errorf("%s is not empty", out)
	}
	list, err := sources(root)
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		p, err := readPage(root, name)
		if err != nil {
			return nil, err
		}
		s.pages = append(s.pages, p)
		s.nav = append(s.nav, navItem{p.title, p.to})
	}
	tmpl, err := template.New("page").Parse(pageText)
	if err != nil {
		return nil, err
	}
	for _, p := range s.pages {
		if err := s.copyLinked(p); err != nil {
			return nil, err
		}
		if err := s.writePage(tmpl, p); err != nil {
			return nil, err
		}
	}
	index := s.searchIndex()
	s.indexSize = len(index)
	for name, text := range map[string][]byte{"site.css": style, "search.js": script, "index.js": index} {
		if err := s.write(name, text); err != nil {
			return nil, err
		}
	}
	return s, s.check()
}

func (s *site) write(name string, text []byte) error {
	s.files[name] = true
	file := filepath.Join(s.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// writePage writes a page with the list of all.
func (s *site) writePage(tmpl *template.Template, p *page) error {
	up := strings.Repeat("../", strings.Count(p.to, "/"))
	var nav []navItem
	for _, item := range s.nav {
		nav = append(nav, navItem{item.Title, up + item.To})
	}
	var b bytes.Buffer
	err := tmpl.Execute(&b, map[string]any{
		"Title": p.title, "Up": up, "Self": up + p.to, "Nav": nav, "Body": template.HTML(p.html), "Parts": p.outline(),
	})
	if err != nil {
		return err
	}
	p.whole = b.String()
	return s.write(p.to, b.Bytes())
}

// copyLinked copies the files of the repository to which a page leads and that are no pages.
func (s *site) copyLinked(p *page) error {
	for _, link := range p.linked {
		if s.files[link] || slices.ContainsFunc(s.pages, func(o *page) bool { return o.to == link }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(link)))
		if err != nil {
			return fmt.Errorf("%s: %w", p.from, err)
		}
		if err := s.write(link, text); err != nil {
			return err
		}
	}
	return nil
}

var (
	reference = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	name      = regexp.MustCompile(` id="([^"]*)"`)
	loaded    = regexp.MustCompile(`<(?:script|link|img|iframe|source|video)[^>]* (?:href|src)="(?:[a-z]+:)?//[^"]*"`)
)

// check follows every link of the written pages. It fails if one leads nowhere, or a page loads something from elsewhere.
func (s *site) check() (err error) {
	anchors := map[string][]string{}
	for _, p := range s.pages {
		for _, m := range name.FindAllStringSubmatch(p.whole, -1) {
			anchors[p.to] = append(anchors[p.to], m[1])
		}
	}
	for _, p := range s.pages {
		for _, l := range loaded.FindAllString(p.whole, -1) {
			err = errors.Join(err, fmt.Errorf("%s loads %s", p.from, l))
		}
		for _, m := range reference.FindAllStringSubmatch(p.whole, -1) {
			s.links++
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			target := p.to
			if to != "" {
				target = path.Join(path.Dir(p.to), to)
			}
			if !s.files[target] || anchor != "" && !slices.Contains(anchors[target], anchor) {
				err = errors.Join(err, fmt.Errorf("%s: nothing is at %s", p.from, m[1]))
			}
		}
	}
	return err
}
