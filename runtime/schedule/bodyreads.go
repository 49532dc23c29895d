package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// BodyReads says what the outputs of a body that are asked for, its requirements and its dice read.
type BodyReads struct {
	Character bool   // anything of the character
	Idle      []bool // of each die, whether nothing reads its faces
}

// FindBodyReads returns the reads of a body. It takes as long as scheduling it. Of a body that asks for an unknown output
// everything is read.
func FindBodyReads(p *plan.Plan, b plan.Body, opt Options) BodyReads {
	out := BodyReads{Character: true, Idle: make([]bool, len(b.Graph.Dice))}
	given := Given{}
	needs, err := FindNeeds(p, b.Graph, opt, given)
	if err != nil {
		return out
	}
	for i, by := range needs.Dice {
		out.Idle[i] = len(by) == 0
	}
	given.Dice = slices.Repeat([]bool{true}, len(b.Graph.Dice)) // an evaluation rolls them all
	if needs, err = FindNeeds(p, b.Graph, opt, given); err != nil {
		return out
	}
	out.Character = slices.ContainsFunc(needs.Reads, func(x Read) bool { return x.Leaf.Root == plan.CharacterRoot })
	return out
}
