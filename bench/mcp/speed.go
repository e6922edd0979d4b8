package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"ken/internal/app"
	"ken/internal/delivery/op"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// asking is a kind of question that is measured: a tool, the argument that says what is asked about, and the time
// that is aimed at.
type asking struct {
	tool, key string
	aim       time.Duration
}

func askings() []asking {
	return []asking{
		{"show", "target", 15 * time.Millisecond}, {"refs", "name", 15 * time.Millisecond}, {"grep", "regex", 15 * time.Millisecond},
		{"impact", "target", 40 * time.Millisecond}, {"find", "query", 60 * time.Millisecond},
	}
}

const (
	// maxNames is how many names are asked about.
	maxNames = 60
	// rounds is how often all names are asked about, in turns: of the times of a name the median counts. In one round, the three slowest
	// calls of sixty decide, and on two cores that others use, too, these are mostly calls that waited for a core or for a collection.
	rounds = 5
)

// names are of the symbols that most files use.
func (b *bench) names(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, b.ken, "-C", b.dir, "hotspots", "--json", "--limit", fmt.Sprint(b.runs(maxNames))).Output()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) && e.ExitCode() == app.Nothing {
		return []string{b.symbol}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("hotspots: %w", err)
	}
	var found struct{ Symbols []struct{ Name string } }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, err
	}
	var list []string
	for _, s := range found.Symbols {
		list = append(list, s.Name)
	}
	if len(list) == 0 {
		list = []string{b.symbol} // files alone have dependents
	}
	return list, nil
}

