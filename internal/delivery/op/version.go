package op

import (
	"context"
	"runtime"
	"runtime/debug"

	"ken/internal/delivery/setup"
	"ken/internal/engine/store"
	"ken/internal/operation"
)

type versionInput struct {
	Check bool `flag:"check" help:"compare with the versions that \"ken install\" recorded on this machine; exit status 1: another one is among them"`
}

type versionAnswer struct {
	Version  string `json:"version" doc:"of the module, (devel) if built from a working tree without a tag"`
	Commit   string `json:"commit,omitempty" doc:"it was built from"`
	Time     string `json:"time,omitempty" doc:"of that commit, RFC 3339"`
	Modified bool   `json:"modified" doc:"the working tree it was built from had changes"`
	Go       string `json:"go" doc:"version of Go it was built with"`
	Platform string `json:"platform" doc:"operating system and processor"`
	Schema   int    `json:"schema" doc:"number of the index layout it writes"`
	// Installs is empty without Check.
	Installs []setup.Recorded `json:"installs" doc:"with --check: what \"ken install\" recorded on this machine"`
}

func versionTool() *Tool {
	return spec[versionInput, versionAnswer]{
		Name:    "version",
		Topic:   operation.SetUp,
		Summary: "version and how it was built",
		Long:    "It asks no server: with --check the versions are those that installations on this machine were made with.",
		Run:     runVersion,
		Text: func(t *operation.Text, in *versionInput, a *versionAnswer) error {
			t.Printf("ken %s", a.Version)
			if a.Commit != "" {
				t.Printf(" (%s", a.Commit[:min(12, len(a.Commit))])
				if a.Time != "" {
					t.Printf(", %s", a.Time)
				}
				if a.Modified {
					t.Printf(", modified")
				}
				t.Printf(")")
			}
			t.Line(", %s, %s, index schema %d", a.Go, a.Platform, a.Schema)
			var rows [][]string
			for _, r := range a.Installs {
				text := r.Advice
				if text == "" {
					text = "installed by " + r.Version
				}
				rows = append(rows, []string{r.Relation, r.Product + ", " + r.Scope, r.Root, text})
			}
			t.Table("", 0, rows)
			if in.Check && len(a.Installs) == 0 {
				t.Line("nothing was installed with \"ken install\" on this machine")
			}
			return nil
		},
	}.Tool()
}

func runVersion(_ context.Context, e *Env, in *versionInput, emit func(*versionAnswer) error) error {
	a := buildVersion()
	if !in.Check {
		return emit(&a)
	}
	var err error
	if a.Installs, err = setup.RecordedInstalls(e.Getenv); err != nil {
		return err
	}
	others := 0
	for _, r := range a.Installs {
		if r.Advice != "" {
			others++
		}
	}
	if others > 0 {
		err = &operation.AlarmError{Message: operation.Plural(others, "installation") + " by another version of ken"}
	}
	return operation.Finish(&a, err, emit)
}

func buildVersion() versionAnswer {
	a := versionAnswer{Version: operation.Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Schema: store.Schema}
	a.Installs = []setup.Recorded{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return a
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			a.Commit = s.Value
		case "vcs.time":
			a.Time = s.Value
		case "vcs.modified":
			a.Modified = s.Value == "true"
		}
	}
	return a
}
