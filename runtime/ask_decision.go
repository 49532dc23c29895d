package runtime

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// acceptedBut are the accepted paths without the fields that are decided late: accepting all of an input accepts no
// decision, which nobody can judge before the dice have fallen. One that is named itself, or a part of it, is accepted.
func acceptedBut(decisions []plan.Decision, root plan.Root, s *plan.Shape, rootName string, accepted []string) []string {
	var paths []string
	for i := range decisions {
		if decisions[i].Root == root {
			paths = append(paths, rootName+"."+decisions[i].Path)
		}
	}
	var out []string
	for _, path := range accepted {
		if shape := shapeAt(s, path, rootName); shape != nil {
			out = appendAllBut(out, path, shape, paths)
		} else {
			out = append(out, path)
		}
	}
	return out
}

// shapeAt is the shape of the record at a path; nil when there is none.
func shapeAt(s *plan.Shape, path, rootName string) *plan.Shape {
	if path == rootName {
		return s
	}
	rest, ok := strings.CutPrefix(path, rootName+".")
	if !ok {
		return nil
	}
	for name := range strings.SplitSeq(rest, ".") {
		at := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return m.Name == name })
		if s.Kind != plan.Record || at < 0 {
			return nil
		}
		s = s.Fields[at].Shape
	}
	return s
}

// appendAllBut appends a path, or those of its parts when one of some paths lies in it.
func appendAllBut(out []string, path string, s *plan.Shape, but []string) []string {
	lies := func(p string) bool { return strings.HasPrefix(p, path+".") }
	if s.Kind != plan.Record || !slices.ContainsFunc(but, lies) {
		return append(out, path)
	}
	for i := range s.Fields {
		if step := path + jsonio.PathStep(s.Fields[i].Name); !slices.Contains(but, step) {
			out = appendAllBut(out, step, s.Fields[i].Shape, but)
		}
	}
	return out
}

// decisionOf is the decision that a path of a record is a part of; nil when it is not decided late.
func (a *asking) decisionOf(r *knownRoot, path string) *plan.Decision {
	for i := range a.body.Graph.Decisions {
		d := &a.body.Graph.Decisions[i]
		own := r.schema.Root + "." + d.Path
		if d.Root == r.root && (path == own || strings.HasPrefix(path, own+".") || strings.HasPrefix(path, own+"[")) {
			return d
		}
	}
	return nil
}

// decide carries the body out up to the first decision that is open, and asks for it. Nothing is asked, and no error given,
// when no decision is open. again reports that a decision has been settled because there was nothing to decide.
func (a *asking) decide() (needs []ask.Need, again bool, err error) {
	for i := range a.records {
		r := &a.records[i]
		for k := range a.body.Graph.Decisions {
			d := &a.body.Graph.Decisions[k]
			if d.Root != r.root {
				continue
			}
			open := a.openQuestions(r, d)
			if len(open) == 0 {
				continue
			}
			return a.askDecision(k, r, open)
		}
	}
	return nil, false, nil
}

// openQuestions are the questions for the fields of a decision that are still read.
func (a *asking) openQuestions(r *knownRoot, d *plan.Decision) (out []ask.Need) {
	for _, q := range a.fieldsOf(a.needs, r) {
		if a.decisionOf(r, q.Path) == d {
			out = append(out, q)
		}
	}
	return out
}

// askDecision carries the body out up to its k-th decision: it asks for a die that has not fallen, or for the decision.
func (a *asking) askDecision(k int, r *knownRoot, open []ask.Need) (needs []ask.Need, again bool, err error) {
	body := a.body
	d := &body.Graph.Decisions[k]
	opt, given := a.given(body)
	cut := schedule.CutAt(a.program.plan, body, k, opt, given, a.leftOut())
	if cut.HasOpenBound {
		return nil, false, &Failure{Site: plan.Site{Place: d.Place},
			Msg: "the bounds of " + d.Path + " depend on what is rolled or decided later"}
	}
	e, code, err := a.prepareCut(cut.Graph)
	if err != nil {
		return nil, false, err
	}
	next, err := a.useSource(e.frame, cut.Graph)
	if err != nil {
		return nil, false, err
	}
	if err := vm.Run(e.frame, code, a.used); err != nil {
		if err = vm.Explain(e.frame, cut.Graph, err); !dice.IsMissing(err) {
			return nil, false, err
		}
		return []ask.Need{a.askDie(e.frame, next)}, false, nil
	}
	needs, again, err = a.judgeDecision(d, r, open, cut, e, code)
	if len(needs) > 0 && !a.known.Roll {
		// Who is asked to decide has not seen later dice, but for dice that roll by themselves. Where nothing was to
		// decide, faces that are left over are theirs.
		if err := a.used.Rest(); err != nil {
			return nil, false, err
		}
	}
	return needs, again, err
}

// prepareCut returns an evaluation and the code of a part of the body, with the known fields of the records written
// into its frame.
func (a *asking) prepareCut(g *plan.Graph) (*evaluation, *schedule.Code, error) {
	body := a.body
	code, err := schedule.Make(a.program.plan, g, schedule.Options{
		Values: a.values, Roots: body.Slots(), Shapes: body.Shapes})
	if err != nil {
		return nil, nil, err
	}
	a.program.image.PrepareTables(code)
	e := newEvaluation(a.program.image, code)
	e.frame.Reset(code)
	return e, code, a.writeRecords(e, code)
}

