package agentevent

import (
	"strings"

	"ken/internal/lang"
)

// testCommands are the commands that run tests, as the first words of a simple command.
var testCommands = append(lang.TestCommands(), "task test")

// harmless are commands that only prepare a test run, such as cd, so that their exit status does not matter.
var harmless = []string{"cd", "export", "set", "source", ".", "pushd", "popd", "true", "unset"}

// testCommand returns the command of a command line that runs tests, "" if there is none. decides
// reports whether the exit status of the whole line is that of the tests: nothing else in it can
// fail or hide a failure.
func testCommand(line string) (command string, decides bool) {
	commands, ok := splitCommands(line)
	if !ok {
		return "", false
	}
	decides = true
	for i := range commands {
		c := &commands[i]
		words := c.programWords()
		last := i == len(commands)-1
		switch {
		case runsTests(words):
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

// runsTests reports whether the words of a program run tests. Options may come between the
// program and its command (mvn -q test).
func runsTests(words []string) bool {
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
		if hasWords(plain, phrase) || len(want) == 2 && plain[0] == want[0] && isTestTarget(plain[1:], want[1]) {
			return true
		}
	}
	return len(plain) > 2 && strings.HasSuffix(plain[1], ".py") && hasWords(append([]string{programName(plain[1])}, plain[2:]...), "manage.py test")
}

// isTestTarget reports whether one of several targets of a build tool is the target that runs tests.
func isTestTarget(targets []string, test string) bool {
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

func programName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }
