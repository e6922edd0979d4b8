package rank

import "math"

// chanceWeights are the weights of Chance, fitted by bench/rank/trees.
var chanceWeights = [...]struct {
	of     Feature // of the first candidate
	weight float64
}{
	{Path, -0.305}, {Defines, 0.127}, {TitleBase, 0.147}, {BestName, 0.065}, {Rare, 1.189}, {Learned, 0.232}, {Code, 1.332}, {QueryWords, 0.221}, {QueryNames, 0.025},
}

const (
	chanceAlone  = -5.363
	chanceLead   = 0.507 // log(1+l), l being how far the first score is above the second
	chanceOfFive = 0.848 // the same with the fifth
	chanceScore  = 0.120
)

// Chance returns the probability that the first candidate is right: of past tasks on which a first candidate stood out as far, the share
// in which it was. It is a logistic regression, 0 without candidates.
func (s *Set) Chance() float64 {
	if len(s.order) == 0 {
		return 0
	}
	first := s.order[0]
	lead := func(place int) float64 {
		return math.Log1p(float64(s.scores[first] - s.scores[s.order[min(place, len(s.order)-1)]]))
	}
	sum := chanceAlone + chanceLead*lead(1) + chanceOfFive*lead(4) + chanceScore*float64(s.scores[first])
	for _, c := range chanceWeights {
		sum += c.weight * s.vectors[first][c.of]
	}
	return 1 / (1 + math.Exp(-sum))
}
