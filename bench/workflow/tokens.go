package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	tokens "ken/internal/token"
)

// ledger counts the tokens of texts that agents read, by what they are. The zero value is ready.
type ledger struct {
	mu     sync.Mutex
	once   sync.Once
	counts *tokens.Counter
	ours   map[string]int // texts that lead the agents, by kind
	facts  map[string]int // what ken answers otherwise: payloads, facts
	times  map[string]int
	main   map[string]int // what the session itself begins with
}

func (l *ledger) count(text string) int {
	l.once.Do(func() {
		l.counts, l.ours, l.facts, l.times = tokens.New(tokens.O200K), map[string]int{}, map[string]int{}, map[string]int{}
		l.main = map[string]int{}
	})
	return l.counts.Count([]byte(text))
}

// add counts a text that leads an agent.
func (l *ledger) add(agent, kind, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.count(text)
	l.ours[kind] += n
	l.times[kind]++
	if agent == "main" && (strings.HasPrefix(kind, "skills") || slices.Contains([]string{"rules", "server", "first words"}, kind)) {
		l.main[kind] += n
	}
}

func (l *ledger) addFacts(kind, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.count(text)
	l.facts[kind] += n
	l.times[kind]++
}

// addResult counts the result of a use of a tool. Guides, roles and references, what a run says next, skills and templates lead; of the
// other answers of ken the lines do that name a call.
func (l *ledger) addResult(agent string, u use, text string) {
	command, _ := u.input["command"].(string)
	file, _ := u.input["file_path"].(string)
	if u.tool == "Skill" {
		l.add(agent, "skills loaded", text)
		return
	}
	if u.tool == "Read" && strings.HasSuffix(file, "-PLAN.md") && strings.Contains(text, "[What to do") {
		l.add(agent, "templates", text)
		return
	}
	for _, words := range simpleCommands(command) {
		if len(words) < 2 || words[0] != "ken" {
			continue
		}
		name := words[1]
		if name == "plan" && len(words) > 2 {
			name = words[2]
		}
		switch name {
		case "guide":
			l.add(agent, "guide "+words[min(3, len(words)-1)], text)
			return
		case "run":
			l.add(agent, "run "+words[3], text)
			return
		}
		if name == "template" && words[3] == "show" {
			l.add(agent, "templates", text)
			return
		}
		var leads, rest []string
		for line := range strings.Lines(text) {
			if strings.Contains(line, "ken ") {
				leads = append(leads, line)
			} else {
				rest = append(rest, line)
			}
		}
		if len(leads) > 0 {
			l.add(agent, "lines of other answers", strings.Join(leads, ""))
		}
		l.addFacts(name, strings.Join(rest, ""))
		return
	}
}

// begin leaves out what was counted so far, but for what the session begins with: a phase is counted from here.
func (l *ledger) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count("")
	kept := map[string]int{}
	for kind, n := range l.main {
		kept[kind] = n
	}
	clear(l.facts)
	clear(l.times)
	l.ours = kept
}

// totals returns the tokens of texts that lead, and of others.
func (l *ledger) totals() (ours, others int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.ours {
		ours += n
	}
	for _, n := range l.facts {
		others += n
	}
	return ours, others
}

// print prints both tables.
func (l *ledger) print() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, part := range []struct {
		title string
		list  map[string]int
	}{{"texts of ours that agents read", l.ours}, {"other answers of ken", l.facts}} {
		sum := 0
		for _, n := range part.list {
			sum += n
		}
		fmt.Printf("%s: %d tokens\n", part.title, sum)
		names := slices.SortedFunc(maps.Keys(part.list), func(a, b string) int {
			return cmp.Or(part.list[b]-part.list[a], strings.Compare(a, b))
		})
		for _, name := range names {
			fmt.Printf("  %6d  %-24s × %d\n", part.list[name], name, l.times[name])
		}
	}
}
