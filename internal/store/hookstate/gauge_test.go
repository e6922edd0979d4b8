package hookstate

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/knowledge/session"
)

func TestGauge(t *testing.T) {
	g := Gauge{filepath.Join(t.TempDir(), "context")}
	if _, ok := g.Get("s"); ok {
		t.Error("a session that is not known has a reading")
	}
	r := session.Reading{Remaining: 31.5, At: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Warned: "low", Since: 2}
	if err := g.Put("../../s", r); err != nil {
		t.Fatal(err)
	}
	if got, ok := g.Get("../../s"); !ok || got != r {
		t.Errorf("%+v, %v", got, ok)
	}
	list, _ := os.ReadDir(g.Dir)
	if len(list) != 1 {
		t.Errorf("%d files", len(list))
	}
	os.WriteFile(filepath.Join(g.Dir, list[0].Name()), []byte("{torn"), 0o600)
	if _, ok := g.Get("../../s"); ok {
		t.Error("a torn file has a reading")
	}
	if err := (Gauge{}).Put("s", r); err != nil {
		t.Error(err)
	}
}

func TestTrim(t *testing.T) {
	g := Gauge{t.TempDir()}
	for i := range maxReadings + 5 {
		g.Put(string(rune('a'+i)), session.Reading{})
		if i < maxReadings {
			p := g.file(string(rune('a' + i))).Path
			os.Chtimes(p, time.Now(), time.Now().Add(-48*time.Hour))
		}
	}
	if list, _ := os.ReadDir(g.Dir); len(list) > 10 {
		t.Errorf("%d files are left", len(list))
	}
}
