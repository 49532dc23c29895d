package session

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// An Answer is a question that was carried out, or as far as to the decisions that are due once dice have fallen.
type Answer struct {
	Told
	Receipt []byte             // nil where something is due
	Refused error              // why it was refused once dice had fallen; nil where it was not
	Due     []string           // paths of the input that are decided now
	Faces   map[string][]int64 // that have fallen by then
}

// An Evaluator carries out a question of a ruleset, with faces and seed in the notation of dice.ParseThrow. The words in
// the answer leave out who rolls. Its error is one that needed no dice.
type Evaluator func(ruleset string, q *Question, fell string) (*Answer, error)

// A Table is a session that is played: its log, and those who watch.
//
// mu guards all members. A record is applied, brought to the disk and then shown, in this order, under mu: what anybody
// has seen is not lost.
type Table struct {
	evaluate Evaluator
	now      func() time.Time
	secret   string // from which the seeds of plays, and of dice after a decision, are made

	mu       sync.Mutex
	history  *History
	file     *file
	failed   error // why nothing can be written any more; nil for nothing
	watchers map[*Watcher]struct{}
	buckets  map[string]*bucket
}

// newTable takes a log up. What was on its way when the server stopped goes on.
func newTable(f *file, h *History, evaluate Evaluator, now func() time.Time) *Table {
	t := &Table{evaluate: evaluate, now: now, secret: drawNonce(), history: h, file: f, watchers: map[*Watcher]struct{}{},
		buckets: map[string]*bucket{}}
	if h.Torn > 0 && !h.State.Ended {
		t.failed = t.recordAs(Server, &Record{Torn: &Torn{h.Torn}})
		h.Torn = 0
	}
	t.continueRound()
	return t
}

// recordAs gives a record its place in the log, and brings it to the disk.
func (t *Table) recordAs(by string, r *Record) error {
	if t.failed != nil {
		return fmt.Errorf("the log cannot be written: %w", t.failed)
	}
	s := &t.history.State
	r.N, r.Prev, r.By, r.At = s.N+1, s.Head, by, max(t.now().UnixMilli(), s.At)
	line := r.encode()
	switch _, err := readRecord(line); {
	case err != nil: // a text that is no UTF-8 is another one in JSON
		return err
	case len(line) > maxLine:
		return errors.New("it is too long for the log")
	case t.file.size+int64(len(line)) > maxLog && !r.isEnding():
		return errFull
	}
	if err := t.history.applyRecord(r, line); err != nil {
		return err
	}
	if err := t.file.appendLines(line); err != nil {
		t.reopen(err)
		return fmt.Errorf("the log cannot be written: %w", err)
	}
	return nil
}

// reopen takes the log up as it lies on the disk, after a failure to write. A record of which nobody was told is gone then,
// as it would be after a crash. Where the log cannot be read either, or another program writes to it, nothing more is
// written.
func (t *Table) reopen(cause error) {
	t.file.Close()
	f, history, err := openFile(t.file.Name())
	if err != nil || errors.Is(cause, errOtherWriter) {
		t.failed = cause
		return
	}
	t.file, t.history = f, history
}

// maxLine bounds a line of a log.
const maxLine = 1 << 20

// Do carries out what somebody asks for, and tells those who watch. Rolls and rounds are begun by Roll and Open.
func (t *Table) Do(by string, r *Record) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.spendTurn(by); err != nil {
		return err
	}
	return t.recordAndNotify(by, r)
}

func (t *Table) recordAndNotify(by string, r *Record) error {
	err := t.recordAs(by, r)
	if err == nil {
		t.continueRound()
		t.notifyWatchers()
	}
	return err
}

// A Throw is how dice fall at a table: by faces that somebody has typed, from a seed that the server draws, or some so and
// some so.
type Throw struct {
	Faces  string // in the notation of dice.ParseThrow
	IsPart bool   // some faces are typed, and the others drawn
}

// ErrSeed is the error of somebody who would choose the dice.
var ErrSeed = errors.New("at a table nobody chooses the seed: leave it empty")

// textOfFaces returns all that decides the dice, as an Evaluator reads it.
func (x Throw) textOfFaces() (string, error) {
	if x.Faces != "" {
		throw, err := dice.ParseThrow(x.Faces)
		if err != nil {
			return "", err
		}
		if throw.Seed != nil {
			return "", ErrSeed
		}
		if !x.IsPart {
			return x.Faces, nil
		}
	}
	return strings.TrimSpace(x.Faces + " " + seedText(argdata.DrawSeed())), nil
}

func seedText(seed uint64) string { return "seed " + strconv.FormatUint(seed, 10) }

// Roll carries a question out.
func (t *Table) Roll(by string, q *Question, throw Throw, who string, hidden bool) (*Answer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.spendTurn(by); err != nil {
		return nil, err
	}
	if seat := t.history.State.findSeat(by); seat != nil {
		q.Character = seat.Character
	}
	q.Options = maps.Clone(t.history.State.Rulings)
	fell, err := throw.textOfFaces()
	if err != nil {
		return nil, err
	}
	a, err := t.evaluate(t.history.State.Begin.Ruleset, q, fell)
	if err != nil {
		return nil, err
	}
	told, salt := a.Told, ""
	if told.Who = who; hidden {
		salt = drawNonce()
	}
	return a, t.recordAndNotify(by, newRoll(a, told, q, fell, 0, 0, hidden, salt))
}

