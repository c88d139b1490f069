package float

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The shape of a reduction, drawn as one line that walks around its tree, so
// that any order fits the same series slot.

// node is a value or a sum of a small reduction; at is its x position, level
// the number of additions on the longest way down to a value.
type node struct {
	at    float64
	level int
	parts []*node
}

func leaves(n int) []*node {
	all := make([]*node, n)
	for i := range all {
		all[i] = &node{at: float64(i)}
	}
	return all
}

func add(a, b *node) *node {
	return &node{at: (a.at + b.at) / 2, level: 1 + max(a.level, b.level), parts: []*node{a, b}}
}

func leftToRight(v []*node) *node {
	sum := v[0]
	for _, x := range v[1:] {
		sum = add(sum, x)
	}
	return sum
}

func inPairs(v []*node) *node {
	for len(v) > 1 {
		var next []*node
		for ; len(v) > 1; v = v[2:] {
			next = append(next, add(v[0], v[1]))
		}
		v = append(next, v...)
	}
	return v[0]
}

// shapeOptions are the orders that can be drawn, by the names that the other
// figures give them.
func shapeOptions() []demo.Option {
	return []demo.Option{
		{Name: "seq", Label: "left to right"}, {Name: "pairwise", Label: "pairs"}, {Name: "strided", Label: "strided"}, {Name: "splitk4", Label: "split in 4"}, {Name: "block256", Label: "threads, then a tree"},
	}
}

// shapeNumbers is how many numbers the picture adds.
const shapeNumbers = 16

// shapeOf is the tree of an order on 16 numbers; the threads of a block are
// scaled down to 4.
func shapeOf(order string) *node {
	v := leaves(shapeNumbers)
	const parts = 4
	switch order {
	case "pairwise":
		return inPairs(v)
	case "strided":
		for w := len(v) / 2; w > 0; w /= 2 {
			for i := range w {
				v[i] = add(v[i], v[i+w])
			}
		}
		return v[0]
	case "splitk4":
		var sums []*node
		for i := 0; i < len(v); i += len(v) / parts {
			sums = append(sums, leftToRight(v[i:i+len(v)/parts]))
		}
		return leftToRight(sums)
	case "block256":
		var sums []*node
		for t := range parts {
			var own []*node
			for i := t; i < len(v); i += parts {
				own = append(own, v[i])
			}
			sums = append(sums, leftToRight(own))
		}
		return inPairs(sums)
	}
	return leftToRight(v)
}

// walk appends the way around the tree: down to each value and back up.
func (n *node) walk(s *demo.Series) {
	visit := func() {
		s.X = append(s.X, n.at)
		s.Y = append(s.Y, float64(n.level))
	}
	visit()
	for _, p := range n.parts {
		p.walk(s)
		visit()
	}
}

func shapeFigure(order string) demo.Figure {
	root := shapeOf(order)
	tree := demo.Series{ID: "tree", Name: "additions", Role: demo.Ink, Shape: demo.Line}
	root.walk(&tree)
	values := demo.Series{ID: "values", Name: "numbers", Role: demo.Soft, Shape: demo.Points}
	for i := range shapeNumbers {
		values.X = append(values.X, float64(i))
		values.Y = append(values.Y, 0)
	}
	f := demo.Figure{
		ID: "shape", Title: "The order on 16 numbers", Kind: demo.Chart,
		Alt:    "A tree over 16 numbers. The longest way from a number to the sum passes " + text.Count(root.level, "addition", "additions") + ".",
		X:      demo.Axis{Label: "Position in the row", Min: 0, Max: shapeNumbers - 1, Digits: 2},
		Y:      demo.Axis{Label: "Additions so far", Min: 0, Max: shapeNumbers, Digits: 2},
		Series: []demo.Series{tree, values},
		Table:  demo.Table{Caption: "Additions on the longest way", Columns: []demo.Column{{Name: "Order"}, {Name: "Additions"}}},
		Notes:  []string{"Every addition rounds. A number at the bottom of a long way is rounded that many times. Threads are scaled down to 4."},
	}
	for _, o := range shapeOptions() {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(o.Label), demo.N(float64(shapeOf(o.Name).level))})
	}
	return f
}
