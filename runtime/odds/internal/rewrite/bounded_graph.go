package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A boundedGraph is the graph that is expanded, with the interval of each of its nodes. It answers questions about the
// graph alone, which no round changes.
type boundedGraph struct {
	*Network
	bounds []interval.Interval
}

// rollsLoneDice reports whether all that a loop does is to roll single dice, always, and to put them into lists.
func (g *boundedGraph) rollsLoneDice(loop plan.ID) bool {
	return !g.mayEndWithin(loop) && !slices.ContainsFunc(g.Blocks[g.Nodes[loop].Imm].Nodes, func(id plan.ID) bool {
		n := &g.Nodes[id]
		return g.Needed[id] && (n.Op == plan.OpLoop || n.Op == plan.OpRoll && g.Dice[n.Imm].List)
	})
}

// walkedList returns the list that a loop repeats its body for each element of, and the node of the iteration in the body.
func (g *boundedGraph) walkedList(loop plan.ID) (list, index plan.ID) {
	count := &g.Nodes[g.Nodes[loop].Args[0]]
	if count.Op != plan.OpSize {
		return plan.None, plan.None
	}
	return count.Args[0], g.iterationNode(loop)
}

// readsOnlyElements reports whether a loop's body uses the number of the iteration only to read the element of a list.
func (g *boundedGraph) readsOnlyElements(loop, list, index plan.ID) bool {
	if index == plan.None {
		return true
	}
	return !slices.ContainsFunc(g.Users[index], func(u plan.ID) bool {
		n := &g.Nodes[u]
		return !(n.Op == plan.OpElem || n.Op == plan.OpElemFault) || n.Args[0] != list
	}) && !slices.Contains(g.Results(loop), index)
}

// neverFails reports whether the intervals of the rule exclude a fault. A fault is 0 for none and else the number of a
// message, so an upper bound of 0 is the proof.
func (g *boundedGraph) neverFails(id plan.ID) bool { return g.bounds[id].Max == 0 }

// isWholeList reports whether a list to which an element was pushed is complete: whoever reads it does not push to it.
func (g *boundedGraph) isWholeList(push plan.ID) bool {
	users := g.Users[push]
	if g.Nodes[push].Op != plan.OpPush || len(users) == 0 || g.BlockOf[push] != 0 {
		return false
	}
	return !slices.ContainsFunc(users, func(u plan.ID) bool {
		return g.Nodes[u].Op == plan.OpPush && g.Nodes[u].Args[0] == push
	})
}

// mostFaces returns how many faces a roll's dice have at most.
func (g *boundedGraph) mostFaces(n *plan.Node) int64 { return g.bounds[n.Args[1]].Max }

// mostDice returns how many dice a roll has at most.
func (g *boundedGraph) mostDice(n *plan.Node) int64 {
	most := g.bounds[n.Args[2]].Max
	if d := &g.Dice[n.Imm]; d.Most > 0 {
		most = min(most, d.Most)
	}
	return most
}

// mayEndWithin reports whether something in a loop may end the evaluation, as far as intervals tell.
func (g *boundedGraph) mayEndWithin(loop plan.ID) bool {
	return slices.ContainsFunc(g.Blocks[g.Nodes[loop].Imm].Nodes, func(id plan.ID) bool {
		n := &g.Nodes[id]
		switch {
		case !g.Needed[id]:
			return false
		case n.Op == plan.OpLoop:
			return g.mayEndWithin(id)
		}
		return g.EndsEvaluation(id) && !(n.Op == plan.OpRoll && g.alwaysRolls(n)) &&
			!(n.Op == plan.OpRequire && g.alwaysHolds(n))
	})
}

// alwaysHolds reports whether the intervals of a requirement exclude that it ends the evaluation.
func (g *boundedGraph) alwaysHolds(n *plan.Node) bool {
	return g.bounds[n.Args[1]].Min == 1 && (n.Args[2] == plan.None || g.bounds[n.Args[2]].Max == 0)
}

// alwaysRolls reports whether the intervals of a roll's faces and count exclude that the dice are impossible.
func (g *boundedGraph) alwaysRolls(n *plan.Node) bool {
	d := &g.Dice[n.Imm]
	faces, count, fault := g.bounds[n.Args[1]], g.bounds[n.Args[2]], g.bounds[n.Args[3]]
	if faces.Min < 1 || fault.Max != 0 || !d.List {
		return faces.Min >= 1 && fault.Max == 0
	}
	return count.Min >= 0 && (d.Most == 0 || count.Max <= d.Most) && (!d.Distinct || count.Max <= faces.Min)
}

// readsSlot reports whether something may read a slot of a loop's results.
func (g *boundedGraph) readsSlot(loop plan.ID, slot int) bool {
	for _, result := range g.Users[loop] {
		if g.Nodes[result].Op != plan.OpResult {
			continue
		}
		for _, u := range g.Users[result] {
			n := &g.Nodes[u]
			isOther := n.Op == plan.OpElem && int(uint32(n.Imm)) != slot
			if !isOther && !n.Op.Has(plan.ReadsSize) {
				return true
			}
		}
	}
	return false
}
