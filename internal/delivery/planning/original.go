package planning

import (
	"slices"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/plan/planop"
)

// originalWords returns a command line of gsd-tools in the words of ken's operations.
func originalWords(list []*planop.Operation, words []string) []string {
	if group, rest, dotted := strings.Cut(words[0], "."); dotted {
		words = append([]string{group, rest}, words[1:]...)
	}
	rest := words[1:]
	switch words[0] {
	case "state":
		if o, _ := operation.Find(list, words); o == nil {
			return []string{"state", "load"} // any other word is the state
		}
	case "stats":
		if len(rest) > 0 && rest[0] != "table" {
			return []string{"stats"} // any other format is JSON
		}
	case "current-timestamp":
		if len(rest) > 0 && !slices.Contains([]string{"date", "filename"}, rest[0]) {
			return []string{"current-timestamp"}
		}
	case "milestone":
		return joinFlag(words, "--name")
	}
	return words
}

// joinFlag makes the words behind a flag, up to the next one, its value.
func joinFlag(words []string, flag string) []string {
	i := slices.Index(words, flag) + 1
	end := i
	for end < len(words) && !strings.HasPrefix(words[end], "--") {
		end++
	}
	if i == 0 || end < i+2 {
		return words
	}
	return slices.Concat(words[:i], []string{strings.Join(words[i:end], " ")}, words[end:])
}

// endings are the operations in which gsd-tools ends with code 1 where ken answers with a fault of one of these reasons.
var endings = map[string][]string{
	"phase add":                    {"roadmap_not_found"},
	"phase add-batch":              {"roadmap_not_found"},
	"phase complete":               {"phase_not_found"},
	"phase insert":                 {"phase_not_found", "roadmap_not_found"},
	"phase remove":                 {"phase_executed", "roadmap_not_found"},
	"phases clear":                 {"confirmation_needed"},
	"roadmap update-plan-progress": {"phase_not_found"},
	"scaffold context":             {"phase_not_found"},
	"scaffold uat":                 {"phase_not_found"},
	"scaffold verification":        {"phase_not_found"},
	"state get":                    {"state_not_found"},
}

// answering are the operations in which gsd-tools answers with {"error": …} and code 0 where an input is missing.
var answering = []string{
	"state add-blocker", "state add-decision", "state record-metric", "state resolve-blocker",
}
