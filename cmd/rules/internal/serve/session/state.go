package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
)

// The bounds of a table.
const (
	maxSeats     = 32  // at once
	maxJoins     = 500 // with those that the master has taken from the table
	maxName      = 40  // runes
	maxText      = 400
	maxTurns     = 64
	maxRecords   = 20_000
	lastRecords  = 200      // of these, for what ends rounds and the session
	maxLog       = 64 << 20 // bytes, and as many again are safe to read
	maxCharacter = 256 << 10
)

// A State is a table as its records make it. The zero State is a table before its first record.
//
// Apply alone changes it, and changes nothing where it returns an error.
type State struct {
	Begin Begin
	N     int    // of the last record
	At    int64  // of the last record
	Head  string // the digest of the last line
	Seats []Seat
	Round *Round  // that is open; nil for none
	Turns *Turns  // nil for none
	Play  *Played // nil for none
	// Rulings are those by which all roll, where they are not as the rules have them.
	Rulings   map[string]string
	Undecided []Undecided // at most one of each
	Ended     bool
	rolls     map[int]*rollState // by number
	lastPlay  int                // the last record of a play, taken back or not; 0 for none
}

// A Seat is a player's.
type Seat struct {
	ID, Name  string
	Called    string // the character
	Character json.RawMessage
	Removed   bool
	key       string // its digest
	digest    string // of the character
}

type rollState struct {
	isHidden, isShown, isBack bool
	isUnread                  bool // the line is hidden here, so that it may be no roll
	of                        int  // the record of its dice; 0 for none
}

// Errors of rights.
var (
	errEnded     = errors.New("the session has ended")
	errFull      = errors.New("the log is full: end this session, and begin another one")
	errMaster    = errors.New("only the master may do this")
	errServer    = errors.New("only the server does this")
	errNoRound   = errors.New("there is no such round: no dice are on their way")
	errNotAsked  = errors.New("nothing is expected of you in this round")
	errRulings   = errors.New("the master decides by which rulings all roll: these are others")
	errSalt      = errors.New("a hidden roll has a salt, and no other one")
	errOtherRoll = errors.New("the roll is another one than was asked for")
	errForeign   = errors.New("a player rolls for the own character: bring it to the table first")
)

// Apply carries a record out that is next in the log. The line is the record as it stands there.
func (s *State) Apply(r *Record, line []byte) error {
	switch {
	case s.Ended:
		return errEnded
	case r.N != s.N+1:
		return fmt.Errorf("its number is %d, not %d", r.N, s.N+1)
	case r.N > maxRecords:
		return errFull
	case r.Prev != s.Head:
		return errors.New("the line before it is another one than its digest says")
	case r.At < s.At:
		return errors.New("it is older than the line before it")
	}
	bodies := r.listBodies()
	if len(bodies) != 1 {
		return fmt.Errorf("it has %d bodies, not one", len(bodies))
	}
	if _, isBegin := bodies[0].(*Begin); isBegin != (r.N == 1) {
		return errors.New("a log begins with the record that says so, and has no other one")
	}
	if r.N > maxRecords-lastRecords && !r.isEnding() {
		return errFull
	}
	digest := digestOf(string(line))
	if err := s.carryOut(r, bodies[0], digest); err != nil {
		return err
	}
	s.N, s.At, s.Head = r.N, r.At, digest
	return nil
}

// Skip passes over a line of which only the digest is known. Nothing that others may not see changes what they see, but
// that the line may be a roll of the master, and end a decision.
func (s *State) Skip(digest string) error {
	if s.N == 0 || s.Ended || !isDigest(digest) {
		return errors.New("no line can be hidden here")
	}
	s.N++
	s.Head = digest
	s.rolls[s.N] = &rollState{isHidden: true, isUnread: true}
	s.setUndecided(Master, nil)
	return nil
}

func (s *State) carryOut(r *Record, body any, digest string) error {
	if by := s.findSeat(r.By); by != nil && by.Removed {
		return errors.New("the master has taken this player from the table")
	}
	switch b := body.(type) {
	case *Begin:
		return s.applyBegin(r, b)
	case *Join:
		return s.applyJoin(r, b)
	case *Bring:
		return s.applyBring(r, b)
	case *Roll:
		return s.applyRoll(r, b)
	case *Fell:
		return s.applyFell(r, b)
	case *Play:
		return s.applyPlay(r, b)
	case *Of:
		return s.applyMark(r, b)
	case *Rulings:
		return s.setRulings(r, b)
	case *Turns:
		return s.setTurns(r, b)
	case *Open:
		return s.applyOpen(r, b, digest)
	case *Sealed:
		return s.keepSealed(r, b)
	case *Commit:
		return s.applyCommit(r, b)
	case *Reveal:
		return s.applyReveal(r, b)
	case *Omit:
		return s.applyOmit(r, b)
	case *CallOff:
		return s.applyCallOff(r, b)
	case *Remove:
		return s.applyRemove(r, b)
	case *Torn:
		if r.By != Server || b.Bytes < 1 {
			return errServer
		}
	case *End:
		if r.By != Master {
			return errMaster
		}
		s.Ended = true
	}
	return nil
}

// findSeat returns the seat of a player, or nil.
func (s *State) findSeat(id string) *Seat {
	for i := range s.Seats {
		if s.Seats[i].ID == id {
			return &s.Seats[i]
		}
	}
	return nil
}

