package outcome

import (
	"cmp"
	"fmt"
	"slices"
)

// leastDifference is the least difference between the failure rates of a group of sessions and of all sessions that makes a finding.
const leastDifference = 0.2

// addFindings adds the findings of the counts, the strongest first.
func (in *Insights) addFindings() {
	var all Tally
	for _, s := range in.Sights {
		all.Success, all.Failure, all.Partial = all.Success+s.Success, all.Failure+s.Failure, all.Partial+s.Partial
	}
	for _, s := range in.Sights {
		what := map[string]string{
			string(AllSeen): "all files they changed", string(SomeSeen): "some of the files they changed", string(NoneSeen): "none of the files they changed",
		}[s.Name]
		in.compareGroup(s, all, "sessions to which an answer had shown "+what)
	}
	for _, p := range in.Points {
		if n := p.Failure + p.Partial; n >= MinOften {
			text := fmt.Sprintf("%d times it failed at %s", p.Failure, p.Name)
			if p.Partial > 0 {
				text += fmt.Sprintf(", %d times in part", p.Partial)
			}
			in.add(Finding{text, "point", p.FailureRate(), n})
		}
	}
	for _, f := range in.Files {
		if f.FailureRate() >= 0.5 {
			in.add(Finding{fmt.Sprintf("%d of %d outcomes with %s are failures", f.Failure, f.Total(), f.Name), "file", f.FailureRate(), f.Total()})
		}
	}
	slices.SortStableFunc(in.Findings, func(a, b Finding) int { return cmp.Or(cmp.Compare(b.Rate, a.Rate), b.Of-a.Of) })
}

// compareGroup adds a finding if a group of sessions fails more or less often than the others.
func (in *Insights) compareGroup(group CountedGroup, all Tally, what string) {
	rest := Tally{all.Success - group.Success, all.Failure - group.Failure, all.Partial - group.Partial}
	if group.Total() < MinSessions || rest.Total() < MinSessions {
		return
	}
	a, b := group.FailureRate(), rest.FailureRate()
	if a-b >= leastDifference || b-a >= leastDifference {
		in.add(Finding{fmt.Sprintf("%.0f%% of %d %s failed, %.0f%% of the other %d", 100*a, group.Total(), what, 100*b, rest.Total()), "sight", a, group.Total()})
	}
}

func (in *Insights) add(f Finding) { in.Findings = append(in.Findings, f) }
