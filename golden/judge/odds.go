package judge

import (
	"errors"
	"math/big"
)

// A Chance is how likely an answer is.
type Chance struct {
	Output map[string]any // nil when there is none
	Falls  []Fall         // that lead to it
	Err    error          // a *Refusal, *Failure, *Misfit or *Unfollowed
	P      *big.Rat
}

// everyFall lets dice fall in one of all ways: the choices of path, then the first face of each further die.
type everyFall struct {
	path   []int // of each die that falls, the number of its face
	widths []int // how many faces each of them has
	at     int
	p      *big.Rat
}

// leastFollowed is the chance below which dice are not followed: those that explode without end have no last way to fall.
var leastFollowed = big.NewRat(1, 1<<60)

// An Unfollowed is a die that is thrown on further than it is followed.
type Unfollowed struct{ ID string }

func (e *Unfollowed) Error() string { return e.ID + " is thrown on further than is followed" }

// Throw lets a die show the face of the path, with the chance that its weight has among those of all faces.
func (t *everyFall) Throw(id string, s sides) (int64, error) {
	if t.p.Cmp(leastFollowed) < 0 {
		return 0, &Unfollowed{id}
	}
	if t.at == len(t.path) {
		t.path, t.widths = append(t.path, 0), append(t.widths, len(s.faces))
	}
	i := t.path[t.at]
	t.at++
	all := int64(0)
	for _, w := range s.weights {
		all += w
	}
	t.p.Mul(t.p, big.NewRat(s.weights[i], all))
	return s.faces[i], nil
}

// nextFall turns to the next way in which the dice can fall; false when there is none.
func (t *everyFall) nextFall() bool {
	for n := len(t.path); n > 0; n-- {
		if t.path[n-1]++; t.path[n-1] < t.widths[n-1] {
			t.path, t.widths = t.path[:n], t.widths[:n]
			return true
		}
		t.path, t.widths = t.path[:n-1], t.widths[:n-1]
	}
	return false
}

// Odds carries a rule out for every way in which its dice can fall, unless there are more than most.
func (r *Ruleset) Odds(id string, q Question, most int) (out []Chance, err error) {
	a, err := r.Ask(id, q)
	if err != nil {
		return nil, err
	}
	t := &everyFall{}
	for n := 0; ; n++ {
		if n == most {
			return nil, &Unjudged{"dice that fall in too many ways"}
		}
		t.at, t.p = 0, big.NewRat(1, 1)
		sheet, err := a.Answer(t)
		if _, isUnjudged := errors.AsType[*Unjudged](err); isUnjudged {
			return nil, err
		}
		c := Chance{Err: err, P: t.p}
		if err == nil {
			c.Output, c.Falls = sheet.Output, sheet.Falls
		}
		out = append(out, c)
		if !t.nextFall() {
			return out, nil
		}
	}
}
