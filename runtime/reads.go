package runtime

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// listInputs returns the needs of all fields of an input and of the character.
func (p *Program) listInputs(input *plan.Shape) []ask.Need {
	return p.appendFields(p.appendFields(nil, input, "input"), p.plan.Character, "character")
}

// appendFields appends the needs of the fields of a record, those of records in it one by one unless they may be absent.
func (p *Program) appendFields(out []ask.Need, s *plan.Shape, path string) []ask.Need {
	for i := range s.Fields {
		m := &s.Fields[i]
		at := path + jsonio.PathStep(m.Name)
		if m.Shape.Kind == plan.Record && !m.Optional && m.Default == "" {
			out = p.appendFields(out, m.Shape, at)
			continue
		}
		n := p.askShape(m.Shape, at)
		describeMember(&n, m)
		n.Required = !m.Optional && m.Default == ""
		out = append(out, n)
	}
	return out
}

// Reads returns the fields that have a part in the answer. Each field of the input costs one folding of the graph, which is
// less than an evaluation of Ask: no die falls. A requirement that refuses whatever is left out makes no field idle.
func (r *Rule) Reads(q Request) (*ask.Reads, error) {
	return findReads(r.rule.Input, q, func(q Request) ([]ask.Need, error) {
		a, err := r.newAsking(q, newEvaluation(r.program.image, r.code))
		if err != nil {
			return nil, err
		}
		if err := a.findReads(); err != nil {
			return nil, err
		}
		return a.allFields(a.needs), nil
	})
}

// Reads returns which fields have a part in the start or in any later event, as Rule.Reads does.
func (d *Procedure) Reads(q Request) (*ask.Reads, error) {
	steps := d.program.plan.Steps(d.procedure)
	return findReads(d.procedure.Input, q, func(q Request) ([]ask.Need, error) {
		a, err := d.askStart(q)
		if err != nil {
			return nil, err
		}
		reads, err := a.findStartReads(steps)
		if err != nil {
			return nil, err
		}
		return a.allFields(reads), nil
	})
}

// allFields returns the needs of the fields of all records that are read, those that are decided late among them.
func (a *asking) allFields(needs *schedule.Needs) (out []ask.Need) {
	for i := range a.records {
		out = append(out, a.fieldsOf(needs, &a.records[i])...)
	}
	return out
}

// findReads asks without the character, then without each field of the input. A refusal says nothing of a field.
func findReads(input *plan.Shape, q Request, openFields func(Request) ([]ask.Need, error)) (*ask.Reads, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(orEmpty(q.Input), &members); err != nil {
		return nil, &InputError{Root: "input", Msg: err.Error()}
	}
	out := &ask.Reads{}
	if needs, err := openFields(Request{Input: q.Input, Accepted: []string{"input"}}); err == nil {
		out.Character = slices.DeleteFunc(needs, func(n ask.Need) bool { return !strings.HasPrefix(n.Path, "character") })
	}
	for i := range input.Fields {
		name := input.Fields[i].Name
		path := "input" + jsonio.PathStep(name)
		value, given := members[name]
		delete(members, name)
		text, err := json.Marshal(members)
		if given {
			members[name] = value
		}
		if err != nil {
			return nil, err
		}
		needs, err := openFields(Request{Character: q.Character, Input: text, Accepted: []string{"character"}})
		isRead := func(n ask.Need) bool {
			rest, ok := strings.CutPrefix(n.Path, path)
			return ok && (rest == "" || strings.ContainsAny(rest[:1], ".["))
		}
		if err == nil && !slices.ContainsFunc(needs, isRead) {
			out.Idle = append(out.Idle, path)
		}
	}
	return out, nil
}