// knownOutputs returns the outputs that hold before a die falls, as far as they have values: the chance that it is rolled
// against, for example. Outputs that are always the same say nothing about the roll and are left out.
func (a *asking) knownOutputs(asked *ask.Need) (out []ask.NamedValue) {
	g := a.body.Graph
	open, read := make([]bool, len(g.Dice)), map[string]bool{}
	fallen := a.listFallen()
	for i := range g.Dice {
		id := g.Dice[i].ID
		isFallen := slices.ContainsFunc(fallen, func(r dice.Roll) bool { return matchesID(id, r.ID) })
		open[i] = len(a.needs.Dice[i]) > 0 && (!isFallen || matchesID(id, asked.Die))
		for _, by := range a.needs.Dice[i] {
			read[by.Name] = read[by.Name] || open[i] && by.Kind == schedule.OutputReader
		}
	}
	var names []string
	for i := range g.Outputs.Type.Fields {
		name := g.Outputs.Type.Fields[i].Name
		if !read[name] && (a.outputs == nil || slices.Contains(a.outputs, name)) {
			names = append(names, name)
		}
	}
	opt, _ := a.given(a.body)
	cut := schedule.CutOutputs(a.program.plan, a.body, opt, names, open)
	e, code, err := a.prepareCut(cut)
	if err != nil {
		return nil
	}
	faces, err := a.newSource(&a.known, a.event)
	if err != nil || vm.Run(e.frame, code, faces) != nil {
		return nil
	}
	for i := range cut.Outputs.Fields {
		v := &cut.Outputs.Fields[i]
		at := vm.LocateIn(code, v)
		if slot, ok := code.Slot(v.ID); ok && code.Constant(slot) {
			continue
		}
		if x, fault := jsonio.ReadValue(e.frame, &at, e.frame.View()); fault == 0 {
			out = append(out, ask.NamedValue{Name: cut.Outputs.Type.Fields[i].Name, Value: x})
		}
	}
	return out
}

// judgeDecision asks for a decision with its bounds, unless there is nothing to decide.
func (a *asking) judgeDecision(d *plan.Decision, r *knownRoot, open []ask.Need, cut *schedule.Cut, e *evaluation,
	code *schedule.Code) (needs []ask.Need, again bool, err error) {
	var bounds [3]*jsonio.Value
	at := 0
	read := func() (jsonio.Value, int64) {
		location := vm.LocateIn(code, &cut.Graph.Outputs.Fields[at])
		at++
		return jsonio.ReadValue(e.frame, &location, e.frame.View())
	}
	for i, bound := range []*plan.Value{&d.When, &d.Least, &d.Most} {
		if bound.ID == plan.None {
			continue
		}
		v, fault := read()
		if fault != 0 {
			return nil, false, vm.FailureOf(e.frame, cut.Graph, fault)
		}
		bounds[i] = &v
	}
	var known []ask.NamedValue
	for _, name := range cut.Names {
		if v, fault := read(); fault == 0 {
			known = append(known, ask.NamedValue{Name: name, Value: v})
		}
	}
	own := r.schema.Root + "." + d.Path
	if bounds[0] != nil && !bounds[0].Bool() {
		return nil, true, a.takeDefault(r, own)
	}
	for i := range open {
		q := &open[i]
		q.Kind, q.After, q.Values = ask.Decision, d.After, known
		if q.Path == own {
			narrowBounds(q, bounds[1], bounds[2])
		}
	}
	if q := &open[0]; len(open) == 1 && q.Min != nil && q.Max != nil && *q.Min == *q.Max && isDefault(q, *q.Min) {
		return nil, true, a.takeDefault(r, own)
	}
	return open, false, nil
}

// takeDefault lets a decision have its default, and reads the record again.
func (a *asking) takeDefault(r *knownRoot, path string) (err error) {
	a.defaulted = append(a.defaulted, path)
	*r, err = a.complete(r.root, r.schema, r.given)
	return err
}

// narrowBounds narrows the bounds of a number to those that hold now.
func narrowBounds(q *ask.Need, least, most *jsonio.Value) {
	if least != nil {
		if v := numberOf(least); q.Min == nil && q.Above == nil ||
			q.Min != nil && v > *q.Min || q.Above != nil && v > *q.Above {
			q.Min, q.Above = &v, nil
		}
	}
	if most != nil {
		if v := numberOf(most); q.Max == nil && q.Below == nil ||
			q.Max != nil && v < *q.Max || q.Below != nil && v < *q.Below {
			q.Max, q.Below = &v, nil
		}
	}
}

func numberOf(v *jsonio.Value) float64 {
	if v.Kind() == plan.Int {
		return float64(v.Int())
	}
	return v.Double()
}

// isDefault reports whether a number is the default of the field.
func isDefault(q *ask.Need, v float64) bool {
	var is float64
	return q.Default != nil && json.Unmarshal(q.Default, &is) == nil && is == v
}

// acceptedOf are the paths of a record that are absent for good.
func (a *asking) acceptedOf(r plan.Root, s *jsonio.Schema) []string {
	return append(acceptedBut(a.body.Graph.Decisions, r, s.Shape, s.Root, a.known.Accepted), a.defaulted...)
}

// leftOut reports of each die whether it need not be rolled. One that a seed draws uses up its draws, read or not, and one of
// which faces stand in a list its faces, as they do for Eval.
func (a *asking) leftOut() []bool {
	out := make([]bool, len(a.body.Graph.Dice))
	if a.known.Seed != nil || a.known.Dice.List != nil {
		return out
	}
	for i, by := range a.needs.Dice {
		out[i] = len(by) == 0
	}
	return out
}
