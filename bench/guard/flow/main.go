// Command flow works through guarded tasks as an agent does, over the protocol: honest clients that have to get through, with the round
// trips that each level costs them, and clients that cheat, which must not. The calls of the project are known from how it was made, so
// that a gate is judged without asking ken. Usage: go run ./bench/guard/flow [-tries N] [-cheat]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"ken/bench/world"
)

func main() {
	tries := flag.Int("tries", 1000, "random tries of clients that cheat")
	cheats := flag.Bool("cheat", false, "only the clients that cheat")
	flag.Parse()
	ok, err := run(*tries, *cheats)
	if err != nil {
		fmt.Fprintln(os.Stderr, "flow:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(tries int, cheats bool) (ok bool, err error) {
	dir, remove, err := world.Scratch("flow")
	if err != nil {
		return false, err
	}
	defer remove()
	ken, err := world.Build(context.Background(), dir) // before the caches are elsewhere, so that nothing is compiled twice
	if err != nil {
		return false, err
	}
	for name, at := range map[string]string{"KEN_STATE": "state", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "CLAUDE_CODE_SESSION_ID": ""} {
		if at != "" {
			at = filepath.Join(dir, at)
		}
		os.Setenv(name, at)
	}
	w := newProject()
	root := filepath.Join(dir, "project")
	if err := w.write(root, ken); err != nil {
		return false, err
	}
	c, err := start(ken, root)
	if err != nil {
		return false, err
	}
	defer c.Close()
	ok = true
	if !cheats {
		if ok, err = honest(c, w); err != nil {
			return false, err
		}
	}
	passed, err := cheat(c, w, tries)
	return ok && passed, err
}

// honest has clients work through the flow and compares the costs of the levels.
func honest(c *client, w *project) (bool, error) {
	flows := []struct {
		name string
		run  func(s *script, level string)
	}{
		{"IMPLEMENT", (*script).implement},
		{"MODIFY", (*script).modify},
		{"INVESTIGATE", func(s *script, l string) { s.investigate(l, "INVESTIGATE") }},
		{"QUESTION", func(s *script, l string) { s.investigate(l, "QUESTION") }},
	}
	fmt.Println("| flow | round trips, full | auto | auto/full | must be |\n|---|---|---|---|---|")
	sum := map[string]int{}
	good := true
	for _, f := range flows {
		n := map[string]int{}
		for _, level := range []string{"full", "auto"} {
			c.calls = 0
			s := &script{client: c, w: w}
			f.run(s, level)
			if s.err != nil {
				return false, fmt.Errorf("%s at %s: %w", f.name, level, s.err)
			}
			n[level] = c.calls
			sum[level] += c.calls
		}
		share := float64(n["auto"]) / float64(n["full"])
		good = good && share <= 0.5
		fmt.Printf("| %s | %d | %d | %.2f | ≤ 0.5 |\n", f.name, n["full"], n["auto"], share)
	}
	fmt.Printf("| all | %d | %d | %.2f | ≤ 0.5 |\n\n", sum["full"], sum["auto"], float64(sum["auto"])/float64(sum["full"]))
	s := &script{client: c, w: w}
	c.calls = 0
	s.branches()
	if s.err != nil {
		return false, fmt.Errorf("failure branches: %w", s.err)
	}
	fmt.Printf("failure branches: all %d answers as they have to be\n\n", c.calls)
	return good, nil
}
