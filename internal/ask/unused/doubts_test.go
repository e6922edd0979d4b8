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
	"dump/a.kt":       "package dump.one\nclass Outer { class Listed9; class Other9; fun made9() = 1\n fun own9() = 1 }\nfun top9() = 1\n",
	"dump/one.api":    "public final class dump/one/AKt {\n\tpublic static final fun top9 ()I\n}\npublic final class dump/one/Outer {\n\tpublic final fun made9 ()I\n}\npublic final class dump/one/Outer$Listed9 {\n}\npublic final class dump/two/Outer$Other9 {\n\tpublic final fun own9 ()I\n}\n",
	"attr/a.rb":       "class Attr9\n  class << self\n    attr_accessor :rank9\n  end\n  def rank9; end\nend\n",

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
	"mac/opts.h":         "#define LEVELED 4\n#define MESONED 4\n#define GYPED 4\n#define BUILDRS 1\n#define UNSET 5\n",
	"mac/conf.h.in":      "#cmakedefine TEMPLATED\n",
	"mac/plain.h":        "#define TEMPLATED 1\n#define FOLLOWED 1\n",
	"mac/Makefile":       "CFLAGS += -DLEVELED=4\n# UNSET is not\n",
	"mac/meson.build":    "add_project_arguments('-DMESONED', language : 'c')\n",
	"mac/binding.gyp":    "{ 'defines': [\n  'GYPED=1' ] }\n",
	"mac/build.rs":       "fn main() { cc::Build::new().define(\"BUILDRS\", None); }\n",
	"mac/ci.yml":         "env:\n  CFLAGS: -O2 -DFOLLOWED\n",
	"lib/hooks.rb":       "class Hooks\n  def hooked; end\n  def listed; end\n  def unhooked; end\nend\n",
	"lib/hooks.yml":      "on_start: hooked\nall:\n  - listed\nunhooked: 1\n",
	"docs/src/lib.rs":    "#![doc = include_str!(\"../README.md\")]\npub fn tested() {}\npub fn readme() {}\npub fn blocked() {}\npub fn prose() {}\n/// See prose.\n/// ```text\n/// prose()\n/// ```\n/// ```no_run\n/// docs::tested();\n/// ```\npub struct S;\n/** ```\n blocked();\n ``` */\npub struct B;\n",
	"docs/Cargo.toml":    "[package]\nname = \"docs\"\nversion = \"0.1.0\"\n",
	"docs/README.md":     "Use it, prose:\n```rust\ndocs::readme();\n```\n",
	"doc.py":             "def shown9():\n    pass\n\ndef quiet9():\n    pass\n\nclass K:\n    \"\"\"Of quiet9.\n\n    >>> shown9()\n    \"\"\"\n",
	"k/Sample.kt":        "package k\nfun sampled() {}\nfun unsampled() {}\n/** unsampled\n * @sample k.sampled\n */\nclass Doc\n",
	"listed/E.java":      "package listed;\nenum E { SEEN, OTHER }\nenum F { UNSEEN }\nclass Use { void run() { for (E e : E.values()) {} F f = null; } }\n",
	"listed/e.py":        "import enum\nclass Colour(enum.Enum):\n    TEAL = 1\nclass Shade(enum.Enum):\n    DARK = 1\n",
	"listed/u.py":        "from listed.e import Colour, Shade\nfor c in Colour: pass\nx = Shade\n",
	"listed/E.cs":        "namespace Listed;\nenum Cs { Parsed } enum Cs2 { Unparsed }\nclass Run { void R() { System.Enum.Parse<Cs>(\"x\"); Cs2 c; } static void Main() {} }\nclass Plain {}\n",
	"listed/E.swift":     "enum Dir: CaseIterable { case north }\nenum Way { case south }\nfunc all() { for d in Dir.allCases {} }\nvar w: Way?\nstruct Coded: Codable { let first: Int }\nclass Ctl { @IBAction func tapped() {}\n  func plainly() {} }\n",
	"listed/tab.js":      "exports.tabled = 1\nexports.other = 2\n",
	"listed/untab.js":    "exports.untabled = 1\n",
	"listed/usetab.js":   "const tab = require('./tab'), untab = require('./untab')\nmodule.exports = name => tab[name] + untab['x']\n",
	"listed/keys.ts":     "export interface Keys { firstKey: number }\nexport const k: keyof Keys = 'firstKey'\n",
	"listed/pos.c":       "struct pos { int by_place; };\nstruct pos here = { 1 };\nstruct key { int by_key; };\nstruct key there = { .other = 1 };\n__attribute__((constructor)) static void at_start(void) {}\nint from_asm(void) { return 1; }\n__asm__(\"call from_asm\");\n",
	"listed/paste.c":     "#define OPEN(x) open_##x()\n#define JOIN(a, b) a##b\n#define WRAP(a, b) JOIN(a, b)\nint open_file(void) { return 1; }\nint open_door(void) { return 1; }\nint close_it(void) { return 1; }\nint close_no(void) { return 1; }\nint go(void) { return OPEN(file) + WRAP(close_, it); }\n",
	"tmpl/tagged.go":     "package tmpl\n\ntype Tagged struct {\n\tWith int `json:\"with\"`\n\tWithout int\n}\n\ntype placed struct{ left int }\n\nvar p = placed{1}\n",
	"rust/called.rs":     "#[no_mangle]\npub extern \"C\" fn mangled_not() {}\npub fn mangled() {}\n",
	"php/Model.php":      "<?php\nnamespace P;\nclass Model extends \\Outside\\Base { protected $fillable = []; private $own = 1; }\n",
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
		{"LEVELED", "string CFLAGS += -DLEVELED=4 mac/Makefile:1"},
		{"MESONED", "string add_project_arguments('-DMESONED', language : 'c') mac/meson.build:1"},
		{"GYPED", "string 'GYPED=1' ] } mac/binding.gyp:2"},
		{"BUILDRS", `string fn main() { cc::Build::new().define("BUILDRS", None); } mac/build.rs:1`},
		{"TEMPLATED", "string #cmakedefine TEMPLATED mac/conf.h.in:1"},
		{"FOLLOWED", "string CFLAGS: -O2 -DFOLLOWED mac/ci.yml:2"},
		{"UNSET", ""},
		{"Hooks.hooked", "string on_start: hooked lib/hooks.yml:1"},
		{"Hooks.listed", "string - listed lib/hooks.yml:3"},
		{"Hooks.unhooked", ""},
		{"tested", "text /// docs::tested(); docs/src/lib.rs:11"},
		{"blocked", "text blocked(); docs/src/lib.rs:15"},
		{"readme", "text docs::readme(); docs/README.md:3"},
		{"prose", ""},
		{"E.SEEN", "reflection class Use { void run() { for (E e : E.values()) {} F f = null; } } listed/E.java:4"},
		{"F.UNSEEN", ""},
		{"Colour.TEAL", "reflection for c in Colour: pass listed/u.py:2"},
		{"Shade.DARK", ""},
		{"Cs.Parsed", `reflection class Run { void R() { System.Enum.Parse<Cs>("x"); Cs2 c; } static void Main() {} } listed/E.cs:3`},
		{"Cs2.Unparsed", ""},
		{"Run", "entry its member Main is run listed/E.cs:3"},
		{"Dir.north", "reflection func all() { for d in Dir.allCases {} } listed/E.swift:3"},
		{"Way.south", ""},
		{"Coded.first", "decorated struct Coded: Codable listed/E.swift:5"},
		{"Ctl.tapped", "decorated @IBAction listed/E.swift:6"},
		{"Ctl.plainly", ""},
		{"tabled", "reflection module.exports = name => tab[name] + untab['x'] listed/usetab.js:2"},
		{"untabled", ""},
		{"Keys.firstKey", "string export const k: keyof Keys = 'firstKey' listed/keys.ts:2"},
		{"pos.by_place", "reflection struct pos here = { 1 }; listed/pos.c:2"},
		{"key.by_key", ""},
		{"at_start", "decorated __attribute__((constructor listed/pos.c:5"},
		{"from_asm", `text __asm__("call from_asm"); listed/pos.c:7`},
		{"open_file", "text a macro that joins parts to names listed/paste.c:1"},
		{"open_door", ""},
		{"close_it", "text a macro that joins parts to names listed/paste.c:2"},
		{"close_no", ""},
		{"Tagged.With", "decorated `json:\"with\"` tmpl/tagged.go:4"},
		{"Tagged.Without", ""},
		{"placed.left", "reflection var p = placed{1} tmpl/tagged.go:10"},
		{"mangled_not", "decorated #[no_mangle rust/called.rs:2"},
		{"mangled", ""},
		{"Model.fillable", "outside Base.fillable php/Model.php:3"},
		{"shown9", "text >>> shown9() doc.py:10"},
		{"quiet9", ""},
		{"sampled", "text * @sample k.sampled k/Sample.kt:5"},
		{"unsampled", ""},
		{"Outer.Listed9", "string public final class dump/one/Outer$Listed9 { dump/one.api:7"},
		{"Outer.Other9", ""},
		{"Outer.made9", "string public final fun made9 ()I dump/one.api:5"},
		{"Outer.own9", ""},
		{"top9", "string public static final fun top9 ()I dump/one.api:2"},
		{"attr/a.rb:Attr9.rank9", ""},
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
