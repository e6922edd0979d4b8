package content_test

import (
	"testing"

	"ken/internal/workflow/content"
)

func TestAllRead(t *testing.T) {
	for _, n := range content.Names(content.GuideKind) {
		g, err := content.ReadGuide(n)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%+v", g)
	}
	for _, n := range content.Names(content.RoleKind) {
		if g, err := content.ReadRole(n); err != nil {
			t.Error(err)
		} else {
			t.Logf("%+v", g)
		}
	}
}
