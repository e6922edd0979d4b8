package operation

import "strings"

// plainInShell is the set of characters that need no quotes in a shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,="

// ShellWord returns a text as one word of a POSIX shell, in quotes if it needs them.
func ShellWord(text string) string {
	if strings.Trim(text, plainInShell) == "" && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
