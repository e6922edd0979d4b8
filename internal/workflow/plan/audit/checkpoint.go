package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
)

// Checkpoint is the acceptance test that waits for an answer, as a question to a person.
type Checkpoint struct {
	File   string `json:"file_path"`
	Number int    `json:"test_number"`
	Name   string `json:"test_name"`
	Text   string `json:"checkpoint"`
}

type fileInput struct {
	File string `flag:"file" required:"yes" help:"the file of tests, from where you are: .planning/phases/01-x/01-UAT.md"`
}

func checkpointOperation() *planop.Operation {
	text := func(a Checkpoint) string { return a.Text }
	return planop.Spec[fileInput, Checkpoint]{
		Name: "uat render-checkpoint", Summary: "the test that waits for an answer, as a text to ask a person with",
		Run:   renderCheckpoint,
		Plain: text, Page: func(a Checkpoint) string { return a.Text + "\n" },
	}.Operation()
}

func renderCheckpoint(_ context.Context, c *planop.Call, in *fileInput) (Checkpoint, error) {
	name := in.File
	if name == "" {
		return Checkpoint{}, planop.Usagef("--file is missing")
	}
	fault := func(reason, message string) error {
		return &planop.Fault{Reason: reason, Message: displayLine(name, maxQuestion) + ": " + message, Ends: true}
	}
	text, err := c.ProjectText(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{}, fault("file_not_found", "there is no such file")
	}
	if err != nil {
		return Checkpoint{}, err
	}
	current := artefact.ParseUAT(text).Current
	switch {
	case !current.Found:
		return Checkpoint{}, fault("current_test_missing", "has no section Current Test")
	case current.Done:
		return Checkpoint{}, fault("testing_complete", "all tests were made: none waits for an answer")
	case current.Number == 0, current.Name == "", current.Expected == "":
		return Checkpoint{}, fault("current_test_malformed", "Current Test needs the lines number, name and expected")
	}
	title, expected := argument.SingleLine(argument.DisplayText(current.Name)), strings.TrimSpace(argument.DisplayText(current.Expected))
	return Checkpoint{File: projectPath(c, name), Number: current.Number, Name: title, Text: questionText(current.Number, title,
		expected)}, nil
}

// projectPath returns the path of a file from the root of the project.
func projectPath(c *planop.Call, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	if root, err := c.Project(); err == nil {
		if rel, err := filepath.Rel(root, name); err == nil {
			name = rel
		}
	}
	return filepath.ToSlash(name)
}

// questionText returns the question to a person: the test, the expected result, and the possible answers.
func questionText(number int, name, expected string) string {
	return fmt.Sprintf("---\nYour turn to test\n\n**Test %d: %s**\n\n%s\n\nAnswer `pass`, or describe what you see instead.\n---", number, name, expected)
}
