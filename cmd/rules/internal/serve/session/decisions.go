package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// An Undecided is a roll whose dice have fallen and which waits for somebody to decide. Its dice are in the log before
// anybody decides, so nobody rolls them again until they please.
type Undecided struct {
	By        string // who decides
	N         int    // of the record
	Fell      *Fell
	IsOfRound bool // nobody has chosen the dice: those to come fall by the same seed, which all know
}

// ThrowFrom returns all that decides the dice once somebody has decided: those that have fallen, and a seed for those that
// have not. Whoever decides has seen the seed of the first ones, and could compute from it what else would fall.
func (u *Undecided) ThrowFrom(seed uint64) (string, error) {
	throw, err := dice.ParseThrow(u.Fell.Throw)
	if err != nil || throw.Seed == nil || u.IsOfRound {
		return u.Fell.Throw, err
	}
	faces := throw.Dice.ByID.ByID() // typed ones may be of dice to come
	if faces == nil {
		faces = map[string][]int64{}
	}
	for id, fell := range u.Fell.Faces {
		if len(fell) > len(faces[id]) {
			faces[id] = fell
		}
	}
	next := dice.Throw{Dice: dice.Faces{ByID: dice.NewRolls(faces)}, Seed: &seed}
	return next.Text(), nil
}

var (
	errUndecided   = errors.New("your dice have fallen: decide on them first")
	errNoDecisions = errors.New("there is nothing to decide")
	errRoundOf     = errors.New("the dice of a round are new ones: they go on from no record")
	errOwnRound    = errors.New("your dice are on their way: roll when they have fallen, or call them off")
)

// UndecidedOf returns the dice on which somebody has to decide, or nil.
func (s *State) UndecidedOf(who string) *Undecided {
	if i := slices.IndexFunc(s.Undecided, func(u Undecided) bool { return u.By == who }); i >= 0 {
		return &s.Undecided[i]
	}
	return nil
}

// setUndecided replaces the dice on which somebody has to decide; u is nil where all is decided.
func (s *State) setUndecided(who string, u *Undecided) {
	out := slices.DeleteFunc(slices.Clone(s.Undecided), func(u Undecided) bool { return u.By == who })
	if s.Undecided = out; u != nil {
		s.Undecided = append(out, *u)
	}
}

// dropUndecided ends the decisions on the dice of a record, and on those that go on from it.
func (s *State) dropUndecided(n int) {
	s.Undecided = slices.DeleteFunc(slices.Clone(s.Undecided), func(u Undecided) bool {
		of := u.N
		for of > n {
			of = s.rolls[of].of
		}
		return of == n
	})
}

// applyFell keeps dice that have fallen until all about them is decided.
func (s *State) applyFell(r *Record, b *Fell) error {
	throw, err := dice.ParseThrow(b.Throw)
	switch {
	case err != nil:
		return err
	case len(b.Due) == 0:
		return errNoDecisions
	case b.Hidden != (b.Salt != "") || b.Hidden && !isDigest(b.Salt):
		return errSalt
	}
	if err := b.Told.checkWords(); err != nil {
		return err
	}
	by, isOfRound := r.By, b.Round != 0
	switch before := s.UndecidedOf(by); {
	case b.Round != 0 && b.Of != 0:
		return errRoundOf
	case b.Round != 0:
		if by, err = s.endRoundUndecided(r, b, &throw); err != nil {
			return err
		}
	case b.Of != 0:
		if err := before.checkNext(b.Of, &b.Question, b.Hidden); err != nil {
			return err
		}
		if isOfRound = before.IsOfRound; isOfRound && b.Throw != before.Fell.Throw {
			return errors.New("the dice are others than those that all have made")
		}
		if err := before.checkFaces(b.Faces); err != nil {
			return err
		}
	case before != nil:
		return errUndecided
	case s.Round != nil && s.Round.By == by: // it may end with dice to decide on, and nobody has two of these
		return errOwnRound
	case !maps.Equal(b.Question.Options, s.Rulings):
		return errRulings
	}
	if err := s.checkRoller(by, &b.Told, b.Hidden, b.Question.Character, b.Of != 0 || b.Round != 0); err != nil {
		return err
	}
	s.setUndecided(by, &Undecided{by, r.N, b, isOfRound})
	s.rolls[r.N] = &rollState{isHidden: b.Hidden, of: b.Of}
	return nil
}

