package trace

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// An Evaluation is a frame that holds every value of a graph, and the rulings under which it was computed.
type Evaluation struct {
	Plan   *plan.Plan
	Graph  *plan.Graph
	Code   *schedule.Code // made with schedule.Options.Full
	Frame  *vm.Frame
	Values []int                  // of the options, by index
	Asked  func(name string) bool // whether an output is asked for; nil for all

	terms      []plan.Term
	loops      map[plan.ID]loop // by the node that counts the iterations
	varying    []bool           // of each term, whether iterations of a loop give it different values
	iterations *vm.Iterations
}

// Watch prepares a trace: it reads the terms of the graph, and lets the frame keep the iterations of the loops that these
// tell of. The evaluation follows.
func (v *Evaluation) Watch() (err error) {
	if v.terms, err = planfile.DecodeTerms(v.Graph); err != nil {
		return err
	}
	v.findLoops()
	v.findVarying()
	return nil
}

// A builder makes the trees of one evaluation.
type builder struct {
	*Evaluation
	shownTerms map[int32]bool // the terms that have a tree
	view       vm.View        // of the frame or, within a loop, of one iteration
	steps      int            // made so far
	// carried has the values that loops carry as an iteration found them: the iteration has written the next ones over
	// them.
	carried map[plan.ID]carriedValue
}

func (v *Evaluation) newBuilder() *builder {
	return &builder{Evaluation: v, shownTerms: map[int32]bool{}, view: v.Frame.View(), carried: map[plan.ID]carriedValue{}}
}

// Trees returns the trees of the outputs and of the other values that leave the graph: the next values of the state and the
// character, and the ends. A plan that was cut down to some rules has no terms: then they are its named values without
// their operands.
func (v *Evaluation) Trees() []*Step {
	b, terms := v.newBuilder(), v.terms
	if len(terms) == 0 {
		return b.namedValues()
	}
	out := []*Step{}
	for _, kind := range [...]plan.NameKind{plan.OutputName, plan.NextName} {
		for i := range terms {
			if t := &terms[i]; t.Kind == plan.NamedTerm && t.Named >= 0 && v.isAskedRoot(&v.Graph.Names[t.Named], kind) {
				out = append(out, b.termStep(int32(i)))
			}
		}
	}
	for i := range terms {
		if terms[i].Kind == plan.EndTerm {
			out = append(out, b.termStep(int32(i)))
		}
	}
	v.sortOutputs(out)
	return out
}

// Requirement returns the tree of a requirement that refuses, by its message and its place; nil when the graph has no terms
// of it. Near is the key that was probably meant by one that it does not find in a map.
func (v *Evaluation) Requirement(message string, at plan.Place) (step *Step, near string) {
	b := v.newBuilder()
	for i := range v.terms {
		t := &v.terms[i]
		if t.Kind != plan.RequireTerm || t.Name != message || t.Place != at {
			continue
		}
		// A rule that is used several times has the requirement as often: the one that refuses is false.
		if holds, failure := b.readValue(&t.Value); failure == "" && holds.Kind() == plan.Bool && !holds.Bool() {
			return b.termStep(int32(i)), b.nearestKey(t)
		}
	}
	return nil, ""
}

// nearestKey finds below a term a key that is not in its map, and the key of the map that is nearest to it; empty when
// there is none.
func (b *builder) nearestKey(t *plan.Term) string {
	if o, ok := operatorOf(t.Name); ok && t.Kind == plan.CallTerm && o.text == "in" && len(t.Args) == 2 {
		key, failure := b.readValue(&b.terms[t.Args[0]].Value)
		in, missing := b.readValue(&b.terms[t.Args[1]].Value)
		if failure == "" && missing == "" && key.Kind() == plan.String && in.Kind() == plan.Map {
			if !slices.Contains(in.Names(), key.Text()) {
				return spell.Nearest(key.Text(), in.Names())
			}
		}
	}
	for _, arg := range b.decidingArgs(t) {
		if near := b.nearestKey(&b.terms[arg]); near != "" {
			return near
		}
	}
	return ""
}

