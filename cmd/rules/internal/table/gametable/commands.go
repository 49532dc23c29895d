package gametable

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/spell"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// Do carries out a player's command. An impossible command is a notice, and changes nothing; the error is that of a file.
//
// The error is for a failure that ends a session, such as a disk that is full. A mistake that a player may mend by typing
// something else is a notice, and the moment stays as it was.
func (s *Session) Do(p *Prompt, c *Command) ([]Notice, error) {
	var said []Notice
	var err error
	switch {
	case len(c.But) > 0 && !c.AcceptAll:
		err = errors.New("but: it belongs to accept_all, and says of which fields the default is not taken")
	case c.Undo:
		if err = s.undo(); err == nil {
			return []Notice{{Undone: true}}, s.Save()
		}
	case c.Odds:
		var list []Chance
		if list, err = s.promptOdds(p); err == nil {
			s.nameChances(p, list)
			said = []Notice{{Odds: list, Note: s.noteDecisions()}}
		}
	case c.Why:
		var steps []*trace.Step
		if steps, err = s.traceResult(); err == nil {
			said = []Notice{{Why: steps}}
		}
	case c.Roll || c.RollAll:
		said, err = s.rollDice(p, c.RollAll)
	case c.Accept || c.AcceptAll:
		err = s.acceptDefault(p, c.AcceptAll, c.But)
	case c.saveTo != "":
		said, err = s.saveTo(c.saveWhat, c.saveTo)
	case c.Example:
		err = s.takeExample(p)
	case c.File != "":
		err = s.takeFile(p, c.File)
	default:
		if err = s.takeAnswer(p, c.Answer); err == nil {
			said = noteUnknown(&p.Need, c.Answer)
		}
	}
	if err != nil {
		said = append(said, Notice{Error: exit.PathOnly(err).Error()})
	}
	return said, nil
}

