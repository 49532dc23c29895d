package describe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Needs are what must be known before a rule or a procedure can be carried out.
//
// Its JSON answers GET /v1/RULESET/NAME and "rules eval --format json", so clients build forms from
// it.
type Needs struct {
	Ruleset   string  `json:"ruleset"`
	Revision  string  `json:"revision"`
	Kind      string  `json:"kind"`
	ID        string  `json:"id"`
	Label     string  `json:"label,omitempty"` // what people call it
	Short     string  `json:"short,omitempty"` // one line about it
	Doc       string  `json:"doc,omitempty"`
	Cite      string  `json:"cite,omitempty"`
	Input     []Field `json:"input"`
	Character []Field `json:"character"` // what is read of it
	// Unread are the other fields that a character must have.
	Unread  []string     `json:"unread,omitempty"`
	Events  []eventNeeds `json:"events,omitempty"`
	Dice    []DieNeeds   `json:"dice"`
	Options []OptionSays `json:"options"`
	Example string       `json:"example"`
}

// eventNeeds are what an event of a procedure brings.
type eventNeeds struct {
	ID    string     `json:"id"`
	Label string     `json:"label,omitempty"`
	Doc   string     `json:"doc,omitempty"`
	Cite  string     `json:"cite,omitempty"`
	When  string     `json:"when,omitempty"` // it is offered only then
	Input []Field    `json:"input"`
	Dice  []DieNeeds `json:"dice"`
}

// DieNeeds is a die by the id that --dice addresses it by; [*] stands for the number of a repetition.
type DieNeeds struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"`
	List  bool   `json:"list"` // any number of faces
	// For are the outputs, requirements and dice that need it.
	For []string `json:"for,omitempty"`
}

// OptionSays is an option and what its values mean.
type OptionSays struct {
	ID     string      `json:"id"`
	Played string      `json:"played"` // when nothing is said
	Values []valueSays `json:"values"`
	Doc    string      `json:"doc,omitempty"`
	Cite   string      `json:"cite,omitempty"`
}

type valueSays struct {
	Value string `json:"value"`
	Doc   string `json:"doc,omitempty"`
}

// NeedsOf returns the needs of a rule or a procedure.
//
// The id must be one of EvaluableNames.
func NeedsOf(p *plan.Plan, id string) *Needs {
	n := &Needs{Ruleset: p.Ruleset, Revision: p.Revision, ID: id}
	if r := p.Rule(id); r != nil {
		n.addRule(p, r)
	} else {
		n.addProcedure(p, p.Procedure(id))
	}
	if e := p.Entry(n.ID, plan.RuleEntry, plan.ProcedureEntry); e != nil {
		n.Doc = e.Doc
	}
	s := say.NewSpeaker(p)
	if s.HasGlossary() {
		n.addWords(s)
	}
	addHints(s, plan.InputRoot, n.ID, n.Input)
	addHints(s, plan.CharacterRoot, "", n.Character)
	for i := range n.Events {
		addHints(s, plan.EventRoot, n.ID+"."+n.Events[i].ID, n.Events[i].Input)
	}
	return n
}

// Title returns the label of the rule or the procedure, or its id without one.
func (n *Needs) Title() string { return cmp.Or(n.Label, n.ID) }

// addWords adds the players' words for all needs.
func (n *Needs) addWords(s *say.Speaker) {
	t := s.Of(n.ID)
	n.Label, n.Short = t.Title(), t.Short()
	addLabels(t, n.Input)
	addLabels(t, n.Character)
	for i := range n.Dice {
		n.Dice[i].Label = t.Heading(n.Dice[i].ID)
	}
	for i := range n.Events {
		e := &n.Events[i]
		t := s.Of(n.ID + "." + e.ID)
		e.Label = t.Title()
		addLabels(t, e.Input)
		for k := range e.Dice {
			e.Dice[k].Label = t.Heading(e.Dice[k].ID)
		}
	}
}

// addLabels adds the labels of fields and of the values of choices.
func addLabels(t *say.Teller, fields []Field) {
	for i := range fields {
		f := &fields[i]
		path := strings.TrimSuffix(strings.ReplaceAll(f.Name, "[]", ""), ".*")
		f.Label, f.Unit = t.Heading(path), t.Unit(path)
		for _, v := range f.Values() {
			if f.Labels == nil {
				f.Labels = map[string]string{}
			}
			f.Labels[v] = t.LabelOf(path, v)
		}
	}
}

