// Package document renders documents in Markdown for pages. What they hold is a stranger's: raw HTML is left out, links lead to pages of
// this server or are no links, and pictures are their descriptions. Its neighbour delivery/web has the pages.
package document

import (
	"bytes"
	"html/template"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// maxElements is the number of elements that a document may have on a page. One with more is read as source.
const maxElements = 1200

// Render returns a document as HTML; ok is false if it has too many elements or cannot be rendered. from is its path in the project, and
// link returns the address of the page of a file.
func Render(source, from string, link func(path string) string) (html template.HTML, ok bool) {
	b := []byte(source)
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	root := md.Parser().Parse(text.NewReader(b))
	elements := 0
	var leave []ast.Node
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch v := n.(type) {
		case *ast.Link:
			v.Title = nil
			if to := localPath(string(v.Destination), from); to != "" {
				v.Destination = []byte(link(to))
			} else {
				leave = append(leave, n)
			}
		case *ast.Image, *ast.AutoLink, *ast.RawHTML, *ast.HTMLBlock:
			leave = append(leave, n)
		}
		if elements++; n.Kind() == ast.KindText {
			elements--
		}
		return ast.WalkContinue, nil
	})
	if err != nil || elements > maxElements {
		return "", false
	}
	for _, n := range leave {
		replace(n, b)
	}
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, b, root); err != nil {
		return "", false
	}
	return template.HTML(out.String()), true
}

// replace puts the text of a link, or the description of a picture, in its place; raw HTML goes.
func replace(n ast.Node, source []byte) {
	parent := n.Parent()
	if parent == nil {
		return
	}
	if auto, ok := n.(*ast.AutoLink); ok {
		parent.InsertBefore(parent, n, ast.NewString(auto.Label(source)))
	}
	switch n.(type) {
	case *ast.Link, *ast.Image:
		for c := n.FirstChild(); c != nil; {
			next := c.NextSibling()
			n.RemoveChild(n, c)
			parent.InsertBefore(parent, n, c)
			c = next
		}
	}
	parent.RemoveChild(parent, n)
}

// localPath returns the file that a link of a document leads to, "" if it leads out of the project or nowhere.
func localPath(destination, from string) string {
	u, err := url.Parse(destination)
	if err != nil || u.IsAbs() || u.Host != "" {
		return ""
	}
	if u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return ""
	}
	to := path.Join(path.Dir(from), u.Path)
	if to == ".." || strings.HasPrefix(to, "../") {
		return ""
	}
	return to
}
