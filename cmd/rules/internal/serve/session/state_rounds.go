package session

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
)

func (s *State) applyOpen(r *Record, b *Open, digest string) error {
	seat := s.findSeat(r.By)
	switch {
	case seat == nil && r.By != Master:
		return errServer
	case s.Round != nil:
		return errors.New("dice are on their way: one round after the other")
	case len(b.Among) == 0 || !isDigest(b.Seal):
		return errors.New("nobody takes part, or the server has sealed nothing")
	case b.Question.Rule == "" || len(b.Question.Decided) > 0:
		return errors.New("nothing is asked, or something was decided before dice fell")
	case s.UndecidedOf(r.By) != nil:
		return errUndecided
	}
	if err := b.Told.checkWords(); err != nil {
		return err
	}
	_, character, err := receipt.CompactDigest(b.Question.Character)
	if err != nil {
		return err
	}
	if seat != nil && (character != seat.digest || b.Told.Who != "") {
		return errForeign
	}
	if !maps.Equal(b.Question.Options, s.Rulings) {
		return errRulings
	}
	round := &Round{N: r.N, Digest: digest, By: r.By, Since: r.At, Open: b}
	for i, id := range b.Among {
		if other := s.findSeat(id); other == nil || other.Removed || slices.Contains(b.Among[:i], id) {
			return fmt.Errorf("%s cannot take part", id)
		}
		round.players = append(round.players, roundPlayer{id: id})
	}
	s.Round = round
	return nil
}

func (s *State) keepSealed(r *Record, b *Sealed) error {
	switch {
	case r.By != Server:
		return errServer
	case s.Round == nil || s.Round.sealed != "":
		return errNoRound
	case !isDigest(b.Nonce) || sealOf(s.Begin.Session, s.Round.N, b.Nonce) != s.Round.Open.Seal:
		return errors.New("the nonce is another one than the seal says")
	}
	s.Round.sealed = b.Nonce
	return nil
}

// roundOf returns the open round with a number.
func (s *State) roundOf(n int) (*Round, error) {
	if s.Round == nil || s.Round.N != n {
		return nil, errNoRound
	}
	return s.Round, nil
}

func (s *State) applyCommit(r *Record, b *Commit) error {
	round, err := s.roundOf(b.Round)
	if err != nil {
		return err
	}
	p := round.findPlayer(r.By)
	switch {
	case p == nil:
		return errNotAsked
	case p.commitment != "":
		return errors.New("you have committed already, and nobody may change it")
	case !isDigest(b.Commitment):
		return errors.New("a commitment is a SHA-256 in hexadecimal, in small letters")
	}
	for _, other := range round.players {
		if other.commitment == b.Commitment {
			return fmt.Errorf("this is the commitment of %s", s.NameOf(other.id))
		}
	}
	p.commitment, round.Since = b.Commitment, r.At
	return nil
}

func (s *State) applyReveal(r *Record, b *Reveal) error {
	round, err := s.roundOf(b.Round)
	switch {
	case err != nil:
		return err
	case !isDigest(b.Nonce):
		return errors.New("a nonce has 32 bytes, in hexadecimal, in small letters")
	case r.By == Server:
		return s.revealSealed(round, b)
	}
	p := round.findPlayer(r.By)
	switch {
	case p == nil:
		return errNotAsked
	case !round.isCommitted():
		return errors.New("a nonce is revealed when all have committed")
	case p.nonce != "":
		return errors.New("you have revealed already")
	case Commitment(round.Digest, r.By, b.Nonce) != p.commitment:
		return errors.New("this is another nonce than you have committed to")
	}
	p.nonce, round.Since = b.Nonce, r.At
	return nil
}

func (s *State) revealSealed(round *Round, b *Reveal) error {
	switch {
	case !round.isRevealed() || round.shown:
		return errors.New("the server reveals last, and once")
	case sealOf(s.Begin.Session, round.N, b.Nonce) != round.Open.Seal:
		return errors.New("the nonce is another one than the seal says")
	}
	round.sealed, round.shown = b.Nonce, true
	return nil
}

func (s *State) applyOmit(r *Record, b *Omit) error {
	round, err := s.roundOf(b.Round)
	if err != nil {
		return err
	}
	p := round.findPlayer(b.Who)
	switch {
	case r.By != Master && round.findPlayer(r.By) == nil:
		return errNotAsked
	case p == nil:
		return fmt.Errorf("%s does not take part", b.Who)
	case r.By == b.Who:
		return errors.New("the others decide whom they go on without")
	case p.isDone(round):
		return fmt.Errorf("%s has done all that can be done now", s.NameOf(b.Who))
	case r.At < round.Since+Patience:
		return fmt.Errorf("%s has %d s to come", s.NameOf(b.Who), (round.Since+Patience-r.At+999)/1000)
	case !slices.ContainsFunc(round.players, func(x roundPlayer) bool { return !x.isOmitted && x.id != b.Who }):
		return errors.New("nobody would be left: call the round off")
	}
	p.isOmitted, round.Since = true, r.At
	return nil
}

func (s *State) applyCallOff(r *Record, b *CallOff) error {
	round, err := s.roundOf(b.Round)
	switch {
	case err != nil:
		return err
	case r.By != Server && r.By != Master && r.By != round.By:
		return errors.New("whoever has begun a round calls it off, or the master")
	case r.By != Server && round.isRevealed():
		return errors.New("the dice have fallen")
	case len([]rune(b.Why)) > maxText:
		return errors.New("the reason is too long")
	}
	s.Round = nil
	return nil
}

// endRound checks the roll of the dice that nobody chose.
func (s *State) endRound(r *Record, b *Roll, got *receipt.Receipt) error {
	round := s.Round
	if err := s.checkRoundEnd(r, b.Round, b.Hidden); err != nil {
		return err
	}
	if got.Seed == nil || *got.Seed != round.seedOfAll() || got.Given != nil {
		return round.seedError()
	}
	asked := round.Open.Question
	_, character, err := receipt.CompactDigest(asked.Character)
	if err != nil {
		return err
	}
	_, input, err := receipt.CompactDigest(asked.Input)
	if err != nil {
		return err
	}
	if got.Rule != asked.Rule || got.CharacterDigest != character || got.InputDigest != input {
		return errOtherRoll
	}
	if !playsBy(got.Options, asked.Options) {
		return errRulings
	}
	s.Round = nil
	return nil
}

// checkRoundEnd checks that the dice of a round fall now.
func (s *State) checkRoundEnd(r *Record, n int, isHidden bool) error {
	switch {
	case r.By != Server:
		return errServer
	case s.Round == nil || n != s.Round.N || !s.Round.shown:
		return errNoRound
	case isHidden:
		return errors.New("all see the dice that all have made")
	}
	return nil
}

func (r *Round) seedError() error {
	return fmt.Errorf("the dice are not those of all nonces: their seed is %d", r.seedOfAll())
}
