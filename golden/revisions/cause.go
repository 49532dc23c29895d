package revisions

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// Which edits an answer comes from
//
// A rule reaches much that one answer never reads: the other rows of a table, the other arm of a choice, a function
// behind a condition that does not hold. Naming every edit that it reaches blames edits that changed nothing for this
// character. So the question is traced by both revisions, and the two trees are walked together from the answers that
// moved. A step whose value is the same ends the walk: nothing behind it made a difference. A step that moved is
// explained by its own edit, when its formula, its row or its choice is another one, and by those of the steps that it
// rests on and that moved too.
//
// What a trace does not tell, why a requirement refuses or a die is out of bounds, is answered by what the case reaches.

// causesOf names the edits that a shift comes from.
func (r *revisions) causesOf(c *golden.Case) []string {
	all := r.editsAmong(func(d *golden.Definitions) []*plan.Entry { return d.ReachedBy(c) })
	if len(all) < 2 {
		return all
	}
	was, err1 := golden.TraceCase(r.old, c)
	is, err2 := golden.TraceCase(r.new, c)
	if err1 != nil || err2 != nil {
		return all
	}
	x := &explanation{r: r, edits: all}
	for i := range min(len(was), len(is)) {
		x.explainStep(was[i], is[i])
	}
	found := slices.DeleteFunc(slices.Clone(all), func(edit string) bool { return !x.found[edit] })
	if len(found) == 0 {
		return all
	}
	return found
}

// An explanation collects the edits that the steps of two traces come from.
type explanation struct {
	r     *revisions
	edits []string        // among which they are
	found map[string]bool // of edits

	was, is map[stepName]*trace.Step // of one step of the case, where they are told
	seen    map[stepName]bool
}

// A stepName is what two traces call the same value.
type stepName struct {
	kind     trace.Kind
	of, name string
}

func nameOf(s *trace.Step) stepName { return stepName{s.Kind, s.Of, s.Name} }

// explainStep compares the answers of one step of a case.
func (x *explanation) explainStep(was, is []*trace.Step) {
	if x.found == nil {
		x.found = map[string]bool{}
	}
	x.was, x.is = map[stepName]*trace.Step{}, map[stepName]*trace.Step{}
	x.seen = map[stepName]bool{}
	indexSteps(x.was, was)
	indexSteps(x.is, is)
	x.explainList(was, is, "")
}

// indexSteps finds steps where they are told: elsewhere they only refer to that.
func indexSteps(to map[stepName]*trace.Step, list []*trace.Step) {
	for _, s := range list {
		if name := nameOf(s); !s.Repeated && to[name] == nil {
			to[name] = s
		}
		indexSteps(to, s.From)
	}
}

// explainList explains the steps of one name in two lists, and reports whether one of them moved. A step without a
// counterpart is read by one revision alone, because something else moved.
func (x *explanation) explainList(was, is []*trace.Step, owner string) (moved bool) {
	taken := map[stepName]int{}
	for _, s := range is {
		name := nameOf(s)
		nth := taken[name]
		taken[name]++
		if i := indexOfNth(was, name, nth); i >= 0 && x.explain(was[i], s, owner) {
			moved = true
		}
	}
	return moved
}

// indexOfNth returns the index of the step that has a name behind n others of this name, -1 when there is none.
func indexOfNth(list []*trace.Step, name stepName, n int) int {
	for i, s := range list {
		if nameOf(s) != name {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}

// explain explains a step that moved by the edits that it comes from, and reports whether it did move. The owner is the
// definition in whose formula it stands.
//
// In this order: a step that is only referred to here is looked up where it is told; a named value or a use is explained
// once, however often it is read; its own edit is noted when its text or row is another one; then its operands. If the step
// moved, its text did not change, and nothing below it moved, the edit is in something that the trace does not show: then
// the names in its formula, and its owner, are blamed rather than nothing.
func (x *explanation) explain(was, is *trace.Step, owner string) bool {
	if !hasMoved(was, is) {
		return false
	}
	name := nameOf(is)
	if is.Repeated || was.Repeated {
		if x.seen[name] {
			return true
		}
		was, is = toldStep(x.was, was), toldStep(x.is, is)
	}
	if is.Kind == trace.Named || is.Kind == trace.Use { // others of one name, calls of a function, have values of their own
		if x.seen[name] {
			return true
		}
		x.seen[name] = true
	}
	if is.Of != "" {
		owner = labelOf(is.Of)
	}
	if x.addOwn(was, is, owner) {
		x.explainList(was.From, is.From, owner)
		return true
	}
	if !x.explainList(was.From, is.From, owner) {
		x.addNamed(was.Formula)
		x.addNamed(is.Formula)
		x.add(owner)
	}
	return true
}

// hasMoved reports whether two revisions differ in a value.
func hasMoved(was, is *trace.Step) bool {
	return was.Failure != is.Failure || was.Value.String() != is.Value.String()
}

// toldStep returns a step where it is told.
func toldStep(told map[stepName]*trace.Step, s *trace.Step) *trace.Step {
	if at := told[nameOf(s)]; s.Repeated && at != nil {
		return at
	}
	return s
}

// labelOf returns the label of the edit of a definition that a step names: "event climb.rest" of "procedure climb, event
// rest".
func labelOf(of string) string {
	procedure, event, ok := strings.Cut(strings.TrimPrefix(of, "procedure "), ", event ")
	if !ok {
		return of
	}
	return "event " + procedure + "." + event
}

// addOwn adds the edit of a step itself, and reports whether there is one. A table is to blame only when both revisions
// found the row by the same key; otherwise the key moved, and it is the key that has to be explained.
func (x *explanation) addOwn(was, is *trace.Step, owner string) bool {
	sameText := was.Formula == is.Formula
	switch is.Kind {
	case trace.Table:
		return was.Row != nil && is.Row != nil && was.Row.Key == is.Row.Key && x.add("table "+is.Name)
	case trace.Option:
		return x.add("option " + is.Name)
	case trace.Given: // only a default can be another one; a state comes from an earlier step
		if strings.HasPrefix(is.Name, "character.") {
			x.add("character")
		} else if !strings.HasPrefix(is.Name, "state.") {
			x.add(owner)
		}
		return true
	case trace.Function:
		return !sameText && x.add("function "+is.Name)
	case trace.Trait:
		return !sameText && x.add("trait "+is.Name)
	}
	return !sameText && x.add(owner)
}

// add adds an edit, and reports whether it is one.
func (x *explanation) add(label string) bool {
	if !slices.Contains(x.edits, label) {
		return false
	}
	x.found[label] = true
	return true
}

// addNamed adds the edits of the definitions that a formula names.
func (x *explanation) addNamed(formula string) {
	for _, d := range []*golden.Definitions{x.r.was, x.r.is} {
		for _, e := range d.NamedBy(formula) {
			x.add(e.Kind.String() + " " + e.ID)
		}
	}
}