// endRoundUndecided checks dice that nobody chose, and returns who decides on them.
func (s *State) endRoundUndecided(r *Record, b *Fell, throw *dice.Throw) (string, error) {
	round := s.Round
	if err := s.checkRoundEnd(r, b.Round, b.Hidden); err != nil {
		return "", err
	}
	if throw.Seed == nil || *throw.Seed != round.seedOfAll() || !throw.Dice.IsZero() || throw.Given != nil {
		return "", round.seedError()
	}
	asked := round.Open.Question
	if b.Question.Rule != asked.Rule || !maps.Equal(b.Question.Options, asked.Options) ||
		string(b.Question.Character) != string(asked.Character) || string(b.Question.Input) != string(asked.Input) {
		return "", errOtherRoll
	}
	s.Round = nil
	return round.By, nil
}

// checkNext checks that a question goes on from the dice on which somebody decides: it asks the same, but for decisions.
func (u *Undecided) checkNext(of int, q *Question, isHidden bool) error {
	switch {
	case u == nil || u.N != of:
		return errNoDecisions
	case isHidden != u.Fell.Hidden:
		return errors.New("what is hidden stays so until the master shows it")
	case q.Rule != u.Fell.Question.Rule || string(q.Character) != string(u.Fell.Question.Character) ||
		!maps.Equal(q.Options, u.Fell.Question.Options):
		return errOtherRoll
	}
	for _, path := range u.Fell.Question.Decided {
		if !slices.Contains(q.Decided, path) {
			return errOtherRoll
		}
	}
	return u.checkInput(q.Input)
}

// checkInput checks that an input differs by what is decided now alone.
func (u *Undecided) checkInput(input json.RawMessage) error {
	was, err := withoutPaths(u.Fell.Question.Input, u.Fell.Due)
	if err != nil {
		return err
	}
	is, err := withoutPaths(input, u.Fell.Due)
	if err != nil {
		return err
	}
	if was != is {
		return errors.New("only what is decided now may change once the dice have fallen")
	}
	return nil
}

// checkRoll checks that a roll is that of the dice on which somebody decides.
func (u *Undecided) checkRoll(b *Roll, got *receipt.Receipt) error {
	q := u.Fell.Question
	_, character, err := receipt.CompactDigest(q.Character)
	if err != nil {
		return err
	}
	throw, err := dice.ParseThrow(u.Fell.Throw)
	switch {
	case err != nil:
		return err
	case got.Rule != q.Rule || got.CharacterDigest != character || b.Hidden != u.Fell.Hidden:
		return errOtherRoll
	case !playsBy(got.Options, q.Options):
		return errRulings
	case got.Seed != nil && (throw.Seed == nil || u.IsOfRound && *got.Seed != *throw.Seed):
		return fmt.Errorf("the seed %d is not that of the dice that have fallen", *got.Seed)
	}
	if err := u.checkFaces(got.Dice); err != nil {
		return err
	}
	return u.checkInput(got.Input)
}

// checkFaces checks that dice begin with those that have fallen.
func (u *Undecided) checkFaces(all map[string][]int64) error {
	for id, faces := range u.Fell.Faces {
		if all := all[id]; len(all) < len(faces) || !slices.Equal(all[:len(faces)], faces) {
			return fmt.Errorf("%s fell as %v, not as %v", id, faces, all)
		}
	}
	return nil
}

// withoutPaths returns an object without the members at some paths, and without objects that are empty then, as JSON with
// its names in order.
func withoutPaths(text json.RawMessage, paths []string) (string, error) {
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return "", err
	}
	for _, path := range paths {
		deletePath(object, strings.Split(path, "."))
	}
	out, err := marshalPlain(object)
	return string(out), err
}

func deletePath(object map[string]any, path []string) {
	if len(path) == 1 {
		delete(object, path[0])
		return
	}
	if inner, is := object[path[0]].(map[string]any); is {
		if deletePath(inner, path[1:]); len(inner) == 0 {
			delete(object, path[0])
		}
	}
}
