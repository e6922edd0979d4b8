package main

import (
	"runtime"
	"strings"
)

// client is an agent that works with a model on the loopback interface.
type client struct {
	name    string
	command string   // its program
	pkg     string   // its package in others.json, "" if it is installed with the others
	folder  string   // of the program, below the folder of packages, where it is not among the linked ones
	args    []string // of a session, before the prompt; nil if there is none without an account
	// bypass are the arguments by which it runs hooks that nobody has approved, where it asks for that.
	bypass []string
	// settings are files of the user's home, beside those that ken writes; PROJECT is filled in.
	settings func(url string) map[string]string
	environ  func(url string) []string
	// login is a command that gives the client the model, where no settings do; nil elsewhere.
	login func(url string) []string
	write func(path, text string) use // of a whole file
	read  func(path string) use       // nil if a file may be written that was not read
	// edit replaces a text in a file, where write refuses a file that is there; nil elsewhere.
	edit func(path, old, now string) use
	// patch writes a file by a patch that is given to a command, which the client carries out itself; nil elsewhere.
	patch func(path, text string) use
	shell func(line string) use
	// searches: tools of servers are not listed, but found and called by other tools.
	searches bool
	// prefix is the beginning of the names of tools of ken's server.
	prefix string
	// lists are commands of the program that list something without a model, and a word that has to be in what they print.
	lists []listing
	// mute: what a hook answers when a session begins does not reach the model.
	mute bool
	// ends: a refusal ends the run, so that the model does not get it.
	ends bool
	// double is another runtime whose settings it reads as well, "" if there is none.
	double string
}

// listing is a command that lists what a program has read of its settings.
type listing struct {
	what string
	args []string
	want string
}

const prompt = "Write a greeting, and look for what greets."

// none are no settings, and no variables.
func none(string) map[string]string { return nil }
func noEnv(string) []string         { return nil }

func clients() []client {
	return []client{opencode("opencode"), opencode("kilo"), codex(), gemini(), qwen(), copilot(), cline(), amp(), auggie(), crush()}
}

// opencode returns opencode or Kilo, which come from one source.
func opencode(name string) client {
	c := client{
		name: name, command: name, args: []string{"run"}, environ: noEnv, prefix: "ken_",
		settings: func(url string) map[string]string {
			return map[string]string{".config/" + name + "/" + name + ".json": `{"provider": {"anthropic": {"options": {"baseURL": "` + url +
				`/v1", "apiKey": "x"}}}, "model": "anthropic/claude-sonnet-4-5"}`}
		},
		write: func(path, text string) use {
			return use{tool: "write", input: map[string]any{"filePath": path, "content": text}}
		},
		shell: func(line string) use {
			return use{tool: "bash", input: map[string]any{"command": line, "description": "runs a command"}}
		},
		read:  func(path string) use { return use{tool: "read", input: map[string]any{"filePath": path}} },
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}, {"skills", []string{"debug", "skill"}, "ken-plan"}},
	}
	if name == "kilo" {
		c.args = append(c.args, "--auto")
	}
	return c
}

func codex() client {
	return client{
		name: "codex", command: "codex", args: []string{"exec", "--dangerously-bypass-approvals-and-sandbox"},
		bypass: []string{"--dangerously-bypass-hook-trust"}, environ: noEnv, prefix: "mcp__ken/",
		settings: func(url string) map[string]string {
			// A model that the program knows, because others are not offered apply_patch.
			return map[string]string{".codex/config.toml": "model = \"gpt-5.5\"\nmodel_provider = \"scripted\"\n\n" +
				"[model_providers.scripted]\nname = \"scripted\"\nbase_url = \"" + url + "/v1\"\nwire_api = \"responses\"\n\n" +
				"[projects.\"PROJECT\"]\ntrust_level = \"trusted\"\n"}
		},
		write: func(path, text string) use { return use{tool: "apply_patch", text: patch(path, text)} },
		shell: func(line string) use { return use{tool: "exec_command", input: map[string]any{"cmd": line}} },
		patch: func(path, text string) use {
			return use{tool: "exec_command", input: map[string]any{"cmd": "apply_patch <<'EOF'\n" + patch(path, text) + "EOF\n"}}
		},
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}},
	}
}

