package stores

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// Slug is a text in the form of a file name.
type Slug struct {
	Slug string `json:"slug"`
}

// Timestamp is the current time in the format that was asked for.
type Timestamp struct {
	Timestamp string `json:"timestamp"`
}

// Existence reports whether there is a file or folder.
type Existence struct {
	Exists bool    `json:"exists"`
	Type   *string `json:"type"`
}

// Search is the answer to a web search. It only reports that there is none, because ken does not use the network.
type Search struct {
	Available bool   `json:"available"`
	Reason    string `json:"reason"`
}

// maxSlug is the maximal length of a title in the form of a file name.
const maxSlug = 60

type generateSlugInput struct {
	Text string `arg:"TEXT…" help:"any text"`
}

type formInput struct {
	Form string `arg:"[FORM]" enum:"full,date,filename" help:"full if not given"`
}

type pathInput struct {
	Path string `arg:"PATH" help:"from where the user is"`
}

type websearchInput struct {
	Query     string `arg:"QUERY…" help:"what to look for"`
	Limit     int    `flag:"limit" value:"N" help:"how many; 0: all"`
	Freshness string `flag:"freshness" help:"how old"`
}

func toolOperations() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[generateSlugInput, Slug]{
			Name: "generate-slug", Summary: "a text as it is in names of files", Anywhere: true,
			Run: func(_ context.Context, c *planop.Call, in *generateSlugInput) (Slug, error) {
				if in.Text == "" {
					return Slug{}, planop.Usagef("TEXT is empty")
				}
				return Slug{phaseid.Slug(in.Text, maxSlug)}, nil
			},
			Plain: func(a Slug) string { return a.Slug },
		}.Operation(),
		planop.Spec[formInput, Timestamp]{
			Name: "current-timestamp", Summary: "the time, in universal time", Anywhere: true,
			Run: func(_ context.Context, c *planop.Call, in *formInput) (Timestamp, error) {
				form := map[string]string{"date": "2006-01-02", "filename": "2006-01-02T15-04-05"}[in.Form]
				if form == "" {
					form = timeForm
				}
				return Timestamp{c.Now().UTC().Format(form)}, nil
			},
			Plain: func(a Timestamp) string { return a.Timestamp },
		}.Operation(),
		planop.Spec[pathInput, Existence]{
			Name: "verify-path-exists", Summary: "whether there is a file or folder", Anywhere: true, Run: pathExists,
			Plain: func(a Existence) string {
				if a.Exists {
					return "true"
				}
				return "false"
			},
		}.Operation(),
		planop.Spec[websearchInput, Search]{
			Name: "websearch", Summary: "unavailable, because ken uses no network", Anywhere: true,
			Run: func(_ context.Context, c *planop.Call, in *websearchInput) (Search, error) {
				return Search{Reason: "ken uses no network: search with a tool of the agent"}, nil
			},
			Plain: func(Search) string { return "" },
		}.Operation(),
	}
}

// timeForm is the format of times.
const timeForm = "2006-01-02T15:04:05.000Z"

func pathExists(_ context.Context, c *planop.Call, in *pathInput) (Existence, error) {
	name := in.Path
	if name == "" || strings.ContainsRune(name, 0) {
		return Existence{}, planop.Usagef("PATH is not a path")
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	st, err := os.Stat(name)
	if err != nil {
		return Existence{}, nil
	}
	kind := "other"
	switch {
	case st.IsDir():
		kind = "directory"
	case st.Mode().IsRegular():
		kind = "file"
	}
	return Existence{true, &kind}, nil
}
