package main

// # The life of an evaluation
//
//	arguments ─ findSubject ─> plan, name of a rule or procedure
//	flags     ─ readRequest ─> character, input, source of faces
//	rule.Eval(request)      ─> sheet | *Refusal | *Failure | *InputError
//	sheet ─> receipt, case (files), notes (stderr), text or JSON (stdout)
//
// The three kinds of error are told apart by their Go types and nowhere by their text: a refusal is
// what the rule's author wrote, a failure is a formula without a value, and an input error is a
// character or an input that does not fit. The first two are answers (status 1), the third is a
// question that could not be asked (status 2).
//
// Nothing here depends on time, on the order of maps or on the machine: faces come from flags or
// from a seed that is reported. So every evaluation can be repeated, which receipts, --why and the
// "--seed lets them fall so again" of reportSeed stand on.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/asked"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/recorded"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const evalHelp = `Eval carries out a rule, or plays a procedure, for a character and prints its sheet.

The character is a file of JSON, "-" for standard input; so is what this one use adds, with --input,
--set or both: --set name=value puts a value into the input, --set points.body=3 into an object in
it. Values are JSON; a string need not be quoted.

The faces that the players rolled are given in the order in which they fall (--dice 43,7), by the id
of their die (--dice roll=43 --dice damage=6,2), or as the file of an earlier sheet, whose dice fall
again. With --seed the faces are drawn, always the same for the same seed. With both, the faces that
are given by the id of their die take the place of those drawn, and the sheet says which were given.
Without either a seed is drawn and reported.

--set opponent=@them.json takes a value that is no string from a file of JSON. A rule of two or more
takes --character again and again: the first is the character, each further one fills the next field
of the input that is a character and that neither --input nor --set gives.

A procedure begins with --character and --input, and goes on with what happens, in order:
    --event 'roll difficulty=hard dice=35' --event pay
or with the events in the file of --events:
    [{"event": "roll", "input": {"difficulty": "hard"}, "dice": [35]}]
Its sheet is what --state reads to go on later; the character, the input and the options are in it.

--trace shows for each answer what it rests on, as a tree from the answer down: "16 needed = 14
(ranks, row 9) + 2 (bonus)", and below it where the 14 and the 2 come from, to the dice, the
character, the input, the options and the rows of tables; --trace=2 shows two levels. Of a
procedure the start, every event and the outputs are traced. In JSON a step has "name", "kind"
(value, given, option, dice, use, trait, function, argument, table, walk, element, require, end),
"of", "value" or "failure", "equation", "formula", "row" (key, row, column, place), "cite", "place",
"option", "erratum", "overlays", "walked" (of a list: its elements, how many of them decided, and how
many are shown, at most 8), "from" (the steps it rests on) or "repeated" (they stand where the step
comes first); members that are empty are left out. Of a list the elements stand there that decided:
the first for which exists holds or all does not, those that filter keeps, each that map reads.

--why OUTPUT says which condition or row decided an output, and the nearest change of one face, one
integer or choice of the input, or one option that gives another answer. Each was tried: the rule was
asked again with everything else as it is. Where another die falls then, the change counts only if its
lowest and its highest faces give the same answer.

A trait, a function or a table is asked for by its name too: a trait of the character, a function with
its arguments and a table with its key in the input. "rules sheet" shows all traits at once.

A rule needs no module to be tried: FILE.cue holds one, or -e its text, with dice, let, output, #Input
and what else a rule may have; or it holds definitions, as a ruleset does, under rules:, tables: and
so on. It needs no package, no cite and no #Character.

Without a character and without a state, eval prints what the rule needs and a command line that
works, with status 0.

