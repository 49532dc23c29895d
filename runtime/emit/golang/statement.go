package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A writer writes one function of a package.
type writer struct {
	*packageWriter
	f      *emit.Function
	owner  string // the id of the rule or the procedure
	event  string // the id of the event behind a dot; empty of what is none
	lines  []string
	idle   []bool          // of each die, whether nothing reads its faces; nil: none
	raised map[string]bool // names of faults of outputs that have been raised on every way here
	read   map[string]bool // names of values that the text reads
	unread map[string]bool // names of values that it does not
}

// functionLines returns the lines of a function, with some behind its statements. A value that the text does not read,
// because a check of it has already been written, may not be declared, so that the function is written until none is left.
func (w *writer) functionLines(end func()) []string {
	w.unread = map[string]bool{}
	for {
		w.lines, w.raised, w.read = nil, map[string]bool{}, map[string]bool{}
		defined := w.writeStatements(w.f.Statements)
		w.writeLine("if err := e.End(); err != nil {")
		w.writeLine("return err")
		w.writeLine("}")
		end()
		w.writeLine("return nil")
		known := len(w.unread)
		for _, name := range defined {
			if !w.read[name] {
				w.unread[name] = true
			}
		}
		if len(w.unread) == known {
			return w.lines
		}
	}
}

func (w *writer) writeLine(parts ...string) { w.lines = append(w.lines, strings.Join(parts, "")) }

// writeStatements writes statements, and returns the names that they define.
func (w *writer) writeStatements(list []emit.Statement) (defined []string) {
	for i := range list {
		s := &list[i]
		if w.unread[s.Name] && s.Kind != emit.Roll {
			continue
		}
		if s.Name != "" && s.Kind != emit.Push {
			defined = append(defined, s.Name)
		}
		switch s.Kind {
		case emit.Define:
			w.writeDefinition(s)
		case emit.Choose:
			defined = append(defined, w.writeChoice(s)...)
		case emit.Repeat:
			defined = append(defined, w.writeLoop(s)...)
		case emit.Push:
			w.writePush(s)
		case emit.Roll:
			w.writeRoll(s)
		case emit.Require:
			w.writeRequire(s)
		}
	}
	return defined
}

func (w *writer) writeDefinition(s *emit.Statement) {
	if w.f.Node(s.ID).Op == plan.OpNewSpan {
		w.writeLine("var ", s.Name, " ", w.typeOf(s.ID))
		return
	}
	w.writeLine(s.Name, " := ", w.expressionText(s.ID, s.Operands))
}

func (w *writer) writeChoice(s *emit.Statement) (defined []string) {
	arm := func(a *emit.Arm) {
		defined = append(defined, w.writeStatements(a.Statements)...)
		w.writeLine(s.Name, " = ", w.valueTextAs(a.Value, w.f.ListType(s.ID)))
	}
	condition := w.valueText(s.Operands[0])
	switch w.f.Node(s.ID).Op {
	case plan.OpSelect:
		return w.writeSelect(s)
	case plan.OpAnd:
		w.writeLine(s.Name, " := ", condition)
		w.writeLine("if ", s.Name, " {")
		arm(&s.Arms[0])
	case plan.OpOr:
		w.writeLine(s.Name, " := ", condition)
		w.writeLine("if !", s.Name, " {")
		arm(&s.Arms[1])
	default: // the first of two faults
		w.writeLine(s.Name, " := ", w.typedText(s.Operands[0]))
		w.writeLine("if ", s.Name, " == nil {")
		arm(&s.Arms[1])
	}
	w.writeLine("}")
	return defined
}

