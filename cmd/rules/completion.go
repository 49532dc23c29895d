package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// What the shell offers while a command line is written: for arguments and flags the names that stand in a ruleset, for
// other flags what their placeholder in the help says.

const noFiles = cobra.ShellCompDirectiveNoFileComp

// completeFlags completes the values of flags that nothing else completes: files and directories where the help says
// FILE and DIR, nothing where a number or a formula is asked for.
func completeFlags(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, known := c.GetFlagCompletionFunc(f.Name); known || f.Value.Type() == "bool" {
			return
		}
		switch placeholder(f) {
		case "FILE":
		case "DIR":
			must(c.MarkFlagDirname(f.Name))
		default:
			must(c.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions))
		}
	})
}

// among completes the values that a flag may have.
func among[T ~string](values ...T) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) (out []string, _ cobra.ShellCompDirective) {
		for _, v := range values {
			out = append(out, string(v))
		}
		return out, noFiles
	}
}

// completeNames completes the arguments of a command: the first is a ruleset, the second what named gives of its plan.
func (s *settings) completeNames(named func(*plan.Plan) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return s.rulesets(), noFiles
		case len(args) == 1 && named != nil:
			if p, err := s.ruleset(args[0]); err == nil {
				return described(p, named(p)), noFiles
			}
		}
		return nil, noFiles
	}
}

// completeRulesets completes any number of rulesets.
func (s *settings) completeRulesets(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return slices.DeleteFunc(s.rulesets(), func(id string) bool { return slices.Contains(args, id) }), noFiles
}

// described are names with what the ruleset says of them.
func described(p *plan.Plan, names []string) []string {
	var out []string
	for _, name := range names {
		i := slices.IndexFunc(p.Entries, func(e plan.Entry) bool { return e.ID == name })
		if i < 0 {
			out = append(out, name)
			continue
		}
		out = append(out, cobra.CompletionWithDesc(name, p.Entries[i].Doc))
	}
	return out
}

// completions makes those of the flags that ask about a rule.
func (q *question) completions(c *cobra.Command) {
	for name, words := range map[string]func(*plan.Plan, string, string) []string{
		"option": optionWords, "output": outputWords, "set": inputWords, "vary": inputWords, "dice": dieWords, "policy": eventWords,
	} {
		if c.Flags().Lookup(name) != nil {
			must(c.RegisterFlagCompletionFunc(name, q.complete(words)))
		}
	}
}

// complete completes a flag with words for a plan, a rule or procedure, and what is written already. No space follows a word
// that ends in =, where the value is to follow.
func (q *question) complete(words func(p *plan.Plan, id, begun string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		p, id, err := q.subject(args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		out := words(p, id, begun)
		if slices.ContainsFunc(out, func(word string) bool { return strings.HasSuffix(strings.Split(word, "\t")[0], "=") }) {
			return out, noFiles | cobra.ShellCompDirectiveNoSpace
		}
		return out, noFiles
	}
}

// optionWords are the options that a rule or procedure reads, with their values.
func optionWords(p *plan.Plan, id, _ string) []string {
	if !slices.Contains(evaluable(p), id) {
		return nil
	}
	var out []string
	for _, o := range needsOf(p, id).Options {
		for _, v := range o.Values {
			out = append(out, cobra.CompletionWithDesc(o.ID+"="+v.Value, v.Doc))
		}
	}
	return out
}

// outputWords are the outputs of a rule, behind those that are written already.
func outputWords(p *plan.Plan, id, begun string) []string {
	i := slices.IndexFunc(p.Rules, func(r plan.Rule) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	before := begun[:strings.LastIndexByte(begun, ',')+1]
	var out []string
	for _, f := range p.Rules[i].Graph.Outputs.Type.Fields {
		if !slices.Contains(strings.Split(before, ","), f.Name) {
			out = append(out, before+f.Name)
		}
	}
	return out
}

// inputWords are the members of the input; of one that is written with its =, the values.
func inputWords(p *plan.Plan, id, begun string) []string {
	shape := inputOf(p, id)
	if shape == nil {
		return nil
	}
	name, _, valued := strings.Cut(begun, "=")
	var out []string
	for _, f := range fieldsOf(shape) {
		switch {
		case valued && f.Name == name:
			for _, v := range f.values() {
				out = append(out, name+"="+v)
			}
		case !valued && !strings.ContainsAny(f.Name, "[*"):
			out = append(out, cobra.CompletionWithDesc(f.Name+"=", f.says()))
		}
	}
	return out
}

// values are those that a field may have, where they are few.
func (f *field) values() []string {
	if f.Type == "bool" {
		return []string{"false", "true"}
	}
	return f.Enum
}

func dieWords(p *plan.Plan, id, _ string) []string {
	if !slices.Contains(evaluable(p), id) {
		return nil
	}
	var out []string
	for _, d := range needsOf(p, id).Dice {
		out = append(out, d.ID+"=")
	}
	return out
}

// eventWords are the events of a procedure.
func eventWords(p *plan.Plan, id, _ string) []string {
	var out []string
	for i := range p.Procedures {
		if d := &p.Procedures[i]; d.ID == id {
			for k := range d.Events {
				out = append(out, d.Events[k].ID+":")
			}
		}
	}
	return out
}

// completeInput completes the rule, procedure or event whose input is asked for.
func (s *settings) completeInput(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, noFiles
	}
	p, err := s.ruleset(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return described(p, askable(p)), noFiles
}

// completePass completes the name of a pass.
func completePass(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, p := range schedule.Passes() {
		out = append(out, cobra.CompletionWithDesc(p.Name, p.Doc))
	}
	return out, noFiles
}