Exit status: 0 for a sheet; 1 when the rule refuses, an event is not offered, or a formula has no
value; 2 when the question cannot be asked. When an event is refused, the sheet up to it is printed.`

const evalExamples = `  rules eval tempestas test
  rules eval tempestas test --character ada.json --set name=navigation --set difficulty=hard --dice 43
  rules eval tempestas test --character ada.json --input test.json --seed 7 --trace
  rules eval tempestas test --character ada.json --input test.json --dice 61 --option heroic_band=none --format json
  rules eval tempestas task --character ada.json --input task.json --events day1.json --format json > task_day1.json
  rules eval tempestas task --state task_day1.json --events day2.json
  rules eval tempestas test --ndjson crew.ndjson --set name=navigation --seed 7 > sheets.ndjson
  rules eval supermen hand_damage
  rules eval -e 'dice: a: "d20", output: hit: "a >= 15"' --seed 7
  rules eval --plan tempestas.plan test --character - --set name=navigation --set difficulty=hard < ada.json`

func newEval(s *settings) *cobra.Command {
	q := &question{s: s}
	c := &cobra.Command{
		Use:     "eval RULESET RULE | eval FILE.cue [RULE] | eval -e TEXT",
		Short:   "Carry out a rule for a character and print its sheet",
		Long:    evalHelp + ndjsonHelp,
		Example: evalExamples,
		Args: func(c *cobra.Command, args []string) error {
			return cmp.Or(s.adviseThird(args), leaveKindOut(usage.ArgCount(0, 2))(c, args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			q.c, q.files.In = c, c.InOrStdin()
			// Whether a flag was given is not visible in its value: seed 0 is a seed like any
			// other, and no --dice is not the same as an empty one.
			q.Seeded, q.DiceGiven = c.Flags().Changed("seed"), c.Flags().Changed("dice")
			return q.answerQuestion(args)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, func(p *plan.Plan) []string {
			// EvaluableNames are rules and procedures; asked.Names adds traits, functions and
			// tables, which eval alone answers.
			return append(describe.EvaluableNames(p), asked.Names(p)...)
		}),
	}
	var options []string
	q.addFlags(c, &options)
	c.PreRunE = func(c *cobra.Command, _ []string) (err error) {
		q.files.In = c.InOrStdin()
		q.Options, err = parseOptions(options, &q.files)
		return err
	}
	return c
}

// adviseThird returns the error of a third word behind a table or a procedure, which is the key of a row or an event.
func (s *settings) adviseThird(args []string) error {
	if len(args) != 3 {
		return nil
	}
	p, err := s.CompileRuleset(args[0])
	if err != nil {
		return nil // so that the words are counted first
	}
	const format = "%q is one word too many: %s"
	if t := p.Table(args[1]); t != nil && t.Kind == plan.KeyedTable {
		return fmt.Errorf(format, args[2], "the row of a table is --set key="+args[2])
	}
	if d := p.Procedure(args[1]); d != nil && slices.ContainsFunc(d.Events,
		func(e plan.Event) bool { return e.ID == args[2] }) {
		return fmt.Errorf(format, args[2], "the event of a procedure is --event "+args[2])
	}
	return nil
}

// addFlags adds the flags of eval. Those that odds, seek and play have too mean the same there, and
// are spelled in the same words.
func (q *question) addFlags(c *cobra.Command, options *[]string) {
	usage.AdviseInstead(c, "roll", "--dice 5,3 gives the faces that fell, --seed 7 draws them")
	f := c.Flags()
	q.addCharacterFlag(c, "read the character from `FILE`, - for standard input; may be repeated for rules of two")
	f.StringVar(&q.input, "input", "", "read the input from `FILE`, - for standard input")
	f.StringArrayVar(&q.Sets, "set", nil, "set a value of the input: `NAME=VALUE`; may be repeated")
	f.StringArrayVar(&q.dice, "dice", nil,
		"the faces that fell: `43,7`, roll=43,7, or the file of a sheet; may be repeated")
	f.Uint64Var(&q.Seed, "seed", 0, "draw the faces from the seed `N`")
	f.StringArrayVar(options, "option", nil, optionUsage)
	f.StringSliceVar(&q.Outputs, "output", nil, "compute these outputs of a rule only: `NAME,...`")
	f.StringVar(&q.events, "events", "", "read the events of a procedure from `FILE`, - for standard input")
	f.StringArrayVar(&q.event, "event", nil,
		"let an event of a procedure happen: `EVENT`, or 'roll difficulty=hard dice=35'; may be repeated")
	f.StringVar(&q.state, "state", "", "go on with the procedure whose sheet is in `FILE`, - for standard input")
	f.StringVar(&q.plan, "plan", "",
		"use the plan in `FILE`, as build or release writes it, or the releases of a directory or a lock file")
	f.Var(&q.trace, "trace",
		"show what the answers rest on, down to the dice and the rows of tables; `N` levels of it, else all")
	// A flag whose value may be left out takes it only after "=": "--trace 2" would read the 2 as
	// the next argument. That is pflag's law, and why the help writes --trace=2.
	f.Lookup("trace").NoOptDefVal = traceAll
	f.StringVar(&q.Why, "why", "",
		"say what decided the output `NAME` of a rule or of the last event, and the nearest change that gives another "+
			"answer")
	f.StringVar(&q.caseFile, "case", "",
		"write to `FILE` a golden case, marked recorded, of what is asked and answered")
	f.StringVar(&q.receipt, "receipt", "",
		"write to `FILE` what a roll or a play needs to be believed: rules verify FILE replays it")
	q.addInlineFlag(c)
	q.format.AddTo(c)
	f.BoolVar(&q.labels, "labels", false, "of a rule in JSON: add the member words, the answer as people read it")
	q.ndjsonFlags(c)
	f.BoolVar(&q.s.NoCache, "no-cache", false, "compile the ruleset, whether its plan is kept or not, and do not keep it")
	// Giving one anew would change what has happened.
	usage.MarkExclusive(c, inState, "state", "character", "input", "set", "dice", "option")
	c.MarkFlagsMutuallyExclusive("event", "events")
	q.registerCompletions(c)
}

// answerQuestion finds the rule or procedure that is asked about, and prints its answer.
//
// Its switch goes from the flags that exclude all others to the usual ones. A rule that needs no character answers
// without one. Any other prints its needs, unless a flag asks for an answer: then the character is missing.
func (q *question) answerQuestion(args []string) error {
	// Cobra can mark flags that exclude each other, but not that one is worth nothing without
	// another whose value matters, so this is judged here.
	if q.c.Flags().Changed("workers") && (q.ndjson == "" || q.workers < 1) {
		return fmt.Errorf("--workers %d: it is how many lines of --ndjson are evaluated at once, at least 1", q.workers)
	}
	if q.ndjson != "" && workspace.HoldsReleases(q.plan) {
		return q.evalMixedBatch(args)
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	// A name that is neither a rule nor a procedure may be a trait, a function or a table. The plan
	// that answers it has a rule of that very name, so that all that follows knows no difference.
	if !slices.Contains(describe.EvaluableNames(p), id) {
		if p, err = q.compileAsked(p, id); err != nil {
			return err
		}
	}
	program := runtime.New(p)
	procedure := slices.Contains(program.ProcedureNames(), id)
	switch {
	case q.caseFile != "" && (q.state != "" || q.Why != ""):
		return errors.New("--case writes a case of what is carried out once, and from its start")
	case procedure && q.ndjson != "":
		return fmt.Errorf("%s is a procedure: --ndjson is of rules", id)
	case q.ndjson != "":
		return q.evalBatch(program, id)
	case q.character == "" && q.state == "" && (q.askedFlag() == "" || !q.answersAlone(program, id)):
		if asked := q.askedFlag(); asked != "" {
			return fmt.Errorf("--%s: %s reads a character: name one with --character FILE; \"%s %s\" says what is needed",
				asked,
				id, q.commandStart(p.Ruleset), id)
		}
		return q.printNeeds(p, id)
	// The order matters: --why of a procedure comes before --output and before playing, since it
	// carries out all events but the last by itself.
	case procedure && q.Why != "":
		return q.explainStep(program, id)
	case procedure && q.labels:
		return usage.RefuseGiven(q.c, "the JSON of a procedure is what --state reads, and has no words", "labels")
	case procedure && len(q.Outputs) > 0:
		return fmt.Errorf("%s is a procedure: it gives all of its outputs, leave --output out", id)
	case procedure:
		return q.playProcedure(program, id)
	case q.events != "" || len(q.event) > 0 || q.state != "":
		return fmt.Errorf("%s is a rule: it has no memory, --event, --events and --state are of procedures", id)
	}
	if q.Why != "" {
		return q.explainOutput(program, id)
	}
	return q.evalRule(program, id)
}

// answersAlone reports whether an answer needs no character: nothing that is asked for reads one,
// or all that a character has may be absent.
//
// Which is so depends on --output and --option, so the rule is scheduled for just these. A
// procedure keeps its character in the sheet for the events that follow, and always wants one,
// unless an empty one fits.
func (q *question) answersAlone(program *runtime.Program, id string) bool {
	if program.Fits([]byte("{}")) == nil {
		return true
	}
	if slices.Contains(program.ProcedureNames(), id) {
		return false
	}
	rule, err := program.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	return err == nil && !rule.NeedsCharacter()
}

// askedFlag returns the name of the first given flag that asks for an answer, or "". With such a flag a missing
// character is an error; without any, the command prints the needs of the rule.
func (q *question) askedFlag() string {
	for _, name := range []string{
		"input", "set", "dice", "seed", "option", "output", "events", "event", "trace", "why", "receipt",
		"case",
	} {
		if q.c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// evalRule evaluates a rule and prints its sheet.
//
// The receipt and the case are written before the sheet, so that a sheet on the screen means that they are on the disk.
// Notes on standard error come before the sheet, where a terminal shows both.
func (q *question) evalRule(program *runtime.Program, id string) error {
	rule, err := program.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	if unknown, is := errors.AsType[*runtime.UnknownError](err); is && unknown.What == "output" {
		if flag := usage.FlagTaking(q.c, unknown.Name); flag != "" {
			return fmt.Errorf("%w; the form of the answer is --%s %s", err, flag, unknown.Name)
		}
	}
	if err != nil {
		return err
	}
	request, err := q.readRequest(describe.InputOf(program.Plan(), id))
	if err != nil {
		return err
	}
	sheet, err := rule.Eval(request)
	if err != nil {
		if refusal.IsOwn(err) {
			return explainRefusal(program.Plan(), id, err, request, rule.Explain)
		}
		lacks := func() []dice.Lack { return rule.Lacks(request) }
		return exit.WordRefusal(q.placeError(refusal.NameLacks(err, lacks)))
	}
	if q.receipt != "" {
		r, err := receipt.NewReceipt(program, q.Outputs, request, sheet)
		if err != nil {
			return err
		}
		if err := atomicfile.TheDisk().WriteAnswer(q.receipt, r.Printed()); err != nil {
			return err
		}
	}
	if q.caseFile != "" {
		text, err := recorded.CaseOfRule(program.Plan(), request, sheet)
		if err != nil {
			return err
		}
		if err := recorded.WriteCase(q.caseFile, text); err != nil {
			return err
		}
	}
	q.reportSeed(sheet.Seed)
	// Runs after the answer was made and before it is printed: on a terminal the hint stands right
	// above the number that it puts in doubt.
	q.reportMisspelled(func(r runtime.Request) ([]ask.Need, error) {
		reply, err := rule.Ask(r)
		if err != nil {
			return nil, err
		}
		return reply.Needs, nil
	}, &request)
	if q.format == usage.AsJSON {
		text := json.RawMessage(sheet.AppendJSON(nil))
		if q.labels {
			notes := view.FindNotes(program.Plan(), rule, request, sheet)
			if text, err = notes.AppendWords(text); err != nil {
				return err
			}
		}
		return jsontext.PrintIndented(q.c.OutOrStdout(), text)
	}
	page := q.s.newPage(q.c.OutOrStdout())
	notes := view.FindNotes(program.Plan(), rule, request, sheet)
	present.PrintSheet(page, sheet, &notes, int(q.trace))
	return page.Flush(q.c.OutOrStdout())
}

// explainRefusal returns the refusal of a rule, or of the start of a procedure, with the compared values, the faces and
// their seed added.
//
// The rule is evaluated again with the same faces to find these values: an evaluation keeps none, and refusals are too
// rare to keep them for. Where the second evaluation fails, the refusal is returned without them.
func explainRefusal(p *plan.Plan, id string, err error, request runtime.Request,
	find func(runtime.Request) (*runtime.Explanation, error)) error {
	why, failed := find(request)
	if failed != nil {
		return exit.WordRefusal(err)
	}
	return refusal.TellFallen(refusal.Explain(err, why, view.WordsOf(p, id).Teller), why, request.Seed)
}

// printNeeds prints the needs of a rule or procedure, with an example.
//
// It is the answer to a command without a character, on standard output and with status 0: nothing went wrong.
func (q *question) printNeeds(p *plan.Plan, id string) error {
	// The example is looked for among the golden cases, so the command line that is printed has
	// been played by a test.
	n := describe.NeedsOf(p, id)
	n.Example = example.ExampleOf(q.s.Files(), q.commandStart(p.Ruleset), p, n)
	out := q.c.OutOrStdout()
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(out, n)
	}
	page := q.s.newPage(out)
	present.PrintNeeds(page, n)
	return page.Flush(out)
}
