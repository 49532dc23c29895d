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
	isRound := b.Round != 0
	switch {
	case b.Hidden != (b.Salt != "") || b.Hidden && !isDigest(b.Salt):
		return errors.New("a hidden roll has a salt, and no other one")
	case isRound:
		if err := s.endRound(r, b, got); err != nil {
			return err
		}
	case r.By == Master:
	default:
		seat := s.findSeat(r.By)
		switch {
		case seat == nil:
			return errServer
		case b.Hidden:
			return errMaster
		case b.Who != "":
			return errors.New("a player rolls as nobody else")
		case got.CharacterDigest != seat.digest:
			return errForeign
		}
	}
	if !isRound && !playsBy(got.Options, s.Rulings) {
		return errRulings
	}
	if isRound {
		s.Round = nil
	}
	s.rolls[r.N] = &rollState{isHidden: b.Hidden}
	return nil
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

// applyMark takes a roll back, or shows a hidden one.
func (s *State) applyMark(r *Record, b *Of) error {
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
	} else {
		roll.isShown = true
	}
	return nil
}
