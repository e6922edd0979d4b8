package search

import "strings"

// stop are words that occur in queries about anything: English function words, and
// the boilerplate of issue reports.
var stop = set(`a about above after again against all also am an and any are aren as at be because been before being below
between both but by can cannot could couldn did didn do does doesn doing don done down during each either else etc ever every few
for from further get gets getting got had hadn has hasn have haven having he her here hers him his how however i if in into is isn
it its itself just let lets ll like may maybe me might more most much must my need needs neither no nor not now of off often on once
one only or other our out over own please rather re really same see seem seems shall she should shouldn since so some someone
something still such than that the their them then there these they thing things think this those though through to too under until
up upon us ve very via want wants was wasn way we well were weren what when where whether which while who whom whose why will with
within without won would wouldn yes yet you your actual actually behavior behaviour bug current currently describe description
expected expect feature hello hi issue motivation modification modifications question related reproduce reproduction result
results screenshot steps suggestion summary thank thanks version previously instead currently problem`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
