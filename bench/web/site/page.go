package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// page is a page of the site.
type page struct {
	from, to string // in the repository, and in the site
	title    string
	html     string // of its text
	whole    string // as it is written
	sections []section
	linked   []string // paths of the repository to which it leads, pages by their names in the site
}

// section is a heading with the text below it.
type section struct {
	title, anchor string
	level         int
	text          strings.Builder
}

// siteName returns the name of a page in the site.
func siteName(from string) string {
	if from == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(from, ".md") + ".html"
}

// readPage reads a page of a repository and makes HTML of it, in which links to other pages lead to those of the site.
func readPage(root, from string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(from)))
	if err != nil {
		return nil, err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	doc := md.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{used: map[string]int{}}))))
	p := &page{from: from, to: siteName(from)}
	if err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			p.read(n, source)
		}
		return ast.WalkContinue, nil
	}); err != nil {
		return nil, err
	}
	if len(p.sections) == 0 || p.sections[0].level != 1 {
		return nil, fmt.Errorf("%s does not begin with a heading", from)
	}
	p.title = p.sections[0].title
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, doc); err != nil {
		return nil, err
	}
	p.html = b.String()
	return p, nil
}

// read takes over what a node of the page has: a heading begins a section, a link is turned to the site, text can be found.
func (p *page) read(n ast.Node, source []byte) {
	switch n := n.(type) {
	case *ast.Heading:
		id, _ := n.AttributeString("id")
		anchor, _ := id.([]byte)
		p.sections = append(p.sections, section{title: string(plainText(n, source)), anchor: string(anchor), level: n.Level})
	case *ast.Link:
		n.Destination = p.turn(n.Destination)
	case *ast.Image:
		n.Destination = p.turn(n.Destination)
	case *ast.Text:
		p.add(n.Segment.Value(source))
	case *ast.String:
		p.add(n.Value)
	case *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			p.add(line.Value(source))
		}
	}
}

func (p *page) add(text []byte) {
	if len(p.sections) > 0 {
		t := &p.sections[len(p.sections)-1].text
		t.Write(text)
		t.WriteByte(' ')
	}
}

// turn returns the address in the site of what a link of the page leads to.
func (p *page) turn(link []byte) []byte {
	to, anchor, hasAnchor := strings.Cut(string(link), "#")
	if to == "" || strings.Contains(to, ":") {
		return link
	}
	target := path.Join(path.Dir(p.from), to)
	if strings.HasSuffix(target, ".md") {
		target = siteName(target)
	}
	p.linked = append(p.linked, target)
	turned := strings.Repeat("../", strings.Count(p.to, "/")) + target
	if hasAnchor {
		turned += "#" + anchor
	}
	return []byte(turned)
}

// outline returns the sections of the second level.
func (p *page) outline() (list []navItem) {
	for i := range p.sections {
		if s := &p.sections[i]; s.level == 2 {
			list = append(list, navItem{s.title, s.anchor})
		}
	}
	return list
}

func plainText(n ast.Node, source []byte) (out []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out = append(out, c.Segment.Value(source)...)
		case *ast.String:
			out = append(out, c.Value...)
		default:
			out = append(out, plainText(c, source)...)
		}
	}
	return out
}

// slugs makes the names of headings as code hosts do, so that a link with an anchor works in both places.
type slugs struct{ used map[string]int }

var notSlug = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	plain := strings.NewReplacer("`", "", "*", "").Replace(string(value))
	slug := strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(plain)), ""), " ", "-")
	n := s.used[slug]
	s.used[slug]++
	if n > 0 {
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
	return []byte(slug)
}

func (s *slugs) Put(value []byte) { s.used[string(value)]++ }
