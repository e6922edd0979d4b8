package agentevent

import (
	"strings"

	"ken/internal/lang"
)

// testCommands are the commands that run tests, as the first words of a simple command.
var testCommands = append(lang.TestCommands(), "task test")

// harmless are commands that only prepare, so that their outcome does not matter.
var harmless = []string{"cd", "export", "set", "source", ".", "pushd", "popd", "true", "unset"}

// testRun returns the command of a command line that runs tests, "" if there is none. decides
// reports whether the outcome of the whole line is that of the tests: nothing else in
// it can fail or hide a failure.
func testRun(line string) (command string, decides bool) {
	commands, ok := split(line)
	if !ok {
		return "", false
	}
	decides = true
	for i := range commands {
		c := &commands[i]
		words := c.program()
		last := i == len(commands)-1
		switch {
		case isTest(words):
			if command == "" {
				command = strings.Join(words, " ")
			}
			// The next command decides the outcome unless it only runs after a success.
			if !last && commands[i+1].after != "&&" {
				decides = false
			}
		case len(words) == 0 || hasAny(words, harmless):
			decides = decides && (c.after != "||" || command == "")
		default:
			decides = false
		}
	}
	return command, command != "" && decides
}

// isTest reports whether the words of a program run tests. Options may come between the
// program and its command (mvn -q test).
func isTest(words []string) bool {
	if len(words) == 0 {
		return false
	}
	plain := []string{words[0]}
	for i, w := range words[1:] {
		if !strings.HasPrefix(w, "-") || i == 0 && w == "--test" {
			plain = append(plain, w)
		}
	}
	for _, phrase := range testCommands {
		want := strings.Fields(phrase)
		if hasWords(plain, phrase) || len(want) == 2 && plain[0] == want[0] && isTarget(plain[1:], want[1]) {
			return true
		}
	}
	return len(plain) > 2 && strings.HasSuffix(plain[1], ".py") && hasWords(append([]string{base(plain[1])}, plain[2:]...), "manage.py test")
}

// isTarget reports whether one of several targets of a build tool is the one that tests.
func isTarget(targets []string, test string) bool {
	for _, t := range targets {
		if t == test || strings.HasSuffix(t, ":"+test) {
			return true
		}
	}
	return false
}

func hasAny(words, programs []string) bool {
	for _, p := range programs {
		if words[0] == p {
			return true
		}
	}
	return false
}

func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
