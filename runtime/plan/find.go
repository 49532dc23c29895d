package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// Rule returns the rule of an id; nil if there is none.
func (p *Plan) Rule(id string) *Rule { return find(p.Rules, func(r *Rule) bool { return r.ID == id }) }

// Procedure returns the procedure of an id; nil if there is none.
func (p *Plan) Procedure(id string) *Procedure {
	return find(p.Procedures, func(d *Procedure) bool { return d.ID == id })
}

// Event returns the event of an id; nil if there is none.
func (p *Procedure) Event(id string) *Event {
	return find(p.Events, func(e *Event) bool { return e.ID == id })
}

// Table returns the table of an id; nil if there is none.
func (p *Plan) Table(id string) *Table {
	return find(p.Tables, func(t *Table) bool { return t.ID == id })
}

// Option returns the option of an id; nil if there is none.
func (p *Plan) Option(id string) *Option {
	return find(p.Options, func(o *Option) bool { return o.ID == id })
}

// Entry returns the first entry of an id and of one of some kinds, of any kind if none is named; nil if there is none.
func (p *Plan) Entry(id string, kinds ...EntryKind) *Entry {
	return find(p.Entries, func(e *Entry) bool {
		return e.ID == id && (len(kinds) == 0 || slices.Contains(kinds, e.Kind))
	})
}

// DescribeEvent returns the description of an event of a procedure and the text of its condition; "" where it has none.
func (p *Plan) DescribeEvent(procedure, event string) (doc, when string) {
	e := p.Entry(procedure+"."+event, EventEntry)
	if e == nil {
		return "", ""
	}
	for _, l := range e.Lines {
		if l.Part == "when" {
			when = l.Text
		}
	}
	return e.Doc, when
}

// find returns the first element for which a predicate holds; nil if there is none.
func find[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// RuleNames returns the ids of the rules, in the author's order.
func (p *Plan) RuleNames() []string { return idsOf(p.Rules) }

// FunctionNames returns the ids of the functions that have a graph of their own, in the author's order.
func (p *Plan) FunctionNames() []string { return idsOf(p.Functions) }

func idsOf(list []Rule) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].ID
	}
	return out
}

// ProcedureNames returns the ids of the procedures, in the author's order.
func (p *Plan) ProcedureNames() []string {
	out := make([]string, len(p.Procedures))
	for i := range p.Procedures {
		out[i] = p.Procedures[i].ID
	}
	return out
}

// EventNames returns the ids of the events, in the author's order.
func (p *Procedure) EventNames() []string {
	out := make([]string, len(p.Events))
	for i := range p.Events {
		out[i] = p.Events[i].ID
	}
	return out
}

// An UnknownError reports a name that nothing has. Its text suggests the nearest name that exists.
type UnknownError struct {
	What  string // "rule", "procedure", "option", "output"
	Name  string
	Known []string
}

// Error returns the name with the nearest known one or, if none is near, with all that are known.
func (e *UnknownError) Error() string {
	msg := fmt.Sprintf("there is no %s %q", e.What, e.Name)
	if near := spell.Nearest(e.Name, e.Known); near != "" {
		return msg + fmt.Sprintf("; did you mean %q", near)
	}
	if len(e.Known) == 0 {
		return msg
	}
	return msg + "; there is " + strings.Join(e.Known, ", ")
}
