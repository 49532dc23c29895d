package load

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/explain"
	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A reader reads one module into a book. What is read is fixed by newReader; the tree of its source is the only thing that
// is ever opened.
type reader struct {
	*site.Module
	*explain.Reporter
	src   Source
	diags *diag.List
	// What is left out. An empty only, unlike nil, leaves all rulesets out: Names reads rules.cue
	// in this way.
	only []string // of the rulesets that ship, those that are read; nil for all
	left leftOut  // of the files at the root

	isHomebrew bool // what is read changes a ruleset

	schemaNames schemaNames // of all files that were parsed

	marks shape.Marks // of the fields of all records that were read

	choices map[choiceKey][]string // the words of expressions for cells; nil of one that is no choice
}

// newContext is an arena of CUE's values. The evaluator is named because CUE's environment variables could choose another,
// and the same files must read the same everywhere.
func newContext() *cue.Context {
	return cuecontext.New(cuecontext.EvaluatorVersion(cuecontext.EvalStable), cuecontext.CUE_DEBUG(""))
}

func newReader(src Source, diags *diag.List) *reader {
	m := site.NewModule(site.Files{FS: src.FS, Name: src.Name}, newContext())
	return &reader{Module: m, Reporter: explain.NewReporter(m, diags), src: src, diags: diags,
		schemaNames: schemaNames{at: map[token.Position]schemaName{}}, marks: shape.Marks{},
		choices: map[choiceKey][]string{}}
}

func (r *reader) addf(code diag.Code, at plan.Place, subject, format string, args ...any) *diag.Diagnostic {
	return r.diags.Addf(code, at, subject, format, args...)
}
