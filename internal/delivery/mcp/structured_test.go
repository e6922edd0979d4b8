package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ken/internal/token"
)

// TestStructuredFits says that of a single large row parts are left out, not the row, and that what was left out is counted.
func TestStructuredFits(t *testing.T) {
	var symbols []string
	for i := range 400 {
		symbols = append(symbols, fmt.Sprintf(`{"name":"symbol%d","line":%d}`, i, i))
	}
	text := `{"revision":7,"files":[{"path":"a.go","about":"<p> & more","symbols":[` + strings.Join(symbols, ",") + `],"tests":["a_test.go"]}],"total":1}`
	f := &fitter{budget: 500, common: &commonArgs{}, counter: token.New(token.O200K)}
	r, whole := f.fitJSON(text, "", false)
	if whole {
		t.Error("said to be whole")
	}
	if n := f.size(r); n > f.budget-margin {
		t.Errorf("%d tokens", n)
	}
	var got struct {
		Revision, Total int
		Files           []struct {
			Path, About string
			Symbols     []struct{ Name string }
			Tests       []string
		}
		Cut map[string]int
	}
	raw := r.StructuredContent.(json.RawMessage)
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if got.Revision != 7 || got.Total != 1 || len(got.Files) != 1 {
		t.Fatalf("got %s", raw)
	}
	file := got.Files[0]
	if file.Path != "a.go" || file.About != "<p> & more" || len(file.Tests) != 1 || len(file.Symbols) == 0 {
		t.Errorf("got %s", raw)
	}
	if n := got.Cut["files.symbols"]; n+len(file.Symbols) != 400 {
		t.Errorf("%d left out, %d there", n, len(file.Symbols))
	}
}

// TestStructuredWhole says that an answer that fits is sent as it is.
func TestStructuredWhole(t *testing.T) {
	f := &fitter{budget: 2000, common: &commonArgs{}, counter: token.New(token.O200K)}
	for _, text := range []string{`{}`, `{"a":[],"b":{},"c":null,"d":[1,2.50,[true]],"e":"<&>\u2028","f":12345678901234567890}`} {
		r, whole := f.fitJSON(text, "", false)
		if got := string(r.StructuredContent.(json.RawMessage)); !whole || got != text {
			t.Errorf("%s, whole %v; want %s", got, whole, text)
		}
	}
}

// TestStructuredTorn says what becomes of an answer that was not written to its end.
func TestStructuredTorn(t *testing.T) {
	f := &fitter{budget: 2000, common: &commonArgs{}, counter: token.New(token.O200K)}
	r, _ := f.fitJSON(`{"revision":1,"files":[{"path":"a"},{"path":"b","symbols":[{"na`, "", true)
	want := `{"revision":1,"files":[{"path":"a"}],"cut":{},"next":"rows were left out: raise budget"}`
	if got := string(r.StructuredContent.(json.RawMessage)); got != want {
		t.Errorf("got %s", got)
	}
}
