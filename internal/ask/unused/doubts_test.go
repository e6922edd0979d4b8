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
	"page.html":       "<p title=\"nick9\">{{ user.full_name9 }} nick9</p>\n",
	"user.py":         "class User:\n    def full_name9(self): pass\n    def nick9(self): pass\n",
	"gem.java":        "package gem;\nclass Gem extends other.Lib { @Override public void cut() {} private void own() {} }\n",
	"k.kt":            "package k\nclass K : other.Lib() { override fun shine() {}\n fun dull() {} }\n",
	"lib/own.rb":      "class Set\n  def push9; end\nend\nclass Sett; end\n",
	"lib/app.dart":    "class App {\n  void start9() {}\n}\n",
	"base/Fault.php":  "<?php\nnamespace B;\ninterface Failed extends \\Throwable { public function place9(): string; }\nclass Fault extends \\RuntimeException implements Failed, \\Countable {\n  protected $message;\n  public function place9(): string { return ''; }\n  public function count(): int { return 1; }\n}\n",
	"base/Pool.cs":    "namespace B;\nclass Pool : Lib.Base, System.IDisposable {\n  public void Dispose() {}\n  public void Drain9() {}\n  public override void Fill9() {}\n}\nclass Bath : Lib.IPool {\n  public void Fill8() {}\n  internal void Drain8() {}\n}\n",
	"base/app.js":     "const Emitter = require('node:events')\n\nmodule.exports = class App9 extends Emitter {\n  emit () {}\n  run9 () {}\n}\n",

	".gitignore":         "made/\n",
	".kenignore":         "left/\n",
	"made/use.py":        "import tool\ntool.built()\n",
	"made/a.tar":         "built\n",
	"left/use.py":        "import tool\ntool.hidden()\n",
	"tool.py":            "def built(): pass\n\ndef hidden(): pass\n\ndef shell(): pass\n\ndef quiet(): pass\n\ndef keyed(): pass\n\nglobals()['keyed']()\n",
	"Makefile":           "all:\n\tpython3 -c 'from tool import shell'\n\techo quiet\n",
	"load.c":             "int loaded(void) { return 1; }\nint idle(void) { return 2; }\nvoid *dlsym(void *h, const char *n);\nvoid *f(void) { return dlsym(0, \"loaded\"); }\n",
	"rust/lib.rs":        "pub fn preset() -> i32 { 1 }\n\npub struct Opt {\n    #[serde(default = \"preset\")]\n    pub a: i32,\n}\n",
	"k/Mirror.kt":        "package k\nclass Mirror { fun seen() = 1 }\nval m = Mirror::class.members.first { it.name == \"seen\" }\n",
	"cs/Page.cs":         "namespace Cs;\npublic class Page { public int Bound { get; set; } public int Free { get; set; } }\n",
	"cs/Page.xaml":       "<TextBlock Text=\"{Binding Bound}\" />\n",
	"go.mod":             "module m\n",
	"tmpl/tmpl.go":       "package tmpl\n\ntype Row struct{}\n\nfunc (Row) Shown() int { return 1 }\nfunc (Row) Unshown() int { return 1 }\n\nvar page = \"<p>{{ .Shown }}</p> Unshown\"\n",
	"tmpl/asm.go":        "package tmpl\n\nfunc Jumped() int { return 1 }\n",
	"tmpl/jump.s":        "TEXT ·jump(SB), $0\n\tCALL ·Jumped(SB)\n\tRET\n",
	"tmpl/link.go":       "package tmpl\n\nimport _ \"unsafe\"\n\nfunc Linked() int { return 1 }\n\n// See Noted.\nfunc Noted() int { return 1 }\n\n//go:linkname local m/tmpl.Linked\nfunc local() int\n",
	"win/win.c":          "int exported(void) { return 1; }\n",
	"win/win.def":        "EXPORTS\n  exported\n",
	"php/Old.php":        "<?php\nnamespace P;\nclass Old { public function turn() {} }\nclass Kept { public function rest() {} }\n",
	"php/use.php":        "<?php\nnamespace P;\nclass_alias(Old::class, 'P\\New');\n(new New())->turn();\n",
	"crate/Cargo.toml":   "[package]\nname = \"alias\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
	"crate/src/inner.rs": "pub enum Passed { One }\npub enum Untouched { One }\n",
	"crate/src/out.rs":   "pub use crate::inner::Passed as Given;\npub use crate::inner::Untouched as Ungiven;\n",
	"crate/src/lib.rs":   "pub mod inner;\npub mod out;\nuse crate::out::Given;\npub fn run() {\n    println!(\"{:?}\", (1,\n    use Given::*;\n}\n",
	"lib/symbols.rb":     "class Box\n  def packed; end\n  def plain; end\nend\n",
	"lib/use.rb":         "%i[\n  packed\n  other\n].each { |m| Box.new.public_send(m) }\n",
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
		{"User.full_name9", "text <p title=\"nick9\">{{ user.full_name9 }} nick9</p> page.html:1"},
		{"User.nick9", ""},
		{"Gem.cut", "outside Lib.cut gem.java:2"},
		{"Gem.own", ""},
		{"K.shine", "outside Lib.shine k.kt:2"},
		{"K.dull", ""},
		{"lib/own.rb:Set", "unread uses of Set, a name of the language itself, are not all recorded lib/own.rb:1"},
		{"lib/own.rb:Sett", ""},
		{"App.start9", "text uses are not read in dart :0"},
		{"built", "unread ignored, holds built made/use.py:0"},
		{"hidden", "unread excluded, holds hidden left/use.py:0"},
		{"shell", "string python3 -c 'from tool import shell' Makefile:2"},
		{"quiet", ""},
		{"keyed", "string globals()['keyed']() tool.py:11"},
		{"loaded", `string void *f(void) { return dlsym(0, "loaded"); } load.c:4`},
		{"idle", ""},
		{"preset", `string #[serde(default = "preset")] rust/lib.rs:4`},
		{"Mirror.seen", `string val m = Mirror::class.members.first { it.name == "seen" } k/Mirror.kt:3`},
		{"Page.Bound", `text <TextBlock Text="{Binding Bound}" /> cs/Page.xaml:1`},
		{"Page.Free", ""},
		{"Row.Shown", `string var page = "<p>{{ .Shown }}</p> Unshown" tmpl/tmpl.go:8`},
		{"Row.Unshown", ""},
		{"Jumped", "text CALL ·Jumped(SB) tmpl/jump.s:2"},
		{"Linked", "text //go:linkname local m/tmpl.Linked tmpl/link.go:10"},
		{"Noted", ""},
		{"exported", "text exported win/win.def:2"},
		{"Old.turn", `text class_alias(Old::class, 'P\New'); php/use.php:3`},
		{"Kept.rest", ""},
		{"Passed", "possible unparsed, ambiguous crate/src/lib.rs:6"},
		{"Untouched", ""},
		{"Box.packed", "string packed lib/use.rb:2"},
		{"Box.plain", ""},
		{"Fault.place9", "override Failed.place9 base/Fault.php:3"},
		{"Fault.count", "outside Countable.count base/Fault.php:7"},
		{"Pool.Dispose", "outside IDisposable.Dispose base/Pool.cs:3"},
		{"Pool.Drain9", ""},
		{"Pool.Fill9", "outside Base.Fill9 base/Pool.cs:5"},
		{"Bath.Fill8", "outside IPool.Fill8 base/Pool.cs:8"},
		{"Bath.Drain8", ""},
		{"App9.emit", "outside Emitter.emit base/app.js:4"},
		{"App9.run9", ""},
	} {
		a := absence(t, p, c.symbol)
		var got []string
		for _, h := range a.UnseenUses {
			if h.Doubt {
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