// noteUnknown returns a notice of the words in an answer that no table knows: a slip would count for nothing in silence.
//
// It warns and takes the answer all the same: an unknown word may be meant, since
// maps of characters are open.
func noteUnknown(q *ask.Need, answer json.RawMessage) []Notice {
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

// takeAnswer takes the answer to a prompt, as a step.
func (s *Session) takeAnswer(p *Prompt, value json.RawMessage) error {
	var text string
	isText := json.Unmarshal(value, &text) == nil
	switch {
	case len(value) == 0:
		return errors.New("there is no answer")
	case (p.Kind == AskSubject || p.Kind == AskMore) && isText:
		return s.Choose(text)
	case p.Kind == AskEvent && isText:
		return s.chooseEvent(p, text)
	case p.Kind == AskSubject || p.Kind == AskMore || p.Kind == AskEvent:
		return fmt.Errorf("%s is no name", value)
	case p.Kind == ask.Die:
		return s.answerFaces(p, value)
	}
	next := s.moment
	next.isDecision = p.Kind == ask.Decision
	if err := next.request.Answer(&p.Need, value); err != nil {
		return err
	}
	s.moveTo(next)
	return nil
}

// answerFaces takes a face, or several that fall one after the other, of this die and of those that are needed after it.
//
// The next die depends on the face of this one: dice explode, are rerolled, or end a chain. So each face is put in and the
// rule is asked for the next die, before the next face is judged.
func (s *Session) answerFaces(p *Prompt, value json.RawMessage) error {
	faces := []json.RawMessage{value}
	if value[0] == '[' {
		if err := json.Unmarshal(value, &faces); err != nil {
			return err
		}
	}
	next := s.moment
	next.isDecision = false
	q := &p.Need
	for i, face := range faces {
		if q == nil {
			return fmt.Errorf("%s: too many faces: %d given, but %d fell", p.voice.dieName(p.Die), len(faces), i)
		}
		if err := next.request.Answer(q, face); err != nil {
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
	s.moveTo(next)
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
	next := s.moment
	next.event, next.request, next.isDecision = name, runtime.Request{Throw: dice.DrawnFrom(s.Seed)}, false
	s.moveTo(next)
	return nil
}

// acceptDefault takes the default of the field that is asked for, or those of all fields of its record but for some.
//
// Fields of one question belong to one record, input or character. "all" accepts that record as a
// whole, so that fields which only become needed by an answer are settled too.
func (s *Session) acceptDefault(p *Prompt, all bool, but []string) error {
	if len(but) > 0 {
		return s.acceptAllBut(p, but)
	}
	if p.Kind != ask.Field && p.Kind != ask.Decision {
		return errors.New("there is no default here")
	}
	next := s.moment
	next.isDecision = p.Kind == ask.Decision
	open := p.openFields()
	switch {
	case all && !slices.ContainsFunc(open, func(q ask.Need) bool { return !q.Required }):
		return fmt.Errorf("%s has no default: it needs an answer", p.voice.fieldName(p.Path))
	case all && next.isDecision:
		for _, q := range open {
			if !q.Required {
				next.request.Accepted = append(slices.Clip(next.request.Accepted), q.Path)
			}
		}
	case all:
		next.request.Accepted = append(slices.Clip(next.request.Accepted), rootOf(p.Path))
	default:
		if err := next.request.Answer(&p.Need, nil); err != nil {
			return err
		}
	}
	s.moveTo(next)
	return nil
}

// acceptAllBut takes the defaults of all fields that are asked for now, but for some.
//
// "all" accepts the whole record, so that fields that become needed later are settled with it. Here each open field is
// accepted by itself: a record that is accepted would include those that the player wants to be asked for.
func (s *Session) acceptAllBut(p *Prompt, but []string) error {
	if p.Kind != ask.Field && p.Kind != ask.Decision {
		return errors.New("there is no default here")
	}
	if name := unknownField(p, but); name != "" {
		return fmt.Errorf("no field that is asked for now is named %q: nothing was taken", name)
	}
	next := s.moment
	next.isDecision = p.Kind == ask.Decision
	for _, q := range p.openFields() {
		if !q.Required && !isNamed(q.Path, but) {
			next.request.Accepted = append(slices.Clip(next.request.Accepted), q.Path)
		}
	}
	if len(next.request.Accepted) == len(s.moment.request.Accepted) {
		return errors.New("no other field has a default here")
	}
	s.moveTo(next)
	return nil
}

// openFields returns the fields that are asked for: the next, and those that follow unless answers make them needless.
func (p *Prompt) openFields() []ask.Need {
	return append([]ask.Need{p.Need}, p.later...)
}

// unknownField returns the first of some names that no open field has; "" when each has one.
func unknownField(p *Prompt, names []string) string {
	for _, name := range names {
		if !slices.ContainsFunc(p.openFields(), func(q ask.Need) bool { return isNamed(q.Path, []string{name}) }) {
			return name
		}
	}
	return ""
}

// isNamed reports whether a field is meant by one of some names: its path, or the end of it.
func isNamed(path string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return path == name || strings.HasSuffix(path, "."+name) })
}

// rollDice rolls the next die or, with all, every die that is needed.
//
// A face that a seed draws is known before it is rolled (Drawn), and is told only when it is rolled. With "all", the faces
// are judged when the rule is asked on, and a refusal then shows all of them.
func (s *Session) rollDice(p *Prompt, all bool) (said []Notice, err error) {
	if p.Kind != ask.Die {
		return nil, errors.New("no die is asked for")
	}
	next := s.moment
	next.isDecision = false
	for q := &p.Need; q != nil; {
		next.request.LetFall(q)
		said = append(said, Notice{Fell: fmt.Sprintf("%s=%d", q.Die, q.Drawn),
			fell: fmt.Sprintf("%s %d", p.voice.dieName(q.Die), q.Drawn)})
		if !all {
			break
		}
		if q, err = s.nextDie(&next); err != nil {
			break // what fell is judged when it is asked on
		}
	}
	s.moveTo(next)
	return said, nil
}

// nextDie returns the die that a moment needs next; nil when it needs none. The error is that of the faces that have
// fallen.
//
// It asks on a copy of the session, whose moments are shared but not changed: askNext may replace
// moment, and only moment. Where that seats another character, the returned moment has it too.
func (s *Session) nextDie(m *moment) (*ask.Need, error) {
	t := *s
	t.moment = *m
	for {
		left := len(t.moment.otherCharacters)
		p, _, err := t.askNext()
		if isSeated := len(t.moment.otherCharacters) < left; err == nil && p == nil && isSeated {
			*m = t.moment // another character has answered by itself, and a die may come behind it
			continue
		}
		if err != nil || p == nil || p.Kind != ask.Die {
			return nil, err
		}
		return &p.Need, nil
	}
}
