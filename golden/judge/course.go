package judge

import (
	"errors"
	"math/big"
)

// These are the statuses of a course that no end of its procedure says: "a state in which no event of the policy can happen is
// stuck, also behind the last event that is followed, of which nothing is judged but whether it is offered; what an event is
// refused with ends the course as refused, and a next state or character beyond its bounds as outgrown".
const (
	StatusStuck    = "stuck"
	StatusRefused  = "refused"
	StatusOutgrown = "outgrown"
	// StatusUnfollowed is that of dice which are thrown on further than they are followed.
	StatusUnfollowed = "not followed"
)

// A Move is an event that happens where it is offered.
type Move struct {
	Event string
	Input []byte
}

// A Situation is what a course may come to. It has a state and a character where the last event that is followed has led to
// them: none of an end that an earlier event has reached, nor where that event did not happen or its next values do not fit.
// It has outputs unless that is how it ended.
type Situation struct {
	Status                   string
	State, Character, Output map[string]any
	P                        *big.Rat
}

// Course plays a procedure in every way in which its dice can fall: always the first of the moves that is offered, until it
// ends or so many events have happened. It returns what each way comes to, StatusOpen where it goes on.
func (r *Ruleset) Course(id string, q Question, moves []Move, events, most int) (list []Situation, err error) {
	defer recoverUnjudged(&err)
	asked, err := r.readGame(id, q)
	if err != nil {
		return nil, err
	}
	asked.ofEvents = []string{} // "A course goes from state to state: it asks for no outputs of events"
	t := &everyFall{}
	for n := 0; n == 0 || t.nextFall(); n++ {
		if n == most {
			return nil, &Unjudged{"dice that fall in too many ways"}
		}
		t.at, t.p = 0, big.NewRat(1, 1)
		s, err := asked.followMoves(func(int) Thrower { return t }, moves, events)
		if _, isUnfollowed := err.(*Unfollowed); isUnfollowed {
			s, err = Situation{Status: StatusUnfollowed}, nil
		}
		if err != nil {
			return nil, err
		}
		s.P = new(big.Rat).Set(t.p)
		list = append(list, s)
	}
	return list, nil
}

// Draw plays one course, the dice of which are drawn.
func (r *Ruleset) Draw(id string, q Question, moves []Move, events int, seed, record uint64) (s Situation, err error) {
	defer recoverUnjudged(&err)
	asked, err := r.readGame(id, q)
	if err != nil {
		return s, err
	}
	asked.ofEvents = []string{}
	return asked.followMoves(func(n int) Thrower { return DrawFrom(seed, record, uint64(n)) }, moves, events)
}

// followMoves plays a procedure that has not begun for one way in which its dice can fall, event by event from the start, 0.
func (g game) followMoves(thrower func(event int) Thrower, moves []Move, events int) (Situation, error) {
	var refusal *Refusal
	_, err := g.startGame(thrower(0))
	if errors.As(err, &refusal) {
		return Situation{Status: StatusRefused}, nil
	}
	if err != nil {
		return Situation{}, err
	}
	for n := 0; ; n++ {
		status, output, err := g.judgeStanding()
		if err == nil && status == StatusOpen && n == events {
			status, err = g.judgeOffers(moves)
		}
		switch {
		case err != nil:
			return Situation{}, err
		case n == events:
			return g.situationOf(status, output)
		case status != StatusOpen:
			return Situation{Status: status, Output: output}, nil
		}
		switch err := g.makeMove(thrower(n+1), moves); {
		case errors.As(err, &refusal):
			return Situation{Status: StatusRefused}, nil
		case err == errStuck:
			return Situation{Status: StatusStuck, Output: output}, nil
		case isOutgrown(err):
			return Situation{Status: StatusOutgrown}, nil
		case err != nil:
			return Situation{}, err
		}
	}
}

// situationOf returns the situation behind the last event that is followed.
func (g *game) situationOf(status string, output map[string]any) (Situation, error) {
	state, err := plainValue(g.state)
	if err != nil {
		return Situation{}, err
	}
	character, err := plainValue(g.character)
	if err != nil {
		return Situation{}, err
	}
	return Situation{status, state.(map[string]any), character.(map[string]any), output, nil}, nil
}

// isOutgrown reports whether the next state or character does not fit, and not what comes with an event.
func isOutgrown(err error) bool {
	m, isMisfit := err.(*Misfit)
	return isMisfit && !isWithin(m.Paths[0], "event")
}

// judgeOffers returns whether a course goes on after the last event that is followed.
func (g *game) judgeOffers(moves []Move) (string, error) {
	for _, m := range moves {
		offered, err := g.isOffered(g.p.events[m.Event])
		if err != nil || offered {
			return StatusOpen, err
		}
	}
	return StatusStuck, nil
}

var errStuck = errors.New("no move is offered")

// makeMove lets the first event happen that is offered.
func (g *game) makeMove(t Thrower, moves []Move) error {
	for _, m := range moves {
		_, err := g.carryOutEvent(Happening{Event: m.Event, Input: m.Input, Thrower: t})
		var notOffered *NotOffered
		if !errors.As(err, &notOffered) {
			return err
		}
	}
	return errStuck
}