// timed asks one question.
func (c *client) timed(q asking, about string) (time.Duration, error) {
	began := time.Now()
	line, err := c.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{%q:%q}}`, q.tool, q.key, about))
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	var m struct{ Result struct{ IsError bool } }
	if err := json.Unmarshal(line, &m); err != nil || m.Result.IsError {
		return 0, fmt.Errorf("%s: %.300s", q.tool, line)
	}
	return took, nil
}

// settle waits until a server that has answered follows the tree.
func (b *bench) settle(servers int) {
	if b.short {
		time.Sleep(500 * time.Millisecond)
		return
	}
	time.Sleep(time.Duration(2+servers) * time.Second)
}

// calls measures each kind of question on one server: about many names, each in turn with the same operation in
// this process, and about the one name that is used most. Afterwards it measures how much memory the server has.
func (b *bench) calls(ctx context.Context) error {
	names, err := b.names(ctx)
	if err != nil {
		return err
	}
	c, err := b.spawn(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	here, err := b.openHere(ctx)
	if err != nil {
		return err
	}
	defer here.close()
	first, err := c.timed(askings()[0], b.symbol)
	if err == nil {
		_, err = here.timed(ctx, askings()[0], b.symbol)
	}
	if err != nil {
		return err
	}
	b.settle(2)
	for _, q := range askings() {
		if err := b.kind(ctx, q, names, c, here); err != nil {
			return err
		}
	}
	fmt.Printf("| the first answer of a server | – | %s |\n", ms(first))
	b.memory(c)
	return nil
}

// inTurns asks about each name in some rounds, a server and this process in turns, and returns the median of the times of each name;
// onceOver are the server's times of the first round alone.
func (b *bench) inTurns(ctx context.Context, q asking, names []string, c *client, here *inProcess) (
	served, inside, onceOver []time.Duration, err error) {
	by := make([][2][]time.Duration, len(names))
	for range b.runs(rounds) {
		for i, name := range names {
			took, err := c.timed(q, name)
			if err != nil {
				return nil, nil, nil, err
			}
			by[i][0] = append(by[i][0], took)
			if took, err = here.timed(ctx, q, name); err != nil {
				return nil, nil, nil, err
			}
			by[i][1] = append(by[i][1], took)
		}
	}
	for i := range by {
		onceOver = append(onceOver, by[i][0][0])
		served, inside = append(served, share(by[i][0], 50)), append(inside, share(by[i][1], 50))
	}
	return served, inside, onceOver, nil
}

// kind measures one kind of question.
func (b *bench) kind(ctx context.Context, q asking, names []string, c *client, here *inProcess) error {
	about := b.symbol
	if q.tool == "grep" || q.tool == "find" {
		about = b.word
	}
	for range 2 { // the first reads what every later one needs, the second begins to keep rows
		if _, err := c.timed(q, about); err != nil {
			return err
		}
		if _, err := here.timed(ctx, q, about); err != nil {
			return err
		}
	}
	served, inside, once, err := b.inTurns(ctx, q, names, c, here)
	if err != nil {
		return err
	}
	var most []time.Duration
	used := processor(c.cmd.Process.Pid)
	for range b.runs(maxNames) {
		took, err := c.timed(q, about)
		if err != nil {
			return err
		}
		most = append(most, took)
	}
	each := (processor(c.cmd.Process.Pid) - used) / time.Duration(len(most))
	p95, own, worst := share(served, 95), share(inside, 95), share(most, 95)
	b.row(fmt.Sprintf("%s, %d names, p95 (p50; p95 of the first round)", q.tool, len(names)), "aim "+ms(q.aim),
		fmt.Sprintf("%s (%s; %s)", ms(p95), ms(share(served, 50)), ms(share(once, 95))), p95 <= q.aim, true)
	b.row("… against the operation in process", "p95 ≤ + 2 ms", fmt.Sprintf("%s against %s", ms(p95), ms(own)), p95 <= own+2*time.Millisecond, true)
	b.row(fmt.Sprintf("%s %s again and again, p95 (p50; processor time of each)", q.tool, about), "aim "+ms(q.aim),
		fmt.Sprintf("%s (%s; %s)", ms(worst), ms(share(most, 50)), ms(each)), worst <= q.aim, true)
	return nil
}

// inProcess does operations in this process, as a server has them done.
type inProcess struct {
	dir   string
	open  func(dir string, need operation.Need) (*project.Project, error)
	close func()
}

func (b *bench) openHere(ctx context.Context) (*inProcess, error) {
	p := app.Program{Getenv: os.Getenv, Dir: b.dir, Stderr: os.Stderr, Heap: app.Collect(os.Getenv)}
	open, end := p.Projects(ctx)
	_, err := open(b.dir, operation.Existing)
	return &inProcess{b.dir, open, end}, err
}

// errEnough ends an answer at the length at which a server's ends.
var errEnough = errors.New("enough")

type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	const most = 2000 * 16
	if l.Len() > most {
		return 0, errEnough
	}
	return l.Buffer.Write(p)
}

func (h *inProcess) timed(ctx context.Context, q asking, about string) (time.Duration, error) {
	all := op.All()
	t := all[slices.IndexFunc(all, func(t *op.Tool) bool { return t.Name == q.tool })]
	in := t.NewInput()
	for _, f := range t.Input() {
		if f.Key() != q.key {
			continue
		}
		switch p := f.Pointer(in).(type) {
		case *string:
			*p = about
		case *[]string:
			*p = []string{about}
		}
	}
	began := time.Now()
	env := &op.Env{Dir: h.dir, Stdin: strings.NewReader(""), Getenv: os.Getenv, Open: h.open}
	err := t.Run(ctx, env, in, func(answer any) error { return t.Text(operation.NewText(&limited{}, false), in, answer) })
	took := time.Since(began)
	if errors.Is(err, errEnough) || operation.OutcomeOf(ctx, err) == operation.Nothing {
		err = nil
	}
	return took, err
}

// idle is how much memory a server may have when nobody asks, in bytes, and how long it may take until it has no more.
const (
	idle     = 60 << 20
	idleSoon = 15 * time.Second
)

// memory measures what a server has that answered, and was not asked for a while.
func (b *bench) memory(c *client) {
	busy := resident(c.cmd.Process.Pid)
	kb := busy
	for end := time.Now().Add(idleSoon); kb > idle>>10 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		kb = resident(c.cmd.Process.Pid)
	}
	b.row("memory when idle (when busy)", "≤ 60 MB", fmt.Sprintf("%d MB (%d MB)", kb>>10, busy>>10), kb <= idle>>10, true)
}

// resident is the memory of a process in kB, 0 where the system does not say.
func resident(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kb); err == nil {
			return kb
		}
	}
	return 0
}

// processor is how long a process has used the processor, 0 where the system does not say. Unlike time by the clock it hardly
// depends on what else the machine does.
func processor(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // behind the name, which may hold blanks
	fields := strings.Fields(string(rest))
	const user, system, tick = 11, 12, 10 * time.Millisecond
	if len(fields) <= system {
		return 0
	}
	var a, b int64
	if _, err := fmt.Sscan(fields[user]+" "+fields[system], &a, &b); err != nil {
		return 0
	}
	return time.Duration(a+b) * tick
}

// clients is how many ask at once.
const clients = 8

// many compares clients that ask at once with one.
func (b *bench) many(ctx context.Context) error {
	alone, err := b.atOnce(ctx, 1)
	if err != nil {
		return err
	}
	all, err := b.atOnce(ctx, clients)
	if err != nil {
		return err
	}
	limit := 1.5 * clients / float64(runtime.NumCPU())
	ratio := float64(share(all, 95)) / float64(share(alone, 95))
	b.row("8 clients at once, p95 of show", fmt.Sprintf("≤ %.1f × one, no errors", limit),
		fmt.Sprintf("%.1f × %s, 0 errors", ratio, ms(share(alone, 95))), ratio <= limit, true)
	return nil
}

// atOnce has some clients, each with a server of its own, ask the same at once.
func (b *bench) atOnce(ctx context.Context, n int) (all []time.Duration, err error) {
	q := askings()[0]
	started := make([]*client, n)
	for i := range started {
		if started[i], err = b.spawn(ctx); err != nil {
			return nil, err
		}
		defer started[i].close()
		if _, err := started[i].timed(q, b.symbol); err != nil {
			return nil, err
		}
	}
	b.settle(n)
	type done struct {
		took []time.Duration
		err  error
	}
	results := make(chan done, n)
	for _, c := range started {
		go func() {
			var d done
			for range b.runs(100) {
				took, err := c.timed(q, b.symbol)
				d.took, d.err = append(d.took, took), errors.Join(d.err, err)
			}
			results <- d
		}()
	}
	for range started {
		d := <-results
		all, err = append(all, d.took...), errors.Join(err, d.err)
	}
	return all, err
}
