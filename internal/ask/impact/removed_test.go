package impact_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"
	"ken/internal/ask/diff"
	"ken/internal/ask/impact"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// TestRemoved: who used what a change took away is found although other
// declarations have the name, and nobody else is.
func TestRemoved(t *testing.T) {
	for _, c := range []struct {
		name, tree, changes string // a changed file that is empty is removed
		want                []string
	}{
		{"method of a type, TypeScript", `
-- dep.ts --
export class Dep {
  trigger(): void {}
}
-- ref.ts --
import { Dep } from "./dep";
export class Ref {
  dep: Dep = new Dep();
  set(): void { this.dep.trigger(); }
}
export function go(d: Dep) { d.trigger(); }
-- other.ts --
export class Other { trigger(): void {} }
export function useOther(o: Other) { o.trigger(); }
`, `
-- dep.ts --
export class Dep {
  triggerX(): void {}
}
`, []string{"Dep.trigger by ref.ts:4 import-resolved", "Dep.trigger by ref.ts:6 import-resolved"}},
		{"imported function, Python", `
-- a.py --
def load():
    pass
def keep():
    pass
-- b.py --
def load():
    pass
def own():
    load()
-- use.py --
from a import load, keep
def f():
    load()
    keep()
`, `
-- a.py --
def keep():
    pass
`, []string{"load by use.py:3 import-resolved"}},
		{"passed on by an index, TypeScript", `
-- lib/x.ts --
export function make() {}
export function stay() {}
-- lib/index.ts --
export { make, stay } from "./x";
-- app.ts --
import { make, stay } from "./lib";
make(); stay();
-- other.ts --
function make() {}
make();
`, `
-- lib/x.ts --
export function stay() {}
`, []string{"make by app.ts:2 import-resolved"}},
		{"file of a package, Go", `
-- go.mod --
module m
-- p/a.go --
package p

func Open() {}
-- p/b.go --
package p

func Use() { Open() }
-- q/q.go --
package q

import "m/p"

func Open() { p.Open() }
-- r/r.go --
package r

func Open() {}
func Use()  { Open() }
`, `
-- p/a.go --
`, []string{"Open by p/b.go:3 import-resolved", "Open by q/q.go:5 import-resolved"}},
		{"file that is gone, JavaScript", `
-- lib/a.js --
exports.parse = function parse() {}
-- lib/b.js --
exports.parse = function parse() {}
-- main.js --
const a = require('./lib/a')
const b = require('./lib/b')
a.parse()
b.parse()
`, `
-- lib/a.js --
`, []string{"parse by main.js:3 import-resolved"}},
		{"file that has another path", `
-- lib/a.ts --
export function one() { return 1 }
export function two() { return 2 }
-- main.ts --
import { one } from './lib/a'
one()
-- fits.ts --
import { two } from './lib/c'
two()
`, `
-- lib/a.ts --
-- lib/c.ts --
export function one() { return 1 }
export function two() { return 2 }
`, []string{"one by main.ts:2 import-resolved"}},
		{"moved inside its package, Go", `
-- go.mod --
module m
-- p/a.go --
package p

func Open() {}

func A() {}
-- p/b.go --
package p

func Use() { Open() }
`, `
-- p/a.go --
package p

func A() {}
-- p/b.go --
package p

func Use() { Open() }

func Open() {}
`, nil},
		{"what it overrode is still there, Java", `
-- p/A.java --
package p;
class A { void run() {} }
-- p/B.java --
package p;
class B extends A {
  void run() {}
  void b() {}
}
-- p/C.java --
package p;
class C { void c(B b, A a) { b.run(); a.run(); } }
`, `
-- p/B.java --
package p;
class B extends A {
  void b() {}
}
`, nil},
		{"receivers of no known type", `
-- a.js --
class A {
  stop() {}
  a() {}
}
class B { stop() {} }
-- use.js --
export function f(x) { x.stop() }
`, `
-- a.js --
class A {
  a() {}
}
class B { stop() {} }
`, []string{"A.stop by use.js:1 ambiguous"}},
		{"constant and field, Go", `
-- go.mod --
module m
-- p/a.go --
package p

const Limit = 1

type T struct {
	Size int
	Name string
}
-- q/q.go --
package q

import "m/p"

const Limit = 2

type U struct{ Size int }

func f(t p.T, u U) int { return p.Limit + t.Size + u.Size + Limit }
`, `
-- p/a.go --
package p

const Limits = 1

type T struct {
	Sizes int
	Name  string
}
`, []string{"Limit by q/q.go:9 import-resolved", "T.Size by q/q.go:9 import-resolved"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := enginetest.NewTxtar(t, []byte(c.tree))
			p.Commit("before")
			for _, f := range txtar.Parse([]byte(c.changes)).Files {
				if len(f.Data) == 0 {
					p.Remove(f.Name)
				} else {
					p.Write(f.Name, string(f.Data))
				}
			}
			p.Git("add", "-A")
			p.Update()
			x := changeOf(p)
			var got []string
			sure := 0
			for _, r := range x.Removed {
				for _, u := range r.Users {
					got = append(got, fmt.Sprintf("%s by %s:%d %s", r.Symbol.Qualified, u.Path, u.Line, u.Confidence))
					if !strings.HasSuffix(got[len(got)-1], "ambiguous") {
						sure++
					}
				}
			}
			slices.Sort(got)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if level, why := x.Risk(nil); (level == "high") != (sure > 0) {
				t.Errorf("risk %s: %s", level, why)
			}
			if _, should := x.Verify(); sure < len(got) && !strings.HasPrefix(should[len(should)-1].Reason, "may use") {
				t.Errorf("to verify: %+v", should)
			}
		})
	}
}

// changeOf is the impact of what differs from HEAD.
func changeOf(p *enginetest.Project) (out impact.Impact) {
	p.T.Helper()
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		changed, err := diff.ChangedFiles(ctx, s, "")
		if err != nil {
			return err
		}
		out, err = impact.Of(ctx, s, impact.ImpactQuery{Diff: changed})
		return err
	})
	return out
}
