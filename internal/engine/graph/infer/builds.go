package infer

import "ken/internal/engine/graph"

// declared returns the meaning of a name that files of one scope declare, and whether one of them does. Where several may, each for other
// constraints of the build, it means all of them.
func (y *Types) declared(s *graph.Site, files []int64, name string) (term, bool) {
	var parts []term
	for _, id := range files {
		list := y.look.Declarations(id, "", name)
		if len(list) == 0 {
			continue
		}
		if parts = append(parts, y.value(list)); !syntaxFor(s.Node.Lang).builds || len(parts) == maxEither {
			break
		}
	}
	if len(parts) == 0 {
		return term{}, false
	}
	return eachBuild(s, parts), true
}

// eachBuild returns the term of an expression that means one of the parts in each build.
func eachBuild(s *graph.Site, parts []term) term {
	t := term{what: termEither, site: s, builds: true}
	for i := range parts {
		if i > 0 && parts[i].what == termOutside && parts[0].what == termOutside {
			continue
		}
		t.args = append(t.args, &expr{op: opTerm, term: &parts[i]})
	}
	if len(t.args) == 1 {
		return parts[0]
	}
	return t
}
