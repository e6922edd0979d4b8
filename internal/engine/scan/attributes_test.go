package scan

import (
	"testing"

	"ken/internal/code"
)

// FuzzAttributes: no .gitattributes makes its reader fail, set a flag no
// attribute stands for, or speak of what lies outside its directory.
func FuzzAttributes(f *testing.F) {
	f.Add("# c\n*.gen.go linguist-generated\n/libs/** linguist-vendored=true -text\n", "sub/libs/a.gen.go")
	f.Add("\ufeff*.pb.go -linguist-generated\n\"quoted\" linguist-generated\n!n linguist-generated\n[attr]m linguist-vendored=false", "sub/n")
	f.Add(" \tlinguist-\n**/[a-\\ linguist-documentation linguist-documentation=", "sub/[")
	var all code.Flags
	for _, flag := range attributeNames {
		all |= flag
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		a := parseAttributes("sub", text)
		if got := a.apply(path, 0); got&^all != 0 {
			t.Errorf("%q gets %b", path, got)
		}
		if got := a.apply("other/"+path, 0); got != 0 {
			t.Errorf("other/%s gets %b", path, got)
		}
	})
}
