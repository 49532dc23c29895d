package gametable

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/say"
)

// Prompt returns the present question. Notices tell the results of the steps since the last prompt.
//
// It loops because a turn after an answer may not need anybody: a sheet that is complete asks for the next subject, a
// refusal asks the question before it again. Each turn either returns, moves to a moment with a result, seats another
// character, marks the moment as refused, or undoes a step: so it ends.
func (s *Session) Prompt() (*Prompt, []Notice, error) {
	var said []Notice
	for {
		p, notices, err := s.askNext()
		said = append(said, notices...)
		var refused *runtime.Refused
		isRefused := errors.As(err, &refused) || isFailure(err)
		switch {
		case err == nil && p == nil: // there is a result, or a question answered itself
			if err := s.Save(); err != nil {
				return nil, said, err
			}
			continue
		case err == nil:
			p.voice = s.voice()
			return p, said, nil
		case isRefused && s.moment.isDecision:
			said = append(said, Notice{Refused: s.explainRefusal(err)})
			for s.moment.isDecision {
				if err := s.undo(); err != nil {
					return nil, said, err
				}
			}
			continue
		case isRefused && len(s.moment.request.Dice.ByID) > 0:
			s.moment.isRefused = true
			said = append(said, Notice{Refused: s.explainRefusal(err)})
			continue
		case len(s.history) == 0:
			return nil, said, err
		}
		said = append(said, Notice{Refused: s.explainRefusal(err)})
		if err := s.undo(); err != nil {
			return nil, said, err
		}
	}
}

// explainRefusal words why the moment is refused, with the numbers that its requirement compared.
//
// The values that a requirement compared are found by asking once more for just them. When that
// fails, or the refusal is not a requirement's own, the message stands alone.
func (s *Session) explainRefusal(err error) string {
	why, failed := s.findRefusal()
	if failed != nil || !refusal.IsOwn(err) {
		why = nil
	}
	return refusal.Explain(exit.PathOnly(err), why, s.voice().teller).Error()
}

// findRefusal finds which values the requirement read that refuses the moment.
func (s *Session) findRefusal() (*runtime.Explanation, error) {
	m := &s.moment
	choice := runtime.Choice{Options: s.Options}
	switch {
	case slices.Contains(s.Program.RuleNames(), m.subject):
		rule, err := s.Program.Rule(m.subject, choice)
		if err != nil {
			return nil, err
		}
		return rule.Explain(m.request)
	case m.play != nil:
		return m.play.Explain(m.event, m.request)
	}
	procedure, err := s.Program.Procedure(m.subject, choice)
	if err != nil {
		return nil, err
	}
	return procedure.Explain(m.request)
}

// askNext asks for the next need of the moment. No prompt and no error mean that a result was reached.
//
// The cases are the states of a sitting, from none chosen to an event under way. A play that has ended, a sheet and a
// refusal lead to the same question: which subject comes next.
func (s *Session) askNext() (*Prompt, []Notice, error) {
	m := &s.moment
	switch {
	case m.subject == "":
		return s.askSubject(), nil, nil
	case m.isRefused, m.sheet != nil, m.play != nil && !m.play.IsOpen():
		return &Prompt{Need: ask.Need{Kind: AskMore}, Choices: s.askSubject().Choices}, nil, nil
	case slices.Contains(s.Program.RuleNames(), m.subject):
		return s.askRule()
	case m.play == nil:
		return s.askStart()
	case m.event == "":
		offers, err := m.play.Offers()
		return &Prompt{
			Need: ask.Need{Kind: AskEvent}, Offers: offers, offerTexts: view.Offers(s.Program.Plan(), m.play, offers),
		}, nil, err
	}
	return s.askEvent()
}

// askSubject asks for a procedure or a rule; procedures come first, which are the subject of most sittings at a table.
func (s *Session) askSubject() *Prompt {
	p := &Prompt{Need: ask.Need{Kind: AskSubject}}
	speaker := say.NewSpeaker(s.Program.Plan())
	for _, kind := range []string{"procedure", "rule"} {
		for _, item := range describe.ItemsOf(s.Program.Plan()) {
			if item.Kind == kind {
				c := Choice{ID: item.ID, Kind: item.Kind, Doc: item.Doc}
				if speaker.HasGlossary() {
					c.title = speaker.Of(item.ID).Title()
				}
				p.Choices = append(p.Choices, c)
			}
		}
	}
	return p
}

// questionPrompt returns the prompt of the next need. It returns no prompt when another character of --character was an
// answer.
func (s *Session) questionPrompt(needs []ask.Need) (*Prompt, []Notice, error) {
	if path := s.pathForOther(needs); path != "" {
		return nil, []Notice{{Note: s.voice().fieldName(path) + ": the next of --character"}}, s.takeOtherCharacter(path)
	}
	p := &Prompt{Need: needs[0], later: needs[1:]}
	if p.Kind != ask.Die {
		p.Character = s.characterAround(p.Path)
	}
	return p, nil, nil
}

// pathForOther returns the path of the first other character that is needed, when there is one left to put there; else
// empty.
func (s *Session) pathForOther(needs []ask.Need) string {
	if len(s.moment.otherCharacters) == 0 {
		return ""
	}
	for i := range needs {
		if needs[i].Kind == ask.Die {
			continue
		}
		if path := s.characterAround(needs[i].Path); path != "" && path != "character" {
			return path
		}
	}
	return ""
}

