package eliminate

import (
	"encoding/binary"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The rule under what one question gives. A rule is prepared once for all inputs. When that form takes too much, it is
// prepared again for the input at hand, with all that no die decides as constants: dice that the input lists, faces that
// are counted up to one of its numbers, a loop as long as it says. That takes a few milliseconds, which is why it has its
// turn behind the forms that serve every question (turns.go).
//
// Case leaders of golden/published is answered within its budget, and refused without.

// maxGivenElements is how long a list may be of which every element becomes a constant.
const maxGivenElements = 128

// givenValues finds the values that a question gives to what dice decide. It is made once for a rule.
type givenValues struct {
	part     *vm.Fragment
	ids      []plan.ID
	kinds    []plan.Kind   // of the nodes
	elems    [][]plan.Kind // of lists, the slots of an element; nil of any other node
	executor *vm.Executor
	key      string // the values for which rule is prepared
	rule     *Rule
}

func (v *givenValues) isEmpty() bool { return len(v.ids) == 0 }

// findGivens returns the values that the records decide and that dice read. A rule with decided fields has none.
func (r *Rule) findGivens() (*givenValues, error) {
	if r.givens != nil {
		return r.givens, nil
	}
	if len(r.decidedFields) > 0 {
		r.givens = &givenValues{}
		return r.givens, nil
	}
	g := rewrite.AsNetwork(r.image.Plan(), r.graph, r.options, r.values, false)
	sure, read := g.FindGivens()
	out := &givenValues{executor: vm.NewExecutor(r.image)}
	for _, id := range read {
		var elem []plan.Kind
		switch kind := g.Nodes[id].Kind; kind {
		case plan.Int, plan.Bool, plan.Double, plan.String, plan.Fault:
		default:
			var ok bool
			if elem, ok = rewrite.ElementKinds(g.ListType(id)); !ok {
				continue
			}
		}
		out.ids, out.elems = append(out.ids, id), append(out.elems, elem)
		out.kinds = append(out.kinds, g.Nodes[id].Kind)
	}
	r.givens = out
	if out.isEmpty() {
		return out, nil
	}
	c := newCutter(g)
	c.copyConstants(sure)
	c.copyNodes(sure)
	var err error
	out.part, err = c.schedulePart(r.image, plan.Choice{Options: r.choice.Options}, slotsOf(r.shapes), c.outsOf(out.ids))
	return out, err
}

// ruleUnder returns the rule with the values that some records decide as constants. It returns nil when there are none,
// and when they cannot be computed, because the rule itself reports that.
func (r *Rule) ruleUnder(records odds.Records) (*Rule, error) {
	v, err := r.findGivens()
	if err != nil || v.isEmpty() {
		return nil, err
	}
	v.executor.Restart()
	slots := make([]int64, len(v.ids))
	read := func(f *vm.Frame) error { return r.readRecords(f, v.part, records) }
	if err := v.executor.Begin(v.part, read, slots); err != nil {
		return nil, nil
	}
	givens, key := v.readValues(int64(len(r.image.Plan().Symbols)), slots)
	if v.rule == nil || v.key != key {
		made := r.cloneUnprepared()
		made.graph, made.givens = rewrite.WithGivens(r.graph, givens), &givenValues{}
		if made.normal, err = made.prepareGraph(false); err != nil {
			return nil, err
		}
		v.rule, v.key = made, key
	}
	return v.rule, nil
}

// readValues returns the values in slots, and a key of them. Strings that the plan does not know and faults have no number
// beyond their question, so nodes that hold one stay as they are.
func (v *givenValues) readValues(symbols int64, slots []int64) (givens []rewrite.Given, key string) {
	lasts := func(kind plan.Kind, bits int64) bool {
		return (kind != plan.Fault || bits == 0) && (kind != plan.String || bits < symbols)
	}
	var bytes []byte
	frame := v.executor.Snapshot()
	for k, id := range v.ids {
		given := rewrite.Given{ID: id, Bits: slots[k], Kinds: v.elems[k]}
		known := given.Kinds != nil || lasts(v.kinds[k], given.Bits)
		if stride := len(given.Kinds); stride > 0 {
			given.Elements = frame.Elements(slots[k], stride)
			known = len(given.Elements) <= maxGivenElements*stride
			for i, bits := range given.Elements {
				known = known && lasts(given.Kinds[i%stride], bits)
			}
		}
		if !known {
			continue
		}
		givens = append(givens, given)
		bytes = binary.AppendUvarint(binary.AppendVarint(bytes, int64(id)), uint64(len(given.Elements)))
		if given.Kinds == nil {
			bytes = binary.AppendVarint(bytes, given.Bits)
		}
		for _, bits := range given.Elements {
			bytes = binary.AppendVarint(bytes, bits)
		}
	}
	return givens, string(bytes)
}

// readRecords decodes the records of a question into the frame of a fragment.
func (r *Rule) readRecords(f *vm.Frame, x *vm.Fragment, records odds.Records) error {
	d := jsonio.NewDecoder(f)
	for root, shape := range r.shapes {
		if shape == nil {
			continue
		}
		if r.schemas[root] == nil {
			r.schemas[root] = jsonio.NewRootSchema(r.image, plan.Root(root), shape)
		}
		text := records[root]
		if len(text) == 0 {
			text = []byte("{}")
		}
		if err := d.DecodeTo(r.schemas[root], text, x.Base(plan.Root(root))); err != nil {
			return err
		}
	}
	return nil
}
