package plan

import (
	"slices"
	"strings"
)

// An ID is a node's index in its graph.
type ID int32

// None is the absence of a node: as a fault, "cannot fail"; as a presence, "always there".
const None ID = -1

// A Node is one value of a graph, computed once (within a loop's block, once an iteration).
type Node struct {
	Op   Op
	Kind Kind // of its slot: Int, Double, Bool, String, List, Map or Fault
	Args []ID
	Imm  int64
	Site int32 // where it may fail: an index into Graph.Sites, -1 when it cannot
}

// A Block is a sequence of nodes: the body of the graph (block 0) or of a loop. Each node uses only nodes that stand
// before it in its own block, or before the loop in an enclosing one.
type Block struct {
	Nodes   []ID
	Results []ID // of a loop's body: the next carried values
}

// A Graph is a rule, or a step of a procedure, in single static assignment.
type Graph struct {
	Nodes     []Node
	Blocks    []Block
	Leaves    []Leaf
	Sites     []Site
	Dice      []Die
	Requires  []Require
	Decisions []Decision // in the order in which they are made
	Names     []Named    // the named values, in the order of evaluation; among them the outputs
	Outputs   Value      // a record
	Next      []Value    // of a step: the new state and the new character, whole records
	When      Value      // of an event: whether it is offered; ID None when always
	Branches  []Branch   // of a graph lowered for coverage
	Ends      []Value    // of a procedure's closing graph: the conditions of its ends, in order
	// Terms are the parts of its formulas, encoded as planfile.EncodeTerms does, for only traces read them. A plan that was
	// cut down to some rules has none.
	Terms []byte
}

// Root says which JSON object a leaf belongs to.
type Root uint8

// The roots.
const (
	CharacterRoot Root = iota
	InputRoot
	StateRoot
	EventRoot
	NumRoots
)

// A Leaf is a slot of a root's record. Offset counts slots in the record's layout (Type.Slots of its Shape's Type).
type Leaf struct {
	Root   Root
	Offset int32
}

// A Value is where a typed value stands in a graph. A record has Fields, one for each of its type's; every other value
// has ID.
type Value struct {
	Type    *Type
	ID      ID
	Fault   ID // of the whole value; None when it cannot fail
	Present ID // of an optional field; None when it is always there
	Fields  []Value
}

// A Site is a place in a formula where evaluation may fail.
type Site struct {
	Place Place
	Name  string // the definition and its part: "rule test, let value"
	Cite  string
	Text  string // the part of the formula
}

// A Branch is one way that a formula, a requirement, a guard or an end can go.
type Branch struct {
	Place Place
	Name  string // the definition and its part
	What  string // "true", "false", "left decides", ...
}

// A Require is a condition that refuses.
type Require struct {
	Message string
	Place   Place
	Name    string // the definition it belongs to
	Cite    string
	Early   bool // judged before any die is rolled
}

// IsGuard reports whether an event is offered by the condition. Others without a message only fail, with their value.
func (r *Require) IsGuard() bool { return r.Early && r.Message == "" }

// NameKind says what a named value is.
type NameKind uint8

// The kinds of named values.
const (
	LetName NameKind = iota
	OutputName
	UseName     // the outputs of a used rule
	DieName     // a face or faces
	TraitName   // of the rule's own character
	NextName    // the new value of a path of state or character
	RequireName // whether a requirement holds
)

// A Named is a value that the author named: what a trace shows.
type Named struct {
	Name    string // "value", "ours.offenciancy"
	Kind    NameKind
	Value   Value
	Place   Place
	Formula string // as the author wrote it; of a choice, every arm
	Cite    string
	Option  int32 // the option that chooses its formula, -1 when none
	// Overlays are the homebrews that have a part in the value: in its formula, or in what that reads.
	Overlays []string
}

// OutputsWith returns the names of the outputs in which a homebrew has a part.
func (g *Graph) OutputsWith(overlay string) (out []string) {
	for i := range g.Names {
		n := &g.Names[i]
		if n.Kind == OutputName && !strings.Contains(n.Name, ".") && slices.Contains(n.Overlays, overlay) {
			out = append(out, n.Name)
		}
	}
	return out
}

// Limits of one evaluation, counted in work.
const (
	MaxRange = 1_000     // elements of a range
	MaxChain = 1_000     // faces of one die, rolled again and on
	MaxWork  = 4_000_000 // words of one evaluation
	MaxKeys  = 1_000     // entries of a map
	MaxRead  = 1_000_000 // elements of one value's lists and maps, and bytes of their strings, that are read
)
