package session

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
)

// A Played is a procedure as all at a table play it, with all of its steps so far. Each step is a record, whose receipt has
// those before it. Taking the last one back leads to the one before.
type Played struct {
	N       int // of the record
	By      string
	Play    *Play
	Receipt *receipt.Receipt
	before  *Played // nil at the start
}

// ErrStep is the error of a step of a play that is not as its maker has seen it.
var ErrStep = errors.New("the play has gone on meanwhile: look at it again")

// applyPlay begins a play, or takes it one step further.
func (s *State) applyPlay(r *Record, b *Play) error {
	got, err := s.readReceipt(b.Receipt)
	switch {
	case err != nil:
		return err
	case got.Procedure == "" || len(got.From) > 0:
		return errors.New("this is no play from its start")
	case r.By != Master && s.findSeat(r.By) == nil:
		return errServer
	}
	if err := b.Told.checkWords(); err != nil {
		return err
	}
	if len([]rune(b.Stands)) > maxText {
		return errors.New("the words of the play are too long")
	}
	next := &Played{N: r.N, By: r.By, Play: b, Receipt: got}
	switch {
	case b.Of == 0:
		if err := s.checkRoller(r.By, &b.Told, false, got.Character, false); err != nil {
			return err
		}
		if !playsBy(got.Options, s.Rulings) {
			return errRulings
		}
	case s.Play == nil || s.Play.N != b.Of:
		return ErrStep
	default:
		next.before = s.Play
		if err := next.checkStep(); err != nil {
			return err
		}
	}
	s.Play = next
	return nil
}

// checkStep checks that a play has one event more than the one before it, and is else the same.
func (p *Played) checkStep() error {
	type told struct {
		Dice   json.RawMessage   `json:"dice"`
		Events []json.RawMessage `json:"events"`
	}
	var was, is told
	if err := errors.Join(json.Unmarshal(p.before.Receipt.Sheet, &was), json.Unmarshal(p.Receipt.Sheet, &is)); err != nil {
		return err
	}
	a, b := p.before.Receipt, p.Receipt
	if a.Procedure != b.Procedure || a.CharacterDigest != b.CharacterDigest || a.InputDigest != b.InputDigest ||
		!maps.Equal(a.Options, b.Options) || !bytes.Equal(was.Dice, is.Dice) {
		return errors.New("this is another play than the one that is played")
	}
	if len(is.Events) != len(was.Events)+1 || !slices.EqualFunc(was.Events, is.Events[:len(was.Events)],
		func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return fmt.Errorf("a step adds one event to the %d before it, and changes none", len(was.Events))
	}
	return nil
}

// takePlayBack takes the last step of the play back: the master may, and whoever has made it.
func (s *State) takePlayBack(by string) error {
	if by != Master && by != s.Play.By {
		return errMaster
	}
	s.Play = s.Play.before
	return nil
}

// Step begins a play, or takes it one step further; of is the record of the step before, 0 for none.
func (p *Place) Step(told Told, stands string, of int, proof []byte) error {
	told.Limit()
	return p.Do(p.Who, &Record{Play: &Play{Told: told, Stands: shortenText(stands), Of: of, Receipt: compactJSON(proof)}})
}

// SeedOf returns the seed of an event of the play as it stands after a record. It is the same until the play goes on, also
// after a step was taken back: nobody gets other dice by asking again.
func (p *Place) SeedOf(after int, event string) uint64 {
	m := hmac.New(sha256.New, []byte(p.secret))
	fmt.Fprintf(m, "rules session event 1\n%d\n%s", after, event)
	return binary.LittleEndian.Uint64(m.Sum(nil)) >> 11
}