// patch returns the patch that makes a file anew.
func patch(path, text string) string {
	out := "*** Begin Patch\n*** Add File: " + path + "\n"
	for line := range strings.Lines(text) {
		out += "+" + line
	}
	return out + "*** End Patch\n"
}

func snake(path, text string) use {
	return use{tool: "write_file", input: map[string]any{"file_path": path, "content": text}}
}

func runShell(line string) use {
	return use{tool: "run_shell_command", input: map[string]any{"command": line, "is_background": false, "description": "runs a command"}}
}

func gemini() client {
	return client{
		name: "gemini", command: "gemini", args: []string{"--approval-mode", "yolo", "-p"}, write: snake, shell: runShell, prefix: "mcp_ken_",
		settings: func(string) map[string]string {
			return map[string]string{".gemini/settings.json": `{"security": {"folderTrust": {"enabled": false}, ` +
				`"auth": {"selectedType": "gemini-api-key"}}}`}
		},
		environ: func(url string) []string {
			return []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_MODEL=gemini-2.5-flash"}
		},
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}, {"skills", []string{"skills", "list"}, "ken-plan"}},
	}
}

func qwen() client {
	return client{
		name: "qwen", command: "qwen", args: []string{"--approval-mode", "yolo", "-p"}, settings: none, write: snake, shell: runShell,
		read:     func(path string) use { return use{tool: "read_file", input: map[string]any{"file_path": path}} },
		searches: true, prefix: "mcp__ken__",
		environ: func(url string) []string {
			return []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=scripted"}
		},
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}},
	}
}

// copilot returns GitHub's Copilot CLI, which needs no account where it has a provider of models of its own.
func copilot() client {
	return client{
		name: "copilot", command: "copilot", pkg: "@github/copilot", args: []string{"--allow-all-tools", "--trust-folder", "-p"},
		settings: none, prefix: "ken-", double: "claude",
		environ: func(url string) []string {
			return []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + url + "/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=claude-sonnet-4.5",
				"COPILOT_AUTO_UPDATE=false",
			}
		},
		write: func(path, text string) use {
			return use{tool: "create", input: map[string]any{"path": path, "file_text": text}}
		},
		edit: func(path, old, now string) use {
			return use{tool: "edit", input: map[string]any{"path": path, "old_str": old, "new_str": now}}
		},
		shell: func(line string) use {
			return use{tool: "bash", input: map[string]any{"command": line, "description": "runs a command", "mode": "sync"}}
		},
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}, {"skills", []string{"skill", "list"}, "ken-plan"}},
	}
}

// cline returns Cline's CLI, which needs no account where it has a key for a provider of models.
func cline() client {
	return client{
		name: "cline", command: "cline", pkg: "cline", args: []string{"--auto-approve", "true"}, settings: none, environ: noEnv, prefix: "ken__",
		mute: true, ends: true,
		login: func(url string) []string {
			return []string{"auth", "openai", "--apikey", "x", "--modelid", "scripted", "--baseurl", url + "/v1"}
		},
		write: func(path, text string) use {
			return use{tool: "editor", input: map[string]any{"path": path, "new_text": text}}
		},
		edit: func(path, old, now string) use {
			return use{tool: "editor", input: map[string]any{"path": path, "old_text": old, "new_text": now}}
		},
		shell: func(line string) use {
			return use{tool: "run_commands", input: map[string]any{"commands": []string{line}}}
		},
		lists: []listing{
			{"servers", []string{"config", "mcp"}, "ken"}, {"skills", []string{"config", "skills"}, "ken-plan"},
			{"rules", []string{"config", "rules"}, "AGENTS.md"},
		},
	}
}

// The clients that begin nothing without an account.

func amp() client {
	return client{
		name: "amp", command: "amp", pkg: "@ampcode/cli", folder: "@ampcode/cli-" + platform(), settings: none, environ: noEnv,
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}},
	}
}

func auggie() client {
	return client{
		name: "augment", command: "auggie", pkg: "@augmentcode/auggie", settings: none, environ: noEnv,
		lists: []listing{{"servers", []string{"mcp", "list"}, "ken"}, {"skills", []string{"command", "list"}, "ken-plan"}},
	}
}

func crush() client {
	return client{name: "crush", command: "crush", pkg: "@charmland/crush", settings: none, environ: noEnv}
}

// platform returns the name of this system in names of packages.
func platform() string {
	return runtime.GOOS + "-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
}
