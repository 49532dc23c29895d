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
	event   string  // the last one; "" at the start
	before  *Played // the step before or, at the start, the play in whose place it was begun; nil for none
}

// A playSheet is as much of the sheet of a play as its steps are compared by.
type playSheet struct {
	Dice   json.RawMessage   `json:"dice"`
	Events []json.RawMessage `json:"events"`
}

// ErrStep is the error of a step of a play that is not as its maker has seen it.
var ErrStep = errors.New("the play has gone on meanwhile: look at it again")

// errPlayed is the error of a play that is begun although another one is played.
var errPlayed = errors.New("something is played already: say that another play is begun in its place")

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
	next := &Played{N: r.N, By: r.By, Play: b, Receipt: got, before: s.Play}
	switch {
	case b.Of != 0 && b.Anew != 0:
		return errors.New("a step begins no other play")
	case b.Of == 0 && s.Play != nil && b.Anew == 0:
		return errPlayed
	case b.Of == 0 && b.Anew != 0 && (s.Play == nil || s.Play.N != b.Anew):
		return ErrStep
	case b.Of == 0:
		if err := next.checkStart(); err != nil {
			return err
		}
		if err := s.checkRoller(r.By, &b.Told, false, got.Character, false); err != nil {
			return err
		}
		if !playsBy(got.Options, s.Rulings) {
			return errRulings
		}
	case s.Play == nil || s.Play.N != b.Of:
		return ErrStep
	default:
		if err := next.checkStep(); err != nil {
			return err
		}
	}
	s.Play, s.lastPlay = next, r.N
	return nil
}

// checkStart checks that a play begins with no event: its steps are records of their own.
func (p *Played) checkStart() error {
	var sheet playSheet
	if err := json.Unmarshal(p.Receipt.Sheet, &sheet); err != nil {
		return err
	}
	if len(sheet.Events) > 0 {
		return fmt.Errorf("a play begins with no event: this one has %d", len(sheet.Events))
	}
	return nil
}

// checkStep checks that a play has one event more than the one before it, and is else the same. It notes the event.
func (p *Played) checkStep() error {
	var was, is playSheet
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
	var last struct {
		Event string `json:"event"`
	}
	err := json.Unmarshal(is.Events[len(was.Events)], &last)
	p.event = last.Event
	return err
}

// lastOf returns the record by which an event happened last in a play, or that of its start.
func (p *Played) lastOf(event string) int {
	for p.Play.Of != 0 && p.event != event {
		p = p.before
	}
	return p.N
}

// takePlayBack takes the last step of the play back: the master may, and whoever has made it.
func (s *State) takePlayBack(by string) error {
	if by != Master && by != s.Play.By {
		return errMaster
	}
	s.Play = s.Play.before
	return nil
}

// Step begins a play, or takes it one step further; of is the record of the step before, 0 for none. A play that is begun
// in the place of another one has its record in anew.
func (p *Place) Step(told Told, stands string, of, anew int, proof []byte) error {
	told.Limit()
	return p.Do(p.Who, &Record{Play: &Play{Told: told, Stands: shortenText(stands), Of: of, Anew: anew,
		Receipt: compactJSON(proof)}})
}

// SeedOfStart returns the seed of the start of a procedure. It is the same until a play is begun or goes on.
func (p *Place) SeedOfStart(s *State, procedure string) uint64 {
	return p.seedOf("start", s.lastPlay, procedure)
}

// SeedOfEvent returns the seed of an event of a play. It is the same until this event happens, also after other events,
// and after a step was taken back: nobody who has seen its dice in a decision or a refusal gets other ones.
func (p *Place) SeedOfEvent(played *Played, event string) uint64 {
	return p.seedOf("event", played.lastOf(event), event)
}

// seedOf returns the seed of a use of dice after a record, which only the server can compute.
func (t *Table) seedOf(use string, after int, name string) uint64 {
	m := hmac.New(sha256.New, []byte(t.secret))
	fmt.Fprintf(m, "rules session %s 2\n%d\n%s", use, after, name)
	return binary.LittleEndian.Uint64(m.Sum(nil)) >> 11
}
