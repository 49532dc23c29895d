package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
)

// The exit statuses.
const (
	done    = 0 // the question was answered
	denied  = 1 // the answer is no
	unasked = 2 // the question could not be asked
)

// Main carries out a command line and gives its exit status. Answers go to out, everything else to errs.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.Execute()
	complain(errs, err)
	return status(err)
}

const rootHelp = `Rules answers for tabletop games what their books say: from rulesets that are data, with the dice that were rolled, with
dice drawn from a seed, or over every way in which the dice can fall.

The rulesets are those of the module that this directory lies in (the nearest directory with a rules.cue and a cue.mod,
as "rules init" makes it), or else those that ship with the program.`

const rootExamples = `  rules list
  rules eval tempestas test
  rules odds 4d6kh3`

// A group is commands that the help lists together.
type group struct {
	title    string
	commands []func(*settings) *cobra.Command
}

func groups() []group {
	type makers = []func(*settings) *cobra.Command
	return []group{
		{"At the table", makers{newEval, newOdds, newSeek, newRoll, newVerify}},
		{"To look things up", makers{newList, newShow, newExplain, newSchema}},
		{"To write rulesets and homebrews", makers{newInit, newVet, newTest, newPlan, newBuild}},
		{"To publish revisions", makers{newDiff, newBreaking, newRelease}},
		{aboutGroup, makers{newVersion}},
	}
}

func (g *group) addTo(root *cobra.Command, s *settings) {
	root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
	for _, command := range g.commands {
		c := command(s)
		c.GroupID = g.title
		completeFlags(c)
		root.AddCommand(c)
	}
}

// aboutGroup has what is not about rulesets: the commands of cobra too.
const aboutGroup = "About this program"

// newRoot makes the command line. Each command is made by a constructor in a file of its own; flags are its locals, and
// it prints to the command's own writers.
func newRoot() *cobra.Command {
	s := &settings{}
	root := &cobra.Command{
		Use:     "rules",
		Short:   "Answer, show, check and test the rules of tabletop games",
		Long:    rootHelp,
		Example: rootExamples,
		Args: func(root *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(root, args[0])
			}
			return nil
		},
		SilenceUsage:      true,
		SilenceErrors:     true,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
		Version:           programVersion(),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return judgeFlags(c) },
	}
	root.SetVersionTemplate("rules {{.Version}}\n")
	root.SetUsageTemplate(root.UsageTemplate() + "{{if not .HasParent}}\n" + topicList() + "\n{{end}}")
	root.SetFlagErrorFunc(flagError)
	s.flags(root)
	for _, g := range groups() {
		g.addTo(root, s)
	}
	root.SetHelpCommandGroupID(aboutGroup)
	root.SetCompletionCommandGroupID(aboutGroup)
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	refuseOthers(root)
	return root
}

// flags are those of every command.
func (s *settings) flags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVar(&s.dir, "dir", "", "use the rulesets of the module in `DIR`, not of the one around this directory or those that ship")
	flags.StringArrayVar(&s.with, "with", nil, "change the ruleset by the homebrew in `DIR`; may be repeated")
	when := []color{"auto", "always", "never"}
	flags.Var(newOneOf(&s.color, "WHEN", when...), "color", "color the output: "+alternatives(when))
	must(root.RegisterFlagCompletionFunc("color", among(when...)))
	completeFlags(root)
}

// settings are what every command is told. They are complete once the command line is parsed.
type settings struct {
	dir   string   // as --dir says
	with  []string // directories of homebrews, in the order in which they are applied
	color color

	patched map[string][]byte // of homebrews: texts of files, instead of those on the disk
}

// files is the module whose rulesets are used.
func (s *settings) files() fs.FS {
	if dir := s.module(); dir != "" {
		return within(dir)
	}
	return rules.Files
}

// module is the directory of the module whose rulesets are used: that of --dir, or else the nearest one that the current
// directory lies in; "" for those that ship.
func (s *settings) module() string {
	if s.dir != "" {
		return s.dir
	}
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	for dir := "."; ; dir = filepath.Join("..", dir) {
		if isModule(dir) {
			return dir
		}
		if here == filepath.Dir(here) {
			return ""
		}
		here = filepath.Dir(here)
	}
}

// isModule reports whether rulesets ship from a directory.
func isModule(dir string) bool {
	for _, name := range []string{"rules.cue", "cue.mod"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// A color is the value of --color: when what is written is coloured.
type color string

// on reports whether what is written to w is coloured: under auto, when w is a terminal and NO_COLOR is not set.
func (c *color) on(w io.Writer) bool {
	switch *c {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && terminal(w)
}

// terminal reports whether what is written to w is read by a person.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// errNo is an answer that is no and already stands on stdout: exit status 1, and nothing more is said.
var errNo = errors.New("no")

// complain prints what went wrong. Diagnostics begin with their place, everything else with the name of the program.
func complain(w io.Writer, err error) {
	if err == nil || errors.Is(err, errNo) {
		return
	}
	if d, ok := errors.AsType[*diag.Errors](err); ok {
		fmt.Fprintln(w, d)
		return
	}
	fmt.Fprintf(w, "rules: %v\n", err)
}

// status is 1 for an answer that is no, 2 for every other error.
func status(err error) int {
	if err == nil {
		return done
	}
	if errors.Is(err, errNo) || answered[*denial](err) || answered[*diag.Errors](err) || refused(err) {
		return denied
	}
	return unasked
}

// refused reports whether a rule was carried out as far as a requirement, a guard, or a formula without a value.
func refused(err error) bool {
	return answered[*runtime.Refused](err) || answered[*runtime.NotOffered](err) || answered[*runtime.Failure](err)
}

func answered[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
