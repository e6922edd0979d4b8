package scan

import (
	"testing"

	"ken/internal/code"
)

// FuzzAttributes: no .gitattributes makes its reader fail or change a flag that no
// attribute stands for, and what it sets does not depend on what was set before.
func FuzzAttributes(f *testing.F) {
	f.Add("# c\n*.gen.go linguist-generated\n/libs/** linguist-vendored=true -text\n", "libs/a.gen.go")
	f.Add("\ufeff*.pb.go -linguist-generated\n\"quoted\" linguist-generated\n!n linguist-generated\n[attr]m linguist-vendored=false", "n")
	f.Add(" \tlinguist-\n**/[a-\\ linguist-documentation linguist-documentation=", "[")
	var all code.Flags
	for _, flag := range attributeNames {
		all |= flag
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		a := parseAttributes("sub", text)
		none, full := a.applyTo("sub/"+path, 0), a.applyTo("sub/"+path, ^code.Flags(0))
		if none&^all != 0 || ^full&^all != 0 {
			t.Errorf("sub/%s: a flag that no attribute stands for: %b, %b", path, none, full)
		}
		if none&^full != 0 {
			t.Errorf("sub/%s: %b set in none, %b left of all", path, none, full)
		}
	})
}
