package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/table/gametable"
	"github.com/tabletop-rules/rules/cmd/rules/internal/table/terminal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const playHelp = `Play sits down at the table: choose a rule or a procedure, be asked for what it needs, type the faces
that fell or let them be rolled, and go on. It asks for nothing that does not matter. "?" says what else
can be typed: odds before rolling, undo, all defaults at once. On a terminal, Tab lists what can be
typed, searches in it and completes it, and "rules play" alone asks for the ruleset.

A procedure is played event by event. Play lists the events that are offered, says why others are not,
and shows what each has changed. With --state FILE it goes on from there, and keeps the state there.

--character FILE is read when it is there, and written after each step with what was told of the
character or happened to it. Where it does not tell all that a character must have, the rest is asked
for. Each further --character is another one, an opponent for example: it answers the next question for
a character. --log FILE keeps the receipts of what was played, one in each line: "rules verify FILE"
replays them. All files are written whole or not at all, so that nothing is lost when the program is
stopped. What no file keeps can be saved on the way: "save FILE".

When standard input or output is no terminal, play speaks JSON: every question and every result is an
object in a line of its own, and every line of the input a command, such as {"answer": "navigation"},
{"answer": 43}, {"roll": true}, {"roll_all": true}, {"accept": true}, {"accept_all": true},
{"accept_all": true, "but": ["areas"]}, {"example": true}, {"file": "ada.json"}, {"odds": true},
{"why": true}, {"undo": true} and {"quit": true}.

