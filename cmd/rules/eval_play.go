package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// playProcedure begins a procedure or goes on with it, and lets the events happen up to the first that is refused.
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
	refusal := q.playEvents(play, events)
	if q.receipt != "" {
		r, err := receipt.NewPlayReceipt(program.Plan(), id, q.options, &q.begun, q.seed, play)
		if err != nil {
			return err
		}
		if err := atomicfile.TheDisk().WriteAnswer(q.receipt, r.Printed()); err != nil {
			return err
		}
	}
	if q.caseFile != "" && refusal == nil {
		text, err := recordedPlay(program.Plan(), id, q.begun.Request, play)
		if err != nil {
			return err
		}
		if err := q.writeCase(text); err != nil {
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
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.options})
	if err != nil {
		return nil, err
	}
	request, err := q.readRequest(describe.InputOf(program.Plan(), id))
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(request)
	if refusal.IsOwn(err) {
		return nil, q.explainRefusal(err, request, procedure.WhyRefused)
	}
	if err != nil {
		return nil, exit.WordRefusal(exit.PathOnly(refusal.NameLacks(err, request.Dice, func(s dice.Source) {
			again := request
			again.Dice, again.Trace = s, false
			procedure.Start(again)
		})))
	}
	q.begun.Request = request
	if mixed, ok := request.Dice.(*dice.Mixed); len(play.Dice) == 0 || ok && !mixed.HasDrawn() {
		play.Seed = nil
	}
	if play.Seed != nil {
		q.begun.Drawn = append(q.begun.Drawn, 0)
	}
	return play, nil
}

// resumePlay reads --state. A seed that its faces were drawn from goes on being used.
func (q *question) resumePlay(program *runtime.Program, id string) (*runtime.Play, error) {
	text, err := q.files.Read("state", q.state)
	if err != nil {
		return nil, err
	}
	saved, err := runtime.ReadState(text)
	if err != nil && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return nil, fmt.Errorf("%s: --state reads the sheet of a procedure in JSON, as --format json prints it, not %q",
			argdata.FileName(q.state), firstWords(text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.FileName(q.state), err)
	}
	q.options = saved.Options
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.options})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.FileName(q.state), err)
	}
	play, err := procedure.Resume(saved)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.FileName(q.state), exit.PathOnly(err))
	}
	q.begun.Request.Character, q.begun.Request.Input = play.Character, play.Input
	if q.begun.From, _, err = receipt.CompactDigest(text); err != nil {
		return nil, err
	}
	switch {
	case saved.Seed != nil && q.seeded && *saved.Seed != q.seed:
		return nil, fmt.Errorf("%s was drawn from the seed %d: leave --seed out", argdata.FileName(q.state), *saved.Seed)
	case saved.Seed != nil:
		q.seed, q.seeded = *saved.Seed, true
	case !q.seeded:
		q.seed = argdata.DrawSeed()
	}
	return play, nil
}

// firstWords is the beginning of a text that is not what it should be.
func firstWords(text []byte) string {
	const most = 40
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return line
}

// playEvents lets events happen. Faces that an event does not bring are drawn, unless --dice gave those of the start.
func (q *question) playEvents(play *runtime.Play, events []golden.Event) error {
	for i, e := range events {
		source, drawn := q.eventFaces(&e, play.Number()), q.drawsFaces(&e)
		happening := runtime.Event{Name: e.Name, Input: e.Input, Dice: source, Trace: q.trace.isAsked()}
		if err := play.Do(happening); err != nil {
			return fmt.Errorf("event %d, %s: %w", i+1, e.Name, q.explainEvent(err, play, happening, &e))
		}
		if drawn && len(play.Events[len(play.Events)-1].Dice) > 0 {
			play.Seed = &q.seed
			q.begun.Drawn = append(q.begun.Drawn, uint64(len(play.Events)))
		}
	}
	return nil
}

// explainEvent says of an event that did not happen what it lacks, or what its requirement compared.
func (q *question) explainEvent(err error, play *runtime.Play, e runtime.Event, asked *golden.Event) error {
	if refusal.IsOwn(err) {
		e.Dice = q.eventFaces(asked, play.Number())
		why, failed := play.WhyRefused(e)
		if failed != nil {
			return exit.WordRefusal(err)
		}
		var seed *uint64
		if q.drawsFaces(asked) {
			seed = &q.seed
		}
		return refusal.TellFallen(refusal.Explain(err, why), why, seed)
	}
	err = refusal.NameLacks(err, e.Dice, func(s dice.Source) {
		again := *play
		again.Do(runtime.Event{Name: e.Name, Input: e.Input, Dice: s})
	})
	return exit.WordRefusal(exit.PathOnly(refusal.NameOffered(err, play)))
}

// drawsFaces reports whether the faces of an event are drawn.
func (q *question) drawsFaces(e *golden.Event) bool {
	return !e.Dice.IsGiven() && (!q.diceGiven || q.seeded)
}

// eventFaces gives the faces of an event, from the first on; its number keys those that are drawn.
func (q *question) eventFaces(e *golden.Event, number uint64) dice.Source {
	if q.drawsFaces(e) {
		return dice.FromSeed(q.seed, 0, number)
	}
	return e.Dice.Source()
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
