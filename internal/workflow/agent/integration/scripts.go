package integration

import (
	"fmt"
	"path/filepath"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// addScripts adds a program for each event, in a folder in which its name is that of the event. One of the user's stays.
func (f *filler) addScripts(h *runtimes.Hooks) {
	for _, e := range h.Events {
		name, text := e.Name, f.posixScript(e)
		if f.isWindows() {
			name, text = e.Name+".ps1", f.powerShellScript(e)
		}
		f.own.Files = append(f.own.Files, install.File{
			Path: filepath.Join(f.path(h.Place), name), Data: []byte(text), What: "hook " + e.Name, Exec: !f.isWindows(), Optional: true,
		})
	}
}

// addWrapper adds a script that calls ken for an event, beside the settings, and returns its path as the settings name it.
func (f *filler) addWrapper(h *runtimes.Hooks, e runtimes.Event) string {
	name, text := "ken-"+string(e.Kind)+".sh", f.posixScript(e)
	if f.isWindows() {
		name, text = "ken-"+string(e.Kind)+".cmd", f.batchScript(e)
	}
	at := filepath.Join(filepath.Dir(f.path(h.Place)), "hooks", name)
	f.own.Files = append(f.own.Files, install.File{Path: at, Data: []byte(text), What: "hook " + e.Name, Exec: !f.isWindows()})
	if rel, err := filepath.Rel(f.base, at); err == nil && f.Scope == Project {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(at)
}

func (f *filler) posixScript(e runtimes.Event) string {
	return fmt.Sprintf("#!/bin/sh\nexec %s %s\n", operation.ShellWord(f.ken()), strings.Join(f.hookWords(e), " "))
}

func (f *filler) batchScript(e runtimes.Event) string {
	program := strings.ReplaceAll(strings.ReplaceAll(f.ken(), "/", `\`), "%", "%%")
	return fmt.Sprintf("@\"%s\" %s\r\n", program, strings.Join(f.hookWords(e), " "))
}

// powerShellScript hands its input on as UTF-8, which older versions of PowerShell do not by themselves.
func (f *filler) powerShellScript(e runtimes.Event) string {
	return "$OutputEncoding = [Console]::InputEncoding = [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false\r\n" +
		fmt.Sprintf("$input | & %s %s\r\nexit $LASTEXITCODE\r\n", powerShellText(f.ken()), strings.Join(f.hookWords(e), " "))
}

// addTables adds a table of TOML for each event, behind all that is in the user's settings.
func (f *filler) addTables(h *runtimes.Hooks) {
	var list []string
	for _, e := range h.Events {
		text := fmt.Sprintf("[[hooks]]\nevent = %s\ncommand = %s", tomlString(e.Name), tomlString(f.hookLine(h, e)))
		if e.Matcher != "" {
			text += "\nmatcher = " + tomlString(e.Matcher)
		}
		if h.Timeout == "s" {
			text += fmt.Sprintf("\ntimeout = %d", timeout(e.Kind))
		}
		list = append(list, text)
	}
	f.own.Tables = append(f.own.Tables, install.Table{
		Path: f.path(h.Place), What: "hooks", Keys: []string{"hooks"}, Array: true, Text: strings.Join(list, "\n\n"),
	})
}