Exit status: 0 when the session has ended; 1 when the input ended while a question was open; 2 when it
could not begin.`

// A table is a command line of play: what a question has, and the files that a session keeps.
type table struct {
	question
	log  string
	text bool
}

func newPlay(s *settings) *cobra.Command {
	q := &table{question: question{s: s}}
	var options []string
	c := &cobra.Command{
		Use:   "play [RULESET] [RULE]",
		Short: "Play a rule or a procedure, question by question",
		Long:  playHelp,
		Example: "  rules play tempestas\n" +
			"  rules play tempestas --character ada.json --state voyage.json --log voyage.ndjson",
		Args: leaveKindOut(usage.ArgCount(0, 2)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			q.c, q.files.In, q.Seeded = c, c.InOrStdin(), c.Flags().Changed("seed")
			if q.Options, err = parseOptions(options, &q.files); err != nil {
				return err
			}
			return q.play(args)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.EvaluableNames),
	}
	f := c.Flags()
	q.addCharacterFlag(c, "read the character from `FILE`, and keep it there; may be repeated for others, who are read "+
		"only")
	f.StringVar(&q.state, "state", "", "go on with the procedure whose sheet is in `FILE`, and keep it there")
	f.StringVar(&q.log, "log", "", "keep in `FILE` what was played: rules verify FILE replays it")
	f.Uint64Var(&q.Seed, "seed", 0, "roll the faces from the seed `N`")
	f.StringArrayVar(&options, "option", nil, optionUsage)
	f.StringVar(&q.plan, "plan", "", "use the plan in `FILE`, as build or release writes it, or the releases of a "+
		"directory or a lock file")
	f.BoolVar(&q.text, "text", false, "talk as to people even when standard input or output is no terminal")
	for _, name := range []string{"set", "input", "dice"} {
		usage.AdviseInstead(c, name, "play asks for it, question by question; rules eval has --"+name)
	}
	q.registerCompletions(c)
	return c
}

// play begins a session and leads it to its end.
//
// The seed is drawn before the first question, so that each face is decided by then, and odds that
// are asked for cannot move it.
func (q *table) play(args []string) error {
	lines, newPage := q.talkTo()
	if lines != nil && len(args) == 0 && q.plan == "" {
		id, err := gametable.ChooseRuleset(lines, q.c.OutOrStdout(), newPage, q.s.RulesetIDs(), q.titleOf)
		// Nothing was chosen: the input ended, or the person left. That is no error.
		if id == "" {
			return err
		}
		args = []string{id}
	}
	p, id, err := q.ruleset(args)
	if err != nil {
		return err
	}
	if !q.Seeded {
		q.Seed = argdata.DrawSeed()
	}
	s := &gametable.Session{
		Program: runtime.New(p), Options: q.Options, Seed: q.Seed,
		CharacterFile: q.character, StateFile: q.state, LogFile: q.log,
		// The character of a golden case that answers: whoever has none yet can play with one that
		// works.
		Example: func(id string) []byte {
			c := example.FindAnswering(q.s.Files(), p, describe.NeedsOf(p, id))
			if c == nil {
				return nil
			}
			return c.Character
		},
	}
	if err := q.begin(s, id); err != nil {
		return err
	}
	if lines != nil {
		return s.RunText(lines, q.c.OutOrStdout(), newPage)
	}
	return s.RunJSON(q.c.InOrStdin(), q.c.OutOrStdout())
}

// titleOf returns the title of a ruleset, for the list to choose from. It is empty for one that does not compile; the
// list then shows the id alone.
func (q *table) titleOf(id string) string {
	p, err := q.s.CompileRuleset(id)
	if err != nil {
		return ""
	}
	return p.Title
}

// talkTo returns the source of a person's lines and a function that makes pages for the answers. Programs get neither
// and speak JSON.
//
// A terminal is used wherever there is one, whatever the flags: --text is for people without a terminal who want words
// all the same.
func (q *table) talkTo() (gametable.Lines, func() *layout.Page) {
	in, out := q.c.InOrStdin(), q.c.OutOrStdout()
	if t := terminal.Open(in, out); t != nil {
		return t, func() *layout.Page { return q.newTablePage(out, t.Width()-1) }
	}
	if q.text {
		return gametable.NewScanner(in, out), func() *layout.Page { return q.newTablePage(out, layout.PageWidth) }
	}
	return nil, nil
}

// newTablePage begins a page whose lines are broken where the terminal ends, and are never too long to read.
func (q *table) newTablePage(out io.Writer, width int) *layout.Page {
	page := q.s.newPage(out)
	page.Width = min(max(width, 0), layout.PageWidth)
	return page
}

// ruleset returns the plan that is played, and the rule or procedure, if one is named. Without a name the session lists
// them.
func (q *table) ruleset(args []string) (*plan.Plan, string, error) {
	switch {
	case q.plan != "":
		return q.plannedRuleset(args)
	case len(args) == 2:
		return q.findSubject(args)
	case len(args) == 0:
		return nil, "", fmt.Errorf("name a ruleset: %s; there is %v", q.c.UseLine(), q.s.RulesetIDs())
	}
	p, err := q.s.CompileRuleset(args[0])
	return p, "", err
}

// plannedRuleset returns the plan of --plan that is played, and the rule or procedure, if one is named. A character or a
// state that the session has yet to write is pinned to no release.
func (q *table) plannedRuleset(args []string) (*plan.Plan, string, error) {
	character, state := q.character, q.state
	for _, file := range []*string{&q.character, &q.state} {
		if _, err := os.Stat(*file); errors.Is(err, fs.ErrNotExist) {
			*file = ""
		}
	}
	named := args
	if !workspace.HoldsReleases(q.plan) {
		named = nil // the whole file: what is played next is asked when the rule has ended
	}
	p, err := q.readPlan(named)
	q.character, q.state = character, state
	if err != nil {
		return nil, "", err
	}
	id, err := q.subjectIn(p, args)
	return p, id, err
}

// begin reads the files with which the session begins.
//
// A file of --character or --state that does not exist is no error: the session will write it. One that exists and
// cannot be read is an error, so that nothing is overwritten that was only misread.
func (q *table) begin(s *gametable.Session, id string) error {
	character, err := q.readIfThere("character", q.character)
	if err != nil {
		return err
	}
	whole := false
	if character != nil {
		if whole, err = s.Program.FitsInPart(character); err != nil {
			return fmt.Errorf("%s: %w", q.character, err)
		}
	}
	// Others are opponents and friends. They are read only, so they must be there and must fit as a
	// whole.
	for _, name := range q.characters.Others {
		text, err := q.files.Read("character", name)
		if err == nil {
			err = jsonadvice.Fits(s.Program, text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", argdata.FileName(name), err)
		}
		s.Others = append(s.Others, text)
	}
	s.Begin(character, whole)
	state, err := q.readIfThere("state", q.state)
	if err != nil {
		return err
	}
	if state != nil {
		return q.resume(s, state, character, id)
	}
	switch known := describe.EvaluableNames(s.Program.Plan()); {
	case id == "":
		return nil
	case !slices.Contains(known, id):
		return q.unknownSubject(s.Program.Plan(), "rule or procedure", id, known)
	}
	return s.Choose(id)
}

// resume goes on with the procedure of --state, with the options and the character of that state.
//
// The character of the state wins, and one of --character must equal it once its absent fields are filled in. Taking
// the other would undo, in silence, the changes of the character in play.
func (q *table) resume(s *gametable.Session, state, character []byte, id string) error {
	saved, err := runtime.ReadPlay(state)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", q.state, err)
	case id != "" && saved.Procedure != id:
		return fmt.Errorf("%s is of procedure %s, not %s", q.state, saved.Procedure, id)
	case q.c.Flags().Changed("option"):
		return fmt.Errorf("--option: %s has begun, and goes on with the options that it began with", q.state)
	}
	play, err := q.Resume(s.Program, saved.Procedure, q.state, state)
	if err != nil {
		return err
	}
	if err := q.checkAgrees(s, play, character); err != nil {
		return err
	}
	s.Options, s.Seed = q.Options, q.Seed
	s.Resume(play, slices.Clone(q.Begun.From))
	return nil
}

// checkAgrees returns an error if a given character differs from that of a play. A field that the given character lacks
// must have the value that play fills in.
func (q *table) checkAgrees(s *gametable.Session, play *runtime.Play, character []byte) error {
	if character == nil {
		return nil
	}
	for _, c := range changes.Compare("character", play.Character, character) {
		if c.After == nil && isUntold(s.Program.Plan().Character, c.Path, c.Before) {
			continue
		}
		return fmt.Errorf("%s and %s differ in %s: leave --character out to go on with that of the state, "+
			"or --state to begin anew", q.character, q.state, c.Path)
	}
	return nil
}

// isUntold reports whether a value is the one that an absent field of the character gets: its default, or the
// placeholder of a required field that nothing reads.
func isUntold(character *plan.Shape, path string, value json.RawMessage) bool {
	_, fields, _ := strings.Cut(path, ".")
	at := plan.Member{Shape: character}
	for name := range strings.SplitSeq(fields, ".") {
		i := slices.IndexFunc(at.Shape.Fields, func(m plan.Member) bool { return m.Name == name })
		if i < 0 {
			return false
		}
		at = at.Shape.Fields[i]
	}
	untold := []byte(at.Default)
	if at.Default == "" && !at.Optional {
		untold = partial.AppendPlaceholder(nil, at.Shape)
	}
	return len(untold) > 0 && len(changes.Compare(path, value, untold)) == 0
}

// readIfThere returns the text of a flag's file, or nil if the file does not exist. A dangling link counts as such a
// file: the session's write will report it.
func (q *table) readIfThere(flag, name string) ([]byte, error) {
	if _, err := os.Stat(name); name == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return q.files.Read(flag, name)
}