// NameOf returns the name of somebody at the table.
func (s *State) NameOf(id string) string {
	if seat := s.findSeat(id); seat != nil {
		return seat.Name
	}
	switch id {
	case Master:
		return "The master"
	case Spectator:
		return "A spectator"
	}
	return "The server"
}

func seatID(n int) string { return "seat" + strconv.Itoa(n) }

// checkText refuses what people cannot read, and too much of it.
func checkText(what, text string, most int) error {
	switch {
	case strings.TrimSpace(text) != text || text == "":
		return fmt.Errorf("%s is empty, or has blanks around it", what)
	case len([]rune(text)) > most:
		return fmt.Errorf("%s is too long: it may have %d letters", what, most)
	case !utf8.ValidString(text), strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }):
		return fmt.Errorf("%s has signs that nobody can see", what)
	}
	return nil
}

func (s *State) applyBegin(r *Record, b *Begin) error {
	if r.By != Server {
		return errServer
	}
	if !isID(b.Session) || b.Ruleset == "" {
		return errors.New("the session has no id, or no ruleset")
	}
	if !isDigest(b.Codes.Master) || !isDigest(b.Codes.Players) || !isDigest(b.Codes.Spectators) {
		return errors.New("a code is no digest")
	}
	if err := checkText("the title", b.Title, 2*maxName); err != nil {
		return err
	}
	s.Begin, s.rolls = *b, map[int]*rollState{}
	return nil
}

func (s *State) applyJoin(r *Record, b *Join) error {
	switch {
	case r.By != seatID(len(s.Seats)+1):
		return fmt.Errorf("the next player is %s, not %s", seatID(len(s.Seats)+1), r.By)
	case s.countPlayers() == maxSeats:
		return fmt.Errorf("the table is full: it has %d seats", maxSeats)
	case len(s.Seats) == maxJoins:
		return fmt.Errorf("%d have joined this table, as many as may: begin another session", maxJoins)
	case !isDigest(b.Key):
		return errors.New("the key is no digest")
	}
	if err := checkText("the name", b.Name, maxName); err != nil {
		return err
	}
	for i := range s.Seats {
		if seat := &s.Seats[i]; !seat.Removed && strings.EqualFold(seat.Name, b.Name) {
			return fmt.Errorf("somebody is called %s already: take another name", seat.Name)
		}
	}
	if strings.EqualFold(b.Name, s.NameOf(Master)) || strings.EqualFold(b.Name, s.NameOf(Server)) {
		return errors.New("this name stands for somebody else: take another one")
	}
	_, none, err := receipt.CompactDigest(nil)
	if err != nil {
		return err
	}
	s.Seats = append(s.Seats, Seat{ID: r.By, Name: b.Name, key: b.Key, digest: none})
	return nil
}

// countPlayers counts those who sit at the table.
func (s *State) countPlayers() int {
	n := 0
	for i := range s.Seats {
		if !s.Seats[i].Removed {
			n++
		}
	}
	return n
}

func (s *State) applyBring(r *Record, b *Bring) error {
	seat := s.findSeat(r.By)
	if seat == nil {
		return errors.New("only a player brings a character")
	}
	if err := checkText("the name", b.Called, maxName); err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(b.Character, &members) != nil || members == nil || len(b.Character) > maxCharacter {
		return fmt.Errorf("a character is an object of JSON, of up to %d bytes", maxCharacter)
	}
	_, digest, err := receipt.CompactDigest(b.Character)
	if err != nil {
		return err
	}
	seat.Called, seat.Character, seat.digest = b.Called, b.Character, digest
	return nil
}

func (s *State) setRulings(r *Record, b *Rulings) error {
	if r.By != Master {
		return errMaster
	}
	if len(b.Options) > maxTurns {
		return fmt.Errorf("up to %d rulings may be others", maxTurns)
	}
	for option, value := range b.Options {
		if len(option) > maxText || len(value) > maxText {
			return errors.New("a ruling is too long")
		}
	}
	s.Rulings = b.Options
	return nil
}

func (s *State) setTurns(r *Record, b *Turns) error {
	switch {
	case r.By != Master:
		return errMaster
	case len(b.Order) > maxTurns:
		return fmt.Errorf("up to %d take turns", maxTurns)
	case len(b.Order) == 0 && (b.Now != 0 || b.Round != 0):
		return errors.New("it is nobody's turn where nobody takes one")
	case len(b.Order) > 0 && (b.Now < 0 || b.Now >= len(b.Order) || b.Round < 1):
		return errors.New("it is the turn of none of them")
	}
	for _, x := range b.Order {
		if err := checkText("a name", x.Name, maxName); err != nil {
			return err
		}
		if len([]rune(x.Value)) > maxName {
			return errors.New("a value is too long")
		}
	}
	if s.Turns = b; len(b.Order) == 0 {
		s.Turns = nil
	}
	return nil
}

func (s *State) applyRemove(r *Record, b *Remove) error {
	seat := s.findSeat(b.Who)
	switch {
	case r.By != Master:
		return errMaster
	case seat == nil || seat.Removed:
		return fmt.Errorf("there is no player %s", b.Who)
	case s.Round != nil && s.Round.findPlayer(b.Who) != nil:
		return errors.New("dice are on their way: go on without this player first")
	}
	seat.Removed = true
	s.setUndecided(b.Who, nil)
	return nil
}
