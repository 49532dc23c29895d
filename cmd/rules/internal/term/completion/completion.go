// Package completion says what the shell offers while a command line is written: for arguments and flags the names that
// stand in a ruleset, for other flags what their placeholder in the help says.
//
// # What may cost how much
//
// A shell runs the whole program for each press of Tab, and a person waits. Names of rulesets are
// read from the module's root; names within a ruleset need its plan, which is compiled, or comes
// from the cache of a sandbox worker. When that fails nothing is offered: a shell has no place for
// an error, and the command itself will say it. Files are offered only where the help's placeholder
// says FILE, so that the help and the shell cannot disagree (CompleteFlags).
package completion

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// What the shell offers while a command line is written: for arguments and flags the names that stand in a ruleset, for
// other flags what their placeholder in the help says.

// withDocs returns names with their descriptions in the ruleset.
func withDocs(p *plan.Plan, names []string) []string {
	var out []string
	for _, name := range names {
		e := p.Entry(name)
		if e == nil {
			out = append(out, name)
			continue
		}
		out = append(out, cobra.CompletionWithDesc(name, e.Doc))
	}
	return out
}

// OptionWords returns the options that a rule or procedure reads, with their values.
func OptionWords(p *plan.Plan, id, _ string) []string {
	if !slices.Contains(describe.EvaluableNames(p), id) {
		return nil
	}
	var out []string
	for _, o := range describe.NeedsOf(p, id).Options {
		for _, v := range o.Values {
			out = append(out, cobra.CompletionWithDesc(o.ID+"="+v.Value, v.Doc))
		}
	}
	return out
}

// OutputWords returns the outputs of a rule, behind those that are written already.
//
// A shell replaces the whole word, so each offer repeats the text before the last comma.
func OutputWords(p *plan.Plan, id, begun string) []string {
	r := p.Rule(id)
	if r == nil {
		return nil
	}
	before := begun[:strings.LastIndexByte(begun, ',')+1]
	var out []string
	for _, f := range r.Graph.Outputs.Type.Fields {
		if !slices.Contains(strings.Split(before, ","), f.Name) {
			out = append(out, before+f.Name)
		}
	}
	return out
}

// InputWords returns the members of the input; of one that is written with its =, the values.
func InputWords(p *plan.Plan, id, begun string) []string {
	shape := describe.InputOf(p, id)
	if shape == nil {
		return nil
	}
	name, _, valued := strings.Cut(begun, "=")
	var out []string
	for _, f := range describe.FieldsOf(shape) {
		switch {
		case valued && f.Name == name:
			for _, v := range f.Values() {
				out = append(out, name+"="+v)
			}
		case !valued && !strings.ContainsAny(f.Name, "[*"):
			out = append(out, cobra.CompletionWithDesc(f.Name+"=", f.Describe()))
		}
	}
	return out
}

func DieWords(p *plan.Plan, id, _ string) []string {
	if !slices.Contains(describe.EvaluableNames(p), id) {
		return nil
	}
	var out []string
	for _, d := range describe.NeedsOf(p, id).Dice {
		out = append(out, d.ID+"=")
	}
	return out
}

// HappeningWords returns the events of a procedure.
func HappeningWords(p *plan.Plan, id, begun string) []string {
	out := EventWords(p, id, begun)
	for i := range out {
		out[i] = strings.TrimSuffix(out[i], ":")
	}
	return out
}

// EventWords returns the events of a procedure.
func EventWords(p *plan.Plan, id, _ string) []string {
	d := p.Procedure(id)
	if d == nil {
		return nil
	}
	out := d.EventNames()
	for i := range out {
		out[i] += ":"
	}
	return out
}

// CompleteFlags completes the values of flags that nothing else completes: files and directories where the help says
// FILE and DIR, nothing where a number or a formula is asked for.
func CompleteFlags(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, known := c.GetFlagCompletionFunc(f.Name); known || f.Value.Type() == "bool" {
			return
		}
		switch usage.Placeholder(f) {
		case "FILE":
		case "DIR":
			must.Succeed(c.MarkFlagDirname(f.Name))
		default:
			must.Succeed(c.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions))
		}
	})
}

// CompleteNames returns the completion of the arguments of a command: the first is a ruleset, the second one of the names
// that named returns of its plan.
func CompleteNames(w *workspace.Workspace, named func(*plan.Plan) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return w.RulesetIDs(), usage.NoFiles
		case len(args) == 1 && named != nil:
			if p, err := w.CompileRuleset(args[0]); err == nil {
				return withDocs(p, named(p)), usage.NoFiles
			}
		}
		return nil, usage.NoFiles
	}
}

// CompleteRulesets completes any number of rulesets.
func CompleteRulesets(w *workspace.Workspace) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return slices.DeleteFunc(w.RulesetIDs(), func(id string) bool { return slices.Contains(args, id) }), usage.NoFiles
	}
}

// CompleteInput completes the rule, procedure or event whose input is asked for.
func CompleteInput(w *workspace.Workspace) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, usage.NoFiles
		}
		p, err := w.CompileRuleset(args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return withDocs(p, describe.AskableNames(p)), usage.NoFiles
	}
}

// CompletePass completes the name of a pass.
func CompletePass(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, p := range schedule.Passes() {
		out = append(out, cobra.CompletionWithDesc(p.Name, p.Doc))
	}
	return out, usage.NoFiles
}
