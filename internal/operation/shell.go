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

// ShellWords returns the words of a command of a POSIX shell, without their quotes. A quote that is not closed ends with the text.
func ShellWords(command string) (words []string) {
	var word strings.Builder
	quote, isWord, isEscaped := rune(0), false, false
	for _, r := range command {
		switch {
		case isEscaped:
			word.WriteRune(r)
			isEscaped = false
		case r == '\\' && quote != '\'':
			isEscaped, isWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, isWord = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if isWord {
				words = append(words, word.String())
			}
			word.Reset()
			isWord = false
		default:
			word.WriteRune(r)
			isWord = true
		}
	}
	if isWord {
		words = append(words, word.String())
	}
	return words
}
