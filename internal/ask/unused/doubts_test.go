package unused_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/engine/enginetest"
)

// doubtTree has declarations that nothing in it is seen to use, and for each of
// them a reason why that proves nothing.
var doubtTree = map[string]string{
	"web/Snippet.tsx": "export function Snippet() { return null }\nexport function Plain() { return null }\n",
	"docs/start.mdx":  "import { Snippet } from '@site/web/Snippet'\n\n# Start\n\n<Snippet name=\"a\" />\n",
	"docs/read.md":    "The component Plain is not used here.\n",
	"late.py":         "import unittest\n\nclass Late:\n    def fire9(self): pass\n\nclass T(unittest.TestCase):\n    def test_a(self): self.late.fire9()\n",
	"cmd.py":          "from outside_lib import BaseCommand\n\nclass Command(BaseCommand):\n    def handle(self): pass\n    def other(self): pass\n\nclass Fault(ValueError):\n    def explain(self): pass\n",
	"page.html":       "<p>{{ user.full_name9 }}</p>\n",
	"user.py":         "class User:\n    def full_name9(self): pass\n    def nick9(self): pass\n",
	"gem.java":        "package gem;\nclass Gem extends other.Lib { @Override public void cut() {} private void own() {} }\n",
	"k.kt":            "package k\nclass K : other.Lib() { override fun shine() {}\n fun dull() {} }\n",
	"lib/own.rb":      "class Set\n  def push9; end\nend\nclass Sett; end\n",
	"lib/app.dart":    "class App {\n  void start9() {}\n}\n",
}

// TestDoubts: "nothing uses it" is said only where it is proven.
func TestDoubts(t *testing.T) {
	w := enginetest.NewTree(t)
	for path, text := range doubtTree {
		w.Write(path, text)
	}
	p := w.Index()
	for _, c := range []struct{ symbol, want string }{
		{"Snippet", "text import { Snippet } from '@site/web/Snippet' docs/start.mdx:1\ntext <Snippet name=\"a\" /> docs/start.mdx:5"},
		{"Plain", ""},
		{"Late.fire9", "possible call, unique-name late.py:7"},
		{"Command.handle", "outside BaseCommand.handle cmd.py:4"},
		{"Fault.explain", ""},
		{"User.full_name9", "text <p>{{ user.full_name9 }}</p> page.html:1"},
		{"User.nick9", ""},
		{"Gem.cut", "outside Lib.cut gem.java:2"},
		{"Gem.own", ""},
		{"K.shine", "outside Lib.shine k.kt:2"},
		{"K.dull", ""},
		{"lib/own.rb:Set", "unread uses of Set, a name of the language itself, are not all recorded lib/own.rb:1"},
		{"lib/own.rb:Sett", ""},
		{"App.start9", "text uses are not read in dart :0"},
	} {
		a := absence(t, p, c.symbol)
		var got []string
		for _, h := range a.UnseenUses {
			switch h.Kind {
			case "possible", "unread", "text", "outside":
				got = append(got, fmt.Sprintf("%s %s %s:%d", h.Kind, h.Detail, h.Path, h.Line))
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: %s", c.symbol, diff)
		}
		if a.Conclusive() != (c.want == "") {
			t.Errorf("%s: conclusive %v", c.symbol, a.Conclusive())
		}
	}
}
