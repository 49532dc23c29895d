package oddsquery

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A formula is one over named values, ready to be evaluated: a rule of its own, whose input has a member for each name that
// the formula reads and whose only output is "value".
type formula struct {
	text   string
	rule   *runtime.Rule
	reads  []string // names, in the order of the rule's input
	kind   plan.Kind
	source *plan.Rule // the formula as its output
	// stateFields are the fields that it reads of its input "state"; empty where it reads none.
	stateFields []string
	// symmetric are the names that are lists in whose order the formula does not look.
	symmetric []string
	// character is what the formula reads beside the outputs.
	//
	// It is the same for all outcomes, and is set once, because the outcomes of a rule do not have
	// it among their values.
	character []byte
}

// compileFormula compiles a formula over the outputs of a rule, which a flag gave. The blanks before it count for the
// places of its errors.
func compileFormula(p *plan.Plan, id, flag, text string) (*formula, error) {
	compiled, err := compiler.Formula(p, id, text, flag)
	if err != nil {
		return nil, exit.AsUsageError(err)
	}
	return newFormula(compiled, strings.TrimSpace(text))
}

// newFormula returns a formula ready for many evaluations. The compiler has made a plan of one rule called
// "expression", whose input has just the names that the formula reads. Messages quote text.
func newFormula(p *plan.Plan, text string) (*formula, error) {
	f := &formula{text: text, kind: p.Rules[0].Graph.Outputs.Type.Fields[0].Type.Kind, source: &p.Rules[0],
		stateFields: fieldsRead(&p.Rules[0], "state")}
	for _, m := range p.Rules[0].Input.Fields {
		f.reads = append(f.reads, m.Name)
		if m.Shape.Kind == plan.List && isSymmetric(&p.Rules[0], m.Name) {
			f.symmetric = append(f.symmetric, m.Name)
		}
	}
	var err error
	f.rule, err = runtime.New(p).Rule("expression", runtime.Choice{})
	return f, err
}

// fieldsRead returns the fields of a record among the inputs of a rule that its formulas read. A graph has a leaf for every
// field; those that are read are operands, or the output itself.
func fieldsRead(r *plan.Rule, record string) []string {
	out := []string{}
	shape := r.Input.Member(record)
	if shape == nil {
		return out
	}
	g := &r.Graph
	isRead := map[plan.ID]bool{g.Outputs.Fields[0].ID: true}
	for i := range g.Nodes {
		for _, id := range g.Nodes[i].Args {
			isRead[id] = true
		}
	}
	for _, m := range shape.Fields {
		from, to, ok := r.Input.SlotsAt(record + "." + m.Name)
		for id := range g.Nodes {
			if n := &g.Nodes[id]; n.Op == plan.OpLeaf && isRead[plan.ID(id)] {
				at := g.Leaves[n.Imm]
				ok = ok && (at.Root != plan.InputRoot || at.Offset < from || at.Offset >= to)
			}
		}
		if !ok { // it is read, or it is optional and not known to be unread
			out = append(out, m.Name)
		}
	}
	return out
}

// isSymmetric reports whether a rule does not look in which order the elements of a list of its input stand.
func isSymmetric(r *plan.Rule, name string) bool {
	at, _, ok := r.Input.SlotsAt(name)
	g := &r.Graph
	isList := func(id plan.ID) bool {
		n := &g.Nodes[id]
		return n.Op == plan.OpLeaf && g.Leaves[n.Imm] == plan.Leaf{Root: plan.InputRoot, Offset: at}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for k, id := range n.Args {
			if id != plan.None && isList(id) && (k > 0 || !n.Op.Has(plan.Symmetric)) {
				return false
			}
		}
	}
	return ok && !isList(g.Outputs.Fields[0].ID)
}

// valueOf is the value for an outcome; names are those of the outcome's values.
func (f *formula) valueOf(names []string, o *odds.Outcome) (runtime.Value, error) {
	return f.valueFor(func(name string, b []byte) []byte {
		if at := slices.Index(names, name); at >= 0 {
			return o.Values[at].AppendJSON(b)
		}
		return append(b, jsontext.OrObject(f.character)...)
	})
}

// valueFor is the value for an input of which appendValue appends each member as JSON.
func (f *formula) valueFor(appendValue func(name string, b []byte) []byte) (runtime.Value, error) {
	input := []byte{'{'}
	for i, name := range f.reads {
		if i > 0 {
			input = append(input, ',')
		}
		input = appendValue(name, append(strconv.AppendQuote(input, name), ':'))
	}
	// Everything the formula reads is in the input, the ruleset's character too, which is a field
	// there; the request's own character is empty.
	return f.rule.Value(runtime.Request{Character: []byte("{}"), Input: append(input, '}')}, "value")
}
