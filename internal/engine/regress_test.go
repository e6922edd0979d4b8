package engine_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"ken/internal/engine"
	kenupdate "ken/internal/engine/update"

	store "ken/internal/store/sqlite"
)

// TestRegressions replays what random sequences once found, cut down. In an
// archive "-- path --" with content is a file to write; the commands are
// "-- rm path --", "-- update path… --", "-- update --" and "-- wait --". After the last step
// the index is compared with a fresh one.
func TestRegressions(t *testing.T) {
	for name, text := range map[string]string{
		"a directory left with pictures only is none to import from": `
-- main.py --
from ns import part
-- ns/part.py --
-- update --
-- ns/part.py --
` + "\x00" + `
-- update ns/part.py --
`,
		"a new file without edges has a rank": `
-- a.txt --
-- update --
-- b.txt --
`,
		"a file updated singly and deleted before the next look": `
-- a.go --
package a
-- update --
-- b.go --
package a
-- update b.go --
-- rm b.go --
`,
		"a file deleted, updated singly and made again": `
-- a.go --
package a
-- update --
-- rm a.go --
-- update a.go --
-- a.go --
package a
`,
		"the first file of a package imported blank": `
-- go.mod --
module m
-- main.go --
package main
import _ "m/p"
-- p/b.go --
package p
-- update --
-- p/a.go --
package p
`,
		"the first file of a package at the root": `
-- go.mod --
module m
-- x/x.go --
package x
import _ "m"
-- update --
-- a.go --
package m
`,
		"the first file of a package becomes binary": "\n-- go.mod --\nmodule m\n-- main.go --\npackage main\nimport _ \"m/p\"\n-- p/a.go --\npackage p\n-- p/b.go --\npackage p\n-- update --\n-- p/a.go --\n\x00\n",
		"a re-export leads to another file": `
-- a.ts --
export class C {}
-- b.ts --
export class C {}
-- index.ts --
export { C } from './a'
-- use.ts --
import { C } from './index'
class D extends C {}
-- update --
-- index.ts --
export { C } from './b'
`,
		"a declaration passed on under another name goes": `
-- a.ts --
export class C {}
-- index.ts --
export { C as L } from './a'
-- use.ts --
import { L } from './index'
class D extends L {}
-- update --
-- a.ts --
export class E {}
`,
		"a default export goes": `
-- a.ts --
class C {}
export default C
-- use.ts --
import Any from './a'
class D extends Any {}
-- update --
-- a.ts --
class X {}
export default C
`,
		"what a barrel imports resolves to another file": `
-- a/index.ts --
export class C {}
-- index.ts --
export * from './a'
-- use.ts --
import { C } from './index'
class D extends C {}
-- update --
-- a.ts --
export class C {}
`,
		"a package hides a submodule": `
-- p/__init__.py --
-- p/m.py --
class C: pass
-- use.py --
from p import m
-- update --
-- p/__init__.py --
def m(): pass
`,
		"names of a namespace package are not its files'": `
-- ns/x.py --
class C: pass
-- use.py --
import ns
class D(ns.C): pass
-- update --
-- use.py --
import ns
class E(ns.C): pass
`,
		"a re-export takes another name": `
-- a.ts --
export class C {}
export class E {}
-- b.ts --
export class C {}
-- index.ts --
export { C } from './a'
export { C as D } from './b'
-- use.ts --
import { C } from './index'
class D extends C {}
-- update --
-- index.ts --
export { C as D } from './a'
export { C } from './b'
`,
		"a directory becomes one of a package": `
-- l/p/A.java --
package other;
class A {}
-- B.java --
package b;
import p.A;
class B extends A {}
-- update --
-- l/p/package-info.java --
package p;
`,
		"circles of wildcards": `
-- Cargo.toml --
[package]
name = "x"
-- src/lib.rs --
pub mod a; pub mod b; pub mod c;
pub use a::*; pub use b::*; pub use c::*;
pub struct D { e: Nowhere }
impl Nowhere for D {}
-- src/a.rs --
pub use crate::*; pub use super::b::*; pub use super::c::*;
-- src/b.rs --
pub use crate::*; pub use super::a::*; pub use super::c::*;
-- src/c.rs --
pub use crate::*; pub use super::a::*; pub use super::b::*;
impl Nowhere for Far {}
-- update --
-- src/c.rs --
pub use crate::*; pub use super::a::*; pub use super::b::*;
impl Nowhere for Other {}
`,
		"the package clause of a neighbour": `
-- l/p/A.java --
package other;
class A {}
-- l/p/package-info.java --
package p;
-- B.java --
package b;
import p.A;
class B extends A {}
-- update --
-- l/p/package-info.java --
package q;
`,
		"a subject that was a test": `
-- a_test.py --
import a
-- a.py --
import unittest
class T(unittest.TestCase):
    def test_a(self): pass
-- update --
-- a.py --
x = 1
`,
		"attributes of files that stay the same": `
-- a.go --
package a
func main() {}
-- sub/b.go --
package main
func main() {}
-- wait --
-- update --
-- .gitattributes --
*.go linguist-vendored
`,
		"attributes that go": `
-- .gitattributes --
*.go linguist-vendored
-- sub/b.go --
package main
func main() {}
-- wait --
-- update --
-- rm .gitattributes --
`,
		"an empty configuration": `
-- z.go --
package z
-- update --
-- go.mod --
-- update go.mod --
`,
		"one name of a library and of a package": `
-- a.py --
import re
-- b.ts --
import x from 're'
-- update --
-- rm a.py --
-- update --
-- a.py --
import re
`,
		"three paths of one slug": `
-- a/b.go --
package a
-- update --
-- a-b.go --
package a
-- update --
-- a_b.go --
package a
-- rm a/b.go --
-- update --
-- rm a-b.go --
`,
	} {
		t.Run(name, func(t *testing.T) {
			w := &worktree{t: t, root: t.TempDir()}
			var p *project
			for _, f := range txtar.Parse([]byte(text)).Files {
				cmd, arg, _ := strings.Cut(f.Name, " ")
				switch {
				case cmd == "update" && p == nil:
					p = newProject(t, w.root)
				case cmd == "update" && arg == "":
					p.update(nil)
				case cmd == "update":
					p.update(strings.Fields(arg))
				case cmd == "wait": // until stats are old enough to be trusted
					time.Sleep(700 * time.Millisecond)
				case cmd == "rm":
					os.Remove(w.full(arg))
				default:
					w.write(f.Name, string(f.Data))
				}
			}
			if diff := p.check(); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadOnly runs as a user who may not write.
func TestReadOnly(t *testing.T) {
	w := tree(t, 1)
	dir := t.TempDir()
	db := filepath.Join(dir, "index.db")
	e := engine.New(engine.Options{Root: w.root, Store: store.New(db)})
	if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
		t.Fatal(err)
	}
	e.Close()
	w.write("new.go", "package main\n")
	if err := os.Chmod(db, 0o644); err != nil { // as root, the child is another user
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	for _, args := range [][]string{{"update", w.root, db}, {"full", w.root, db}, {"ask", w.root, db}} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "KEN_CHILD="+strings.Join(args, "\x1f"))
		if os.Geteuid() == 0 {
			self := filepath.Join(os.TempDir(), "ken-readonly-"+filepath.Base(dir))
			if b, err := os.ReadFile(os.Args[0]); err != nil || os.WriteFile(self, b, 0o755) != nil {
				t.Skip("cannot copy the binary")
			}
			defer os.Remove(self)
			cmd.Path = self
			for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
				if d != dir {
					os.Chmod(d, 0o755)
				}
			}
			for d := w.root; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
				os.Chmod(d, 0o755)
			}
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.CombinedOutput()
		t.Logf("%s: %v: %s", args[0], err, out)
		if args[0] == "ask" { // answered from the index as it is
			if err != nil {
				t.Errorf("ask: %v: %s", err, out)
			}
			continue
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || len(out) == 0 || strings.Contains(string(out), "panic") {
			t.Errorf("%s: %v: %s", args[0], err, out)
		}
	}
}