// addRule adds the needs of a rule. Each die has its purposes, which follow from the same walk as the fields that are
// read.
func (n *Needs) addRule(p *plan.Plan, r *plan.Rule) {
	n.Kind, n.Cite, n.Input = "rule", r.Cite, inputFields(r.Input, &r.Graph)
	reads := newReadFinder(p)
	n.Dice = diceOf(&r.Graph, reads.add(p.RuleBody(r)))
	n.Character, n.Unread = reads.fields()
	n.Options = optionsOf(p, &r.Graph)
}

// addProcedure adds the needs of a procedure over its whole life. A field that any of its steps reads counts as read,
// since a character is given once, at the start. p.Steps has the start first, then the events, and the closing step
// last.
func (n *Needs) addProcedure(p *plan.Plan, d *plan.Procedure) {
	n.Kind, n.Cite, n.Input = "procedure", d.Cite, FieldsOf(d.Input)
	reads, steps := newReadFinder(p), p.Steps(d)
	n.Dice = diceOf(&d.Start, reads.add(steps[0]))
	graphs := []*plan.Graph{&d.Start, &d.Close}
	for i := range d.Events {
		e := &d.Events[i]
		graphs = append(graphs, &e.Graph)
		out := eventNeeds{ID: e.ID, Cite: e.Cite, Input: inputFields(e.Input, &e.Graph),
			Dice: diceOf(&e.Graph, reads.add(steps[1+i]))}
		out.Doc, out.When = p.DescribeEvent(d.ID, e.ID)
		n.Events = append(n.Events, out)
	}
	reads.add(steps[len(steps)-1])
	n.Character, n.Unread = reads.fields()
	n.Options = optionsOf(p, graphs...)
}

// inputFields are the fields of an input, with the dice after which some are decided.
func inputFields(s *plan.Shape, g *plan.Graph) []Field {
	out := FieldsOf(s)
	for i := range out {
		for _, d := range g.Decisions {
			if out[i].Name == d.Path || strings.HasPrefix(out[i].Name, d.Path+".") {
				out[i].After = d.After
			}
		}
	}
	return out
}

// diceOf returns the dice of a graph, each with the readers of its faces.
//
// A sum of several groups of dice has a die with the same id for each. For whoever gives faces it is one die that takes
// a list.
func diceOf(g *plan.Graph, by [][]schedule.Reader) []DieNeeds {
	out := []DieNeeds{}
	for i := range g.Dice {
		d := &g.Dice[i]
		many := d.List || d.Explode != plan.Band{} || d.Again != plan.Band{}
		if k := slices.IndexFunc(out, func(n DieNeeds) bool { return n.ID == d.ID }); k >= 0 {
			out[k].List = true // a further group of a sum
			continue
		}
		die := DieNeeds{ID: d.ID, List: many}
		if i < len(by) {
			die.For = namePurposes(by[i])
		}
		out = append(out, die)
	}
	return out
}

// optionsOf returns the options that some graph reads, in the order of the plan. An option that
// only another rule reads would be noise here: it changes nothing.
func optionsOf(p *plan.Plan, graphs ...*plan.Graph) []OptionSays {
	read := make([]bool, len(p.Options))
	for _, g := range graphs {
		for i := range g.Nodes {
			if g.Nodes[i].Op == plan.OpOption {
				read[g.Nodes[i].Imm] = true
			}
		}
	}
	out := []OptionSays{}
	for i := range p.Options {
		if read[i] {
			out = append(out, describeOption(p, i))
		}
	}
	return out
}

func describeOption(p *plan.Plan, i int) OptionSays {
	o := &p.Options[i]
	out := OptionSays{ID: o.ID, Played: o.Values[o.Default]}
	e := p.Entry(o.ID, plan.OptionEntry)
	if e == nil {
		e = &plan.Entry{}
	}
	out.Doc, out.Cite = e.Doc, e.Cite
	for k, v := range o.Values {
		says := valueSays{Value: v}
		// A homebrew may add values to an option that the entry, which is the ruleset's own, says
		// nothing about.
		if k < len(e.Values) {
			says.Doc = e.Values[k].Text
		}
		out.Values = append(out.Values, says)
	}
	return out
}
