// Package asked makes questions about definitions that are no rules: a homebrew with the one rule that reads a trait, calls
// a function or looks a key up in a table, so that whatever answers rules (traces, options, odds) answers these too.
package asked

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// ID is the name of the homebrew, which no sheet mentions.
const ID = "asked"

// ModuleFile is the module of the homebrew.
const ModuleFile = "module: \"example.com/asked@v0\"\nlanguage: version: \"v0.16.0\"\n"

// maxElements bounds the lists that functions are given.
const maxElements = 100

// Names are the definitions that can be asked for besides rules and procedures.
func Names(p *plan.Plan) []string {
	var out []string
	for i := range p.Entries {
		switch p.Entries[i].Kind {
		case plan.TraitEntry, plan.FunctionEntry, plan.TableEntry:
			out = append(out, p.Entries[i].ID)
		}
	}
	return out
}

// A Question is a homebrew that asks for a definition, or for several traits, in a rule of that name.
type Question struct {
	Rule string
	Text string // of the only file
}

// About are the questions that may ask for a definition, the better one first: whether a table gives a column or its row
// only the compiler knows. There are none for a name that is no trait, function or table.
func About(p *plan.Plan, id string) []Question {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.ID != id {
			continue
		}
		switch e.Kind {
		case plan.TraitEntry:
			return []Question{question(p, id, e.Cite, "", "value", "character."+id)}
		case plan.FunctionEntry:
			return []Question{aboutFunction(p, e)}
		case plan.TableEntry:
			return aboutTable(p, e)
		}
	}
	return nil
}

// AboutTraits asks for traits of a character at once; each is an output.
func AboutTraits(p *plan.Plan, rule string, traits []string) Question {
	var outputs []string
	for _, id := range traits {
		outputs = append(outputs, id, "character."+id)
	}
	return question(p, rule, "Traits", "", outputs...)
}

// Traits are the traits of a ruleset, in the author's order.
func Traits(p *plan.Plan) []string {
	var out []string
	for i := range p.Entries {
		if p.Entries[i].Kind == plan.TraitEntry {
			out = append(out, p.Entries[i].ID)
		}
	}
	return out
}

// question is a homebrew with one rule; outputs are names and formulas, by turns.
func question(p *plan.Plan, rule, cite, input string, outputs ...string) Question {
	var b strings.Builder
	b.WriteString("package asked\n\n")
	if strings.Contains(input, "list.") {
		b.WriteString("import \"list\"\n\n")
	}
	fmt.Fprintf(&b, "id: %q\ntitle: \"A question\"\nruleset: %q\n", ID, p.Ruleset)
	fmt.Fprintf(&b, "add: rules: %q: {\n\tcite: %q\n", rule, cite)
	if input != "" {
		fmt.Fprintf(&b, "\t#Input: {\n%s\t}\n", input)
	}
	b.WriteString("\toutput: {\n")
	for pair := range slices.Chunk(outputs, 2) {
		fmt.Fprintf(&b, "\t\t%q: %q\n", pair[0], pair[1])
	}
	b.WriteString("\t}\n}\n")
	return Question{Rule: rule, Text: b.String()}
}

// cueTypes are the types of parameters, as fields have them.
var cueTypes = map[string]string{"int": "int", "double": "number", "bool": "bool", "string": "string"}

func aboutFunction(p *plan.Plan, e *plan.Entry) Question {
	var fields strings.Builder
	var args []string
	for _, l := range e.Lines {
		if l.Part != "param" {
			continue
		}
		of, isList := strings.CutPrefix(l.Text, "list(")
		typ := cueTypes[strings.TrimSuffix(of, ")")]
		if isList {
			typ = fmt.Sprintf("[...%s] & list.MaxItems(%d)", typ, maxElements)
		}
		fmt.Fprintf(&fields, "\t\t%q!: %s\n", l.Name, typ)
		args = append(args, "input."+l.Name)
	}
	return question(p, e.ID, e.Cite, fields.String(), "value", e.ID+"("+strings.Join(args, ", ")+")")
}

func aboutTable(p *plan.Plan, e *plan.Entry) []Question {
	i := slices.IndexFunc(p.Tables, func(t plan.Table) bool { return t.ID == e.ID })
	t := &p.Tables[i]
	key := fmt.Sprintf("\t\tkey!: string @key(%s)\n", e.ID)
	if t.Kind.HasNumbers() {
		key = "\t\tkey!: number\n"
	}
	call := e.ID + "(input.key)"
	var columns []string
	for _, f := range t.Row.Fields {
		columns = append(columns, f.Name, call+"."+f.Name)
	}
	return []Question{
		question(p, e.ID, e.Cite, key, columns...),
		question(p, e.ID, e.Cite, key, "value", call),
	}
}
