package js

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// rulesetDeclaration returns the types of the module of a ruleset.
func rulesetDeclaration(p *plan.Plan) string {
	return strings.Join([]string{
		headerComment(p), "",
		"/** A character of " + commentText(p.Title) + ". */",
		"export interface Character " + shapeType(p.Character, "") + "", "",
		"/** Of which rules the modules are. */",
		"export const ruleset: { readonly ruleset: string; readonly revision: string; readonly digest: string };", "",
	}, "\n")
}

// ruleDeclaration returns the types of the module of a rule.
func ruleDeclaration(p *plan.Plan, r *plan.Rule) string {
	lines := []string{
		headerComment(p), "",
		`import type { Rule } from "./kernel.js";`,
		`import type { Character } from "./ruleset.js";`, "",
		"export interface Input " + shapeType(r.Input, ""), "",
		"export interface Output " + valueType(r.Graph.Outputs.Type, ""), "",
	}
	lines = append(lines, ruleComment(p, r.ID, r.Cite, plan.RuleEntry),
		"export const "+ExportName(r.ID)+": Rule<Character, Input, Output>;", "")
	return strings.Join(lines, "\n")
}

// procedureDeclaration returns the types of the module of a procedure.
func procedureDeclaration(p *plan.Plan, d *plan.Procedure) string {
	lines := []string{
		headerComment(p), "",
		`import type { Procedure } from "./kernel.js";`,
		`import type { Character } from "./ruleset.js";`, "",
		"export interface Input " + shapeType(d.Input, ""), "",
		"export interface Output " + valueType(d.Close.Outputs.Type, ""), "",
		"export interface Events {",
	}
	for i := range d.Events {
		e := &d.Events[i]
		lines = append(lines, "  "+memberName(e.ID)+": { input: "+shapeType(e.Input, "  ")+"; output: "+
			valueType(e.Graph.Outputs.Type, "  ")+" };")
	}
	status := unionOf(append([]string{plan.Open}, d.Ends...))
	return strings.Join(append(lines, "}", "", "export type Status = "+status+";", "",
		ruleComment(p, d.ID, d.Cite, plan.ProcedureEntry),
		"export const "+ExportName(d.ID)+": Procedure<Character, Input, Events, Status, Output>;", ""), "\n")
}

// scalarTypes are the types of values of one slot.
var scalarTypes = map[plan.Kind]string{
	plan.Int: "number", plan.Double: "number", plan.Bool: "boolean", plan.String: "string",
}

// shapeType returns the type of the values that a shape admits.
func shapeType(s *plan.Shape, indent string) string {
	switch s.Kind {
	case plan.String:
		if s.Enum != nil {
			return unionOf(s.Enum)
		}
	case plan.List:
		return "ReadonlyArray<" + shapeType(s.Elem, indent) + ">"
	case plan.Map:
		key := "string"
		if s.Keys != nil {
			key = unionOf(s.Keys)
		}
		return "{ readonly [key in " + key + "]?: " + shapeType(s.Elem, indent) + " }"
	case plan.Record:
		var lines []string
		for i := range s.Fields {
			m := &s.Fields[i]
			mark := ""
			if m.Optional || m.Default != "" {
				mark = "?"
			}
			if m.Doc != "" {
				lines = append(lines, indent+"  /** "+commentText(m.Doc)+" */")
			}
			lines = append(lines, indent+"  "+memberName(m.Name)+mark+": "+shapeType(m.Shape, indent+"  ")+";")
		}
		if s.Character {
			lines = append(lines, indent+"  "+memberName(jsonio.PinName)+"?: string;",
				indent+"  "+memberName(jsonio.HomebrewsName)+"?: { readonly [id: string]: string };")
		}
		return recordType(lines, indent)
	}
	return scalarTypes[s.Kind]
}

// valueType returns the type of an output.
func valueType(t *plan.Type, indent string) string {
	switch t.Kind {
	case plan.String:
		if t.Enum != nil {
			return unionOf(t.Enum)
		}
	case plan.List:
		return "Array<" + valueType(t.Elem, indent) + ">"
	case plan.Map:
		return "{ [key: string]: " + valueType(t.Elem, indent) + " }"
	case plan.Record:
		var lines []string
		for i := range t.Fields {
			f := &t.Fields[i]
			mark := ""
			if f.Optional {
				mark = "?"
			}
			lines = append(lines, indent+"  "+memberName(f.Name)+mark+": "+valueType(f.Type, indent+"  ")+";")
		}
		return recordType(lines, indent)
	}
	return scalarTypes[t.Kind]
}

func recordType(lines []string, indent string) string {
	if lines == nil {
		return "{}"
	}
	return "{\n" + strings.Join(lines, "\n") + "\n" + indent + "}"
}

func unionOf(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quoteLiteral(w)
	}
	return strings.Join(out, " | ")
}

// commentText returns a text of the author within a comment.
func commentText(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "* /")
}