// MissedKey returns the key that was probably meant by a look-up that found none, in a map or in a table, and failed with a
// message; empty when none is near.
func (v *Evaluation) MissedKey(message string) string {
	b := v.newBuilder()
	for i := range v.terms {
		t := &v.terms[i]
		var at int32
		var keys []string
		switch {
		case t.Kind == plan.CallTerm && t.Name == "index_map" && len(t.Args) == 2:
			in, failure := b.readValue(&b.terms[t.Args[0]].Value)
			if failure != "" || in.Kind() != plan.Map {
				continue
			}
			at, keys = t.Args[1], in.Names()
		case t.Kind == plan.TableTerm && len(t.Args) > 0:
			at, keys = t.Args[0], b.rowNames(t.Name)
		default:
			continue
		}
		key, failure := b.readValue(&b.terms[at].Value)
		if failure != "" || key.Kind() != plan.String || message != "no such key: "+key.Text() ||
			slices.Contains(keys, key.Text()) { // this look-up found it, and another one did not
			continue
		}
		if near := spell.Nearest(key.Text(), keys); near != "" {
			return near
		}
	}
	return ""
}

// rowNames returns the keys of a table whose keys are strings.
func (b *builder) rowNames(id string) (out []string) {
	t := b.Plan.Table(id)
	if t == nil || t.Kind.HasNumbers() {
		return nil
	}
	for row := range t.Rows() {
		out = append(out, b.Plan.RowKey(t, row).String())
	}
	return out
}

// isAskedRoot reports whether a named value leaves the graph, and is asked for.
func (v *Evaluation) isAskedRoot(n *plan.Named, kind plan.NameKind) bool {
	if n.Kind != kind {
		return false
	}
	if kind == plan.NextName {
		return true
	}
	field, _ := v.Graph.Outputs.Type.Field(n.Name)
	return field >= 0 && (v.Asked == nil || v.Asked(n.Name))
}

// sortOutputs puts the outputs into the order of the sheet; they were lowered in the order in which they need each other.
func (v *Evaluation) sortOutputs(steps []*Step) {
	rank := func(s *Step) int {
		if v.Graph.Outputs.Type != nil {
			if i, _ := v.Graph.Outputs.Type.Field(s.Name); i >= 0 {
				return i
			}
		}
		return len(v.Graph.Outputs.Fields)
	}
	slices.SortStableFunc(steps, func(a, b *Step) int { return rank(a) - rank(b) })
}

// namedValues returns the named values in the order of evaluation.
func (b *builder) namedValues() []*Step {
	out := []*Step{}
	for i := range b.Graph.Names {
		s := &Step{Kind: Named}
		b.addName(s, &b.Graph.Names[i])
		b.addValue(s, &b.Graph.Names[i].Value)
		out = append(out, s)
	}
	return out
}

// stepKind returns the kind of the step of a term; "" for a term that is part of a formula, which only equations show.
func stepKind(k plan.TermKind) Kind {
	switch k {
	case plan.NamedTerm:
		return Named
	case plan.GivenTerm:
		return Given
	case plan.OptionTerm:
		return Option
	case plan.DieTerm:
		return Dice
	case plan.UseTerm:
		return Use
	case plan.TraitTerm:
		return Trait
	case plan.FunctionTerm:
		return Function
	case plan.ParamTerm:
		return Argument
	case plan.TableTerm:
		return Table
	case plan.WalkTerm:
		return Walk
	case plan.RequireTerm:
		return Requirement
	case plan.EndTerm:
		return End
	case plan.ElementTerm:
		return Element
	}
	return ""
}

