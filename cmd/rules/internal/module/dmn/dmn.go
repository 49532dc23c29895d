// Package dmn reads decision models of DMN, the Decision Model and Notation, and makes rulesets of them. A decision becomes
// a rule, what it requires a use, a decision table a table of outputs and the formula that finds its row, a knowledge model
// a function, input data the input. It reads levels 1.1 to 1.5 of the format as far as decision tables with their seven hit
// policies and the expressions of S-FEEL go, and somewhat further: choices, contexts, invocations, lists. What it does not
// carry out it refuses with its element and line; nothing of a model that it refuses is made.
//
// Null is the difference between the two languages. DMN has it wherever a value is missing, in an operation of other types,
// in a division by 0, where no rule matches. Here a formula has a value or an error. So every expression is translated
// twice, to its value and to the condition under which it has one (type value); a rule refuses where its decision is null.
// What depends on a decision that may be null has that decision's formulas written out, and goes on as DMN does.
//
// Numbers are doubles, where DMN has decimals of 34 digits.
package dmn

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/format"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Ruleset is the translation of a model.
type Ruleset struct {
	ID                       string
	Rules, Functions, Tables int
	Notes                    []string // what the model leaves open
	lines                    []line
	decisions                []*decision
}

// A File is one of a model.
type File struct {
	Name string
	Data []byte
}

// code is the diagnostic code of every refusal.
const code diag.Code = "dmn"

// Import returns the ruleset of a model, or what of it cannot be carried out. Beside returns the files that it may import,
// and is called for a model that imports any.
func Import(file File, beside func() ([]File, error)) (*Ruleset, []diag.Diagnostic) {
	root, err := parseElements(file.Name, file.Data)
	if err != nil {
		return nil, diagnosticsOf(err)
	}
	m := &model{types: map[string]*itemType{}, byID: map[string]any{}, byElement: map[*element]any{}, ids: newNamer()}
	c := &builder{m: m}
	imported, err := importsOf(root, beside)
	if err == nil {
		err = m.readFiles(root, imported)
	}
	if err != nil {
		return nil, diagnosticsOf(err)
	}
	var list []diag.Diagnostic
	for _, d := range m.decisions {
		if err := c.compileDecision(d); err != nil {
			list = append(list, diagnosticsOf(err)...)
		}
	}
	for _, k := range m.knowledge {
		if k.isInvoked && k.state == fresh { // it is written out wherever it is called
			continue
		}
		if err := c.defineFunction(k); err != nil {
			list = append(list, diagnosticsOf(err)...)
		}
	}
	if len(m.decisions)+len(m.knowledge) == 0 {
		list = append(list, diagnosticsOf(problemAt(root, "the model has no decision with logic"))...)
	}
	list = append(list, c.refuseLongFormulas()...)
	if len(list) > 0 {
		return nil, withoutRepetitions(list)
	}
	title := root.attrs["name"]
	if title == "" {
		title = strings.TrimSuffix(path.Base(file.Name), path.Ext(file.Name))
	}
	r := c.writeRuleset(identifierOf(title), title, file.Name)
	r.decisions = m.decisions
	return r, nil
}

// refuseLongFormulas returns the elements whose formulas have more letters than the language reads. Shorter parts of them
// may stand in lets, so that a formula has its length only when its rule or function is whole.
func (c *builder) refuseLongFormulas() (list []diag.Diagnostic) {
	check := func(at plan.Place, formulas ...string) {
		for _, f := range formulas {
			if n := utf8.RuneCountInString(f); n > mostLetters {
				list = append(list, diag.Diagnostic{
					Code: code, Severity: diag.Error, Place: at, Repair: "divide it into several",
					Message: fmt.Sprintf("its formula has %d letters, and at most %d are read", n, mostLetters),
				})
				return
			}
		}
	}
	for _, f := range c.functions {
		check(f.place, f.expr)
	}
	for _, d := range c.m.decisions {
		if d.rule == nil {
			continue
		}
		formulas := []string{d.rule.known}
		for _, l := range d.rule.body.lets {
			formulas = append(formulas, l.cel)
		}
		for _, o := range d.rule.outputs {
			formulas = append(formulas, o.v.formulaOrZero())
		}
		check(d.rule.place, formulas...)
	}
	return list
}