// newRoll returns the record of an answer: a roll or, where something is due, its dice.
func newRoll(a *Answer, told Told, q *Question, fell string, round, of int, hidden bool, salt string) *Record {
	if len(a.Due) == 0 {
		return &Record{Roll: &Roll{Told: told, Hidden: hidden, Salt: salt, Round: round, Of: of,
			Receipt: compactJSON(a.Receipt)}}
	}
	asked := *q
	asked.Character, asked.Input = compactJSON(q.Character), compactJSON(q.Input)
	return &Record{Fell: &Fell{Told: told, Hidden: hidden, Salt: salt, Round: round, Of: of, Question: asked, Throw: fell,
		Faces: a.Faces, Due: a.Due}}
}

// Decide goes on with dice that have fallen, by the input with all that is decided now. What is refused can be decided
// otherwise; what falls next stays the same then, so that a refusal is no second chance.
func (t *Table) Decide(by string, input json.RawMessage) (*Answer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.spendTurn(by); err != nil {
		return nil, err
	}
	u := t.history.State.UndecidedOf(by)
	if u == nil {
		return nil, errNoDecisions
	}
	q := u.Fell.Question
	q.Input, q.Decided = input, slices.Concat(q.Decided, u.Fell.Due)
	fell, err := u.ThrowFrom(t.seedOf("decision", u.N, q.Rule))
	if err != nil {
		return nil, err
	}
	a, err := t.evaluate(t.history.State.Begin.Ruleset, &q, fell)
	if err == nil {
		err = a.Refused
	}
	if err != nil {
		return nil, err
	}
	told, salt := a.Told, ""
	if told.Who = u.Fell.Who; u.Fell.Hidden {
		salt = drawNonce()
	}
	return a, t.recordAndNotify(by, newRoll(a, told, &q, fell, 0, u.N, u.Fell.Hidden, salt))
}

// Open begins a round of dice that nobody can choose, of those who are at the table now and of whoever asks.
//
// The question is carried out once before, with faces that nobody sees: what is refused without a look at them is refused
// here.
func (t *Table) Open(by string, q *Question, who string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.spendTurn(by); err != nil {
		return err
	}
	s := &t.history.State
	if seat := s.findSeat(by); seat != nil {
		q.Character = seat.Character
	}
	q.Options = maps.Clone(t.history.State.Rulings)
	a, err := t.evaluate(s.Begin.Ruleset, q, seedText(argdata.DrawSeed()))
	if err != nil {
		return err
	}
	nonce := drawNonce()
	open := &Open{Question: *q, Told: Told{Who: who, Title: a.Title, Asked: a.Asked},
		Seal: sealOf(s.Begin.Session, s.N+1, nonce)}
	open.Question.Character, open.Question.Input = compactJSON(q.Character), compactJSON(q.Input)
	present := t.whoWatches()
	for i := range s.Seats {
		if seat := &s.Seats[i]; !seat.Removed && (seat.ID == by || slices.Contains(present, seat.ID)) {
			open.Among = append(open.Among, seat.ID)
		}
	}
	if err := t.recordAs(by, &Record{Open: open}); err != nil {
		return err
	}
	return t.recordAndNotify(Server, &Record{Sealed: &Sealed{nonce}})
}

// continueRound does what is the server's turn: it reveals when all others have, and rolls.
func (t *Table) continueRound() {
	s := &t.history.State
	for s.Round != nil && !s.Ended && t.failed == nil {
		switch r := s.Round; {
		case r.sealed == "":
			t.callOff("the server was stopped before its nonce was kept")
		case !r.shown && r.isRevealed():
			if err := t.recordAs(Server, &Record{Reveal: &Reveal{r.N, r.sealed}}); err != nil {
				return
			}
		case r.shown:
			t.rollRound(r)
		default:
			return
		}
	}
}

// rollRound rolls the dice that nobody has chosen.
func (t *Table) rollRound(r *Round) {
	q := r.Open.Question
	fell := seedText(r.seedOfAll())
	a, err := t.evaluate(t.history.State.Begin.Ruleset, &q, fell)
	if err == nil {
		told := a.Told
		told.Who = r.Open.Told.Who
		err = t.recordAs(Server, newRoll(a, told, &q, fell, r.N, 0, false, ""))
	}
	if err != nil {
		t.callOff(err.Error())
	}
}

// callOff ends the round; the log says why.
func (t *Table) callOff(why string) {
	round := t.history.State.Round
	if err := t.recordAs(Server, &Record{CallOff: &CallOff{round.N, shortenText(why)}}); err != nil && t.failed == nil {
		t.failed = err
	}
}

// drawNonce returns 32 random bytes.
func drawNonce() string {
	var b [32]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

// compactJSON returns an object as it stands in a record.
func compactJSON(text []byte) json.RawMessage {
	return json.RawMessage(jsontext.Compact(jsontext.OrObject(text)))
}

// A bucket lets somebody ask for some things at once, and for some each second.
type bucket struct {
	left float64
	at   time.Time
}

const (
	burst     = 40.0
	perSecond = 4.0
)

// ErrGreedy is the error of somebody who asks for too much at once.
var ErrGreedy = errors.New("that is too much at once: wait a few seconds")

// spendTurn takes one thing from what somebody may ask for.
func (t *Table) spendTurn(who string) error {
	now, b := t.now(), t.buckets[who]
	if b == nil {
		b = &bucket{burst, now}
		t.buckets[who] = b
	}
	b.left = min(burst, b.left+perSecond*max(0, now.Sub(b.at).Seconds()))
	b.at = now
	if b.left < 1 {
		return ErrGreedy
	}
	b.left--
	return nil
}
