package notes

import (
	"slices"

	"ken/internal/engine/view"
)

// common are words that say nothing about what a text is about: nearly every prompt has some.
const common = "a about above after again all also an and any are as at be because been before being below but by can could did do does doing done down " +
	"each few for from further get gets give go goes good had has have having he help her here hers him his how i if in into is it its just know let like " +
	"look make makes me more most must my need needs new no nor not now of off on once one only or other our out over own please put run same see she should " +
	"show so some still such take than thanks that the their them then there these they thing things this those through to too try under until up us use used " +
	"using very want was way we well were what when where which while who why will with work works would yes you your file files code change changes changed " +
	"add added adding fix fixed update updated project test tests line lines function method class write wrote read"

// Terms are the words of a text that say what it is about, as numbers, sorted.
func Terms(text string) (out []uint64) {
	skip := map[uint64]bool{}
	for _, t := range view.MessageTerms(common, 1) {
		skip[uint64(t.Term)] = true
	}
	for _, t := range view.MessageTerms(text, 1) {
		if !skip[uint64(t.Term)] {
			out = append(out, uint64(t.Term))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
