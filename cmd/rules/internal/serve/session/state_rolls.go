package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
)

// readReceipt reads the receipt of a roll, which counts only whole.
func (s *State) readReceipt(text json.RawMessage) (*receipt.Receipt, error) {
	var b bytes.Buffer
	if err := jsontext.PrintIndented(&b, text); err != nil {
		return nil, err
	}
	got, err := receipt.ReadReceipt(b.Bytes())
	switch {
	case err != nil:
		return nil, err
	case got.Digest != got.ComputeDigest() || !bytes.Equal(got.Printed(), got.Text):
		return nil, errors.New("the receipt was altered")
	case got.Ruleset != s.Begin.Ruleset:
		return nil, fmt.Errorf("the receipt is of %s: here %s is played", got.Ruleset, s.Begin.Ruleset)
	}
	return got, nil
}

func (s *State) applyRoll(r *Record, b *Roll) error {
	got, err := s.readReceipt(b.Receipt)
	if err != nil {
		return err
	}
	if err := b.Told.checkWords(); err != nil {
		return err
	}
	if b.Hidden != (b.Salt != "") || b.Hidden && !isDigest(b.Salt) {
		return errSalt
	}
	undecided := s.UndecidedOf(r.By)
	switch {
	case b.Round != 0 && b.Of != 0:
		return errRoundOf
	case b.Round != 0:
		if err := s.endRound(r, b, got); err != nil {
			return err
		}
	case b.Of != 0 && (undecided == nil || undecided.N != b.Of):
		return errNoDecisions
	case b.Of != 0:
		if err := undecided.checkRoll(b, got); err != nil {
			return err
		}
		s.setUndecided(r.By, nil)
	case undecided != nil:
		return errUndecided
	case s.Round != nil && s.Round.By == r.By:
		return errOwnRound
	default:
		if err := s.checkRoller(r.By, &b.Told, b.Hidden, got.Character, false); err != nil {
			return err
		}
		if !playsBy(got.Options, s.Rulings) {
			return errRulings
		}
	}
	s.rolls[r.N] = &rollState{isHidden: b.Hidden, of: b.Of}
	return nil
}

// checkRoller checks who rolls: the master for anybody, a player in the open for the own character. A roll that goes on has
// the character with which it began.
func (s *State) checkRoller(by string, told *Told, isHidden bool, character json.RawMessage, goesOn bool) error {
	if by == Master {
		return nil
	}
	seat := s.findSeat(by)
	switch {
	case seat == nil:
		return errServer
	case isHidden:
		return errMaster
	case told.Who != "":
		return errors.New("a player rolls as nobody else")
	case goesOn:
		return nil
	}
	_, digest, err := receipt.CompactDigest(character)
	if err == nil && digest != seat.digest {
		err = errForeign
	}
	return err
}

// playsBy reports whether all rulings of a receipt, which has those that are not as the rules have them, are among others.
func playsBy(got, rulings map[string]string) bool {
	for option, value := range got {
		if rulings[option] != value {
			return false
		}
	}
	return true
}

// checkWords refuses words that are too long to be shown.
func (t *Told) checkWords() error {
	for _, text := range []string{t.Who, t.Title, t.Asked, t.Headline, t.Say, t.Tone, t.Dice} {
		if text != "" && len([]rune(text)) > maxText {
			return fmt.Errorf("the words of a roll are too long: they may have %d letters each", maxText)
		}
	}
	return nil
}

// applyMark takes a roll or the last step of a play back, or shows a hidden roll.
func (s *State) applyMark(r *Record, b *Of) error {
	if r.Back != nil && s.Play != nil && s.Play.N == b.N {
		return s.takePlayBack(r.By)
	}
	roll := s.rolls[b.N]
	switch {
	case r.By != Master:
		return errMaster
	case roll == nil:
		return fmt.Errorf("record %d is no roll", b.N)
	case r.Back != nil && roll.isBack:
		return errors.New("the roll was taken back before")
	case r.Show != nil && (!roll.isHidden || roll.isShown):
		return errors.New("the roll is not hidden")
	}
	if r.Back != nil {
		roll.isBack = true
		s.dropUndecided(b.N)
		return nil
	}
	for roll != nil { // with the dice on which it was decided
		roll.isShown = true
		roll = s.rolls[roll.of]
	}
	return nil
}
