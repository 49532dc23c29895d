package check

import (
	"maps"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An optional field may be read only where has() of it is known to hold. This is the flow typing of languages with null: a
// fact is the printed form of a field that is there, and the facts that hold at a node follow from the conditions around
// it. has(x.f) holds behind it in a &&, in the first arm of a ?:, and in the second arm of one on !has(x.f); a let that is
// such a condition carries its facts, and the `when` of a use holds in all that the use is given.

// facts are the optional fields that are there, by the printed form of the expression that reads them.
type facts map[string]bool

// A guardChecker looks for optional fields that are read unguarded in one tree.
//
// Facts are looked up by printed form in a set that is copied where it grows. Trees of formulas
// have some dozen nodes and one or two facts; a persistent map would be longer than the problem.
type guardChecker struct {
	tree  *Tree
	diags *diag.List
	lets  map[letFacts]facts // so that a let that reads another twice does not double the work
}

// A letFacts asks what is known when the expression behind a let holds, or does not.
type letFacts struct {
	behind *Expr
	holds  bool
}

// checkGuards reports the optional fields that a tree reads where nothing says that they are there. A condition with a
// problem says nothing, so then nothing is reported that stands under it.
func checkGuards(t *Tree, diags *diag.List) {
	g := guardChecker{tree: t, diags: diags, lets: map[letFacts]facts{}}
	known := facts{}
	if t.Under != nil {
		if t.Under.Type.Kind == plan.Invalid {
			return
		}
		known = g.factsWhen(t.Under, true)
	}
	g.walkGuarded(t.Root, known)
}

// walkGuarded walks a tree with the fields that are known to be there at each node. Only &&, || and ?: make a difference
// between their operands, since CEL evaluates these alone lazily.
//
// There is no case for macros: the facts around a macro hold in its body too, as a character or an
// input does not change while a list is walked.
func (g *guardChecker) walkGuarded(e *Expr, known facts) {
	switch e.Op {
	case OpAnd:
		g.walkGuarded(e.Args[0], known)
		g.walkGuarded(e.Args[1], joinFacts(known, g.factsWhen(e.Args[0], true)))
	case OpOr:
		g.walkGuarded(e.Args[0], known)
		g.walkGuarded(e.Args[1], joinFacts(known, g.factsWhen(e.Args[0], false)))
	case OpCond:
		g.walkGuarded(e.Args[0], known)
		g.walkGuarded(e.Args[1], joinFacts(known, g.factsWhen(e.Args[0], true)))
		g.walkGuarded(e.Args[2], joinFacts(known, g.factsWhen(e.Args[0], false)))
	case OpField:
		g.walkGuarded(e.Args[0], known)
		g.checkField(e, known)
	default:
		for _, a := range e.Args {
			g.walkGuarded(a, known)
		}
	}
}

// checkField reports a field that may be missing where nothing says that it is there.
func (g *guardChecker) checkField(e *Expr, known facts) {
	t := e.Args[0].Type
	i, _ := t.Field(e.Name)
	if i < 0 || !t.Fields[i].Optional || known[printForm(e)] {
		return
	}
	name := e.Describe()
	g.diags.Addf("unguarded", e.Place, g.tree.Subject, "%s may be missing", name).Repair = "read it behind has(" + name +
		")"
}

// factsWhen returns the facts that follow from a condition that holds, or that does not.
//
// When a && b holds, either holds; when a || b does, only facts that follow from both are known. When they do not hold, the
// two change places (De Morgan), and !a turns from one to the other. A let that names a condition is looked through:
// armoured: "has(input.armour)" guards by its name.
func (g *guardChecker) factsWhen(e *Expr, holds bool) facts {
	switch e.Op {
	case OpHas:
		if holds {
			return facts{printForm(e): true}
		}
		return facts{}
	case OpAnd, OpOr:
		left, right := g.factsWhen(e.Args[0], holds), g.factsWhen(e.Args[1], holds)
		if (e.Op == OpAnd) == holds {
			return joinFacts(left, right)
		}
		return commonFacts(left, right)
	}
	if not := e.Negated(); not != nil {
		return g.factsWhen(not, !holds)
	}
	if let := e.Behind(); let != nil {
		known, looked := g.lets[letFacts{let, holds}]
		if !looked {
			known = g.factsWhen(let, holds)
			g.lets[letFacts{let, holds}] = known
		}
		return known
	}
	return facts{}
}

func joinFacts(a, b facts) facts {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func commonFacts(a, b facts) facts {
	out := facts{}
	for k := range a {
		if b[k] {
			out[k] = true
		}
	}
	return out
}

// printForm identifies an expression: equal prints mean equal values within one scope. A field and has() of it print alike.
//
// The variable of a macro prints as its name. A macro as a condition gives no facts, so that those
// about its variable do not leave it.
func printForm(e *Expr) string {
	var b strings.Builder
	appendForm(&b, e)
	return b.String()
}

// appendForm prints an operator by its number and a constant with its type, so that two expressions that differ never
// print alike: 1 and 1.0, '1' and 1.
func appendForm(b *strings.Builder, e *Expr) {
	switch e.Op {
	case OpRef:
		b.WriteString(e.Object.Name())
		return
	case OpConst:
		b.WriteString(e.Type.String() + strconv.Quote(e.Value.String) + strconv.FormatInt(e.Value.Int, 10) +
			strconv.FormatFloat(e.Value.Double, 'g', -1, 64) + strconv.FormatBool(e.Value.Bool))
		return
	case OpField, OpHas, OpTrait:
		appendForm(b, e.Args[0])
		b.WriteString("." + e.Name)
		return
	}
	b.WriteString(strconv.Itoa(int(e.Op)) + e.Name)
	if e.Object != nil {
		b.WriteString(e.Object.Name())
	}
	b.WriteByte('(')
	for _, a := range e.Args {
		appendForm(b, a)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}
