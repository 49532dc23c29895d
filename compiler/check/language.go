package check

import (
	"fmt"
	"slices"
	"strings"

	cel "github.com/google/cel-go/checker"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A language is what formulas of one ruleset are typed with: CEL's environment, the records it knows, and the definitions
// that have a name everywhere.
type language struct {
	universe
	types   *registry
	base    *cel.Env
	profile Profile
	diags   *diag.List
	// instances are those of functions, by the function and the words of its arguments.
	instances map[string]instance
}

// A universe is the definitions of a ruleset by name. Tables and functions share one name space, because both are called.
type universe struct {
	book      *book.Ruleset // nil for expressions outside of a ruleset
	options   map[string]*Option
	callables map[string]Object // tables and functions
	traits    map[string]*Trait
	rules     map[string]*Rule
	standard  map[string]callForm // functions of the language
}

func newLanguage(b *book.Ruleset, p Profile, diags *diag.List) *language {
	l := &language{types: newRegistry(), profile: p, diags: diags, instances: map[string]instance{}, universe: universe{
		book: b, options: map[string]*Option{}, callables: map[string]Object{}, traits: map[string]*Trait{},
		rules: map[string]*Rule{}, standard: callForms(p),
	}}
	l.base = newEnvironment(l.types, p)
	return l
}

// A reporter reports the problems of one formula, or of a part of a definition, under its name.
type reporter struct {
	*language
	subject string
	failed  bool
}

func (l *language) reporterFor(subject string) *reporter {
	return &reporter{language: l, subject: subject}
}

// reporterTo returns a reporter to a list of its own, for what is built to find out about it.
func (l *language) reporterTo(problems *diag.List, subject string) *reporter {
	aside := *l
	aside.diags = problems
	return aside.reporterFor(subject)
}

func (r *reporter) addf(code diag.Code, at plan.Place, format string, args ...any) *diag.Diagnostic {
	r.failed = true
	return r.diags.Addf(code, at, r.subject, format, args...)
}

// reportDisabled reports that a formula needs a definition which a homebrew disables, if one disables the definition at a
// path, and returns whether it did. The diagnostic stands at the homebrew, which is to be mended, with the place of the
// formula.
//
// Every report of something unknown asks this first. Otherwise a player whose homebrew disables a trait would read that a
// file of the shipped ruleset, which he did not touch, misspells it.
func (r *reporter) reportDisabled(at plan.Place, path ...string) bool {
	if r.book == nil {
		return false
	}
	i := slices.IndexFunc(r.book.Disabled, func(d book.Disabling) bool { return slices.Equal(d.Path, path) })
	if i < 0 {
		return false
	}
	r.failed = true
	d := &r.book.Disabled[i]
	out := r.diags.Addf("overlay-disabled", d.Place, "homebrew "+d.Overlay,
		"it disables %s, and %s needs it", strings.Join(path, "."), r.subject)
	out.Repair = "replace what needs it, or disable that too"
	if replaced := r.replacementOf(r.subject); replaced != "" {
		out.Repair = "write what stands there without it: " + replaced
	}
	out.Related = []diag.Related{{Place: at, Message: r.subject + " needs it here"}}
	return true
}

// replacementOf returns how a homebrew replaces the let or the output of a rule that a subject names; "" of all else.
func (r *reporter) replacementOf(subject string) string {
	definition, part, _ := strings.Cut(subject, ", ")
	id, isRule := strings.CutPrefix(definition, "rule ")
	section, name, _ := strings.Cut(part, " ")
	rule := r.rules[id]
	if !isRule || rule == nil {
		return ""
	}
	named := map[string][]book.Named{"let": rule.Book.Body.Lets, "output": rule.Book.Body.Outputs}[section]
	i := slices.IndexFunc(named, func(n book.Named) bool { return n.Name == name && n.Formula.Expr.Written() })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("replace: rules: %s: %s: %s: {expect: %q, with: \"...\"}", id, section, name,
		strings.Join(strings.Fields(named[i].Formula.Expr.S), " "))
}

// reportDisabledRow reports that an enum lacks a string only because a homebrew disables the row, and says whether it did:
// the enum is then the keys of a table.
func (r *reporter) reportDisabledRow(c *Expr, want *plan.Type) bool {
	if r.book == nil {
		return false
	}
	return slices.ContainsFunc(r.book.Tables, func(t *book.Table) bool {
		isKey := func(row book.Row, key string) bool { return row.Key == key }
		return !t.Kind.HasNumbers() && slices.EqualFunc(t.Rows, want.Enum, isKey) &&
			r.reportDisabled(c.Place, "tables", t.ID, "rows", c.Value.String)
	})
}