// writeSelect writes a conditional. One between values that are there anyway, or cost next to nothing, is written so that
// the compiler makes no branch of it, whose way no processor could foresee.
func (w *writer) writeSelect(s *emit.Statement) (defined []string) {
	value := func(a *emit.Arm) string { return w.valueTextAs(a.Value, w.f.ListType(s.ID)) }
	condition := w.valueText(s.Operands[0])
	yes, no := &s.Arms[0], &s.Arms[1]
	if w.isPlain(yes) && w.isPlain(no) {
		defined = w.writeStatements(slices.Concat(yes.Statements, no.Statements))
		if w.f.Node(s.ID).Kind == plan.Double {
			w.writeLine(s.Name, " := kernel.Pick(", condition, ", ", value(yes), ", ", value(no), ")")
			return defined
		}
		w.writeLine(s.Name, " := ", w.typedText(no.Value))
		w.writeLine("if ", condition, " {")
		w.writeLine(s.Name, " = ", value(yes))
		w.writeLine("}")
		return defined
	}
	w.writeLine("var ", s.Name, " ", w.typeOf(s.ID))
	w.writeLine("if ", condition, " {")
	for k, arm := range []*emit.Arm{yes, no} {
		if k > 0 {
			w.writeLine("} else {")
		}
		defined = append(defined, w.writeStatements(arm.Statements)...)
		w.writeLine(s.Name, " = ", value(arm))
	}
	w.writeLine("}")
	return defined
}

// isPlain reports whether an arm is a number that has a name, a constant, or a conditional between such.
func (w *writer) isPlain(a *emit.Arm) bool {
	n := w.f.Node(a.Value.ID)
	if n.Kind != plan.Int && n.Kind != plan.Double || a.Value.Name == "" && n.Op != plan.OpConst {
		return false
	}
	for i := range a.Statements {
		s := &a.Statements[i]
		isConditional := s.Kind == emit.Choose && w.f.Node(s.ID).Op == plan.OpSelect
		if !isConditional || !w.isCheap(s.Operands[0]) || !w.isPlain(&s.Arms[0]) || !w.isPlain(&s.Arms[1]) {
			return false
		}
	}
	return true
}

// areCheap reports whether all operands are cheap.
func (w *writer) areCheap(list []emit.Operand) bool {
	return !slices.ContainsFunc(list, func(o emit.Operand) bool { return !w.isCheap(o) })
}

// isCheap reports whether an operand has a name, is a comparison of numbers that have names or are constants, or consists
// of such: computing it takes no longer than a branch that was foreseen wrongly.
func (w *writer) isCheap(o emit.Operand) bool {
	if o.Name != "" {
		return true
	}
	switch w.f.Node(o.ID).Op {
	case plan.OpAnd, plan.OpOr, plan.OpNot:
		return w.areCheap(o.Operands)
	case plan.OpEqInt, plan.OpLtInt, plan.OpLeInt, plan.OpLtDouble, plan.OpLeDouble, plan.OpEqDouble:
		return !slices.ContainsFunc(o.Operands, func(x emit.Operand) bool {
			return x.Name == "" && w.f.Node(x.ID).Op != plan.OpConst || w.f.Node(x.ID).Kind == plan.String
		})
	}
	return false
}

// writeLoop writes a loop. Each iteration counts as work.
func (w *writer) writeLoop(s *emit.Statement) (defined []string) {
	l := s.Loop
	for _, c := range l.Carried {
		if w.unread[c.Name] {
			continue
		}
		defined = append(defined, c.Name)
		w.writeLine("var ", c.Name, " ", w.typeOf(c.First.ID), " = ", w.valueTextAs(c.First, w.f.ListType(c.First.ID)))
	}
	i := l.Iteration
	w.writeLine("for ", i, ", n := int64(0), int64(", w.valueText(s.Operands[0]), "); ", i, " < n; ", i, "++ {")
	w.writeLine(fmt.Sprintf("if !e.Charge(%d) {", len(l.Body)+1))
	w.writeLine("return e.Exhausted()")
	w.writeLine("}")
	defined = append(defined, w.writeStatements(l.Body)...)
	w.writeCarried(l)
	w.writeLine("}")
	return defined
}