// termStep returns the tree of a term that is a step.
func (b *builder) termStep(at int32) *Step {
	t := &b.terms[at]
	if needed := b.decidingArgs(t); t.Kind == plan.UseTerm && len(needed) == 1 && b.terms[needed[0]].Name == t.Name {
		return b.termStep(needed[0]) // the output of the used rule itself
	}
	s := &Step{Name: t.Name, Kind: stepKind(t.Kind), Of: t.Of, Formula: t.Formula, Cite: t.Cite, Place: t.Place}
	value := &t.Value
	if t.Named >= 0 {
		b.addName(s, &b.Graph.Names[t.Named])
		value = &b.Graph.Names[t.Named].Value
	}
	b.addValue(s, value)
	if t.Kind == plan.OptionTerm {
		b.addErratum(s)
	}
	if t.Kind == plan.TableTerm {
		s.Row = b.foundRow(t)
	}
	needed := b.decidingArgs(t)
	if b.shownTerms[at] && len(needed) > 0 {
		s.Repeated = true
		return s
	}
	b.shownTerms[at] = true
	b.steps++
	s.Equation = b.equationOf(t)
	b.addSteps(s, needed, t.Kind == plan.FunctionTerm)
	return s
}

// columnStep returns the tree of one column of a row.
func (b *builder) columnStep(at int32) *Step {
	field := &b.terms[at]
	s := b.termStep(field.Args[0])
	s.Value, s.Failure = jsonio.Value{}, ""
	b.addValue(s, &field.Value)
	s.Row.Column = field.Name
	return s
}

// isColumn reports whether a term reads a column of a row.
func (b *builder) isColumn(t *plan.Term) bool {
	return t.Kind == plan.FieldTerm && len(t.Args) == 1 && b.terms[t.Args[0]].Kind == plan.TableTerm
}

// addSteps adds the steps of terms to a step, each once. Within a function its arguments are told before its formula, which
// reads them by name.
func (b *builder) addSteps(s *Step, terms []int32, inFunction bool) {
	for _, at := range terms {
		t := &b.terms[at]
		switch {
		case t.Kind == plan.ElementTerm:
			b.addElements(s, at)
		case b.isColumn(t):
			s.addOperand(b.columnStep(at))
		case stepKind(t.Kind) == "":
			b.addSteps(s, b.decidingArgs(t), inFunction)
		case t.Kind == plan.ParamTerm && b.shownTerms[at]:
		default:
			s.addOperand(b.termStep(at))
		}
	}
}

// addOperand adds a step on which s rests, unless it stands there already.
func (s *Step) addOperand(x *Step) {
	same := func(y *Step) bool {
		return x.Kind == y.Kind && x.Name == y.Name && x.Of == y.Of && x.Value.String() == y.Value.String() &&
			(x.Row == nil) == (y.Row == nil) && (x.Row == nil || *x.Row == *y.Row)
	}
	if x.Kind == Function || !slices.ContainsFunc(s.From, same) {
		s.From = append(s.From, x)
	}
}

// decidingArgs returns the arguments on which the value of a term rests.
func (b *builder) decidingArgs(t *plan.Term) []int32 {
	switch t.Kind {
	case plan.CondTerm, plan.UseTerm:
		if len(t.Args) == 3 && b.terms[t.Args[2]].Kind != plan.ElementTerm {
			if b.isTrue(t.Args[0]) {
				return []int32{t.Args[0], t.Args[1]}
			}
			return []int32{t.Args[0], t.Args[2]}
		}
	case plan.ChooseTerm:
		if arm := b.chosenArm(t); arm > 0 {
			return []int32{t.Args[0], t.Args[arm]}
		}
	case plan.AndTerm, plan.OrTerm:
		return b.decidingSides(t)
	}
	return t.Args
}

// chosenArm returns the argument of a choice that holds the chosen value; 0 if none does.
func (b *builder) chosenArm(t *plan.Term) int {
	by, _ := b.readValue(&b.terms[t.Args[0]].Value)
	return 1 + slices.Index(t.Params[:min(len(t.Params), len(t.Args)-1)], by.Text())
}

