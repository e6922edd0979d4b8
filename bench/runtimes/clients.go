package main

import "strings"

// client is an agent that works with a model on the loopback interface.
type client struct {
	name string
	args []string
	// settings are files of the user's home, beside those that ken writes; PROJECT is filled in.
	settings func(url string) map[string]string
	environ  func(url string) []string
	write    func(path, text string) use
}

const prompt = "Write a greeting, and look for what greets."

func clients() []client {
	none := func(string) map[string]string { return nil }
	anthropic := func(file, more string) func(string) map[string]string {
		return func(url string) map[string]string {
			return map[string]string{file: `{"provider": {"anthropic": {"options": {"baseURL": "` + url + `/v1", "apiKey": "x"}}}, "model": "anthropic/claude-sonnet-4-5"` + more + `}`}
		}
	}
	noEnv := func(string) []string { return nil }
	camel := func(path, text string) use {
		return use{tool: "write", input: map[string]any{"filePath": path, "content": text}}
	}
	snake := func(path, text string) use {
		return use{tool: "write_file", input: map[string]any{"file_path": path, "content": text}}
	}
	return []client{
		{"opencode", []string{"opencode", "run", prompt}, anthropic(".config/opencode/opencode.json", ""), noEnv, camel},
		{"kilo", []string{"kilo", "run", "--auto", prompt}, anthropic(".config/kilo/kilo.json", ""), noEnv, camel},
		{
			"codex", []string{"codex", "exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", prompt},
			func(url string) map[string]string {
				return map[string]string{".codex/config.toml": "model = \"gpt-5.3-codex\"\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\n" +
					"base_url = \"" + url + "/v1\"\nwire_api = \"responses\"\n\n[projects.\"PROJECT\"]\ntrust_level = \"trusted\"\n"}
			}, noEnv,
			func(path, text string) use {
				patch := "*** Begin Patch\n*** Add File: " + path + "\n"
				for line := range strings.Lines(text) {
					patch += "+" + line
				}
				return use{tool: "exec_command", input: map[string]any{"cmd": "apply_patch <<'EOF'\n" + patch + "*** End Patch\nEOF\n"}}
			},
		},
		{
			"gemini", []string{"gemini", "--approval-mode", "yolo", "-p", prompt},
			func(string) map[string]string {
				return map[string]string{".gemini/settings.json": `{"security": {"folderTrust": {"enabled": false}, "auth": {"selectedType": "gemini-api-key"}}}`}
			},
			func(url string) []string {
				return []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_MODEL=gemini-2.5-flash"}
			}, snake,
		},
		{
			"qwen", []string{"qwen", "--approval-mode", "yolo", "-p", prompt}, none,
			func(url string) []string {
				return []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=scripted"}
			}, snake,
		},
	}
}
