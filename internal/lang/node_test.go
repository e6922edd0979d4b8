package lang

import (
	"testing"

	"ken/internal/code"
)

// TestNodeType: the file's own name counts, then its directories; "lib" as the root
// of a crate, or of all that a package has, says nothing.
func TestNodeType(t *testing.T) {
	for path, want := range map[string]string{
		"src/user.service.ts": "service", "src/services/a.ts": "service", "src/lib/db.ts": "util", "src/utils.ts": "util", "a/b.ts": "module",
		"src/lib.rs": "module", "crates/x/src/lib.rs": "module", "lib/core/AxiosError.js": "module", "lib/helpers/x.js": "util", "lib/utils.js": "util",
	} {
		if got := NodeType(code.File{Path: path}); got != want {
			t.Errorf("%s is a %s, want %s", path, got, want)
		}
	}
	if all := NodeTypes(); len(all) != 9 || all[0] != "api" {
		t.Errorf("types: %v", all)
	}
}
