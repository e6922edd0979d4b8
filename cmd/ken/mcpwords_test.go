package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	texts "ken/internal/workflow/content"
)

// listedTool is a tool as tools/list shows it.
type listedTool struct {
	Name        string
	InputSchema struct {
		Properties map[string]struct {
			Type string
			Enum []string
		}
		Required []string
	}
}

func (c *client) tools() (list []listedTool) {
	c.t.Helper()
	c.n++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, c.n))
	var answer struct{ Result struct{ Tools []listedTool } }
	if err := json.Unmarshal(c.read().raw, &answer); err != nil {
		c.t.Fatal(err)
	}
	return answer.Result.Tools
}

// value returns a value of an argument: an allowed one if it has to be one of some, else text.
func (o *listedTool) value(key, text string) any {
	p := o.InputSchema.Properties[key]
	switch {
	case len(p.Enum) > 0:
		return p.Enum[0]
	case p.Type == "integer":
		return 1
	case p.Type == "boolean":
		return true
	case p.Type == "array":
		return []any{text}
	case p.Type == "object":
		return map[string]any{"value": text}
	}
	return text
}

// required returns the required arguments, with a text for those that are texts.
func (o *listedTool) required(text string) map[string]any {
	args := map[string]any{}
	for _, key := range o.InputSchema.Required {
		args[key] = o.value(key, text)
	}
	return args
}

// wordPatterns match what the protocol has no use for. They are made when a test needs them, because the program is measured with them.
type wordPatterns struct{ missingArgument, optionOfShell, commandOfShell, quotedCommand, placeholder *regexp.Regexp }

func newWordPatterns() *wordPatterns {
	return &wordPatterns{
		missingArgument: regexp.MustCompile(`\b(is|are) (missing|needed)\b`),
		optionOfShell:   regexp.MustCompile(`(^|[\s(])--?[a-z][a-z-]*`),
		commandOfShell:  regexp.MustCompile("[\"`]ken ([a-z][a-z-]*(?: [a-z][a-z-]*)*)[^\"`]*[\"`]|\\bken ([a-z][a-z-]*(?: [a-z][a-z-]*)*)"),
		quotedCommand:   regexp.MustCompile("`[^`\n]*`|\"line\":\"[^\"]*\""),
		placeholder:     regexp.MustCompile(`\b(FILE|SYMBOL|TARGET|NAME|QUERY|REGEX|TEXT|LINE|OUTCOME|ACTION|PATTERN|TERM|PHASE|VALUE|KEY)\b`),
	}
}

// shellWords returns the words of an answer that belong to the command line: options, placeholders of arguments, and commands for which
// there is a tool.
func (p *wordPatterns) shellWords(text string, offered map[string]bool) (out []string) {
	text = strings.ReplaceAll(text, "PATH:NAME", "") // how declarations are written
	text = p.commandOfShell.ReplaceAllStringFunc(text, func(s string) string {
		m := p.commandOfShell.FindStringSubmatch(s)
		words := strings.Fields(m[1] + m[2])
		for n := min(3, len(words)); n > 0; n-- {
			if offered[strings.Join(words[:n], "_")] || words[0] == "task" && n > 1 {
				out = append(out, s)
				return " "
			}
		}
		if m[2] != "" {
			return s
		}
		return " " // a command that has to be run in a shell
	})
	text = p.quotedCommand.ReplaceAllString(text, " ") // a command of the project's own, such as one that runs its tests
	for _, l := range strings.Split(text, "\n") {
		out = append(out, p.optionOfShell.FindAllString(l, -1)...)
	}
	return append(out, p.placeholder.FindAllString(text, -1)...)
}

