package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// Main carries out a command line and gives its exit status. Answers go to out, everything else to errs.
//
// It is a function of its arguments and streams, and not of the process, so that tests run whole
// command lines in their own process, many at once.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	// On a terminal, escape sequences in texts of strangers would be carried out. visible lets only
	// those pass that this program writes itself; a file or a pipe gets the bytes as they are.
	if layout.IsTerminal(out) {
		out = &visible.Writer{To: out, Own: layout.Sequences()}
	}
	if layout.IsTerminal(errs) {
		errs = &visible.Writer{To: errs, Own: layout.Sequences()}
	}
	root := newRoot()
	root.SetArgs(args)
	root.SetFlagErrorFunc(usage.FlagErrorOf(args))
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := findCommand(root, args)
	if err == nil {
		err = root.Execute()
	}
	exit.PrintError(errs, err)
	return exit.Status(err)
}

// findCommand returns the error of a first word that is no command. Cobra itself misses it only behind the flags, which it
// takes for those of the root: it would refuse them, or print the help of the root.
func findCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return nil
	}
	root.InitDefaultHelpCmd()
	c, rest, err := root.Find(args)
	switch {
	case err != nil:
		return err
	case !c.HasParent():
		return root.Args(root, args)
	case c.HasSubCommands() && !c.HasAvailableLocalFlags() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-"):
		return c.ValidateArgs(rest)
	}
	return nil
}

const rootHelp = `Rules answers for tabletop games what their books say: from rulesets that are data, with the dice
that were rolled, with dice drawn from a seed, or over every way in which the dice can fall.

The rulesets are those of the module that this directory lies in (the nearest directory with a
rules.cue and a cue.mod, as "rules init" makes it), or else those that ship with the program.`

const rootExamples = `  rules list
  rules eval tempestas test
  rules odds 4d6kh3`

// A group is commands that the help lists together.
type group struct {
	title    string
	commands []func(*settings) *cobra.Command
}

// commandGroups returns all commands by purpose: playing, reading, writing, publishing. The order within a group is
// that of the source only; the help sorts commands by name.
func commandGroups() []group {
	type makers = []func(*settings) *cobra.Command
	return []group{
		{"At the table", makers{newEval, newPlay, newOdds, newFight, newSeek, newRoll, newVerify, newServe, newMCP}},
		{"To look things up", makers{newList, newShow, newSheet, newBook, newExplain, newSchema}},
		{"To write rulesets and homebrews", makers{newInit, newImport, newExport, newCheck, newVet, newTest, newPlan,
			newBuild, newGenerate, newLsp, newSensitivity, newBalance, newCompare}},
		{"To publish revisions", makers{newDiff, newBisect, newBreaking, newPin, newVectors, newRelease, newSign,
			newPublish, newPull, newKey, newTrust}},
		{aboutGroup, makers{newVersion}},
	}
}

// addTo makes the commands of the group. Completion of flags is added here for all, so that no
// constructor can forget it.
func (g *group) addTo(root *cobra.Command, s *settings) {
	root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
	for _, command := range g.commands {
		c := command(s)
		c.GroupID = g.title
		completion.CompleteFlags(c)
		root.AddCommand(c)
	}
}

// newRoot makes the command line. Each command is made by a constructor in a file of its own; flags are its locals, and
// it prints to the command's own writers.
//
// A tree is made for each command line, because cobra keeps parsed values in its flags: a second
// command line in the same process would begin with those of the first.
func newRoot() *cobra.Command {
	s := &settings{}
	root := &cobra.Command{
		Use:     "rules",
		Short:   "Answer, show, check and test the rules of tabletop games",
		Long:    rootHelp,
		Example: rootExamples,
		Args: func(root *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(root, args, s)
			}
			return nil
		},
		// Cobra would print the usage beneath every error, also those of rules that refuse. One
		// line says what to write instead.
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return printStart(c.OutOrStdout(), s.RulesetIDs()) },
		Version:       programVersion(),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := usage.JudgeFlags(c); err != nil {
				return err
			}
			if err := refuseTwice(s.With); err != nil {
				return err
			}
			// A command below the directory of a homebrew is about it, as git's are about the
			// repository around. vet is left out: there the directory itself is what is checked.
			if usage.TakesFlag(c, "with") && c.Name() != "vet" && !c.Flags().Changed("plan") {
				s.UseHomebrewHere()
			}
			return nil
		},
	}
	root.SetVersionTemplate("rules {{.Version}}\n")
	root.SetUsageTemplate(root.UsageTemplate() + "{{if not .HasParent}}\n" + topicList() + "\n{{end}}")
	s.addFlags(root)
	for _, g := range commandGroups() {
		g.addTo(root, s)
	}
	root.SetHelpCommandGroupID(aboutGroup)
	root.SetCompletionCommandGroupID(aboutGroup)
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	refuseOthers(root)
	usage.TakeValuesOnce(root)
	return root
}

// refuseOthers makes the command completion refuse the shells that it does not know.
func refuseOthers(root *cobra.Command) {
	c, _, err := root.Find([]string{"completion"})
	must.Succeed(err)
	c.Args = usage.ArgCount(0, 0)
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	for _, shell := range append(c.Commands(), c) {
		usage.RefuseFlags(shell, "the script is the same for all rulesets", "dir", "with")
	}
}

// foreignCommands are what other programs call a command.
var foreignCommands = map[string]string{
	"run": "eval", "exec": "eval", "execute": "eval", "calc": "eval", "compute": "eval", "evaluate": "eval", "ask": "eval",
	"prob": "odds", "probability": "odds", "chance": "odds", "simulate": "odds", "stats": "odds", "lint": "vet",
	"validate": "vet", "compile": "build", "new": "init", "create": "init", "add": "init", "info": "show", "print": "show",
	"view": "show", "describe": "show", "find": "show", "search": "show", "ls": "list", "server": "serve", "web": "serve",
	"start": "play", "dice": "roll", "throw": "roll", "optimize": "seek", "goal": "seek",
	"char": "sheet", "character": "sheet", "install": "pull", "fetch": "pull", "get": "pull", "push": "publish",
	"docs": "book", "html": "book",
}

// unknownCommand returns the error of the first word of a command line that is no command, with the
// nearest that is.
func unknownCommand(root *cobra.Command, args []string, s *settings) error {
	word := args[0]
	if slices.Contains(s.RulesetIDs(), word) {
		ask := "show"
		if len(args) > 1 {
			ask = "eval"
		}
		return fmt.Errorf("%q is a ruleset, and no command: rules %s %s", word, ask, strings.Join(args, " "))
	}
	if meant := foreignCommands[strings.ToLower(word)]; meant != "" {
		return fmt.Errorf("there is no command %q; did you mean %q", word, meant)
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if near := spell.Nearest(word, names); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %q", word, near)
	}
	return fmt.Errorf("there is no command %q; \"rules help\" lists them", word)
}
