package main

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/recorded"
	"github.com/tabletop-rules/rules/cmd/rules/internal/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// playProcedure begins a procedure or goes on with it, and lets the events happen up to the first that is refused.
//
// A refused event is the answer no, and still the play up to it is printed, and its receipt
// written: what has happened at the table has happened.
func (q *question) playProcedure(program *runtime.Program, id string) error {
	play, err := q.beginPlay(program, id)
	if err != nil {
		return err
	}
	events, err := q.readEvents(program.Plan(), id)
	if err != nil {
		return err
	}
	was := present.Before{State: play.State, Character: play.Character}
	refusal := q.Continue(play, events, q.trace.isAsked())
	if q.receipt != "" {
		r, err := receipt.NewPlayReceipt(program.Plan(), id, q.Options, &q.Begun, q.Seed, play)
		if err != nil {
			return err
		}
		if err := atomicfile.TheDisk().WriteAnswer(q.receipt, r.Printed()); err != nil {
			return err
		}
	}
	if q.caseFile != "" && refusal == nil {
		text, err := recorded.CaseOfPlay(program.Plan(), id, q.Begun.Request, play)
		if err != nil {
			return err
		}
		if err := recorded.WriteCase(q.caseFile, text); err != nil {
			return err
		}
	}
	q.reportSeed(play.Seed)
	if err := q.printPlay(program, play, was); err != nil {
		return err
	}
	return refusal
}

// beginPlay starts a procedure, or resumes the one in --state.
func (q *question) beginPlay(program *runtime.Program, id string) (*runtime.Play, error) {
	if q.state != "" {
		return q.resumePlay(program, id)
	}
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	request, err := q.readRequest(describe.InputOf(program.Plan(), id))
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(request)
	if refusal.IsOwn(err) {
		return nil, q.explainRefusal(err, request, procedure.ExplainRefusal)
	}
	if err != nil {
		return nil, exit.WordRefusal(exit.PathOnly(refusal.NameLacks(err, request.Dice, func(s dice.Source) {
			again := request
			again.Dice, again.Trace = s, false
			procedure.Start(again)
		})))
	}
	q.reportMisspelled(func(k ask.Answers) ([]ask.Question, error) {
		_, needs, err := procedure.AskStart(k)
		return needs, err
	}, &request)
	q.Begun.Request = request
	if mixed, ok := request.Dice.(*dice.Mixed); len(play.Dice) == 0 || ok && !mixed.HasDrawn() {
		play.Seed = nil
	}
	if play.Seed != nil {
		q.Begun.Drawn = append(q.Begun.Drawn, 0)
	}
	return play, nil
}

// resumePlay reads --state.
func (q *question) resumePlay(program *runtime.Program, id string) (*runtime.Play, error) {
	text, err := q.files.Read("state", q.state)
	if err != nil {
		return nil, err
	}
	return q.Resume(program, id, argdata.FileName(q.state), text)
}

func (q *question) printPlay(program *runtime.Program, play *runtime.Play, was present.Before) error {
	out := q.c.OutOrStdout()
	if q.format == usage.AsJSON {
		return jsontext.PrintIndented(out, play.AppendJSON(nil))
	}
	page := q.s.newPage(out)
	present.PrintPlay(page, program.Plan(), play, was, int(q.trace))
	return page.Flush(out)
}

// readEvents reads --event or --events.
func (q *question) readEvents(p *plan.Plan, id string) (out []golden.Event, err error) {
	d := slices.IndexFunc(p.Procedures, func(d plan.Procedure) bool { return d.ID == id })
	for _, text := range q.event {
		e, err := argdata.ParseEvent(text, &p.Procedures[d], &q.files)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	if len(q.event) > 0 {
		return out, nil
	}
	text, err := q.files.Read("events", q.events)
	if err != nil || q.events == "" {
		return nil, err
	}
	return golden.ParseEvents(argdata.FileName(q.events), text)
}
