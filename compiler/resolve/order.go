package resolve

import "github.com/tabletop-rules/rules/runtime/plan"

// A node is something that may refer to others.
type node struct {
	name string
	deps []edge
}

// An edge is a reference to the node at an index.
type edge struct {
	to int
	at plan.Place
}

// A cycle is a path of nodes, the last of which refers to the first at a place.
type cycle struct {
	path []int
	at   plan.Place
}

// sort orders nodes so that each comes after those it refers to, by a walk in the given order, and lists the cycles
// that the walk closes.
func sort(nodes []node) (order []int, cycles []cycle) {
	const (
		unseen = iota
		open
		done
	)
	state := make([]uint8, len(nodes))
	var path []int
	var visit func(i int)
	visit = func(i int) {
		state[i] = open
		path = append(path, i)
		for _, e := range nodes[i].deps {
			switch state[e.to] {
			case unseen:
				visit(e.to)
			case open:
				cycles = append(cycles, cycle{path: since(path, e.to), at: e.at})
			}
		}
		path = path[:len(path)-1]
		state[i] = done
		order = append(order, i)
	}
	for i := range nodes {
		if state[i] == unseen {
			visit(i)
		}
	}
	return order, cycles
}

// since copies the part of a path that begins with a node.
func since(path []int, i int) []int {
	for k := range path {
		if path[k] == i {
			return append([]int(nil), path[k:]...)
		}
	}
	return nil
}
