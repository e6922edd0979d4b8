package rank

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Trees is a sum of regression trees over a vector of inputs. They are learned by gradient boosting for orders (LambdaMART: C. Burges,
// "From RankNet to LambdaRank to LambdaMART", 2010) in bench/rank/trees and evaluated here in integers, so that all machines agree.
type Trees struct {
	Inputs []string // names, by place in a vector
	nodes  []treeNode
	leaves []int32
	roots  []int32 // places in nodes
}

// treeNode is an inner node: a value of at most threshold goes to the first child, others to the second. A child below 0 is the leaf
// ^child.
type treeNode struct {
	child     [2]int32
	threshold int32
	input     uint8
	mean      float32 // of the leaves below
}

// Units of the integers in a table.
const (
	inputUnit = 1000 // of one unit of a feature
	leafUnit  = 1000 // of one unit of a score
	maxInput  = 32000
)

// Quantize returns the integer by which trees see the value of a feature.
func Quantize(v float64) int32 {
	return int32(min(max(math.Round(float64(float32(v))*inputUnit), -maxInput), maxInput))
}

var errTrees = errors.New("the table of trees is damaged")

// ReadTrees reads the table that bench/rank/trees writes: the number of inputs as a byte, the name of each behind its length as a byte,
// the number of trees in two bytes; for each tree the number of its inner nodes as a byte, the nodes (input as a byte, threshold in two
// bytes, two children as signed bytes), and the leaves in two bytes each. Numbers of two bytes are little-endian. It fails if the table
// does not end there or a number is out of its range.
func ReadTrees(table []byte) (*Trees, error) {
	r := treeReader{rest: table}
	t := &Trees{}
	for range r.byte() {
		t.Inputs = append(t.Inputs, string(r.take(int(r.byte()))))
	}
	for range r.word() {
		if err := t.readTree(&r); err != nil {
			return nil, err
		}
	}
	if r.short || len(r.rest) > 0 {
		return nil, errTrees
	}
	return t, nil
}

func (t *Trees) readTree(r *treeReader) error {
	n, node, leaf := int32(r.byte()), int32(len(t.nodes)), int32(len(t.leaves))
	t.roots = append(t.roots, node)
	if n == 0 {
		return fmt.Errorf("%w: a tree without nodes", errTrees)
	}
	for k := range n {
		x := treeNode{input: r.byte(), threshold: int32(int16(r.word()))}
		for i := range x.child {
			// Children stand behind their parents, so that no walk goes on for ever.
			c := int32(int8(r.byte()))
			behind := c > k && c < n || c < 0 && ^c <= n
			if !behind || int(x.input) >= len(t.Inputs) {
				return fmt.Errorf("%w: a node that is not there", errTrees)
			}
			if x.child[i] = node + c; c < 0 {
				x.child[i] = ^(leaf + ^c)
			}
		}
		t.nodes = append(t.nodes, x)
	}
	for range n + 1 {
		t.leaves = append(t.leaves, int32(int16(r.word())))
	}
	count := make([]float32, n) // of leaves below
	for k := n - 1; k >= 0; k-- {
		x := &t.nodes[node+k]
		for _, c := range x.child {
			below := float32(1)
			if c >= 0 {
				below = count[c-node]
			}
			x.mean += below * t.mean(c)
			count[k] += below
		}
		x.mean /= count[k]
	}
	return nil
}

// mean returns the mean of the leaves below a child of a node.
func (t *Trees) mean(child int32) float32 {
	if child < 0 {
		return float32(t.leaves[^child])
	}
	return t.nodes[child].mean
}

// treeReader reads numbers of a table. Behind its end all are 0.
type treeReader struct {
	rest  []byte
	short bool
}

func (r *treeReader) take(n int) []byte {
	if n > len(r.rest) {
		r.short, n = true, len(r.rest)
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *treeReader) byte() uint8 {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *treeReader) word() uint16 {
	if b := r.take(2); len(b) == 2 {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// Score returns the sum of the trees for quantized inputs, in thousandths.
func (t *Trees) Score(inputs []int32) int32 {
	sum := int32(0)
	for _, at := range t.roots {
		for at >= 0 {
			n := &t.nodes[at]
			// 1 if the value is larger: without a branch, which a processor would guess wrong half of the time.
			at = n.child[uint32(n.threshold-inputs[n.input])>>31]
		}
		sum += t.leaves[^at]
	}
	return sum
}

// Moves returns what each input added to the sum of the trees, in thousandths, which with the means of all trees make the sum: a node adds
// the difference between the mean of the leaves below the child that is taken and the mean of those below itself (A. Saabas, "Interpreting
// random forests", 2014).
func (t *Trees) Moves(inputs []int32) []float32 {
	out := make([]float32, len(t.Inputs))
	for _, at := range t.roots {
		for at >= 0 {
			n := &t.nodes[at]
			at = n.child[uint32(n.threshold-inputs[n.input])>>31]
			out[n.input] += t.mean(at) - n.mean
		}
	}
	return out
}
