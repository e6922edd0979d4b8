package operation

import (
	"reflect"
	"strings"
	"testing"
)

type callsStep struct {
	Do   string   `calls:"text"`
	Run  []string `calls:"command"`
	Data string
}

type callsAnswer struct {
	Steps  []callsStep
	Agent  *callsStep
	Report []string `calls:"ken plan"`
	Above  *callsAnswer
	hidden string
}

// TestTranslateCalls: commands in tagged fields are translated, data is not, and the answer itself stays as it was.
func TestTranslateCalls(t *testing.T) {
	words := func(text string) string { return strings.ReplaceAll(text, "`ken plan x`", "plan_x") }
	build := func() *callsAnswer {
		step := callsStep{"run `ken plan x` now", []string{"ken plan x", "ken other"}, "`ken plan x`"}
		return &callsAnswer{
			Steps: []callsStep{step}, Agent: &step, Report: []string{"x", "other"}, Above: &callsAnswer{Report: []string{"x"}}, hidden: "kept",
		}
	}
	step := callsStep{"run plan_x now", []string{"plan_x", "ken other"}, "`ken plan x`"}
	page := &callsAnswer{
		Steps: []callsStep{step}, Agent: &step, Report: []string{"x", "other"}, Above: &callsAnswer{Report: []string{"x"}}, hidden: "kept",
	}
	structured := *page
	structured.Report, structured.Above = []string{"plan_x", "other"}, &callsAnswer{Report: []string{"plan_x"}}
	answer := build()
	if got := TranslateCalls(answer, words, false); !reflect.DeepEqual(got, page) {
		t.Errorf("page: %+v", got)
	}
	if got := TranslateCalls(answer, words, true); !reflect.DeepEqual(got, &structured) {
		t.Errorf("structured: %+v", got)
	}
	if !reflect.DeepEqual(answer, build()) {
		t.Errorf("the answer was changed: %+v", answer)
	}
	for _, plain := range []any{nil, "`ken plan x`", []string{"ken plan x"}, map[string]string{"a": "ken plan x"}} {
		if got := TranslateCalls(plain, words, true); !reflect.DeepEqual(got, plain) {
			t.Errorf("%v became %v", plain, got)
		}
	}
}
