package main

// A play is a list of accepted events on top of a start. All that the next event can depend on is
// in the sheet, so that a command need not live as long as the procedure: it prints the sheet,
// ends, and a later command goes on with --state. Event numbers are what keeps seeded faces apart:
// the start draws as event 0, and each accepted event takes the next number, also after a pause.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/playthrough"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/recorded"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// playProcedure begins a procedure or goes on with it, and carries out the events up to the first refused one.
//
// A refused event is the answer no. Still the play up to it is printed and its receipt written, because those events
// have happened at the table.
func (q *question) playProcedure(program *runtime.Program, id string) error {
	play, err := q.beginPlay(program, id)
	if err != nil {
		return err
	}
	events, err := q.readEvents(program.Plan(), id)
	if err != nil {
		return err
	}
	events = q.ThrowAll(events)
	// Only what has changed since the command began is worth a line, so state and character are
	// remembered before the events change them.
	was := present.Before{State: play.State, Character: play.Character}
	refused := playthrough.Explain(program.Plan(), play.Go(q.trace.isAsked(), events...), play, events)
	if stopped, ok := errors.AsType[*runtime.EventError](refused); ok {
		stopped.Number = int(play.Number()) // as in the sheet, where those of a saved play stand before
	}
	if q.receipt != "" {
		r, err := receipt.NewPlayReceipt(program, id, q.Options, &q.Begun, play)
		if err != nil {
			return err
		}
		if err := atomicfile.TheDisk().WriteAnswer(q.receipt, r.Printed()); err != nil {
			return err
		}
	}
	// A case states what is right. A play that ended in a refusal may well be a typing error, so it
	// makes none; the receipt above makes no such claim.
	if q.caseFile != "" && refused == nil {
		text, err := recorded.CaseOfPlay(program.Plan(), id, q.Begun.Character, q.Begun.Input, play)
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
	return refused
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
		return nil, explainRefusal(program.Plan(), id, err, request, procedure.Explain)
	}
	if left, ok := errors.AsType[*dice.Error](err); ok && !left.Missing && len(q.event) > 0 {
		return nil, fmt.Errorf("%w at the start: the faces of an event stand with it, --event '%s dice=%s'",
			exit.WordRefusal(err), q.event[0], strings.Join(strings.Fields(strings.Join(q.dice, " ")), " dice="))
	}
	if e, ok := errors.AsType[*runtime.InputError](err); ok && e.Root == "input" && e.IsUnknown() {
		name := strings.TrimPrefix(e.Path, ".")
		if event := eventTaking(program.Plan().Procedure(id), name); event != "" {
			return nil, fmt.Errorf("input.%s: the start has no such field: it comes with an event, "+
				"--event '%s %[1]s=VALUE'", name, event)
		}
	}
	if err != nil {
		lacks := func() []dice.Lack { return procedure.Lacks(request) }
		return nil, exit.WordRefusal(q.placeError(refusal.NameLacks(err, lacks)))
	}
	q.reportMisspelled(func(r runtime.Request) ([]ask.Need, error) {
		reply, err := procedure.Ask(r)
		if err != nil {
			return nil, err
		}
		return reply.Needs, nil
	}, &request)
	q.Begun = receipt.Beginning{Character: request.Character, Input: request.Input}
	return play, nil
}

// eventTaking returns the first event of a procedure whose input has a field; "" for none.
func eventTaking(p *plan.Procedure, field string) string {
	for i := range p.Events {
		if p.Events[i].Input.Member(field) != nil {
			return p.Events[i].ID
		}
	}
	return ""
}

// resumePlay reads --state.
func (q *question) resumePlay(program *runtime.Program, id string) (*runtime.Play, error) {
	text, err := q.files.Read("state", q.state)
	if err != nil {
		return nil, err
	}
	return q.Resume(program, id, argdata.FileName(q.state), text)
}

// printPlay prints the sheet of a play: as JSON the form that --state reads, as text the changes since was.
func (q *question) printPlay(program *runtime.Program, play *runtime.Play, was present.Before) error {
	out := q.c.OutOrStdout()
	if q.format == usage.AsJSON {
		return jsontext.PrintIndented(out, play.AppendJSON(nil))
	}
	page := q.s.newPage(out)
	present.PrintPlay(page, program.Plan(), play, was, int(q.trace))
	return page.Flush(out)
}

// readEvents reads the events of --event or --events, which exclude each other; none is a list of
// none, and the play is then only begun or looked at.
func (q *question) readEvents(p *plan.Plan, id string) (out []runtime.Step, err error) {
	for _, text := range q.event {
		e, err := argdata.ParseEvent(text, p.Procedure(id), &q.files)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	if len(q.event) == 0 && q.events != "" {
		text, err := q.files.Read("events", q.events)
		if err != nil {
			return nil, err
		}
		if out, err = golden.ParseEvents(argdata.FileName(q.events), text); err != nil {
			return nil, err
		}
	}
	return out, nil
}
