package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// step is a step of a guide, as it was printed.
type step struct {
	name, ask string
	calls     []string
	jobs      []job
}

var stepHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+\. ([a-z ]+): `) })

// guideSteps returns the steps of a guide.
func guideSteps(text string) (list []step) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := stepHead().FindStringSubmatch(line); m != nil {
			list = append(list, step{name: m[1]})
			continue
		}
		if len(list) == 0 || !strings.HasPrefix(line, "   ") {
			continue
		}
		s, line := &list[len(list)-1], strings.TrimSpace(line)
		if call := strings.Trim(line, "`"); call != line {
			s.calls = append(s.calls, call)
		}
		if question, ok := strings.CutPrefix(line, "ask: "); ok {
			s.ask = question
		}
		s.jobs = append(s.jobs, jobs(line)...)
	}
	return list
}

// run runs all calls of the step; values fill the placeholders of the first. It returns the last answer.
func (s step) run(a *agent, values ...string) (text string) {
	for _, c := range s.calls {
		text = a.must(fillCall(c, values))
		values = nil
	}
	return text
}

// action is a step of a phase, as `ken plan run` prints it.
type action struct {
	who, what, plan, question        string
	commands, checks, then, elsewise []string
	jobs                             []job
}

var actionHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(planner|checker|executor|verifier|person|orchestrator): (?:(\d\d-\d\d): )?(.*)$`)
})

// runActions returns the actions of an answer.
func runActions(text string) (list []action) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := actionHead().FindStringSubmatch(line); m != nil {
			list = append(list, action{who: m[1], plan: m[2], what: m[3]})
			continue
		}
		if len(list) == 0 || !strings.HasPrefix(line, "  ") {
			continue
		}
		x, line := &list[len(list)-1], strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, ": ")
		switch {
		case word == "then":
			x.then = append(x.then, rest)
		case word == "otherwise":
			x.elsewise = append(x.elsewise, rest)
		case word == "run":
			command, _, _ := strings.Cut(rest, "  (")
			x.checks = append(x.checks, command)
		case word == "agent":
			x.jobs = append(x.jobs, jobs(line)...)
		case strings.HasPrefix(line, "ken "):
			x.commands = append(x.commands, line)
		case strings.HasSuffix(line, "?"):
			x.question = line
		}
	}
	return list
}

// leader is the agent that follows the guides.
type leader struct {
	*agent
	steps   map[string]step // of the guide that it follows
	rounds  map[string]int  // how often a script was started, by its name
	reviews bool
}

// follow carries the steps of a guide out, in their order.
func (l *leader) follow(text string, do map[string]func(step)) {
	l.steps, l.run.guide = map[string]step{}, text
	list := guideSteps(text)
	for _, s := range list {
		l.steps[s.name] = s
	}
	for _, s := range list {
		f, ok := do[s.name]
		if !ok {
			l.fail("the guide has a step %q", s.name)
		}
		if f != nil {
			f(s)
		}
	}
}

// question asks the user what a step asks, and returns the answer.
func (l *leader) question(about string, s step) string {
	if s.ask == "" {
		l.fail("step %q asks nothing", s.name)
	}
	return l.say(about + "\n\n" + s.ask)
}

// script returns the name of a script, which grows by a number for each agent that begins anew.
func (l *leader) script(name string) string {
	l.rounds[name]++
	if n := l.rounds[name]; n > 1 {
		return name + "-" + strconv.Itoa(n)
	}
	return name
}

// delegate starts the agent of a step and returns its last text.
func (l *leader) delegate(j job, more string) string {
	j.script, j.more = l.script(j.role), more
	return l.start(j)[0].text
}

// newProject follows the guide from an idea to a roadmap.
func (l *leader) newProject(text string) {
	l.follow(text, map[string]func(step){
		"look":       func(s step) { s.run(l.agent) },
		"understand": func(s step) { l.question("A shell script greets people by name.", s) },
		"begin": func(s step) {
			s.run(l.agent, "greet", "'People are greeted from the shell'", "'Greet: a person is greeted by name'", "'Languages: a person is greeted in German'")
		},
		"research":     func(s step) { l.delegate(s.jobs[0], "") },
		"requirements": func(s step) { l.delegate(s.jobs[0], "") },
		"agree": func(s step) {
			s.run(l.agent)
			l.question("Two phases: Greet, Languages.", s)
		},
		"keep": func(s step) { s.run(l.agent) },
	})
}

// planPhase follows the guide to plans that were checked.
func (l *leader) planPhase(text string) {
	var last string
	l.follow(text, map[string]func(step){
		"ready":     func(s step) { s.run(l.agent) },
		"decisions": func(s step) { l.question("Nothing was settled.", s) },
		"research":  func(s step) { l.delegate(s.jobs[0], "") },
		"patterns":  func(s step) { l.delegate(s.jobs[0], "") },
		"lead":      func(s step) { last = l.lead(s.run(l.agent)) },
		"agree": func(s step) {
			s.run(l.agent)
			l.question("Three plans in two waves.", s)
			x := runActions(last)
			l.must(fillCall(x[0].then[0], []string{"passed"}))
		},
	})
}

// executePhase follows the guide to a phase that is complete.
func (l *leader) executePhase(text string) {
	l.follow(text, map[string]func(step){
		"keep":   func(s step) { s.run(l.agent) },
		"lead":   func(s step) { l.lead(s.run(l.agent)) },
		"judge":  nil, // within lead
		"review": nil,
		"close":  nil,
		"record": func(s step) { s.run(l.agent) },
	})
}

var counts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d+) blockers?, (\d+) warnings?`) })

