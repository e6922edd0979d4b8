package op

import (
	"context"
	"runtime"
	"runtime/debug"

	"ken/internal/engine/store"
	"ken/internal/operation"
)

type versionInput struct{}

type versionAnswer struct {
	Version  string `json:"version" doc:"of the module, (devel) if built from a working tree without a tag"`
	Commit   string `json:"commit,omitempty" doc:"it was built from"`
	Time     string `json:"time,omitempty" doc:"of that commit, RFC 3339"`
	Modified bool   `json:"modified" doc:"the working tree it was built from had changes"`
	Go       string `json:"go" doc:"version of Go it was built with"`
	Platform string `json:"platform" doc:"operating system and processor"`
	Schema   int    `json:"schema" doc:"number of the index layout it writes"`
}

func versionTool() *Tool {
	return spec[versionInput, versionAnswer]{
		Name:    "version",
		Topic:   operation.SetUp,
		Summary: "version and how it was built",
		Run: func(_ context.Context, _ *Env, _ *versionInput, emit func(*versionAnswer) error) error {
			a := buildVersion()
			return emit(&a)
		},
		Text: func(t *operation.Text, _ *versionInput, a *versionAnswer) error {
			t.Printf("ken %s", a.Version)
			if a.Commit != "" {
				t.Printf(" (%s", a.Commit[:min(12, len(a.Commit))])
				if a.Modified {
					t.Printf(", modified")
				}
				t.Printf(")")
			}
			t.Line(", %s, %s, index schema %d", a.Go, a.Platform, a.Schema)
			return nil
		},
	}.Tool()
}

func buildVersion() versionAnswer {
	a := versionAnswer{Version: operation.Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Schema: store.Schema}
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
