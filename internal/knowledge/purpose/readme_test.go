package purpose

import (
	"strings"
	"testing"
)

// TestFirstProse reads the beginnings of READMEs in the markups that projects use.
func TestFirstProse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Ken\n\nKen reads a repository once. And answers.\n", "Ken reads a repository once."},
		{"Ken\n===\n\nKen reads a repository once.\n", "Ken reads a repository once."},
		{"Ken\n===\nKen reads a repository once.\n", "Ken reads a repository once."},
		{"# Ken\r\n\r\nKen reads\r\na repository once.\r\n", "Ken reads a repository once."},
		{"---\ntitle: x y z w\n---\n# T\n\nKen reads a repository once.", "Ken reads a repository once."},
		{"<!-- a comment of many words -->\n<div>\n\n  Ken reads <b>one</b> repository.\n\n</div>", "Ken reads one repository."},
		{"[![b](u)](v) ![i](j)\n\nKen [reads](u) a [tree][1] of [files].\n", "Ken reads a tree of files."},
		{"= Spring image:https://x[B]\n:attr: v\n\nKen reads https://x[the tree] once.", "Ken reads the tree once."},
		{".. image:: x.png\n   :alt: many words here now\n\nKen reads `the tree <https://x>`_ only once.", "Ken reads the tree only once."},
		{"- a list of many words\n- another\n\n> a quotation of many words\n\n| a | table of many words |\n\nKen reads a tree.", "Ken reads a tree."},
		{"```\nsome code of many words\n\nmore code of many words\n```\n\nKen reads a tree.", "Ken reads a tree."},
		{"~~~\nnever closed code of words\n\nnor is this a sentence.", ""},
		{"Too short.\n\nKen reads a tree.", "Ken reads a tree."},
		{"<!-- never closed and of many words", ""},
		{"English readme • Deutsche readme • Lengua española readme\n\nKen reads a tree.", "Ken reads a tree."},
		{"The documentation of ken is at x.example.\n\nI've just released version two.\n\nIt mends the build system.", ""},
		{"It has several packages such as these:\n\nKen reads a tree.", "Ken reads a tree."},
		{"<img src=\"x\">\n\n[![b](u)](v)\n\n**{fmt}** is an open-source formatting\nlibrary.\n\nQ&amp;A: ask questions on [StackOverflow\nwith the tag fmt](https://x).", "{fmt} is an open-source formatting library."},
		{"# Resty\n<p align=\"center\"><h1>Resty</h1><p>Simple REST client &amp; library for Go</p><p><a href=\"#f\">Features</a> section describes in detail about x</p>", "Simple REST client & library for Go"},
		{"ZLIB DATA COMPRESSION LIBRARY\n\nzlib 1.3.1 is a general purpose data compression library.", "zlib 1.3.1 is a general purpose data compression library."},
		{"Dapper - a simple object mapper for .Net\n====\n[![b](u)](v)\n\nRelease Notes\n---\nLocated at [https://x/y](https://x/y)\n\nMyGet Pre-release feed: https://x\n", "a simple object mapper for .Net"},
		{"# Fastify\n\nAn efficient server implies a lower cost of the infrastructure.\n\n## Q\n\nFastify is a web framework highly focused on speed.", "Fastify is a web framework highly focused on speed."},
		{"# Warp\n\nA super-easy web server framework.\n\nWarp is not an ORM.", "A super-easy web server framework."},
		{"🔥️ **NEW**: [x v4.0 with time zones is out!](https://x)\n\n<img alt=\"x\">\n\ndate-x provides the most comprehensive toolset for dates", "date-x provides the most comprehensive toolset for dates"},
		{"# swift-parsing\n\nA library for turning data into better data, with a focus on speed:\n\n* **Composition**: x\n\nThis library was designed over years by all of us.", "A library for turning data into better data, with a focus on speed"},
		{"# Plug\n\nPlug is:\n\n1. A specification.\n\nIn other words, Plug allows you to build web applications.", ""},
		{"", ""},
		{"\xff\xfe\x00 \xff \xff \xff", ""},
	} {
		if got := FirstProse(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFirstProseLong makes sure that hostile text of the size that is read takes no time.
func TestFirstProseLong(t *testing.T) {
	for _, piece := range []string{"[", "![", "<", "<!--", "`", "a\n\n", "=\n", "[a](", "https://x["} {
		if got := FirstProse(strings.Repeat(piece, 16<<10/len(piece))); len(got) > 300 {
			t.Errorf("%q: %d bytes", piece, len(got))
		}
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"DataSource", "data_source", true}, {"data-source", "DataSource", true}, {"a", "ab", false}, {"ab", "a", false}, {"_a_", "A", true}, {"", "", true}, {"a", "b", false}} {
		if got := SameName(c.a, c.b); got != c.want {
			t.Errorf("%q %q: %v", c.a, c.b, got)
		}
	}
}
