package secret_test

import (
	"encoding/json"
	"path"
	"strings"
	"unicode/utf16"
)

// readFolders reads a set whose folders say what their files are: NAME/valid, NAME/invalid, NAME/benign. What of a file is the
// credential is not said.
func readFolders(s *set, files []setFile) {
	for _, f := range files {
		parts := strings.Split(f.path, "/")
		if len(parts) < 3 {
			continue
		}
		switch parts[1] {
		case "valid", "invalid", "benign":
			if strings.ContainsRune(f.text, 0) {
				s.unread++
				continue
			}
			s.add(example{rule: parts[0] + "/" + parts[len(parts)-1], text: f.text, positive: parts[1] == "valid"})
		}
	}
}

// readWhole reads a set each of whose files is a positive example.
func readWhole(s *set, files []setFile) {
	for _, f := range files {
		s.add(example{rule: f.path, text: f.text, positive: true})
	}
}

// snapshot is what a rule of secretlint found in a file.
type snapshot struct {
	Messages []struct {
		Range     [2]int
		RuleID    string `json:"ruleId"`
		MessageID string `json:"messageId"`
	}
	SourceContent     string
	SourceContentType string
}

// notCredentials are the rules of secretlint that look for something else, or test its own configuration.
var notCredentials = []string{"-preset-", "-no-dotenv", "-no-homedir", "-pattern/", "-example/", "-filter-comments", "-secp256k1"}

// readSnapshots reads the snapshots of secretlint: a folder a case, whose output.json has the text and what was found in it. Cases
// in which an option allows what the rule would find say nothing about the text, nor do those named "ng" in which it found nothing.
func readSnapshots(s *set, files []setFile) {
	for _, f := range files {
		name := path.Base(path.Dir(f.path))
		if path.Base(f.path) != "output.json" || !strings.Contains(f.path, "secretlint-rule-") || strings.Contains(name, "allow") {
			continue
		}
		rule, _, _ := strings.Cut(strings.TrimPrefix(f.path, "packages/@secretlint/"), "/test/")
		skip := false
		for _, other := range notCredentials {
			skip = skip || strings.Contains(rule+"/", other)
		}
		if skip {
			continue
		}
		var shot snapshot
		if err := json.Unmarshal([]byte(f.text), &shot); err != nil || shot.SourceContentType == "binary" {
			s.unread++
			continue
		}
		units := utf16.Encode([]rune(shot.SourceContent))
		for _, m := range shot.Messages {
			x := example{rule: rule + "/" + m.MessageID, text: shot.SourceContent, positive: true}
			if m.Range[0] >= 0 && m.Range[0] < m.Range[1] && m.Range[1] <= len(units) {
				x.values = []string{string(utf16.Decode(units[m.Range[0]:m.Range[1]]))}
			}
			s.add(x)
		}
		if len(shot.Messages) == 0 && !strings.HasPrefix(name, "ng") {
			s.add(example{rule: rule + "/" + name, text: shot.SourceContent})
		}
	}
}
