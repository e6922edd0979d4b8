package op

import (
	"context"
	"net"
	"strconv"

	"ken/internal/code"
	"ken/internal/operation"
)

type webInput struct {
	Port int `flag:"port" value:"N" help:"port on 127.0.0.1; 0 takes a free one"`
}

type webAnswer struct{}

func webTool() *Tool {
	return spec[webInput, webAnswer]{
		Name:    "web",
		Topic:   operation.Ask,
		Summary: "look at the repository in a browser: folders, cards, impact, dependencies, hotspots, plans",
		Long: "Standard error names the address to open; it holds a token without which no page is shown. Only this machine reaches it. Every page\n" +
			"shows what commands of ken answer, and those commands; none changes anything. It ends when it is interrupted, or after 30 minutes\n" +
			"without a client.",
		Example: []string{"web", "web --port 8138"},
		Run:     runWeb,
		Text:    func(*operation.Text, *webInput, *webAnswer) error { return nil },
	}.Tool()
}

func runWeb(ctx context.Context, env *Env, in *webInput, _ func(*webAnswer) error) error {
	if env.Serve == nil {
		return code.Usagef("nothing can be served from here")
	}
	if in.Port > 65535 {
		return code.Usagef("--port is at most 65535")
	}
	return env.Serve(ctx, &operation.Serving{Dir: env.Dir, Address: net.JoinHostPort("127.0.0.1", strconv.Itoa(in.Port)), Pages: true})
}
