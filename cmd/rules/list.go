package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const listHelp = `List prints on a few lines what can be played in each ruleset: its procedures and rules. Of a ruleset
that is named it prints every definition: options, tables, traits, functions, rules, procedures and
their events, readings and errata; each with what it asks for, what it is, where the book says it, and
the statements of the book that it carries out. In JSON, where all rulesets are listed in full, it is a
list of objects, the inputs with their types, bounds and defaults.

--kind and --chapter keep some of them, and words keep those in whose name, sentence, citation, statements or
rows of a table each word stands, or that have it as a choice of an input.

Exit status: 0; 1 when nothing has the words, or is of the kind and the chapter.`

// newList makes the command list.
//
// Without a ruleset people get an overview that fits a screen, and tools get everything: a script
// that lists all rulesets expects every definition, and a person does not.
func newList(s *settings) *cobra.Command {
	var f usage.Format
	var from planFlag
	var filter rulebook.Filter
	c := &cobra.Command{
		Use:   "list [RULESET [WORD...]]",
		Short: "List what there is to play, or every definition of a ruleset",
		Long:  listHelp,
		Example: `  rules list
  rules list tempestas
  rules list tempestas --kind rule --chapter testing
  rules list hybrid fatigue
  rules list tempestas --format json | jq -r '.[] | select(.kind == "rule") | .id'`,
		Args: usage.ArgCount(0, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			// Kinds are judged before compiling: a misspelled kind would match nothing, and an
			// empty list reads as an answer.
			if err := checkKinds(filter.Kinds); err != nil {
				return err
			}
			if len(args) > 1 {
				filter.Words, args = args[1:], args[:1]
			}
			if from.file != "" {
				list, err := from.readNamed(s, c, args...)
				if err != nil {
					return err
				}
				return printList(s, c, f, plansOf(list), filter)
			}
			if len(args) == 0 && f != usage.AsJSON && len(filter.Kinds) == 0 && filter.Chapter == "" {
				return printOverview(s, c)
			}
			plans, err := compileNamed(s, args)
			if err != nil {
				return err
			}
			return printList(s, c, f, plans, filter)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
	}
	c.Flags().StringSliceVar(&filter.Kinds, "kind", nil, "list only `KIND,...`: "+strings.Join(definitionKinds(), ", "))
	c.Flags().StringVar(&filter.Chapter, "chapter", "", "list only what stands in the chapter `NAME`")
	must.Succeed(c.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(definitionKinds(), usage.NoFiles)))
	f.AddTo(c)
	from.addTo(c)
	return c
}

// definitionKinds returns the kinds of definitions in the order in which a book has them. They are
// the words of rulebook.Definition.Kind, and part of the JSON: a new kind goes last.
func definitionKinds() []string {
	return []string{"option", "table", "trait", "function", "rule", "procedure", "event", "reading", "erratum"}
}

// leaveKindOut refuses the kind of a definition before its name, show tempestas rule test, and judges all else as check
// does.
func leaveKindOut(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 3 && slices.Contains(definitionKinds(), strings.TrimSuffix(args[1], "s")) {
			return fmt.Errorf("%q is one word too many: a name needs no kind before it, %s %s %s", args[2], c.CommandPath(),
				args[0], args[2])
		}
		return check(c, args)
	}
}

// checkKinds returns the error of the first kind that does not exist. It is runtime's own error of
// an unknown name, which knows how to suggest the nearest.
func checkKinds(kinds []string) error {
	for _, k := range kinds {
		if !slices.Contains(definitionKinds(), k) {
			return &runtime.UnknownError{What: "kind", Name: k, Known: definitionKinds()}
		}
	}
	return nil
}

// compileNamed compiles the named ruleset, or all when none is named.
func compileNamed(s *settings, args []string) ([]*plan.Plan, error) {
	if len(args) == 0 {
		return s.CompileAll()
	}
	p, err := s.CompileRuleset(args[0])
	return []*plan.Plan{p}, err
}

// printOverview prints a few lines for each ruleset, and how to see more.
func printOverview(s *settings, c *cobra.Command) error {
	outlines, err := readOutlines(s)
	if err != nil {
		return err
	}
	page := s.newPage(c.OutOrStdout())
	for _, o := range outlines {
		present.PrintOverview(page, o.Ruleset, o.Revision, o.Names)
	}
	page.AddBlank()
	page.AddLine(0, `"rules list RULESET" says what each of them is, and "rules list RULESET WORD" what is about a word`)
	return page.Flush(c.OutOrStdout())
}

// nothingListed says that no definition passes a filter.
func nothingListed(f rulebook.Filter) string {
	out := "nothing"
	if len(f.Kinds) > 0 {
		out = "no " + strings.Join(f.Kinds, " or ")
	}
	if f.Chapter != "" {
		out += fmt.Sprintf(" stands in the chapter %q", f.Chapter)
		if len(f.Words) > 0 {
			out += " and"
		}
	}
	switch {
	case len(f.Words) == 1:
		out += fmt.Sprintf(" has the word %q", f.Words[0])
	case len(f.Words) > 0:
		out += fmt.Sprintf(" has all the words %q", strings.Join(f.Words, " "))
	case f.Chapter == "":
		out += " is there"
	}
	return out
}

// printList prints the definitions that pass a filter, ruleset by ruleset, in the author's order.
//
// Items are filtered by the book's own search, so that "rules list RULESET WORD" agrees with the search of a page and
// with Tab in play.
func printList(s *settings, c *cobra.Command, f usage.Format, plans []*plan.Plan, filter rulebook.Filter) error {
	items := []describe.Item{}
	for _, p := range plans {
		book := rulebook.New(p, nil)
		wanted := book.Select(filter)
		for _, x := range describe.ItemsOf(p) {
			is := func(d *rulebook.Definition) bool { return d.Kind == x.Kind && d.ID == x.ID }
			if slices.ContainsFunc(wanted, is) {
				items = append(items, x)
			}
		}
	}
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), items)
	}
	if len(items) == 0 && len(filter.Words) > 0 {
		if kind := strings.TrimSuffix(filter.Words[0], "s"); slices.Contains(definitionKinds(), kind) {
			return fmt.Errorf("nothing has the words %q; the kind is --kind %s", strings.Join(filter.Words, " "), kind)
		}
	}
	if len(items) == 0 {
		return &exit.Denial{Why: nothingListed(filter)}
	}
	page := s.newPage(c.OutOrStdout())
	for i := range items {
		present.PrintItem(page, &items[i])
	}
	return page.Flush(c.OutOrStdout())
}
