package oddsquery

// # Formulas over outcomes
//
// The odds of a rule are a joint distribution: rows of output values, each with a probability.
// --ask and --given are not compiled into the rule; they are evaluated for each row afterwards. So
// a formula costs one evaluation per row and none per way in which the dice fall, and many formulas
// share one count of the dice.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// noCondition returns the error of a formula that is no truth. On a command line a shell takes a comparison without
// quotes for the name of a file, and the formula ends before it.
func noCondition(flag, text string, kind plan.Kind) error {
	text = strings.TrimSpace(text)
	if kind != plan.Int && kind != plan.Double {
		return fmt.Errorf("%s %s: it is no condition", flag, text)
	}
	return fmt.Errorf("%s %s: it is a number, and no condition: write %[1]s \"%[2]s >= 1\"", flag, text)
}

// newOptions compiles a condition and formulas, which a flag gave, over the outputs of a rule.
func newOptions(p *plan.Plan, id, given, formulaFlag string, formulas []string) (*odds.Options, error) {
	o := &odds.Options{}
	if given != "" {
		f, err := compileFormula(p, id, "--given", given)
		if err != nil {
			return nil, err
		}
		// The compiler has checked the types within the formula; what the whole of it must be, only
		// its use knows.
		if f.kind != plan.Bool {
			return nil, noCondition("--given", given, f.kind)
		}
		condition := f.overOutcomes()
		o.Given = &condition
	}
	for _, text := range formulas {
		f, err := compileFormula(p, id, formulaFlag, text)
		if err != nil {
			return nil, err
		}
		o.Formulas = append(o.Formulas, f.overOutcomes())
	}
	return o, nil
}

// overOutcomes returns the formula as one over the outcomes of odds. The character is no output: it is the same in all
// of them.
func (f *formula) overOutcomes() odds.Formula {
	reads := slices.DeleteFunc(slices.Clone(f.reads), func(name string) bool { return name == compiler.CharacterName })
	return odds.Formula{Text: f.text, Reads: reads,
		Value: func(character []byte, values []runtime.Value) (runtime.Value, error) {
			return f.valueFor(func(name string, b []byte) []byte {
				if at := slices.Index(reads, name); at >= 0 {
					return values[at].AppendJSON(b)
				}
				return append(b, character...)
			})
		}}
}

// nameFlag puts the flag that gave a formula before its error.
func nameFlag(err error, o *odds.Options) error {
	e, ok := errors.AsType[*odds.FormulaError](err)
	switch {
	case !ok:
		return err
	case e.Formula == o.Given:
		return fmt.Errorf("--given %w", err)
	}
	return fmt.Errorf("--ask %w", err)
}

// readsOf returns the outputs that are named, or that the formulas read, each once.
func readsOf(outputs []string, o *odds.Options) []string {
	out := slices.Clone(outputs)
	add := func(f *odds.Formula) {
		for _, name := range f.Reads {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for i := range o.Formulas {
		add(&o.Formulas[i])
	}
	if o.Given != nil {
		add(o.Given)
	}
	return out
}

// planOfOutcomes returns a plan of one rule without a graph, whose outputs are the names that
// formulas may read. It is good for compiling formulas and for nothing else.
func planOfOutcomes(id string, outputs *plan.Type) *plan.Plan {
	return &plan.Plan{Rules: []plan.Rule{{ID: id, Graph: plan.Graph{Outputs: plan.Value{Type: outputs}}}}}
}
