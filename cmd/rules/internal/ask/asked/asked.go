// Package asked makes questions about definitions that are no rules: a homebrew with the one rule that reads a trait, calls
// a function or looks a key up in a table, so that whatever answers rules (traces, options, odds) answers these too.
//
// # A table as a rule
//
// "rules eval tempestas difficulty --set key=hard" asks for a table. About writes a homebrew with
// one rule of that name, whose input is key!: string @key(difficulty) and whose outputs are the
// columns of difficulty(input.key); the workspace lays it over the ruleset and evaluates it. So
// options, traces, receipts of errors and "did you mean" are those of any rule, and the key is
// checked against the table's. Whether a look-up gives a row or a single value is known to the
// compiler alone: both wordings are made, and the first that compiles is played.
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

// About returns the questions that may ask for a definition, the better one first: only the compiler knows whether a
// table returns a column or its row. It returns none for a name that is no trait, function or table. It is an error if
// no JSON can express a function's arguments.
func About(p *plan.Plan, id string) ([]Question, error) {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.ID != id {
			continue
		}
		switch e.Kind {
		case plan.TraitEntry:
			return []Question{question(p, id, e.Cite, "", "value", "character."+id)}, nil
		case plan.FunctionEntry:
			q, err := aboutFunction(p, e)
			return []Question{q}, err
		case plan.TableEntry:
			return aboutTable(p, e), nil
		}
	}
	return nil, nil
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

// question returns a homebrew with one rule; outputs are names and formulas, by turns.
//
// Names and formulas are quoted as Go strings, whose escapes CUE reads the same way. None of the quoted text was typed
// on the command line; all of it comes from the plan.
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

// fieldTypes are the types of parameters, as fields of an input have them.
var fieldTypes = map[string]string{"int": "int", "double": "number", "bool": "bool", "string": "string"}

// fieldType is the type of a parameter as a field of an input has it; false when no field holds it.
func fieldType(typ string) (string, bool) {
	typ, format := strings.TrimSuffix(typ, ")"), "%s"
	if of, isList := strings.CutPrefix(typ, "list("); isList {
		typ, format = of, fmt.Sprintf("[...%%s] & list.MaxItems(%d)", maxElements)
	} else if of, isMap := strings.CutPrefix(typ, "map("); isMap {
		typ, format = of, "{[string]: %s}"
	}
	field, ok := fieldTypes[typ]
	return fmt.Sprintf(format, field), ok
}

func aboutFunction(p *plan.Plan, e *plan.Entry) (Question, error) {
	var fields strings.Builder
	var args []string
	for _, l := range e.Lines {
		if l.Part != "param" {
			continue
		}
		if l.Text == "character" {
			args = append(args, l.Text)
			continue
		}
		typ, ok := fieldType(l.Text)
		if !ok {
			return Question{}, fmt.Errorf(
				"%s cannot be asked for by itself: its parameter %s, of type %s, cannot be written "+
					"as an input; ask a rule that calls it", e.ID, l.Name, l.Text)
		}
		fmt.Fprintf(&fields, "\t\t%q!: %s\n", l.Name, typ)
		args = append(args, "input."+l.Name)
	}
	return question(p, e.ID, e.Cite, fields.String(), "value", e.ID+"("+strings.Join(args, ", ")+")"), nil
}

func aboutTable(p *plan.Plan, e *plan.Entry) []Question {
	t := p.Table(e.ID)
	fields, call := keyField("key", t, e.ID), e.ID+"(input.key)"
	if across := p.Across(t); across != nil {
		fields += keyField("column", across, e.ID+".columns")
		call = e.ID + "(input.key, input.column)"
	}
	var columns []string
	for _, f := range t.Row.Fields {
		columns = append(columns, f.Name, call+"."+f.Name)
	}
	return []Question{
		question(p, e.ID, e.Cite, fields, columns...),
		question(p, e.ID, e.Cite, fields, "value", call),
	}
}

// keyField is the field of a key of a table, which an attribute names.
func keyField(name string, t *plan.Table, attribute string) string {
	if t.Kind.HasNumbers() {
		return fmt.Sprintf("\t\t%s!: number\n", name)
	}
	return fmt.Sprintf("\t\t%s!: string @key(%s)\n", name, attribute)
}
