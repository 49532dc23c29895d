package lsp

import (
	"context"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A checker finds what is wrong with a project as it changes, in two steps: the errors, which an author waits for, and then
// what only the analysis of plans finds, which takes as long again.
//
// CUE is evaluated without bounds, so what strangers wrote is evaluated in a worker that can be killed (package sandbox),
// and an editor's buffer is a stranger's as much as the file under it. In this process only what the user trusts is
// compiled; the list of trusted directories is asked each time, because it may change while the editor runs.
type checker struct {
	compiler sandbox.Compiler
	forBase  sandbox.Compiler // of the ruleset that a homebrew changes, alone
	changes  string           // the id of that ruleset; empty before it is known
	errors   []diag.Diagnostic
	late     []diag.Diagnostic // what the last second step found beyond the errors of its first
	lateView *view             // the view in which late was found; nil before the first second step
}

func newChecker(trusts func(string) bool) *checker {
	return &checker{compiler: sandbox.Compiler{Trusts: trusts}, forBase: sandbox.Compiler{Trusts: trusts}}
}

// close ends the processes that wait for another request.
func (c *checker) close() {
	c.compiler.Close()
	c.forBase.Close()
}

// findErrors is the first step. Where there is no error, it returns the findings of the last second step too, as far as
// they stand in lines that are still there: warnings must not come and go with every key. The error is that of the context.
//
// Forget comes first: a module that went beyond the bounds of a stranger is refused without another try until it is
// forgotten, and an edit may have mended just that.
func (c *checker) findErrors(ctx context.Context, v *view) ([]diag.Diagnostic, error) {
	c.compiler.Forget()
	c.forBase.Forget()
	x := v.compilationSubject(c.changes)
	list, err := c.compiler.Check(ctx, x)
	if err != nil {
		return nil, err
	}
	c.changes, c.errors = x.Ruleset, list
	if len(list) == 0 && c.lateView != nil {
		return carryOver(c.late, c.lateView, v), nil
	}
	return list, nil
}

// compile is the second step: it returns all errors and warnings, and the plans if there is no error.
//
// Of a homebrew the ruleset that it changes is compiled alone too, whenever there is anything to say: problems of the
// ruleset alone are not the author's to mend, and are left out.
func (c *checker) compile(ctx context.Context, v *view) ([]*plan.Plan, []diag.Diagnostic, error) {
	x := v.compilationSubject(c.changes)
	plans, list, err := c.compiler.Recompile(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	if v.homebrew && len(list) > 0 {
		base := &sandbox.Subject{Module: v.base, Ruleset: x.Ruleset, Options: x.Options}
		_, alone, err := c.forBase.Recompile(ctx, base)
		if err != nil {
			return nil, nil, err
		}
		// as "rules vet"
		list = workspace.OwnProblems(list, alone, func(at plan.Place) bool { return v.isOwnFile(at.File) })
	}
	c.lateView, c.late = v, nil
	for _, d := range list {
		if !slices.ContainsFunc(c.errors, func(e diag.Diagnostic) bool { return e.String() == d.String() }) {
			c.late = append(c.late, d)
		}
	}
	return plans, list, nil
}
