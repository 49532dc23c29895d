// Package gametable leads players through rules and procedures: it asks for what is needed next, takes answers and faces,
// undoes steps, and keeps the character, the state and the log on the disk after each step. How it talks to people or
// programs is for its two front ends, lines of text and lines of JSON: both give the same prompts and take the same
// commands.
//
// Invariant: a moment is never changed. Every step makes a new one, so that undoing is taking the one before.
package gametable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/refusal"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Session is a sitting at the table with one ruleset. It serves one goroutine.
type Session struct {
	Program *runtime.Program
	Options map[string]string
	Seed    uint64
	// Files that are written after each step; "" for none.
	CharacterFile, StateFile, LogFile string
	// Others are other characters, who fill the fields of an input that are of the type character, in the order of the
	// schema.
	Others []json.RawMessage
	// Example gives a character for a rule or a procedure that ships with the ruleset; nil when there is none.
	Example func(subject string) []byte

	now    moment
	before []moment // the latest last
}

// A moment is what holds between two steps.
type moment struct {
	subject   string // a rule or a procedure; "" when none is chosen
	character json.RawMessage
	whole     bool          // the character was given as a whole: what is absent of it is as by default
	known     runtime.Known // of the rule, of the start, or of the event
	play      *runtime.Play // a procedure that has begun
	event     string        // that happens; "" while one is chosen
	begun     receipt.Beginning
	refused   bool // the dice that fell are refused: nothing can be answered any more
	decided   bool // it was reached by an answer to a decision, which may be given anew
	sheet     *runtime.Sheet
	log       []json.RawMessage // receipts of what has come to its end
	current   json.RawMessage   // the receipt of the play so far
}

// Begin begins a session with what is known of the character; none when nothing is. Of one that is whole, all that is
// absent is as by default; the rest of another one is asked for.
func (s *Session) Begin(character json.RawMessage, whole bool) {
	s.now = moment{character: character, whole: whole}
}

// Choose chooses a subject.
func (s *Session) Choose(id string) error {
	known := describe.EvaluableNames(s.Program.Plan())
	if !slices.Contains(known, id) {
		return describe.UnknownIn(s.Program.Plan(), "rule or procedure", id, known)
	}
	next := moment{subject: id, character: s.now.character, whole: s.now.whole, log: s.now.log}
	if s.now.current != nil {
		next.log = append(slices.Clip(next.log), s.now.current)
	}
	next.known = runtime.Known{Character: next.character, Seed: &s.Seed}
	if next.whole {
		next.known.Accepted = []string{"character"}
	}
	for _, other := range s.Others {
		filled, path, err := argdata.FillCharacter(next.known.Input, describe.InputOf(s.Program.Plan(), id), other)
		if err != nil {
			return err
		}
		if path == "" {
			break // the others are for other rules
		}
		next.known.Input, next.known.Accepted = filled, append(next.known.Accepted, "input."+path)
	}
	s.step(next)
	return nil
}

// Resume goes on with a play. The character that it was begun with is kept as it was told, for the play's may have made-up
// values in it: the play's counts where nobody told of one.
func (s *Session) Resume(play *runtime.Play, from []byte) {
	_, _, id := play.Subject()
	told := s.now.character
	if told == nil {
		told = play.Character
	}
	s.now = moment{subject: id, play: play, character: told}
	s.now.begun.Request.Character, s.now.begun.Request.Input, s.now.begun.From = play.Character, play.Input, from
}

// step goes on to another moment.
func (s *Session) step(next moment) {
	s.before = append(s.before, s.now)
	s.now = next
}

// Undo goes back a step.
func (s *Session) undo() error {
	if len(s.before) == 0 {
		return errors.New("there is nothing to undo")
	}
	s.now = s.before[len(s.before)-1]
	s.before = s.before[:len(s.before)-1]
	return nil
}

// Prompt is what is asked for now. Notices say what the steps since the last prompt came to.
func (s *Session) Prompt() (*Prompt, []Notice, error) {
	var said []Notice
	for {
		p, notices, err := s.ask()
		said = append(said, notices...)
		var refused *runtime.Refused
		isRefused := errors.As(err, &refused) || isFailure(err)
		switch {
		case err == nil && p == nil: // there is a result
			if err := s.Save(); err != nil {
				return nil, said, err
			}
			continue
		case err == nil:
			return p, said, nil
		case isRefused && s.now.decided:
			said = append(said, Notice{Refused: s.explainRefusal(err)})
			for s.now.decided {
				if err := s.undo(); err != nil {
					return nil, said, err
				}
			}
			continue
		case isRefused && len(s.now.known.Dice) > 0:
			s.now.refused = true
			said = append(said, Notice{Refused: s.explainRefusal(err)})
			continue
		case len(s.before) == 0:
			return nil, said, err
		}
		said = append(said, Notice{Refused: s.explainRefusal(err)})
		if err := s.undo(); err != nil {
			return nil, said, err
		}
	}
}

