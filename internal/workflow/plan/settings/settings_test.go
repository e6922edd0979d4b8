package settings_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/settings"
)

const sample = "{\n  \"mode\": \"yolo\",\n  \"depth\": \"comprehensive\",\n  \"own\": {\"x\": 1},\n  \"parallelization\": {\"enabled\": false},\n  \"research\": false,\n  \"workflow\": {\n    \"verifier\": false,\n    \"plan_check\": \"yes\"\n  },\n" +
	"  \"model_overrides\": {\"planner\": \"opus\"},\n  \"commit_doc\": true\n}\n"

func TestGet(t *testing.T) {
	s := settings.Parse(sample)
	for name, want := range map[string]any{
		"mode": "yolo", "granularity": "fine", "model_profile": "balanced", "workflow.verifier": false, "workflow.research": false, "workflow.plan_check": true, "workflow.ui_phase": true,
		"workflow.tdd_mode": false, "model_overrides.planner": "opus", "model_overrides.other": nil, "git.branching_strategy": "none", "context_window": 200000, "plan_checker": true,
	} {
		if got, ok := s.Get(name); !ok || got != want {
			t.Errorf("%s: %v %v, want %v", name, got, ok, want)
		}
	}
	if s.IsOn("parallelization") || !s.IsOn("commit_docs") || s.Text("mode") != "yolo" || s.Has("workflow.ui_phase") || !s.Has("workflow.research") {
		t.Error("On, Text, Has")
	}
	if _, ok := s.Get("no.such"); ok {
		t.Error("a key that is not there")
	}
	var whys []string
	for _, p := range s.Problems() {
		whys = append(whys, p.Error())
	}
	all := strings.Join(whys, "\n")
	for _, want := range []string{"line 4: unknown key own", "line 12: unknown key commit_doc: is commit_docs meant?", `line 9: workflow.plan_check: "yes" is not true or false`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if len(whys) != 3 {
		t.Errorf("%s", all)
	}
}

// TestSchemaServesAll: what can be read can be set, with the default of every key as a value, and what is set is
// read back.
func TestSchemaServesAll(t *testing.T) {
	for _, k := range settings.Schema {
		name := strings.Replace(k.Name, "*", "some_name", 1)
		if found, ok := settings.Find(name); !ok || found.Name != k.Name || k.Doc == "" {
			t.Errorf("%s is not found, or without words", name)
		}
		value := k.Default
		switch {
		case value != nil:
		case k.Kind == settings.Switch:
			value = true
		case k.Kind == settings.Number:
			value = 7
		case k.Kind == settings.Texts:
			value = []string{"x"}
		case k.Kind == settings.Choice:
			value = k.Values[0]
		default:
			value = "x"
		}
		if k.Name == "parallelization" {
			continue
		}
		for _, text := range []string{"", "{}", "{\n  \"mode\": \"yolo\"\n}\n", `{"workflow":{},"git":{"base_branch":"x"}}`, sample} {
			edits, err := settings.Parse(text).Set(name, value)
			if err != nil {
				if text == sample && strings.HasPrefix(name, "parallelization.") {
					continue
				}
				t.Errorf("%s in %q: %v", name, text, err)
				continue
			}
			after, err := edit.Apply(text, edits)
			if err != nil || after != "" && !json.Valid([]byte(after)) {
				t.Errorf("%s in %q: %v\n%s", name, text, err, after)
			}
			got, _ := settings.Parse(after).Get(name)
			g, _ := json.Marshal(got)
			w, _ := json.Marshal(value)
			if string(g) != string(w) {
				t.Errorf("%s in %q: read as %s, want %s", name, text, g, w)
			}
		}
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct {
		name       string
		value      any
		old, after string
	}{
		{"mode", "interactive", `"yolo"`, `"interactive"`},
		{"mode", "yolo", "", ""},
		{"workflow.research", true, `"research": false`, `"research": true`},
		{"workflow.ui_phase", false, `"plan_check": "yes"`, "\"plan_check\": \"yes\",\n    \"ui_phase\": false"},
		{"context_window", 1000000, `"commit_doc": true`, "\"commit_doc\": true,\n  \"context_window\": 1000000"},
		{"git.base_branch", "main", `"commit_doc": true`, "\"commit_doc\": true,\n  \"git\": {\n    \"base_branch\": \"main\"\n  }"},
		{"model_overrides.executor", "haiku", `{"planner": "opus"}`, `{"planner": "opus","executor": "haiku"}`},
	} {
		edits, err := settings.Parse(sample).Set(c.name, c.value)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := edit.Apply(sample, edits)
		if want := strings.Replace(sample, c.old, c.after, 1); err != nil || got != want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
	}
	for name, value := range map[string]any{"workflow.reserch": true, "mode": "fast", "workflow.verifier": "yes", "a\nb": 1, "features.a b": true} {
		if edits, err := settings.Parse(sample).Set(name, value); err == nil {
			t.Errorf("%s = %v: %v", name, value, edits)
		}
	}
	if _, err := settings.Parse("{}").Set("workflow.reserch", true); err == nil || !strings.Contains(err.Error(), "is workflow.research meant?") {
		t.Errorf("%v", err)
	}
}

// TestLaterKeysStay: keys of later versions are no mistakes, and stay.
func TestLaterKeysStay(t *testing.T) {
	const text = `{"ship": {"pr_body_sections": []}, "workflow": {"human_verify_mode": "end-of-phase"}, "git": {"create_tag": true}}`
	s := settings.Parse(text)
	if len(s.Problems()) > 0 {
		t.Errorf("%v", s.Problems())
	}
	edits, err := s.Set("git.base_branch", "main")
	got, err2 := edit.Apply(text, edits)
	if want := strings.Replace(text, `true}}`, `true,"base_branch": "main"}}`, 1); err != nil || err2 != nil || got != want {
		t.Errorf("%v %v %s", err, err2, got)
	}
}

// TestUnreadableConfigIsNamed: a file that is no JSON is a problem with its line, and is not set.
func TestUnreadableConfigIsNamed(t *testing.T) {
	for text, line := range map[string]int{"{\n  \"mode\": yolo\n}": 2, "{\n\"a\": 1\n\"b\": 2}": 3, "{": 1, "[]": 1, "{\"a\": \"x": 1, "{}\n{}": 2, "{\"a\":" + strings.Repeat("[", 100000): 1, "{\n<<<<<<< HEAD\n}": 2} {
		s := settings.Parse(text)
		if p := s.Problems(); len(p) != 1 || p[0].Line != line || !s.Unreadable() {
			t.Errorf("%.20q: %v %v", text, p, s.Unreadable())
		}
		if _, err := s.Set("mode", "yolo"); err == nil {
			t.Errorf("%.20q was set", text)
		}
		if v, ok := s.Get("mode"); v != "interactive" || !ok {
			t.Errorf("%.20q: %v", text, v)
		}
	}
	if s := settings.Parse("\ufeff{\"mode\": \"yolo\"}"); len(s.Problems()) > 0 || s.Text("mode") != "yolo" {
		t.Errorf("a byte order mark: %v", s.Problems())
	}
}

func FuzzSettings(f *testing.F) {
	f.Add(sample, "workflow.research", "true")
	f.Add("{", "mode", "\"yolo\"")
	f.Add(`{"a":{"b":[1,2,{"c":null}]}}`, "features.x", "1")
	f.Fuzz(func(t *testing.T, text, name, value string) {
		s := settings.Parse(text)
		valid := json.Valid([]byte(strings.TrimPrefix(text, "\ufeff"))) && !strings.Contains(text, "[[[[[[")
		if valid && s.Unreadable() && strings.HasPrefix(text, "{") {
			t.Fatalf("%q is JSON: %v", text, s.Problems())
		}
		var v any
		if json.Unmarshal([]byte(value), &v) != nil {
			return
		}
		edits, err := s.Set(name, v)
		if err != nil {
			return
		}
		after, err := edit.Apply(text, edits)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := settings.Parse(after).Set(name, v); err != nil || len(again) > 0 {
			t.Fatalf("%q: %s = %s gives %q, set again: %v %v", text, name, value, after, again, err)
		}
	})
}