// issueList is the list of issues in the answer of a checker, which a client puts words of its own around.
var issueList = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`issues:(?: \[\]|\n(?:  .*\n?)+)`) })

// lead does what the answers of a run name, until a person has to agree to the plans or the phase is complete. It returns the last answer.
func (l *leader) lead(text string) string {
	for range 40 {
		list := runActions(text)
		if len(list) == 0 {
			return text
		}
		x := list[0]
		switch {
		case x.who == "planner":
			l.delegate(x.jobs[0], "")
			text = l.must(x.then[0])
		case x.who == "checker":
			issues := l.delegate(x.jobs[0], "")
			m := counts().FindStringSubmatch(issues)
			if m == nil {
				l.fail("the checker gives no counts: %s", issues)
			}
			text = l.must(fillCall(x.then[0], append(m[1:], "'"+issueList().FindString(issues)+"'")))
		case x.question == "may the plans be carried out?":
			return text
		case x.question == "may the phase end?":
			s := l.step("close")
			s.run(l.agent)
			l.question("It is verified.", s)
			text = l.must(fillCall(x.then[0], []string{"passed"}))
		case x.who == "verifier":
			if s := l.step("review"); !l.reviews {
				l.reviews = true
				l.delegate(s.jobs[0], "")
			}
			l.delegate(x.jobs[0], "")
			text = l.must(fillCall(x.then[0], append([]string{"passed"}, zeros(x.then[0])...)))
		case slices.ContainsFunc(list, func(x action) bool { return x.who == "executor" }):
			text = l.carryOut(list)
		case strings.HasPrefix(x.what, "the plan failed"):
			text = l.must(fillCall(x.then[0], []string{"retry"}))
		case x.who == "orchestrator" && len(x.checks) > 0:
			var ends []string
			for _, c := range x.checks {
				_, exit := l.shell(c)
				ends = append(ends, strconv.Itoa(exit))
			}
			text = l.must(fillCall(x.then[0], ends))
		case x.who == "orchestrator" && len(x.commands) > 0:
			for _, c := range x.commands {
				text = l.must(c)
			}
		case x.who == "orchestrator" && len(x.then) > 0:
			text = l.must(x.then[0])
		default:
			l.fail("nothing to do in %s", text)
		}
	}
	l.fail("it goes round in circles: %s", text)
	return ""
}

// step returns a step of the guide that is followed.
func (l *leader) step(name string) step {
	s, ok := l.steps[name]
	if !ok {
		l.fail("the guide has no step %q", name)
	}
	return s
}

// zeros returns the exit status 0 for each command of a call that has not run.
func zeros(call string) []string {
	return slices.Repeat([]string{"0"}, strings.Count(call, "'EXIT "))
}

// carryOut makes work trees, has executors carry their plans out side by side, and reports how each ended.
func (l *leader) carryOut(list []action) string {
	var begun []action
	var all []job
	for _, x := range list {
		if x.who == "orchestrator" {
			for _, c := range x.commands {
				l.must(c)
			}
		}
		if x.who == "executor" {
			j := x.jobs[0]
			j.script = l.script("executor-" + x.plan)
			begun, all = append(begun, x), append(all, j)
		}
	}
	ends := l.start(all...)
	text := ""
	for i, x := range begun {
		status := l.step("judge").run(l.agent)
		switch {
		case strings.Contains(ends[i].text, "failed"):
			text = l.must(fillCall(x.elsewise[0], []string{"'the tests do not pass'"}))
		case !strings.Contains(status, x.plan):
			l.fail("the status has no %s: %s", x.plan, status)
		default:
			text = l.must(fillCall(x.then[0], zeros(x.then[0])))
		}
	}
	return text
}

// leadPhase is the script of the whole session: from an idea to a verified phase.
func leadPhase(a *agent) {
	l := &leader{agent: a, rounds: map[string]int{}}
	a.skill("ken-plan")
	l.newProject(a.must("ken plan guide"))
	a.run.tokens.begin()
	l.planPhase(l.ken("ken plan guide plan-phase"))
	l.executePhase(l.ken("ken plan guide execute-phase"))
	a.end("Phase 1 is complete.")
}

// changeFast is the script of a small change: two steps, and no document.
func changeFast(a *agent) {
	l := &leader{agent: a, rounds: map[string]int{}}
	a.skill("ken-do")
	if size := a.ken("ken plan size", "lib/name.sh"); !strings.HasPrefix(size, "fast: ") {
		a.fail("the change is not small: %s", size)
	}
	l.follow(a.ken("ken plan guide fast"), map[string]func(step){
		"look": func(s step) {
			a.must(fillCall(s.calls[0], []string{"'the message for a name that is missing'"}))
			a.must(fillCall(s.calls[1], []string{"lib/name.sh"}))
		},
		"change": func(s step) {
			a.readFile("lib/name.sh")
			a.edit("lib/name.sh", "'name missing'", "'a name is missing'")
			a.must("make test")
			s.run(a)
			a.must("git add lib/name.sh && git commit -q -m 'fix(name) - the message is a sentence'")
		},
	})
	a.end("The message is a sentence; make test ends with 0.")
}