// readFiles adds the definitions of a file and of those that it imports, then binds them.
func (m *model) readFiles(root *element, imported []importedFile) error {
	m.addDefinitions(root, "")
	for _, i := range imported {
		m.addDefinitions(i.root, i.prefix)
	}
	for _, i := range imported {
		if err := m.bindDefinitions(i.root, i.prefix); err != nil {
			return err
		}
	}
	return m.bindDefinitions(root, "")
}

// An importedFile is one whose definitions stand in the model with a prefix.
type importedFile struct {
	root   *element
	prefix string
}

// importsOf returns the files that a model imports, found by their name space.
func importsOf(root *element, beside func() ([]File, error)) ([]importedFile, error) {
	var out []importedFile
	imports := root.childrenNamed("import")
	if len(imports) == 0 {
		return nil, nil
	}
	files, err := beside()
	if err != nil {
		return nil, err
	}
	for _, e := range imports {
		if !isModelSpace(strings.TrimSuffix(e.attrs["importType"], "/")) {
			return nil, problemAt(e, "imports of %s are not read", e.attrs["importType"])
		}
		space := e.attrs["namespace"]
		found := false
		for _, f := range files {
			other, err := parseElements(f.Name, f.Data)
			if err != nil || other.attrs["namespace"] != space {
				continue
			}
			if len(other.childrenNamed("import")) > 0 {
				return nil, problemAt(e, "%s imports others itself: that is not read", f.Name)
			}
			found = true
			out = append(out, importedFile{other, e.attrs["name"] + "."})
			break
		}
		if !found {
			return nil, problemAt(e, "no file of DMN beside this one has the name space %s", space)
		}
	}
	return out, nil
}

// diagnosticsOf returns an error as diagnostics.
func diagnosticsOf(err error) []diag.Diagnostic {
	var p *problem
	if !errors.As(err, &p) {
		return []diag.Diagnostic{{Code: code, Severity: diag.Error, Message: err.Error()}}
	}
	return []diag.Diagnostic{{Code: code, Severity: diag.Error, Place: p.place, Subject: p.subject, Message: p.message}}
}

// withoutRepetitions returns each problem once: one of a decision is found again in all that require it.
func withoutRepetitions(list []diag.Diagnostic) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range list {
		if !slices.ContainsFunc(out, func(o diag.Diagnostic) bool { return o.Place == d.Place && o.Message == d.Message }) {
			out = append(out, d)
		}
	}
	return out
}

// Text returns the ruleset in CUE, as "cue fmt" writes it.
func (r *Ruleset) Text() string {
	var out strings.Builder
	for _, l := range r.lines {
		out.WriteString(l.text + "\n")
	}
	formatted, err := format.Source([]byte(out.String()))
	if err != nil {
		return out.String() // the compiler says what is wrong with it
	}
	return string(formatted)
}

// Archive returns the files of a module with the ruleset alone.
func (r *Ruleset) Archive() []byte {
	module := fmt.Sprintf("module: \"example.com/%s@v0\"\nlanguage: version: \"v0.16.0\"\n", r.ID)
	release := fmt.Sprintf("// Package rules says which rulesets ship, at which revision.\npackage rules\n\nimport (\n"+
		"\t\"github.com/tabletop-rules/rules/schema\"\n\t\"example.com/%[1]s/tables/%[1]s\"\n)\n\n"+
		"rulesets: [schema.#ID]: schema.#Release\nrulesets: %[2]q: {rules: %[1]s, revision: \"0.1.0\"}\n", r.ID, r.ID)
	return []byte("-- cue.mod/module.cue --\n" + module + "-- rules.cue --\n" + release +
		"-- " + r.File() + " --\n" + r.Text())
}

// File returns the name of the file of the ruleset in its module.
func (r *Ruleset) File() string { return fmt.Sprintf("tables/%[1]s/%[1]s.cue", r.ID) }

// AtElements returns diagnostics of the compiler with the places in the ruleset's file as those of the model.
func (r *Ruleset) AtElements(list []diag.Diagnostic, isOwn func(plan.Place) bool) []diag.Diagnostic {
	out := slices.Clone(list)
	for i := range out {
		if at := &out[i].Place; isOwn(*at) && at.Line > 0 && at.Line <= len(r.lines) {
			*at = r.lines[at.Line-1].place
		}
	}
	return out
}