// writeCarried writes the assignment of the next carried values.
func (w *writer) writeCarried(l *emit.Loop) {
	var names, values []string
	for _, c := range l.Carried {
		if c.Next.Name != c.Name && !w.unread[c.Name] {
			names, values = append(names, c.Name), append(values, w.valueTextAs(c.Next, w.f.ListType(c.First.ID)))
		}
	}
	if names != nil && !l.IsSequential() {
		names, values = []string{strings.Join(names, ", ")}, []string{strings.Join(values, ", ")}
	}
	for k := range names {
		w.writeLine(names[k], " = ", values[k])
	}
}

func (w *writer) writePush(s *emit.Statement) {
	t := w.f.ListType(s.ID)
	if t == nil {
		t = w.f.ListType(w.f.Node(s.ID).Args[0])
	}
	of := w.f.Node(s.ID).Args[2:]
	slots, first := make([]string, len(of)), 0
	if t.Kind == plan.Map {
		first = 1
	}
	for k, o := range s.Operands[2:] {
		kind := w.f.ListType(o.ID)
		if k >= first {
			if in := t.Elem.SlotType(k - first); in != nil && in.Elem != nil {
				kind = in
			}
		}
		slots[k] = w.valueTextAs(o, kind)
	}
	element := w.rowText(t.Elem, slots[first:])
	if t.Kind == plan.Map {
		element = w.entryType(t) + "{Key: " + slots[0] + ", Value: " + element + "}"
	}
	list := w.valueText(s.Operands[0])
	isCertain := w.f.IsConstant(s.Operands[1].ID, 1)
	if !isCertain {
		w.writeLine("if ", w.valueText(s.Operands[1]), " {")
	}
	w.writeLine(list, " = append(", list, ", ", element, ")")
	if !isCertain {
		w.writeLine("}")
	}
}

func (w *writer) writeRoll(s *emit.Statement) {
	n := w.f.Node(s.ID)
	die := &w.f.Body.Graph.Dice[n.Imm]
	guard, faces, count, failed := s.Operands[0], s.Operands[1], s.Operands[2], s.Operands[3]
	arguments := []string{w.dieName(int(n.Imm)), w.valueText(guard), w.valueText(faces)}
	method := "Roll"
	if die.List {
		method, arguments = "RollAll", append(arguments, w.valueText(count))
	}
	arguments = append(append(arguments, w.valueText(failed)), w.f.LoopsOf(die)...)
	text := "e." + method + "(" + strings.Join(arguments, ", ") + ")"
	if s.Name == "" || w.unread[s.Name] {
		w.writeLine("if _, err := ", text, "; err != nil {")
	} else {
		w.writeLine(s.Name, ", err := ", text)
		w.writeLine("if err != nil {")
	}
	w.writeLine("return err")
	w.writeLine("}")
}

// writeRequire writes a requirement: first whether its own formula has failed.
func (w *writer) writeRequire(s *emit.Statement) {
	guard, holds, failed := s.Operands[0], s.Operands[1], s.Operands[2]
	r := w.f.Body.Graph.Requires[w.f.Node(s.ID).Imm]
	isCertain := w.f.IsConstant(guard.ID, 1)
	if !isCertain {
		w.writeLine("if ", w.valueText(guard), " {")
	}
	w.writeRaise(failed)
	if !w.f.IsConstant(holds.ID, 1) {
		w.writeLine("if !", w.operandText(holds), " {")
		site := w.declareSite(plan.Site{Place: r.Place, Name: r.Name, Cite: r.Cite})
		w.writeLine("return kernel.Refuse(", strconv.Quote(r.Message), ", ", site, ")")
		w.writeLine("}")
	}
	if !isCertain {
		w.writeLine("}")
	}
}

// writeRaise writes that a fault ends the evaluation.
func (w *writer) writeRaise(failed emit.Operand) {
	switch text := w.valueText(failed); {
	case text == "nil":
	case failed.Name != "":
		w.writeLine("if ", text, " != nil {")
		w.writeLine("return ", text)
		w.writeLine("}")
	default:
		w.writeLine("if f := ", text, "; f != nil {")
		w.writeLine("return f")
		w.writeLine("}")
	}
}