func isFailure(err error) bool {
	var f *runtime.Failure
	return errors.As(err, &f)
}

// explainRefusal words why the moment is refused, with the numbers that its requirement compared.
func (s *Session) explainRefusal(err error) string {
	why, failed := s.findRefusal()
	if failed != nil || !refusal.IsOwn(err) {
		why = nil
	}
	return refusal.Explain(exit.PathOnly(err), why).Error()
}

// findRefusal finds which values the requirement read that refuses the moment.
func (s *Session) findRefusal() (*runtime.Refusal, error) {
	m := &s.now
	choice := runtime.Choice{Options: s.Options}
	switch {
	case slices.Contains(s.Program.RuleNames(), m.subject):
		rule, err := s.Program.Rule(m.subject, choice)
		if err != nil {
			return nil, err
		}
		return rule.WhyAskRefused(m.known)
	case m.play != nil:
		return m.play.WhyAskRefused(m.event, m.known)
	}
	procedure, err := s.Program.Procedure(m.subject, choice)
	if err != nil {
		return nil, err
	}
	return procedure.WhyAskRefused(m.known)
}

// ask asks for what the moment needs. No prompt and no error mean that a result was reached.
func (s *Session) ask() (*Prompt, []Notice, error) {
	m := &s.now
	switch {
	case m.subject == "":
		return s.askSubject(), nil, nil
	case m.refused, m.sheet != nil, m.play != nil && m.play.Status != runtime.Open:
		return &Prompt{Question: runtime.Question{Ask: AskMore}, Choices: s.askSubject().Choices}, nil, nil
	case slices.Contains(s.Program.RuleNames(), m.subject):
		return s.askRule()
	case m.play == nil:
		return s.askStart()
	case m.event == "":
		offers, err := m.play.Offers()
		return &Prompt{Question: runtime.Question{Ask: AskEvent}, Offers: offers}, nil, err
	}
	return s.askEvent()
}

// askSubject asks for a procedure or a rule; procedures come first, which are what most sittings at a table are about.
func (s *Session) askSubject() *Prompt {
	p := &Prompt{Question: runtime.Question{Ask: AskSubject}}
	for _, kind := range []string{"procedure", "rule"} {
		for _, item := range describe.ItemsOf(s.Program.Plan()) {
			if item.Kind == kind {
				p.Choices = append(p.Choices, Choice{item.ID, item.Kind, item.Doc})
			}
		}
	}
	return p
}

func (s *Session) questionPrompt(needs []runtime.Question) *Prompt {
	p := &Prompt{Question: needs[0], later: needs[1:]}
	if p.Ask != runtime.AskDie {
		p.Character = s.characterAround(p.Path)
	}
	return p
}

func (s *Session) askRule() (*Prompt, []Notice, error) {
	rule, err := s.Program.Rule(s.now.subject, runtime.Choice{Options: s.Options})
	if err != nil {
		return nil, nil, err
	}
	asked, err := rule.Ask(s.now.known)
	if err != nil {
		return nil, nil, err
	}
	if asked.Sheet == nil {
		return s.questionPrompt(asked.Needs), nil, nil
	}
	next := s.now
	next.sheet, next.character = asked.Sheet, next.known.Character
	character, input, err := rule.Fill(next.known)
	if err != nil {
		return nil, nil, err
	}
	request := runtime.Request{Character: character, Input: input}
	r, err := receipt.NewReceipt(s.Program.Plan(), nil, request, asked.Sheet)
	if err != nil {
		return nil, nil, err
	}
	next.current = compacted(r.Printed())
	s.now = next
	notes := present.FindNotes(s.Program.Plan(), rule, request, asked.Sheet)
	return nil, []Notice{{Sheet: asked.Sheet, notes: notes}}, nil
}

func (s *Session) askStart() (*Prompt, []Notice, error) {
	procedure, err := s.Program.Procedure(s.now.subject, runtime.Choice{Options: s.Options})
	if err != nil {
		return nil, nil, err
	}
	play, needs, err := procedure.AskStart(s.now.known)
	if err != nil {
		return nil, nil, err
	}
	if play == nil {
		return s.questionPrompt(needs), nil, nil
	}
	next := s.now
	character, _, err := procedure.Fill(next.known)
	if err != nil {
		return nil, nil, err
	}
	next.character = next.known.Character
	next.begun = receipt.Beginning{Request: runtime.Request{Character: character, Input: play.Input}}
	next.begun.Drawn = drawnEvents(nil, next.known, 0)
	return nil, []Notice{{Happened: s.happened(next, play, "")}}, s.accept(next, play)
}

