package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// limits builds the faults of values that a shape does not admit: what reading JSON checks of an input, a used rule
// checks of what it is given.
type limits struct{ *scope }

// outsideShape returns the fault of a value that its shape does not admit, at the place of the expression that made it.
// Intervals (runtime/interval) show that most of these cannot happen: level + 1 given to an input of 1 to 20, with a level
// of at most 19, leaves none of its checks in the instructions.
func (s limits) outsideShape(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	switch shape.Kind {
	case plan.Int, plan.Double:
		return s.outsideBounds(v, shape, at)
	case plan.String:
		return s.outsideEnum(v, shape, at)
	case plan.List:
		return s.outsideList(v, shape, at)
	case plan.Map:
		return s.outsideMap(v, shape, at)
	case plan.Record:
		return s.outsideRecord(v, shape, at)
	}
	return plan.None
}

// outsideBounds makes a fault for each bound with a message of its own, in much the words in which
// package jsonio refuses an input, since to the author a rule that is used is asked like any other.
func (s limits) outsideBounds(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	out := plan.None
	compare := func(x, y plan.ID, open bool) plan.ID {
		ops := [2][2]plan.Op{{plan.OpLeInt, plan.OpLtInt}, {plan.OpLeDouble, plan.OpLtDouble}}
		kind, strict := 0, 0
		if shape.Kind == plan.Double {
			kind = 1
		}
		if open {
			strict = 1
		}
		return s.op(ops[kind][strict], plan.Bool, x, y)
	}
	if b := shape.Min; b != nil {
		ok := compare(s.boundConst(shape.Kind, b.Value), v.ID, b.Open)
		out = s.firstFault(out, s.failUnless(ok, at,
			"the input must be "+pickText(b.Open, "more than ", "at least ")+formatDecimal(b.Value)))
	}
	if b := shape.Max; b != nil {
		ok := compare(v.ID, s.boundConst(shape.Kind, b.Value), b.Open)
		out = s.firstFault(out, s.failUnless(ok, at,
			"the input must be "+pickText(b.Open, "less than ", "at most ")+formatDecimal(b.Value)))
	}
	for _, b := range shape.Not {
		no := s.boundConst(shape.Kind, b.Value)
		eq := s.op(pickOp(shape.Kind == plan.Double, plan.OpEqDouble, plan.OpEqInt), plan.Bool, v.ID, no)
		message := "the input must not be " + formatDecimal(b.Value)
		if list := shape.ListChoices(); list != "" {
			message = "the input must be one of " + list
		}
		out = s.firstFault(out, s.failUnless(s.not(eq), at, message))
	}
	return out
}

func pickText(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}

func pickOp(c bool, yes, no plan.Op) plan.Op {
	if c {
		return yes
	}
	return no
}

func formatDecimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// boundConst returns a bound as a constant of a kind.
func (s limits) boundConst(kind plan.Kind, v float64) plan.ID {
	if kind == plan.Int {
		return s.int(int64(v))
	}
	return s.double(v)
}

// outsideEnum is nothing where the type of the value shows that it is in the enum.
func (s limits) outsideEnum(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	if shape.Enum == nil || coversEnum(shape.Enum, v.Type.Enum) {
		return plan.None
	}
	ok := s.bool(false)
	for _, e := range shape.Enum {
		ok = s.or(ok, s.op(plan.OpEqInt, plan.Bool, v.ID, s.symbolConst(e)))
	}
	return s.failUnless(ok, at, "the input must be one of "+strings.Join(shape.Enum, ", "))
}

// coversEnum reports whether every value that one enum may have is in another.
func coversEnum(all, some []string) bool {
	if some == nil {
		return false
	}
	return !slices.ContainsFunc(some, func(e string) bool { return !slices.Contains(all, e) })
}

