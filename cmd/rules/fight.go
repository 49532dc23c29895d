package main

import (
	"fmt"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

const fightHelp = `Fight follows a procedure of several characters to its end: who wins, how likely that is, what is left to them, and after
how many events. --side adds characters to the lists of its input: FIELD=FILE one, FIELD=4*FILE four alike, and
FIELD=FILE,NAME=VALUE,... where a fighter has more than the character, such as a weapon. With --state it goes on from the
sheet of a procedure that has begun, as eval prints it.

How it is played is said as for odds: --policy names the events that are tried, each with its guard, by default all of them
in the author's order; --decide says what an event is given, such as a target, by a formula over the state, and what is
decided when its dice have fallen, by one over these too. --vary asks for each of several settings: of the input, such as a
tactic, or of a cell of a table. With --best moves are those that are best for a formula.

Odds are exact where the states allow it within --budget. Where they are more, plays are drawn with a seed and counted, and
the answer says so: of each chance the bounds that hold in 95 of 100 runs. --within says how close to the shares the bounds
are at most, for any chance, or --plays how many plays are drawn, also where exact odds would do. The plays, and so every
byte of the answer, are the same on any machine with any number of cores: the dice of play 7 are those of record 7 of the
seed.

The homebrew of the first example is in a checkout of the project.

Exit status: 0 for an answer; 1 when the start is refused whatever falls; 2 when the question cannot be asked.`

// A fightQuestion is what fight is asked.
type fightQuestion struct {
	oddsQuestion
	sides  []string
	within float64
	plays  int
	seed   uint64
	game   string
}

func newFight(s *settings) *cobra.Command {
	q := &fightQuestion{oddsQuestion: oddsQuestion{question: question{s: s}}}
	c := &cobra.Command{
		Use:   "fight RULESET PROCEDURE",
		Short: "Follow a procedure of several characters to its end, exactly or by drawing plays",
		Long:  fightHelp,
		Example: "  rules fight tempestas brawl --with golden/homebrew/tempestas_brawl" +
			" --side ours=2*ada.json,skill=navigation --side theirs=3*ada.json,skill=navigation\n" +
			"  rules fight tempestas task --character ada.json --set name=navigation --set target_value=30\n" +
			"  rules fight tempestas task --character ada.json --set name=navigation --vary target_value=5,10,20",
		Args: usage.ArgCount(1, 2),
	}
	q.addOutputFlag(c)
	q.askForOdds(c, q.answerFight)
	usage.RefuseFlags(c, "a fight is followed to its end", "after")
	f := c.Flags()
	must.Succeed(f.MarkHidden("after"))
	f.StringArrayVar(&q.sides, "side", nil, "add characters to a list of the input: `FIELD=4*FILE,NAME=VALUE`; may be "+
		"repeated")
	f.Float64Var(&q.within, "within", oddsquery.FightWithin,
		"draw so many plays that each chance lies so close: a `NUMBER`")
	f.IntVar(&q.plays, "plays", 0, "draw `N` plays")
	f.Uint64Var(&q.seed, "seed", 1, "draw their dice from the seed `N`")
	f.StringArrayVar(&q.Formulas, "ask", nil, "ask for the distribution of a `FORMULA` over the outputs; may be repeated")
	q.addFormFlags(c)
	f.Lookup("budget").DefValue, q.Budget = fmt.Sprint(oddsquery.FightBudget), oddsquery.FightBudget
	f.StringVar(&q.game, "game", "", "solve the game for `P(FORMULA)` or E(FORMULA), whose strategies are the values of "+
		"two --vary")
	c.MarkFlagsMutuallyExclusive("within", "plays")
	c.MarkFlagsMutuallyExclusive("game", "ask")
	c.MarkFlagsMutuallyExclusive("game", "output")
	c.MarkFlagsMutuallyExclusive("state", "side")
	return c
}

// answerFight follows the fight and prints how it ends.
func (q *fightQuestion) answerFight(args []string) error {
	if err := q.checkForm(); err != nil {
		return err
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	program := runtime.New(p)
	if q.game != "" && slices.Contains(program.RuleNames(), id) {
		return fmt.Errorf("%s is a rule, and --game is of procedures: put it into an event of one", id)
	}
	if !slices.Contains(program.ProcedureNames(), id) {
		return q.unknownSubject(p, "procedure", id, p.ProcedureNames())
	}
	if q.Best != "" {
		err := usage.RefuseGiven(q.c, "--best compares moves by exact odds alone", "plays", "within", "seed")
		if err != nil {
			return err
		}
	}
	line := layout.NewLiveLine(q.c.ErrOrStderr())
	defer line.Clear()
	var aim oddsquery.Measure
	if q.game != "" {
		if aim, err = oddsquery.ParseMeasure(q.game); err != nil {
			return fmt.Errorf("--game %w", err)
		}
		q.Formulas = oddsquery.Formulas([]oddsquery.Measure{aim})
	}
	a, err := q.askFight(program, id, line)
	if err != nil {
		return err
	}
	subject := oddsjson.ProcedureSubject(p, id)
	subject.SetStrategy(q.Decide, q.Best)
	if q.game != "" {
		g, err := tuning.NewGame(q.c.Context(), a, aim)
		if line.Clear(); err != nil {
			return q.pathError(err)
		}
		return q.writeAnswer(&oddspage.Game{Subject: subject, Measure: aim.String(), Of: g})
	}
	if len(q.Vary) > 0 {
		rows, err := a.Table(q.c.Context())
		if line.Clear(); err != nil {
			return q.pathError(err)
		}
		return q.writeOutcomes(oddspage.OfRows(subject, false, rows))
	}
	answer, err := a.Fight(q.c.Context())
	if line.Clear(); err != nil {
		return q.pathError(err)
	}
	return q.writeOutcomes(&oddspage.Fight{Subject: subject, Of: answer})
}

// askFight returns the compiled question. The character of a fight that nobody gives is the first of its fighters.
func (q *fightQuestion) askFight(program *runtime.Program, id string, line *layout.LiveLine) (*oddsquery.PlayAsker, error) {
	asked := q.Question
	asked.Subject, asked.FormulaFlag = id, "--ask"
	if err := q.readBeginning(program, &asked); err != nil {
		return nil, err
	}
	if asked.From == nil {
		input, first, err := argdata.PutSides(asked.Request.Input, q.sides, describe.InputOf(program.Plan(), id), &q.files)
		if err != nil {
			return nil, err
		}
		asked.Request.Input = input
		if asked.Request.Character == nil {
			asked.Request.Character = first
		}
	}
	var err error
	if asked.Sampling, err = q.newSampling(line); err != nil {
		return nil, err
	}
	return oddsquery.NewFightAsker(program, asked)
}

// newSampling returns how plays are drawn, which show on a line how many have been.
func (q *fightQuestion) newSampling(line *layout.LiveLine) (*query.Sampling, error) {
	s := &query.Sampling{Plays: q.plays, Seed: q.seed, Always: q.c.Flags().Changed("plays")}
	switch {
	case q.Best != "":
		return nil, nil // moves are compared by exact odds alone
	case s.Always && (q.plays < 1 || q.plays > runtime.MaxPlays):
		return nil, fmt.Errorf("--plays %d: it is 1 to %d", q.plays, runtime.MaxPlays)
	case !s.Always:
		if !(q.within > 0 && q.within < 0.5) {
			return nil, fmt.Errorf("--within %v: it is more than 0 and less than 0.5", q.within)
		}
		if s.Plays = runtime.PlaysWithin(q.within); s.Plays > runtime.MaxPlays {
			return nil, fmt.Errorf("--within %v takes more than %d plays", q.within, runtime.MaxPlays)
		}
	}
	var one sync.Mutex
	s.Progress = func(plays int) {
		one.Lock()
		defer one.Unlock()
		line.Show("rules: %d of %d plays", plays, s.Plays)
	}
	return s, nil
}
