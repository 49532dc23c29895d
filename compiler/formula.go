package compiler

import (
	"fmt"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Formula compiles an expression that is given at run time, over the outputs of a rule: a plan of the one rule
// "expression", whose input are the outputs that it reads and whose output is "value". Its error is a *diag.Errors, the
// places of which are in the file that the caller names.
func Formula(p *plan.Plan, rule, text, called string) (*plan.Plan, error) {
	r := p.Rule(rule)
	if r == nil {
		return nil, fmt.Errorf("there is no rule %q", rule)
	}
	return compileOver(p, r, text, called)
}

// compileOver compiles an expression over the outputs of a rule and the character, whose fields have their defaults.
func compileOver(p *plan.Plan, r *plan.Rule, text, called string) (*plan.Plan, error) {
	params := paramsOf(r.Graph.Outputs.Type)
	if p.Character != nil {
		params = append(params, check.NewParam(CharacterName, p.Character.Type()))
	}
	out, wrong := compileExpression(params, text, called)
	if wrong != nil {
		adviseOutputs(wrong, r)
		return nil, wrong
	}
	fields := out.Rules[0].Input.Fields
	for i := range fields {
		if fields[i].Name == CharacterName {
			fields[i].Shape = p.Character
		}
	}
	return out, nil
}

// CharacterName is the name by which formulas over outputs read the character. No output has it.
const CharacterName = "character"

// Guard compiles an expression over the state of a procedure, read as state, the character, the input and the options: a
// policy's guard.
func Guard(p *plan.Plan, procedure, text, called string) (*plan.Plan, error) {
	d := p.Procedure(procedure)
	if d == nil {
		return nil, fmt.Errorf("there is no procedure %q", procedure)
	}
	out, wrong := compileExpression([]*check.Param{
		check.NewParam("state", d.State.Type()),
		check.NewParam("character", p.Character.Type()),
		check.NewParam("input", d.Input.Type()),
		check.NewParam("option", optionRecord(p)),
	}, text, called)
	if wrong != nil {
		adviseGuard(wrong, p, d)
		return nil, wrong
	}
	return out, nil
}

// optionRecord returns the record of all options.
func optionRecord(p *plan.Plan) *plan.Type {
	out := &plan.Type{Kind: plan.Record}
	for _, o := range p.Options {
		out.Fields = append(out.Fields, plan.Field{Name: o.ID, Type: &plan.Type{Kind: plan.String, Enum: o.Values}})
	}
	return out
}

// paramsOf returns a record's fields as names.
func paramsOf(t *plan.Type) []*check.Param {
	var out []*check.Param
	for _, f := range t.Fields {
		out = append(out, check.NewParam(f.Name, f.Type))
	}
	return out
}

func compileExpression(names []*check.Param, text, called string) (*plan.Plan, *diag.Errors) {
	var diags diag.List
	tree := check.CheckExpression(textOf(text, called), names, check.Profile{}, &diags)
	if diags.Failed() {
		return nil, &diag.Errors{List: diags.Sorted()}
	}
	return lower.Expression(tree.Root, tree.Reads), nil
}

// textOf places an expression in a file of its own, so that messages can point into it.
func textOf(text, file string) *book.Text {
	var places []plan.Place
	at := plan.Place{File: file, Line: 1, Col: 1}
	for _, r := range text + "\n" {
		places = append(places, at)
		at.Col++
		if r == '\n' {
			at.Line, at.Col = at.Line+1, 1
		}
	}
	out := book.NewText(text, places)
	return &out
}
