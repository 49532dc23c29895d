package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/manual"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// newHelp makes the command help, which says more about a command, or about a topic that concerns
// several.
//
// It replaces cobra's own so that topics and commands share one name space, one completion and one
// "did you mean". TestTopicsAreToldApart sees to it that no topic is called like a
// command.
func newHelp() *cobra.Command {
	c := &cobra.Command{
		Use:     "help [COMMAND | TOPIC [CHAPTER]]",
		Short:   "Say more about a command or a topic",
		GroupID: aboutGroup,
		Long:    "Help says more about a command or a topic.\n\n" + topicList(),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if t := topicOf(args[0]); t != nil {
					_, err := io.WriteString(c.OutOrStdout(), t.Text())
					return err
				}
			}
			if len(args) == 2 && args[0] == languageName {
				return printChapter(c, args[1])
			}
			asked, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownTopic(c.Root(), strings.Join(args, " "))
			}
			// Cobra adds --help to a command when it executes it. This one is only printed, so
			// without the call its own --help would be missing from its list of flags.
			asked.InitDefaultHelpFlag()
			return asked.Help()
		},
		ValidArgsFunction: completeHelp,
	}
	usage.RefuseFlags(c, "the help is that of the program", "dir", "with")
	return c
}

// languageName is the topic that has chapters.
const languageName = "language"

// printChapter prints a chapter of the reference of the language.
func printChapter(c *cobra.Command, name string) error {
	var names []string
	for _, x := range manual.Chapters() {
		if x.Name == name {
			_, err := io.WriteString(c.OutOrStdout(), x.Text())
			return err
		}
		names = append(names, x.Name)
	}
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("the language has no chapter %q; did you mean %q", name, near)
	}
	return fmt.Errorf("the language has no chapter %q, but %s", name, strings.Join(names, ", "))
}

// topicList returns the topics as lines of help, with no line end behind the last.
func topicList() string {
	out := "Topics of \"rules help\":\n"
	for _, t := range manual.Topics() {
		out += fmt.Sprintf("  %-11s %s\n", t.Name, t.Short)
	}
	return strings.TrimSuffix(out, "\n")
}

// topicOf returns the topic of a name, nil when there is none.
func topicOf(name string) *manual.Topic {
	for _, t := range manual.Topics() {
		if t.Name == name {
			return &t
		}
	}
	return nil
}

// foreignTopics are words that a topic explains under another name.
var foreignTopics = map[string]string{
	"table": "language", "tables": "language", "rule": "language", "procedure": "language", "procedures": "language",
	"option": "language", "options": "language", "trait": "language", "traits": "language", "formula": "language",
	"formulas": "language", "cue": "language", "cel": "functions", "macros": "functions", "operators": "functions",
	"event": "language", "events": "language", "notation": "dice", "input": "characters", "inputs": "characters",
	"json": "characters", "golden": "cases", "tests": "cases", "case": "cases", "overlay": "homebrew", "mods": "homebrew",
}

// unknownTopic returns the error of a word that names neither; the nearest of both kinds is
// suggested, for a reader does not know which kind a word is of.
func unknownTopic(root *cobra.Command, name string) error {
	if topic := foreignTopics[strings.ToLower(name)]; topic != "" {
		for _, x := range manual.Chapters() {
			if topic == languageName && strings.TrimSuffix(x.Name, "s") == strings.TrimSuffix(strings.ToLower(name), "s") {
				topic += " " + x.Name
				break
			}
		}
		return fmt.Errorf("there is no topic %q of its own: rules help %s", name, topic)
	}
	var names, takers []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
		if c.Flags().Lookup(strings.TrimLeft(name, "-")) != nil {
			takers = append(takers, fmt.Sprintf(`"rules %s --help"`, c.Name()))
		}
	}
	if len(takers) > 0 {
		return fmt.Errorf("there is no topic %q: --%s is a flag, told by %s", name, strings.TrimLeft(name, "-"),
			strings.Join(takers[:min(len(takers), 3)], ", "))
	}
	for _, t := range manual.Topics() {
		names = append(names, t.Name)
	}
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no command and no topic %q; did you mean %q", name, near)
	}
	return fmt.Errorf("there is no command and no topic %q; \"rules help\" lists them", name)
}

// completeHelp completes the first word, and the chapters of the language: a command's subcommands are shown on its own
// page.
func completeHelp(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if len(args) == 0 {
		for _, x := range c.Root().Commands() {
			out = append(out, cobra.CompletionWithDesc(x.Name(), x.Short))
		}
		for _, t := range manual.Topics() {
			out = append(out, cobra.CompletionWithDesc(t.Name, t.Short))
		}
	}
	if len(args) == 1 && args[0] == languageName {
		for _, x := range manual.Chapters() {
			out = append(out, cobra.CompletionWithDesc(x.Name, x.Short))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// aboutGroup has what is not about rulesets: the commands of cobra too.
const aboutGroup = "About this program"
