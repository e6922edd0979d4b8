package relink_test

import (
	"testing"

	"ken/internal/engine/enginetest"
)

// TestRelink edits what others see of a file: names that come and go, files that
// pass names on, packages that move, tables. Afterwards every link must be what a
// fresh index draws.
func TestRelink(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		edits []enginetest.Edit
	}{
		"passing on": {
			map[string]string{
				"a.ts": "export function one() {}\n", "b.ts": "export * from './a'\n", "c.ts": "export { one as two } from './b'\n",
				"d.ts": "import { two } from './c'\ntwo()\n", "e.ts": "import def from './a'\ndef()\n",
			},
			[]enginetest.Edit{
				{Path: "a.ts", Text: "export function uno() {}\n"},
				{Path: "a.ts", Text: "export default function one() {}\n"},
				{Path: "b.ts", Text: "export {}\n"},
				{Path: "b.ts", Text: "export * from './c'\nexport * from './a'\n"},
				{Path: "a.ts"},
				{Path: "a/index.ts", Text: "export function one() {}\n"},
			},
		},
		"packages": {
			map[string]string{
				"go.mod": "module m\n", "p/a.go": "package p\n\nfunc A() {}\n", "p/b.go": "package p\n\nfunc b() { A() }\n",
				"q/q.go":   "package q\n\nimport \"m/p\"\n\nfunc Q() { p.A() }\n",
				"j/A.java": "package j;\npublic class A { }\n", "k/B.java": "package k;\nimport j.A;\nimport j.*;\nclass B extends A { }\n",
			},
			[]enginetest.Edit{
				{Path: "p/a.go", Text: "package p2\n\nfunc A() {}\n"},
				{Path: "p/a.go", Text: "package p\n\nfunc A() {}\n"},
				{Path: "p/a_test.go", Text: "package p\n\nfunc TestA() { A() }\n"},
				{Path: "p/a.go"},
				{Path: "j/A.java", Text: "package l;\npublic class A { }\n"},
				{Path: "j/A.java", Text: "package j;\npublic class A { }\n"},
				{Path: "j/C.java", Text: "package j;\npublic class C extends A { }\n"},
			},
		},
		"a circle of Python packages": {
			map[string]string{
				"x/__init__.py": "from x.a import *\n", "x/a.py": "from y import thing\n\ndef here(): pass\n", "y/__init__.py": "from y.b import thing\nfrom x import here\n",
				"y/b.py": "def thing(): pass\n", "use.py": "from x import thing, here\n\nthing()\nhere()\n",
			},
			[]enginetest.Edit{
				{Path: "y/b.py", Text: "def thing2(): pass\n"},
				{Path: "y/b.py", Text: "def thing(): pass\n"},
				{Path: "x/a.py", Text: "def here(): pass\n"},
				{Path: "x/__init__.py"},
			},
		},
		"global usings": {
			map[string]string{
				"a/A.csproj": "<Project/>\n", "a/x/T.cs": "namespace N;\npublic class T { }\n", "a/U.cs": "namespace P;\nclass U { T t; }\n",
				"a/x/Any.cs": "namespace N;\nclass Any { }\n", "b/V.cs": "namespace P;\nclass V { T t; }\n",
			},
			[]enginetest.Edit{
				{Path: "a/x/Any.cs", Text: "global using N;\nclass Any { }\n"},
				{Path: "a/x/Any.cs", Text: "global using M;\nclass Any { }\n"},
				{Path: "a/x/Any.cs", Text: "class Any { }\n"},
				{Path: "a/x/Other.cs", Text: "global using N;\n"},
				{Path: "a/A.csproj"},
				{Path: "a/x/Other.cs"},
			},
		},
		"tables": {
			map[string]string{
				"db/schema.sql": "CREATE TABLE users (id int);\n", "app/models/user.rb": "class User < ApplicationRecord\nend\n",
				"m.py": "class User(models.Model):\n    class Meta:\n        db_table = 'users'\n",
			},
			[]enginetest.Edit{
				{Path: "db/schema.sql", Text: "CREATE TABLE accounts (id int);\n"},
				{Path: "db/schema.sql", Text: "CREATE TABLE users (id int);\n"},
				{Path: "db/schema.sql"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) { enginetest.CheckEdits(t, c.files, c.edits) })
	}
}
