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

// Course plays a procedure in every way in which its dice can fall: always the first of the moves that is offered, until it
// ends or so many events have happened. It returns the chances of the statuses, StatusOpen where it goes on.
func (r *Ruleset) Course(id string, q Question, moves []Move, events, most int) (chances map[string]*big.Rat, err error) {
	defer recoverUnjudged(&err)
	asked, err := r.readGame(id, q)
	if err != nil {
		return nil, err
	}
	asked.ofEvents = []string{} // "A course goes from state to state: it asks for no outputs of events"
	chances = map[string]*big.Rat{}
	t := &everyFall{}
	for n := 0; n == 0 || t.nextFall(); n++ {
		if n == most {
			return nil, &Unjudged{"dice that fall in too many ways"}
		}
		t.at, t.p = 0, big.NewRat(1, 1)
		status, err := asked.followMoves(t, moves, events)
		if _, isUnfollowed := err.(*Unfollowed); isUnfollowed {
			status, err = StatusUnfollowed, nil
		}
		if err != nil {
			return nil, err
		}
		if chances[status] == nil {
			chances[status] = new(big.Rat)
		}
		chances[status].Add(chances[status], t.p)
	}
	return chances, nil
}

// followMoves plays a procedure that has not begun for one way in which its dice can fall.
func (g game) followMoves(t Thrower, moves []Move, events int) (string, error) {
	var refusal *Refusal
	_, err := g.startGame(t)
	if errors.As(err, &refusal) {
		return StatusRefused, nil
	}
	if err != nil {
		return "", err
	}
	for n := 0; ; n++ {
		status, _, err := g.judgeStanding()
		if err != nil || status != StatusOpen {
			return status, err
		}
		if n == events {
			return g.judgeOffers(moves)
		}
		switch err := g.makeMove(t, moves); {
		case errors.As(err, &refusal):
			return StatusRefused, nil
		case err == errStuck:
			return StatusStuck, nil
		case isOutgrown(err):
			return StatusOutgrown, nil
		case err != nil:
			return "", err
		}
	}
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
