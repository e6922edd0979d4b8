package extract

import (
	"ken/internal/engine/extract/repair"
)

// A bracket left open joins the lines that follow it, and the grammar gives up on the
// rest of the file. A line that begins with a keyword no expression can begin with
// shows that the bracket has no partner. The bracket is then blanked out, so that every
// offset stays the same, and the file is parsed again. The parser is created for the
// occasion, which costs microseconds.

// parseRepaired parses a broken file again without its unpaired brackets, and uses that tree
// if it has fewer errors. The caller closes the parser that it
// returns, nil if there is none, when done with the tree.
func (p *python) parseRepaired() *treeParser {
	src, blanked := repair.Python(p.text)
	if blanked == 0 {
		return nil
	}
	parser, err := newTreeParser()
	if err != nil {
		return nil
	}
	nodes, status := parser.parse(p.g, src, limits{})
	if status != parseOK || len(nodes) <= int(root) {
		parser.close()
		return nil
	}
	t := p.tree
	t.nodes, t.comments, t.noted, t.damage = nodes, nil, nil, nil
	errors, branches := t.survey()
	if errors += blanked; errors >= p.facts.ErrorBytes {
		parser.close()
		return nil
	}
	t.parsed, t.read = src, make([]bool, len(nodes))
	p.tree = t
	p.facts.ErrorBytes, p.facts.Branches = errors, branches
	return parser
}
