package stores

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// Slug is a text as it is in names of files.
type Slug struct {
	Slug string `json:"slug"`
}

// Timestamp is the time.
type Timestamp struct {
	Timestamp string `json:"timestamp"`
}

// Existence is whether there is a file or folder.
type Existence struct {
	Exists bool    `json:"exists"`
	Type   *string `json:"type"`
}

// Search is what a search of the web answers here: that there is none.
type Search struct {
	Available bool     `json:"available"`
	Reason    string   `json:"reason"`
	Query     string   `json:"query"`
	Count     int      `json:"count"`
	Results   []string `json:"results"`
}

// maxSlug is how long names of files are.
const maxSlug = 60

func toolOperations() []*planop.Operation {
	return []*planop.Operation{
		{
			Name: "generate-slug", Summary: "a text as it is in names of files", Anywhere: true, Args: []planop.Arg{{Name: "TEXT", Help: "any text", Many: true}},
			Run: func(_ context.Context, c *planop.Call) (any, error) {
				if c.Arg("TEXT") == "" {
					return nil, c.Operation.Usagef("TEXT is empty")
				}
				return Slug{phaseid.Slug(c.Arg("TEXT"), maxSlug)}, nil
			},
			Plain: func(a any) string { return a.(Slug).Slug },
		},
		{
			Name: "current-timestamp", Summary: "the time, in universal time", Anywhere: true,
			Args: []planop.Arg{{Name: "FORM", Help: "full if not given", Optional: true, Enum: []string{"full", "date", "filename"}}},
			Run: func(_ context.Context, c *planop.Call) (any, error) {
				form := map[string]string{"date": "2006-01-02", "filename": "2006-01-02T15-04-05"}[c.Arg("FORM")]
				if form == "" {
					form = timeForm
				}
				return Timestamp{c.Now().UTC().Format(form)}, nil
			},
			Plain: func(a any) string { return a.(Timestamp).Timestamp },
		},
		{
			Name: "verify-path-exists", Summary: "whether there is a file or folder", Anywhere: true, Run: pathExists,
			Args: []planop.Arg{{Name: "PATH", Help: "from where the user is"}},
			Plain: func(a any) string {
				if a.(Existence).Exists {
					return "true"
				}
				return "false"
			},
		},
		{
			Name: "websearch", Summary: "unavailable, because ken uses no network", Anywhere: true, Args: []planop.Arg{{Name: "QUERY", Help: "what to look for", Many: true}},
			Flags: []planop.Flag{{Name: "limit", Help: "how many", Kind: planop.Number}, {Name: "freshness", Help: "how old"}},
			Run: func(_ context.Context, c *planop.Call) (any, error) {
				return Search{Reason: "ken uses no network: search with a tool of the agent", Query: c.Arg("QUERY"), Results: []string{}}, nil
			},
			Plain: func(any) string { return "" },
		},
	}
}

// timeForm is how times are written.
const timeForm = "2006-01-02T15:04:05.000Z"

func pathExists(_ context.Context, c *planop.Call) (any, error) {
	name := c.Arg("PATH")
	if name == "" || strings.ContainsRune(name, 0) {
		return nil, c.Operation.Usagef("PATH is no path")
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
