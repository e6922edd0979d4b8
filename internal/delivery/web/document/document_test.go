package document

import (
	"strings"
	"testing"
)

// TestRender has what is safe rendered, and nothing else.
func TestRender(t *testing.T) {
	link := func(path string) string { return "./file?path=" + path }
	for _, c := range []struct{ source, want string }{
		{"# A *b*", "<h1>A <em>b</em></h1>"},
		{"[a](b.go)", `<p><a href="./file?path=docs/b.go">a</a></p>`},
		{"[a](../b.go#L3 \"t\")", `<p><a href="./file?path=b.go">a</a></p>`},
		{"[a](../../b.go)", "<p>a</p>"},
		{"[a *b*](https://evil.example/)", "<p>a <em>b</em></p>"},
		{"[a](//evil.example/)", "<p>a</p>"},
		{"[a](javascript:alert)", "<p>a</p>"},
		{"[a](data:text/html,x)", "<p>a</p>"},
		{"![p](x.png)", "<p>p</p>"},
		{"[![p](x.png)](b.go)", `<p><a href="./file?path=docs/b.go">p</a></p>`},
		{"<https://evil.example/?a&b>", "<p>https://evil.example/?a&amp;b</p>"},
		{"a <b onclick=x>c</b>", "<p>a c</p>"},
		{"<script>alert(1)</script>", ""},
		{"`<b>` & \"x\"", "<p><code>&lt;b&gt;</code> &amp; &quot;x&quot;</p>"},
		{"| a |\n|---|\n| b |", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>"},
	} {
		got, ok := Render(c.source, "docs/a.md", link)
		if !ok || strings.TrimSpace(string(got)) != c.want {
			t.Errorf("%q: %q %v, want %q", c.source, got, ok, c.want)
		}
	}
	if got, ok := Render(strings.Repeat("*a* ", maxElements+1), "a.md", link); ok {
		t.Errorf("too many elements: %d bytes", len(got))
	}
}