// TestToolsSpeakTheProtocol calls every tool with what its schema demands and with mistakes: nothing else is demanded, and answers name
// tools and arguments as the listing does.
func TestToolsSpeakTheProtocol(t *testing.T) {
	if testing.Short() {
		t.Skip("calls every tool")
	}
	patterns := newWordPatterns()
	for _, sets := range []string{"core,knowledge,full,guard", "guard", "plan"} {
		t.Run(sets, func(t *testing.T) {
			dir := served(t)
			c := newClient(t, dir, "--tools", sets).hello()
			list := c.tools()
			offered := map[string]bool{}
			for _, o := range list {
				offered[strings.TrimPrefix(o.Name, "plan_")] = true
				offered[o.Name] = true
			}
			for i := range list {
				o := &list[i]
				try := func(args map[string]any, required bool) {
					b, _ := json.Marshal(args)
					r := c.call(o.Name, string(b))
					if r.Error != nil || len(r.Result.Content) == 0 {
						t.Errorf("%s %s: %s", o.Name, b, r.raw)
						return
					}
					text := r.Result.Content[0].Text
					if required && r.Result.IsError && patterns.missingArgument.MatchString(text) {
						t.Errorf("%s %s demands more than its schema: %.200s", o.Name, b, text)
					}
					if words := patterns.shellWords(text, offered); len(words) > 0 {
						t.Errorf("%s %s: %q in %.300s", o.Name, b, words, text)
					}
				}
				try(map[string]any{}, len(o.InputSchema.Required) == 0)
				for _, text := range []string{"app", "nosuchthing", "", "web/app.ts", "0"} {
					for _, structured := range []bool{false, true} {
						args := o.required(text)
						args["structured"] = structured
						try(args, text == "app")
						args["limit"] = 1
						if _, ok := o.InputSchema.Properties["limit"]; ok {
							try(args, false)
						}
					}
				}
				for _, key := range slices.Sorted(maps.Keys(o.InputSchema.Properties)) {
					for _, odd := range []any{[]any{1, map[string]any{}}, -1, "nosuch", ""} {
						args := o.required("app")
						args[key] = odd
						try(args, false)
					}
				}
			}
		})
	}
}

// TestRefusalsAreErrors: what a tool refuses is an error of the protocol, with the answer that explains it; a question without a hit is none.
func TestRefusalsAreErrors(t *testing.T) {
	c := newClient(t, served(t), "--tools", "core,guard").hello()
	c.text("start_session", `{"query":"change the app","intent":"MODIFY"}`)
	for _, call := range []struct {
		tool, args, want string
		failed           bool
	}{
		{"submit_understanding", `{"target_files":["nosuch.go:Nothing"]}`, `"error":"not_found"`, true},
		{"review_changes", `{}`, `"error":"phase_blocked"`, true},
		{"get_session_status", `{}`, `"allowed":true`, false},
		{"refs", `{"name":"nosuch"}`, `"references":[]`, false},
	} {
		for _, structured := range []bool{false, true} {
			r := c.call(call.tool, strings.Replace(call.args, "{", fmt.Sprintf(`{"structured":%v,`, structured), 1))
			if call.args == "{}" {
				r = c.call(call.tool, fmt.Sprintf(`{"structured":%v}`, structured))
			}
			if r.Result.IsError != call.failed {
				t.Errorf("%s %s: isError is %v: %.300s", call.tool, call.args, r.Result.IsError, r.raw)
			}
			if structured && (!strings.Contains(r.Result.Content[0].Text, call.want) || !strings.Contains(string(r.raw), `"structuredContent":{`)) {
				t.Errorf("%s %s: %.400s", call.tool, call.args, r.raw)
			}
		}
	}
}

// TestGuidesSpeakTheProtocol prints every guide, role and reference over the protocol: commands for which there is a tool are calls of it.
func TestGuidesSpeakTheProtocol(t *testing.T) {
	if testing.Short() {
		t.Skip("prints every text")
	}
	patterns := newWordPatterns()
	c := newClient(t, served(t), "--tools", "core,plan").hello()
	offered := map[string]bool{}
	for _, o := range c.tools() {
		offered[strings.TrimPrefix(o.Name, "plan_")] = true
		offered[o.Name] = true
	}
	tools := 0
	for _, k := range []texts.Kind{texts.GuideKind, texts.RoleKind, texts.ReferenceKind} {
		for _, name := range texts.Names(k) {
			for _, structured := range []bool{false, true} {
				text := c.text("plan_guide", fmt.Sprintf(`{"name":%q,"structured":%v,"budget":20000}`, name, structured))
				tools += strings.Count(text, "plan_")
				for _, m := range patterns.commandOfShell.FindAllStringSubmatch(text, -1) {
					words := strings.Fields(m[1] + m[2])
					for n := min(3, len(words)); n > 0; n-- {
						if offered[strings.Join(words[:n], "_")] {
							t.Errorf("%s, structured %v: %q", name, structured, m[0])
							break
						}
					}
				}
			}
		}
	}
	if tools < 200 {
		t.Errorf("%d calls of tools in all texts", tools)
	}
}