// outsideList returns the fault of a list that is longer or shorter than its shape admits, or else of the first element
// that is not admitted. Where elements have no bounds, there is no loop over them.
func (s limits) outsideList(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	n := s.sizeOf(v.ID)
	most := s.op(plan.OpLeInt, plan.Bool, n, s.int(int64(shape.MaxItems)))
	out := s.failUnless(most, at, "the input must have at most "+plural.Of(shape.MaxItems, "element"))
	if shape.MinItems > 0 {
		least := s.op(plan.OpLeInt, plan.Bool, s.int(int64(shape.MinItems)), n)
		out = s.firstFault(out, s.failUnless(least, at,
			"the input must have at least "+plural.Of(shape.MinItems, "element")))
	}
	if !hasBounds(shape.Elem) {
		return out
	}
	res := s.loop(n, []plan.ID{s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		return s.carryFault(acc[0], s.outsideShape(s.elementAt(v, i), shape.Elem, at))
	})
	if len(res) == 0 {
		return out
	}
	return s.firstFault(out, res[0])
}

// outsideMap returns the fault of a map that has more entries or another key than its shape admits, or else of the first
// entry, in the order of the keys, that is not admitted.
func (s limits) outsideMap(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	n, out := s.sizeOf(v.ID), plan.None
	if shape.MaxItems > 0 {
		most := s.op(plan.OpLeInt, plan.Bool, n, s.int(int64(shape.MaxItems)))
		out = s.failUnless(most, at, "the input must have at most "+plural.Of(shape.MaxItems, "entry", "entries"))
	}
	for i := range shape.Fields {
		out = s.firstFault(out, s.outsideEntry(v, &shape.Fields[i], at))
	}
	if shape.Keys == nil && !hasBounds(shape.Elem) {
		return out
	}
	keys := s.opImm(plan.OpKeys, plan.List, s.plan.internType(v.Type), v.ID)
	list := newScalar(plan.ListOf(plan.StringType), keys, plan.None)
	res := s.loop(n, []plan.ID{s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		key := s.elementAt(list, i).ID
		listed := s.bool(false)
		for k := range shape.Fields {
			listed = s.or(listed, s.op(plan.OpEqInt, plan.Bool, key, s.symbolConst(shape.Fields[k].Name)))
		}
		fault := s.outsideShape(s.entryAt(v, i), shape.Elem, at)
		if shape.Keys != nil {
			ok := s.bool(false)
			for _, k := range shape.Keys {
				ok = s.or(ok, s.op(plan.OpEqInt, plan.Bool, key, s.symbolConst(k)))
			}
			fault = s.firstFault(s.failUnless(ok, at, "the keys of the input must be of "+strings.Join(shape.Keys, ", ")),
				fault)
		}
		return s.carryFault(acc[0], s.selectValue(listed, s.ok(), s.faultOrOK(fault)))
	})
	if len(res) == 0 {
		return out
	}
	return s.firstFault(out, res[0])
}

// outsideEntry returns the fault of an entry that a shape has by its key.
func (s limits) outsideEntry(v plan.Value, m *plan.Member, at plan.Place) plan.ID {
	index := s.opImm(plan.OpFind, plan.Int, s.plan.internType(v.Type), v.ID, s.symbolConst(m.Name))
	has := s.op(plan.OpLeInt, plan.Bool, s.int(0), index)
	fault := s.selectValue(has, s.faultOrOK(s.outsideShape(s.entryAt(v, index), m.Shape, at)), s.ok())
	if m.Optional || m.Default != "" {
		return fault
	}
	return s.firstFault(s.failUnless(has, at, "the input must have "+m.Name), fault)
}

// outsideRecord returns the first fault among the fields of a record. A field that is not there is admitted, whatever its
// slot holds.
func (s limits) outsideRecord(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	if shape.Character {
		return plan.None // a character is checked where it comes from
	}
	out := plan.None
	for i := range shape.Fields {
		f := s.outsideShape(v.Fields[i], shape.Fields[i].Shape, at)
		if f != plan.None && v.Fields[i].Present != plan.None {
			f = s.selectValue(v.Fields[i].Present, f, s.ok())
		}
		out = s.firstFault(out, f)
	}
	return out
}

// hasBounds reports whether a shape refuses any value of its type.
func hasBounds(shape *plan.Shape) bool {
	switch shape.Kind {
	case plan.List:
		return true
	case plan.Map:
		return shape.MaxItems > 0 || shape.Keys != nil || len(shape.Fields) > 0 || hasBounds(shape.Elem)
	case plan.Record:
		return !shape.Character && slices.ContainsFunc(shape.Fields, func(m plan.Member) bool { return hasBounds(m.Shape) })
	}
	return shape.Min != nil || shape.Max != nil || shape.Not != nil || shape.Enum != nil
}