// drawnEvents are the events of which faces were drawn, and the one of a number if any of its were.
func drawnEvents(list []uint64, k runtime.Known, number uint64) []uint64 {
	for _, r := range k.Given {
		if slices.Contains(r.Faces, 0) {
			return append(slices.Clip(list), number)
		}
	}
	return list
}

func (s *Session) askEvent() (*Prompt, []Notice, error) {
	play, needs, err := s.now.play.Ask(s.now.event, s.now.known)
	if err != nil {
		return nil, nil, err
	}
	if play == nil {
		return s.questionPrompt(needs), nil, nil
	}
	next := s.now
	next.begun.Drawn = drawnEvents(next.begun.Drawn, next.known, s.now.play.Number())
	return nil, []Notice{{Happened: s.happened(next, play, s.now.event)}}, s.accept(next, play)
}

// accept takes a play that has gone a step further.
func (s *Session) accept(next moment, play *runtime.Play) error {
	if was := characterBefore(&next); !bytes.Equal(was, play.Character) {
		next.character = play.Character // else it stays as it was told: the play's may have made-up values in it
	}
	next.play, next.event, next.decided = play, "", false
	next.known = runtime.Known{Seed: &s.Seed}
	r, err := receipt.NewPlayReceipt(s.Program.Plan(), next.subject, s.Options, &next.begun, s.Seed, play)
	if err != nil {
		return err
	}
	next.current = compacted(r.Printed())
	s.now = next
	return nil
}

// characterBefore is the character of a play before its next step.
func characterBefore(m *moment) []byte {
	if m.play != nil {
		return m.play.Character
	}
	return m.begun.Request.Character
}

// happened says what a step has changed.
func (s *Session) happened(m moment, play *runtime.Play, event string) *Happened {
	h := &Happened{Event: event, Status: play.Status, Now: play.Output.AppendJSON(nil)}
	p := s.Program.Plan()
	if event != "" {
		h.Output = play.Events[len(play.Events)-1].Output
		h.notes = present.NotesOfJSON(p, m.subject+"."+event, h.Output)
	}
	h.nowNotes = present.NotesOf(p, m.subject, play.Output)
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

func compacted(text []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		panic("gametable: a receipt is no JSON: " + err.Error())
	}
	return b.Bytes()
}

// Do carries out what a player says. What cannot be is a notice, and changes nothing; the error is that of a file.
func (s *Session) Do(p *Prompt, c *Command) ([]Notice, error) {
	var said []Notice
	var err error
	switch {
	case c.Undo:
		if err = s.undo(); err == nil {
			return []Notice{{Undone: true}}, s.Save()
		}
	case c.Odds:
		var list []Chance
		if list, err = s.odds(p); err == nil {
			said = []Notice{{Odds: list, Note: s.noteDecisions()}}
		}
	case c.Why:
		var steps []*runtime.Step
		if steps, err = s.traceResult(); err == nil {
			said = []Notice{{Why: steps}}
		}
	case c.Roll || c.RollAll:
		said, err = s.roll(p, c.RollAll)
	case c.Accept || c.AcceptAll:
		err = s.acceptDefault(p, c.AcceptAll)
	case c.saveTo != "":
		said, err = s.saveTo(c.saveWhat, c.saveTo)
	case c.Example:
		err = s.takeExample(p)
	case c.File != "":
		err = s.takeFile(p, c.File)
	default:
		if err = s.answer(p, c.Answer); err == nil {
			said = noteUnknown(&p.Question, c.Answer)
		}
	}
	if err != nil {
		said = append(said, Notice{Error: exit.PathOnly(err).Error()})
	}
	return said, nil
}