// decidingSides returns the sides of && and || that decide: one, when it alone does.
func (b *builder) decidingSides(t *plan.Term) []int32 {
	decides := t.Kind == plan.OrTerm
	for _, a := range t.Args {
		if v, failure := b.readValue(&b.terms[a].Value); failure == "" && v.Kind() == plan.Bool && v.Bool() == decides {
			return []int32{a}
		}
	}
	return t.Args
}

// isTrue reports whether the condition of a term is true.
func (b *builder) isTrue(at int32) bool {
	v, failure := b.readValue(&b.terms[at].Value)
	return failure == "" && v.Bool()
}

// addName adds the properties of a named value that the graph has.
func (b *builder) addName(s *Step, n *plan.Named) {
	s.Name, s.Formula, s.Cite, s.Place, s.Overlays = n.Name, n.Formula, n.Cite, n.Place, n.Overlays
	if n.Option >= 0 {
		o := &b.Plan.Options[n.Option]
		s.Option = o.ID + "=" + o.Values[b.Values[n.Option]]
		s.Erratum = b.erratumOf(o.ID)
	}
}

// addErratum adds the erratum that an option plays.
func (b *builder) addErratum(s *Step) {
	s.Erratum = b.erratumOf(s.Name)
	if e := b.Plan.Entry(s.Name, plan.OptionEntry); e != nil {
		s.Cite, s.Place = e.Cite, e.Place
	}
}

// erratumOf returns the erratum that an option lets a table play.
func (b *builder) erratumOf(option string) string {
	for i := range b.Plan.Errata {
		if b.Plan.Errata[i].Option == option {
			return b.Plan.Errata[i].ID
		}
	}
	return ""
}

// addValue adds a value, or the reason why there is none.
func (b *builder) addValue(s *Step, v *plan.Value) {
	s.Value, s.Failure = b.readValue(v)
}

// readValue returns a value, or the reason why there is none; neither for a value that is not shown.
func (b *builder) readValue(v *plan.Value) (value jsonio.Value, failure string) {
	if v.Type == nil || !b.Code.Kept(v) {
		return value, ""
	}
	at, view := vm.LocateIn(b.Code, v), b.view
	if c, ok := b.carried[v.ID]; ok {
		found := *v
		found.ID, view = c.node, c.view
		if f, ok := b.carried[v.Fault]; ok {
			found.Fault = f.node
		}
		if at = vm.LocateIn(b.Code, &found); !b.Code.Kept(&found) {
			return value, ""
		}
	}
	value, fault := jsonio.ReadValue(b.Frame, &at, view)
	if fault != 0 {
		return jsonio.Value{}, vm.FailureOf(b.Frame, b.Graph, fault).Msg
	}
	return value, ""
}

// foundRow returns the row that a look-up found.
func (b *builder) foundRow(t *plan.Term) *Row {
	out := &Row{}
	var keys []string
	for _, a := range t.Args {
		if key, failure := b.readValue(&b.terms[a].Value); failure == "" {
			keys = append(keys, plainText(key))
		}
	}
	out.Key = strings.Join(keys, ", ")
	table := b.Plan.Table(t.Name)
	if t.Row == plan.None || table == nil {
		return out
	}
	slot, ok := b.Code.Slot(t.Row)
	if !ok {
		return out
	}
	row := b.view.Slot(slot)
	if row < 0 || row >= int64(table.Rows()) {
		return out
	}
	out.Row = b.Plan.RowKey(table, int(row)).String()
	if e := b.Plan.Entry(t.Name, plan.TableEntry); e != nil && int(row) < len(e.Rows) {
		out.Place = e.Rows[row]
	}
	return out
}

// plainText returns a value as JSON, a string without quotes.
func plainText(v jsonio.Value) string {
	if v.Kind() == plan.String {
		return v.Text()
	}
	return v.String()
}

// shortenText returns a text cut to a length that an equation can have.
func shortenText(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return strings.TrimRight(string(runes[:most-1]), " ,") + "…"
	}
	return text
}
