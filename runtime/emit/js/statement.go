package js

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A writer writes one function, and notes what stands outside of it.
type writer struct {
	f       *emit.Function
	lines   []string
	indent  int
	statics *statics
	imports map[string]bool // functions of the kernel
	idle    []bool          // of each die, whether nothing reads its faces; nil: none
	raised  map[string]bool // names of faults of outputs that have been raised on every way here
}

// statics are the constants of a module, each text once.
type statics struct {
	lines []string
	names map[string]string // by text
}

// addConstant returns the name of a constant of the module; the constant itself if it may not stand outside of a function.
func (w *writer) addConstant(kind, text string) string {
	if strings.Contains(text, beyondLiteral) {
		return text
	}
	name, ok := w.statics.names[text]
	if !ok {
		name = fmt.Sprint(kind, len(w.statics.lines)+1)
		w.statics.names[text] = name
		w.statics.lines = append(w.statics.lines, "const "+name+" = "+text+";")
	}
	return name
}

func (w *writer) writeLine(parts ...string) {
	w.lines = append(w.lines, strings.Repeat("  ", w.indent)+strings.Join(parts, ""))
}

// writeBlock writes the lines of an indented block.
func (w *writer) writeBlock(write func()) {
	w.indent++
	write()
	w.indent--
}

func (w *writer) writeStatements(list []emit.Statement) {
	for i := 0; i < len(list); i++ {
		if s := &list[i]; s.Kind == emit.Define && w.f.Node(s.ID).Op == plan.OpNewSpan {
			i += w.writeList(s, list[i+1:])
			continue
		}
		w.writeStatement(&list[i])
	}
}

// writeList writes a new list with the elements that the next statements put into it anyway, and returns how many these are.
func (w *writer) writeList(s *emit.Statement, next []emit.Statement) int {
	var elements []string
	for i := range next {
		push := &next[i]
		if push.Kind != emit.Push || push.Operands[0].Name != s.Name || !w.f.IsConstant(push.Operands[1].ID, 1) {
			break
		}
		elements = append(elements, w.elementText(push))
	}
	w.writeLine("const ", s.Name, " = [", strings.Join(elements, ", "), "];")
	return len(elements)
}

func (w *writer) writeStatement(s *emit.Statement) {
	switch s.Kind {
	case emit.Define:
		w.writeLine("const ", s.Name, " = ", w.expressionText(s.ID, s.Operands), ";")
	case emit.Choose:
		w.writeChoice(s)
	case emit.Repeat:
		w.writeLoop(s)
	case emit.Push:
		w.writePush(s)
	case emit.Roll:
		w.writeRoll(s)
	case emit.Require:
		w.writeRequire(s)
	}
}

func (w *writer) writeChoice(s *emit.Statement) {
	arm := func(a *emit.Arm) {
		w.writeBlock(func() {
			w.writeStatements(a.Statements)
			w.writeLine(s.Name, " = ", w.valueText(a.Value), ";")
		})
	}
	condition := w.operandText(s.Operands[0])
	switch w.f.Node(s.ID).Op {
	case plan.OpSelect:
		w.writeLine("let ", s.Name, ";")
		w.writeLine("if (", condition, ") {")
		arm(&s.Arms[0])
		w.writeLine("} else {")
		arm(&s.Arms[1])
	case plan.OpAnd:
		w.writeLine("let ", s.Name, " = ", condition, ";")
		w.writeLine("if (", s.Name, ") {")
		arm(&s.Arms[0])
	default:
		w.writeLine("let ", s.Name, " = ", condition, ";")
		w.writeLine("if (!", s.Name, ") {")
		arm(&s.Arms[1])
	}
	w.writeLine("}")
}

// writeLoop writes a loop. Each iteration counts as work.
func (w *writer) writeLoop(s *emit.Statement) {
	l := s.Loop
	for _, c := range l.Carried {
		w.writeLine("let ", c.Name, " = ", w.valueText(c.First), ";")
	}
	i := l.Iteration
	w.writeLine("for (let ", i, " = 0, n = ", w.valueText(s.Operands[0]), "; ", i, " < n; ", i, "++) {")
	w.writeBlock(func() {
		w.writeLine(fmt.Sprintf("r.charge(%d);", len(l.Body)+1))
		w.writeStatements(l.Body)
		w.writeCarried(l)
	})
	w.writeLine("}")
}

// writeCarried writes the assignment of the next carried values.
func (w *writer) writeCarried(l *emit.Loop) {
	var names, values []string
	for _, c := range l.Carried {
		if c.Next.Name != c.Name {
			names, values = append(names, c.Name), append(values, w.valueText(c.Next))
		}
	}
	if l.IsSequential() {
		for k := range names {
			w.writeLine(names[k], " = ", values[k], ";")
		}
		return
	}
	w.writeLine("[", strings.Join(names, ", "), "] = [", strings.Join(values, ", "), "];")
}

// elementText returns the element that is put into a list.
func (w *writer) elementText(push *emit.Statement) string {
	slots := make([]string, len(push.Operands)-2)
	for k, o := range push.Operands[2:] {
		slots[k] = w.valueText(o)
	}
	if len(slots) != 1 || w.f.Node(push.ID).Kind == plan.Map {
		return "[" + strings.Join(slots, ", ") + "]"
	}
	return slots[0]
}

func (w *writer) writePush(s *emit.Statement) {
	text := w.operandText(s.Operands[0]) + ".push(" + w.elementText(s) + ");"
	if !w.f.IsConstant(s.Operands[1].ID, 1) {
		text = "if (" + w.valueText(s.Operands[1]) + ") " + text
	}
	w.writeLine(text)
}

func (w *writer) writeRoll(s *emit.Statement) {
	n := w.f.Node(s.ID)
	index := int(n.Imm)
	die := &w.f.Body.Graph.Dice[index]
	arguments := []string{w.dieConstant(index)}
	for _, o := range s.Operands {
		arguments = append(arguments, w.valueText(o))
	}
	if !die.List {
		arguments[3] = "1"
	}
	arguments = append(arguments, "["+strings.Join(w.f.LoopsOf(die), ", ")+"]")
	for _, preset := range []string{"[]", "null", "1"} { // what the kernel takes for those that are left out
		if last := len(arguments) - 1; arguments[last] == preset {
			arguments = arguments[:last]
		} else {
			break
		}
	}
	text := w.useKernel("rollDice(") + "r, " + strings.Join(arguments, ", ") + ");"
	if s.Name != "" {
		text = "const " + s.Name + " = " + text
	}
	w.writeLine(text)
}

// writeRequire writes a requirement: first whether its own formula has failed.
func (w *writer) writeRequire(s *emit.Statement) {
	guard, holds, failed := s.Operands[0], s.Operands[1], s.Operands[2]
	message := w.f.Body.Graph.Requires[w.f.Node(s.ID).Imm].Message
	write := func() {
		if !w.f.IsConstant(failed.ID, 0) {
			w.writeLine(w.useKernel("raise("), w.valueText(failed), ");")
		}
		if !w.f.IsConstant(holds.ID, 1) {
			w.writeLine(w.useKernel("require("), w.valueText(holds), ", ", quoteLiteral(message), ");")
		}
	}
	if w.f.IsConstant(guard.ID, 1) {
		write()
		return
	}
	w.writeLine("if (", w.valueText(guard), ") {")
	w.writeBlock(write)
	w.writeLine("}")
}