// noteUnknown says which of the words that are looked up nothing is known of: a slip would count for nothing in silence.
func noteUnknown(q *runtime.Question, answer json.RawMessage) []Notice {
	words := []string{""}
	if json.Unmarshal(answer, &words[0]) != nil && json.Unmarshal(answer, &words) != nil {
		return nil
	}
	var unknown []string
	for _, w := range words {
		if w != "" && len(q.Suggest) > 0 && !slices.Contains(q.Suggest, w) {
			unknown = append(unknown, w)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	note := "not known: " + strings.Join(unknown, ", ") + "; known are " + strings.Join(q.Suggest, ", ")
	if near := spell.Nearest(unknown[0], q.Suggest); near != "" {
		note += fmt.Sprintf(". Undo, if you meant %q", near)
	}
	return []Notice{{Note: note}}
}

// answer takes the answer to a prompt.
func (s *Session) answer(p *Prompt, value json.RawMessage) error {
	var text string
	isText := json.Unmarshal(value, &text) == nil
	switch {
	case len(value) == 0:
		return errors.New("there is no answer")
	case (p.Ask == AskSubject || p.Ask == AskMore) && isText:
		return s.Choose(text)
	case p.Ask == AskEvent && isText:
		return s.chooseEvent(p, text)
	case p.Ask == AskSubject || p.Ask == AskMore || p.Ask == AskEvent:
		return fmt.Errorf("%s is no name", value)
	case p.Ask == runtime.AskDie:
		return s.answerFaces(p, value)
	}
	next := s.now
	next.decided = p.Ask == runtime.AskDecision
	if err := next.known.Answer(&p.Question, value); err != nil {
		return err
	}
	s.step(next)
	return nil
}

// answerFaces takes a face, or several that fall one after the other, of this die and of those that are needed after it.
func (s *Session) answerFaces(p *Prompt, value json.RawMessage) error {
	faces := []json.RawMessage{value}
	if value[0] == '[' {
		if err := json.Unmarshal(value, &faces); err != nil {
			return err
		}
	}
	next := s.now
	next.decided = false
	q := &p.Question
	for i, face := range faces {
		if q == nil {
			return fmt.Errorf("%s: too many faces: %d given, but %d fell", p.Die, len(faces), i)
		}
		if err := next.known.Answer(q, face); err != nil {
			return err
		}
		if i+1 == len(faces) {
			break
		}
		var err error
		if q, err = s.nextDie(&next); err != nil {
			return err
		}
	}
	s.step(next)
	return nil
}

// chooseEvent chooses an event that is offered.
func (s *Session) chooseEvent(p *Prompt, name string) error {
	at := slices.IndexFunc(p.Offers, func(o runtime.Offer) bool { return o.Event == name })
	if at < 0 {
		var known []string
		for _, o := range p.Offers {
			known = append(known, o.Event)
		}
		return &runtime.UnknownError{What: "event", Name: name, Known: known}
	}
	switch o := &p.Offers[at]; {
	case !o.Offered:
		return fmt.Errorf("%s is not offered: %s", name, o.WhyNot())
	case o.Refused != "":
		return fmt.Errorf("%s would be refused: %s", name, o.Refused)
	}
	next := s.now
	next.event, next.known, next.decided = name, runtime.Known{Seed: &s.Seed}, false
	s.step(next)
	return nil
}

// acceptDefault takes the default of the field that is asked for, or those of all fields of its record.
func (s *Session) acceptDefault(p *Prompt, all bool) error {
	if p.Ask != runtime.AskField && p.Ask != runtime.AskDecision {
		return errors.New("there is no default here")
	}
	next := s.now
	next.decided = p.Ask == runtime.AskDecision
	open := append([]runtime.Question{p.Question}, p.later...)
	switch {
	case all && !slices.ContainsFunc(open, func(q runtime.Question) bool { return !q.Required }):
		return fmt.Errorf("%s has no default: it needs an answer", p.Path)
	case all && next.decided:
		for _, q := range open {
			if !q.Required {
				next.known.Accepted = append(slices.Clip(next.known.Accepted), q.Path)
			}
		}
	case all:
		next.known.Accepted = append(slices.Clip(next.known.Accepted), rootOf(p.Path))
	default:
		if err := next.known.Answer(&p.Question, nil); err != nil {
			return err
		}
	}
	s.step(next)
	return nil
}

func rootOf(path string) string {
	root, _, _ := bytes.Cut([]byte(path), []byte("."))
	return string(root)
}

// roll lets a die fall, or all that are needed.
func (s *Session) roll(p *Prompt, all bool) (said []Notice, err error) {
	if p.Ask != runtime.AskDie {
		return nil, errors.New("no die is asked for")
	}
	next := s.now
	next.decided = false
	for q := &p.Question; q != nil; {
		next.known.Roll(q)
		said = append(said, Notice{Fell: fmt.Sprintf("%s=%d", q.Die, q.Drawn)})
		if !all {
			break
		}
		if q, err = s.nextDie(&next); err != nil {
			break // what fell is judged when it is asked on
		}
	}
	s.step(next)
	return said, nil
}

// nextDie is the die that a moment needs next; nil when it needs none. The error is that of the faces that have fallen.
func (s *Session) nextDie(m *moment) (*runtime.Question, error) {
	t := *s
	t.now = *m
	p, _, err := t.ask()
	if err != nil || p == nil || p.Ask != runtime.AskDie {
		return nil, err
	}
	return &p.Question, nil
}