// takeOtherCharacter puts the next other character at a path. It is no step of its own: undo takes it back with the
// answer before.
func (s *Session) takeOtherCharacter(path string) error {
	next := s.moment
	whole := ask.Need{Kind: ask.Field, Path: path}
	if err := next.request.Answer(&whole, next.otherCharacters[0]); err != nil {
		return err
	}
	next.request.Accepted = append(slices.Clip(next.request.Accepted), path)
	next.otherCharacters = next.otherCharacters[1:]
	s.moment = next
	return nil
}

// askRule asks a rule for its next need. When it needs nothing it has answered, and the receipt is made.
//
// The receipt is made of completed records, with the defaults that held: a later revision may have other defaults, and the
// receipt records those that were played.
func (s *Session) askRule() (*Prompt, []Notice, error) {
	rule, err := s.Program.Rule(s.moment.subject, runtime.Choice{Options: s.Options})
	if err != nil {
		return nil, nil, err
	}
	reply, err := rule.Ask(s.moment.request)
	if err != nil {
		return nil, nil, err
	}
	sheet := reply.Sheet
	if sheet == nil {
		return s.questionPrompt(reply.Needs)
	}
	next := s.moment
	next.sheet, next.character = sheet, next.request.Character
	character, input, err := rule.Fill(next.request)
	if err != nil {
		return nil, nil, err
	}
	request := runtime.Request{Character: character, Input: input}
	r, err := receipt.NewReceipt(s.Program, nil, request, sheet)
	if err != nil {
		return nil, nil, err
	}
	next.current = compactJSON(r.Printed())
	s.moment = next
	notes := view.FindNotes(s.Program.Plan(), rule, request, sheet)
	return nil, []Notice{{Sheet: sheet, notes: notes}}, nil
}

func (s *Session) askStart() (*Prompt, []Notice, error) {
	procedure, err := s.Program.Procedure(s.moment.subject, runtime.Choice{Options: s.Options})
	if err != nil {
		return nil, nil, err
	}
	reply, err := procedure.Ask(s.moment.request)
	if err != nil {
		return nil, nil, err
	}
	play := reply.Play
	if play == nil {
		return s.questionPrompt(reply.Needs)
	}
	next := s.moment
	character, _, err := procedure.Fill(next.request)
	if err != nil {
		return nil, nil, err
	}
	next.character = next.request.Character
	next.beginning = receipt.Beginning{Character: character, Input: play.Input}
	return nil, []Notice{{Happened: s.stepChanges(next, play, "")}}, s.acceptPlay(next, play)
}

// askEvent asks an event for its next need. When it needs nothing it has happened.
func (s *Session) askEvent() (*Prompt, []Notice, error) {
	reply, err := s.moment.play.Ask(s.moment.event, s.moment.request)
	if err != nil {
		return nil, nil, err
	}
	play := reply.Play
	if play == nil {
		return s.questionPrompt(reply.Needs)
	}
	next := s.moment
	return nil, []Notice{{Happened: s.stepChanges(next, play, s.moment.event)}}, s.acceptPlay(next, play)
}

// acceptPlay moves to the moment after a step of a play.
//
// The character is the play's only when the play has changed it. Asking fills in defaults for parts
// that nothing reads, and to write these into the player's file would turn "not said" into "said".
func (s *Session) acceptPlay(next moment, play *runtime.Play) error {
	if was := characterBefore(&next); !bytes.Equal(was, play.Character) {
		next.character = play.Character // else it stays as it was told: the play's may have made-up values in it
	}
	next.play, next.event, next.isDecision = play, "", false
	next.request = runtime.Request{Throw: dice.DrawnFrom(s.Seed)}
	r, err := receipt.NewPlayReceipt(s.Program, next.subject, s.Options, &next.beginning, play)
	if err != nil {
		return err
	}
	next.current = compactJSON(r.Printed())
	s.moment = next
	return nil
}

// characterBefore returns the character of a play before its next step.
func characterBefore(m *moment) []byte {
	if m.play != nil {
		return m.play.Character
	}
	return m.beginning.Character
}

// stepChanges returns the changes that a step has made.
//
// Changes are compared as JSON, before and after, because a step may set any part of the state and of the character, and
// the plan does not say which it has changed.
func (s *Session) stepChanges(m moment, play *runtime.Play, event string) *StepChanges {
	h := &StepChanges{Event: event, Status: play.Status, Now: play.Output.AppendJSON(nil)}
	p := s.Program.Plan()
	if event != "" {
		h.Output = play.Events[len(play.Events)-1].Output
		h.notes = view.NotesOfEvent(p, play, len(play.Events)-1)
	}
	h.nowNotes = view.NotesOfPlay(p, play)
	h.notes.Spoken, h.nowNotes.Spoken = true, true
	var state, character []byte
	if m.play != nil {
		state, character = m.play.State, m.play.Character
	} else {
		character = play.Character
	}
	h.Changed = append(changes.Compare("state", state, play.State),
		changes.Compare("character", character, play.Character)...)
	return h
}

func compactJSON(text []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		panic("gametable: a receipt is no JSON: " + err.Error())
	}
	return b.Bytes()
}
