// Package gametable leads players through rules and procedures: it asks for what is needed next, takes answers and faces,
// undoes steps, and keeps the character, the state and the log on the disk after each step. How it talks to people or
// programs is for its two front ends, lines of text and lines of JSON: both give the same prompts and take the same
// commands.
//
// Invariant: a moment is never changed. Every step makes a new one, so that undoing is taking the one before.
//
// # A sitting
//
// "rules play tempestas" without more asks for a subject (AskSubject), which is a rule or a
// procedure. Choose makes a moment of it; from there each turn is the same:
//
//   - Prompt asks the runtime what is needed next, given what is known: Rule.Ask,
//     Procedure.Ask or Play.Ask carry the rule out as far as they can and name the first thing
//     they lack. The order of questions is theirs. Nothing here knows what a rule needs.
//   - A front end shows the Prompt and gives a Command: an answer, a face, "roll", "all", "undo".
//   - Do makes the next moment of it, or says why it cannot be, and the same is asked again.
//
// When nothing is lacking there is a sheet, or the play has gone a step further; receipts, the
// character and the state are written, and the next subject or event is asked for.
//
// # Refusals
//
// A requirement can refuse what was answered, and it is known only when the rule is asked on.
// Prompt then takes back what led to it and asks again: the last answer, or all answers to
// decisions, which are one choice of the player. Faces are not taken back: what fell, fell, so the
// moment is marked refused and only another subject, or undo, leads on. Without this distinction a
// player could roll again until the dice please.
//
// # Odds before rolling
//
// The odds at a prompt (odds.go) treat what is known as given, what is not asked for yet as by
// default, and dice that have fallen as fallen. The engine of odds knows no fallen dice, so with
// some on the table the rest is enumerated, which is small then.
//
// # Files
//
// session.go has the moments, questions.go what is asked, commands.go what is answered,
// character.go answers that are whole characters, odds.go and why.go what can be asked back,
// save.go the disk. protocol.go has the values that both front ends share; parse.go and prompt.go
// turn them into typed words and back; front_text.go and front_json.go are the two front ends. Tests: the
// scripts play_*.txtar.
package gametable

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Session is a sitting at the table with one ruleset. It serves one goroutine.
type Session struct {
	Program *runtime.Program
	Options map[string]string
	Seed    uint64
	// Files that are written after each step; "" for none.
	CharacterFile, StateFile, LogFile string
	// Others are other characters, who fill the fields of an input that are of the type character, in the order of the
	// schema. Those who are left answer, one after the other, the questions about characters in lists and of events.
	Others []json.RawMessage
	// Example gives a character for a rule or a procedure that ships with the ruleset; nil when there is none.
	Example func(subject string) []byte

	moment  moment
	history []moment // the latest last
}

// A moment is what holds between two steps.
//
// A moment that is behind is never changed. Slices are shared between moments, so one that an earlier
// moment has is only appended to behind slices.Clip: an append into spare capacity would write into a
// moment that undo may come back to.
type moment struct {
	subject         string // a rule or a procedure; "" when none is chosen
	character       json.RawMessage
	isWhole         bool            // the character was given as a whole: what is absent of it is as by default
	request         runtime.Request // of the rule, of the start, or of the event
	play            *runtime.Play   // a procedure that has begun
	event           string          // that happens; "" while one is chosen
	beginning       receipt.Beginning
	isRefused       bool              // the dice that fell are refused: nothing can be answered any more
	otherCharacters []json.RawMessage // of the session's Others: those who have no part yet
	isDecision      bool              // it was reached by an answer to a decision, which may be given anew
	sheet           *runtime.Sheet
	log             []json.RawMessage // receipts of what has come to its end
	current         json.RawMessage   // the receipt of the play so far
}

// Begin begins a session with the known part of the character; none if nothing is known. The absent members of one that is
// whole have their defaults; the rest of another one is asked for.
func (s *Session) Begin(character json.RawMessage, whole bool) {
	s.moment = moment{character: character, isWhole: whole}
}

// Choose chooses a subject.
func (s *Session) Choose(id string) error {
	known := describe.EvaluableNames(s.Program.Plan())
	if !slices.Contains(known, id) {
		return describe.UnknownIn(s.Program.Plan(), "rule or procedure", id, known)
	}
	next := moment{subject: id, character: s.moment.character, isWhole: s.moment.isWhole, log: s.moment.log}
	if s.moment.current != nil {
		next.log = append(slices.Clip(next.log), s.moment.current)
	}
	next.request = runtime.Request{Character: next.character, Throw: dice.DrawnFrom(s.Seed)}
	if next.isWhole {
		next.request.Accepted = []string{"character"}
	}
	next.otherCharacters = s.Others
	for _, other := range s.Others {
		filled, path, err := argdata.FillCharacter(next.request.Input, describe.InputOf(s.Program.Plan(), id), other)
		if err != nil {
			return err
		}
		if path == "" {
			break // who is left is asked about one by one, or is for other rules
		}
		next.otherCharacters = next.otherCharacters[1:]
		next.request.Input, next.request.Accepted = filled, append(next.request.Accepted, "input."+path)
	}
	s.moveTo(next)
	return nil
}

// Resume goes on with a play. The character that it was begun with is kept as it was told, for the play's may have made-up
// values in it: the play's counts where nobody told of one.
//
// There is no moment before it: undo does not reach into an earlier sitting, whose faces are in a
// receipt that somebody may have already shown.
func (s *Session) Resume(play *runtime.Play, from []byte) {
	_, _, id := play.Subject()
	told := s.moment.character
	if told == nil {
		told = play.Character
	}
	s.moment = moment{subject: id, play: play, character: told, otherCharacters: s.Others}
	s.moment.beginning = receipt.Beginning{Character: play.Character, Input: play.Input, From: from}
}

// moveTo makes another moment the present one, and keeps the present one for undo.
func (s *Session) moveTo(next moment) {
	s.history = append(s.history, s.moment)
	s.moment = next
}

// undo returns to the moment before the last step.
func (s *Session) undo() error {
	if len(s.history) == 0 {
		return errors.New("there is nothing to undo")
	}
	s.moment = s.history[len(s.history)-1]
	s.history = s.history[:len(s.history)-1]
	return nil
}

func isFailure(err error) bool {
	var f *runtime.Failure
	return errors.As(err, &f)
}

func rootOf(path string) string {
	root, _, _ := bytes.Cut([]byte(path), []byte("."))
	return string(root)
}
