package main

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// needs are what must be known before a rule or a procedure can be carried out.
type needs struct {
	Ruleset   string       `json:"ruleset"`
	Revision  string       `json:"revision"`
	Kind      string       `json:"kind"`
	ID        string       `json:"id"`
	Doc       string       `json:"doc,omitempty"`
	Cite      string       `json:"cite,omitempty"`
	Character []field      `json:"character"`
	Input     []field      `json:"input"`
	Events    []eventNeeds `json:"events,omitempty"`
	Dice      []dieNeeds   `json:"dice"`
	Options   []optionSays `json:"options"`
	Example   string       `json:"example"`
}

// eventNeeds are what an event of a procedure brings.
type eventNeeds struct {
	ID    string     `json:"id"`
	Doc   string     `json:"doc,omitempty"`
	Cite  string     `json:"cite,omitempty"`
	Input []field    `json:"input"`
	Dice  []dieNeeds `json:"dice"`
}

// dieNeeds is a die by the id that --dice addresses it by; [*] stands for the number of a repetition.
type dieNeeds struct {
	ID   string `json:"id"`
	List bool   `json:"list"` // any number of faces
}

// optionSays is an option and what its values mean.
type optionSays struct {
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

// needs prints what the rule or procedure needs.
func (q *question) needs(p *plan.Plan, id string) error {
	n := needsOf(p, id)
	n.Example = exampleOf(q.s.files(), q.call(p.Ruleset), p, n)
	out := q.c.OutOrStdout()
	if q.format == asJSON {
		return printJSON(out, n)
	}
	page := q.s.page(out)
	page.needs(n)
	return page.flush(out)
}

// call is the beginning of a command line like this one.
func (q *question) call(ruleset string) string {
	if q.plan != "" {
		return "rules eval --plan " + quoted(q.plan)
	}
	out := "rules eval "
	if q.s.dir != "" {
		out += "--dir " + quoted(q.s.dir) + " "
	}
	for _, dir := range q.s.with {
		out += "--with " + quoted(dir) + " "
	}
	return out + ruleset
}

func needsOf(p *plan.Plan, id string) *needs {
	n := &needs{Ruleset: p.Ruleset, Revision: p.Revision, ID: id, Character: fieldsOf(p.Character)}
	if i := slices.IndexFunc(p.Rules, func(r plan.Rule) bool { return r.ID == id }); i >= 0 {
		n.rule(p, &p.Rules[i])
	} else {
		i := slices.IndexFunc(p.Procedures, func(d plan.Procedure) bool { return d.ID == id })
		n.procedure(p, &p.Procedures[i])
	}
	if e := entry(p, n.ID, plan.RuleEntry, plan.ProcedureEntry); e != nil {
		n.Doc = e.Doc
	}
	return n
}

func (n *needs) rule(p *plan.Plan, r *plan.Rule) {
	n.Kind, n.Cite, n.Input = "rule", r.Cite, fieldsOf(r.Input)
	n.Dice = diceOf(&r.Graph)
	n.Options = optionsOf(p, &r.Graph)
}

func (n *needs) procedure(p *plan.Plan, d *plan.Procedure) {
	n.Kind, n.Cite, n.Input = "procedure", d.Cite, fieldsOf(d.Input)
	n.Dice = diceOf(&d.Start)
	graphs := []*plan.Graph{&d.Start, &d.Close}
	for i := range d.Events {
		e := &d.Events[i]
		graphs = append(graphs, &e.Graph)
		out := eventNeeds{ID: e.ID, Cite: e.Cite, Input: fieldsOf(e.Input), Dice: diceOf(&e.Graph)}
		if x := entry(p, d.ID+"."+e.ID, plan.EventEntry); x != nil {
			out.Doc = x.Doc
		}
		n.Events = append(n.Events, out)
	}
	n.Options = optionsOf(p, graphs...)
}

// entry is what is said of a definition; nil when nothing is.
func entry(p *plan.Plan, id string, kinds ...plan.EntryKind) *plan.Entry {
	for i := range p.Entries {
		if e := &p.Entries[i]; e.ID == id && slices.Contains(kinds, e.Kind) {
			return e
		}
	}
	return nil
}

func diceOf(g *plan.Graph) []dieNeeds {
	out := []dieNeeds{}
	for i := range g.Dice {
		d := &g.Dice[i]
		many := d.List || d.Explode != plan.Band{} || d.Again != plan.Band{}
		if k := slices.IndexFunc(out, func(n dieNeeds) bool { return n.ID == d.ID }); k >= 0 {
			out[k].List = true // a further group of a sum
			continue
		}
		out = append(out, dieNeeds{d.ID, many})
	}
	return out
}

// optionsOf are the options that graphs read.
func optionsOf(p *plan.Plan, graphs ...*plan.Graph) []optionSays {
	read := make([]bool, len(p.Options))
	for _, g := range graphs {
		for i := range g.Nodes {
			if g.Nodes[i].Op == plan.OpOption {
				read[g.Nodes[i].Imm] = true
			}
		}
	}
	out := []optionSays{}
	for i := range p.Options {
		if read[i] {
			out = append(out, sayOption(p, i))
		}
	}
	return out
}

func sayOption(p *plan.Plan, i int) optionSays {
	o := &p.Options[i]
	out := optionSays{ID: o.ID, Played: o.Values[o.Default]}
	e := entry(p, o.ID, plan.OptionEntry)
	if e == nil {
		e = &plan.Entry{}
	}
	out.Doc, out.Cite = e.Doc, e.Cite
	for k, v := range o.Values {
		says := valueSays{Value: v}
		if k < len(e.Values) {
			says.Doc = e.Values[k].Text
		}
		out.Values = append(out.Values, says)
	}
	return out
}

// needs shows what must be known.
func (p *page) needs(n *needs) {
	p.line(0, "%s", p.in(bold, title(n.Kind+" "+n.ID, n.Ruleset, n.Revision)))
	p.text(2, plain, n.Doc)
	p.text(2, faint, n.Cite)
	p.fields("character", n.Character)
	p.fields("input", n.Input)
	p.dice(n.Dice)
	for i := range n.Events {
		e := &n.Events[i]
		p.fields("event "+e.ID, e.Input)
		p.text(2, faint, strings.Join(dieIDs(e.Dice), "\n"))
	}
	p.options(n.Options)
	p.blank()
	p.line(0, "%s", p.in(bold, "example"))
	p.text(2, plain, n.Example)
}

func (p *page) fields(heading string, fields []field) {
	p.blank()
	p.line(0, "%s", p.in(bold, heading))
	if len(fields) == 0 {
		p.line(2, "nothing")
		return
	}
	p.rows(2, fieldRows(fields))
}

func fieldRows(fields []field) [][]string {
	var rows [][]string
	for i := range fields {
		f := &fields[i]
		rows = append(rows, []string{f.Name, f.says(), f.presence(), f.Doc})
	}
	return rows
}

func (p *page) dice(dice []dieNeeds) {
	if len(dice) == 0 {
		return
	}
	p.blank()
	p.line(0, "%s", p.in(bold, "dice"))
	p.text(2, plain, strings.Join(dieIDs(dice), "\n"))
}

// dieIDs are dice as --dice gives them.
func dieIDs(dice []dieNeeds) []string {
	var out []string
	for _, d := range dice {
		faces := "FACE"
		if d.List {
			faces = "FACE,..."
		}
		out = append(out, "--dice "+d.ID+"="+faces)
	}
	return out
}

func (p *page) options(options []optionSays) {
	if len(options) == 0 {
		return
	}
	p.blank()
	p.line(0, "%s", p.in(bold, "options"))
	var rows [][]string
	for i := range options {
		rows = append(rows, options[i].rows()...)
	}
	p.rows(2, rows)
}

// rows shows the values of an option as --option gives them.
func (o *optionSays) rows() [][]string {
	var rows [][]string
	for _, v := range o.Values {
		played := ""
		if v.Value == o.Played {
			played = "default"
		}
		rows = append(rows, []string{o.ID + "=" + v.Value, played, v.Doc})
	}
	return rows
}
