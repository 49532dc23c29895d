package api

// # Asking step by step
//
// A client that does not want to show a form with everything asks what is needed next. It sends
// what it knows, gets the next questions, adds the answers and sends all of it again, until a sheet
// comes back:
//
//	{"answers so far"} -> {"needs": [question, ...]}  -> ... -> {"sheet": {...}}
//
// The server keeps nothing between the steps. So a step can be taken back by leaving an answer out,
// and two clients at one table cannot get into each other's way.

import (
	"encoding/json"
	"net/http"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
)

// An inquiry is the body of a question for what is needed next. Its Request is all that a client keeps between two of
// them.
type inquiry struct {
	runtime.Request
	Options map[string]string `json:"options"`
	Outputs []string          `json:"outputs"`
	State   json.RawMessage   `json:"state"` // of a procedure that has begun: its sheet
	Event   string            `json:"event"` // of a procedure that has begun: what is to happen
}

// A step is the answer about a procedure: what is needed, or the play with the events that may follow.
type step struct {
	Needs  []ask.Need      `json:"needs,omitempty"`
	Play   *runtime.Play   `json:"play,omitempty"`
	Offers []runtime.Offer `json:"offers,omitempty"`
}

// answerNeeds answers with the next needs of a rule or a procedure, or with its answer when it needs nothing.
func (s *server) answerNeeds(w http.ResponseWriter, r *http.Request) {
	var q inquiry
	e, id, procedure, err := s.readQuestion(r, &q)
	if err != nil {
		writeError(w, err)
		return
	}
	answer := q.askRule
	if procedure {
		answer = q.askProcedure
	}
	v, err := answer(e, id)
	if err != nil {
		writeError(w, err)
		return
	}
	writeValue(w, v)
}

// A ruleAnswer is what is needed next, or the sheet when nothing is.
type ruleAnswer struct {
	Needs []ask.Need     `json:"needs,omitempty"`
	Sheet *runtime.Sheet `json:"sheet,omitempty"`
}

func (q *inquiry) askRule(e *library.Edition, id string) (any, error) {
	if q.State != nil || q.Event != "" {
		return nil, BadRequest("state and event have no meaning for a rule")
	}
	rule, err := e.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	if err != nil {
		return nil, err
	}
	reply, err := rule.Ask(q.Request)
	if err != nil {
		return nil, err
	}
	return ruleAnswer{reply.Needs, reply.Sheet}, nil
}

func (q *inquiry) askProcedure(e *library.Edition, id string) (any, error) {
	switch {
	case q.Outputs != nil:
		return nil, BadRequest("outputs has no meaning for a procedure")
	// An event without a state would be of a procedure that has not begun; asking for its input
	// would answer for no state at all.
	case q.State == nil && q.Event != "":
		return nil, BadRequest("an event happens in a state: send the sheet of the procedure as state")
	case q.State == nil:
		procedure, err := e.Procedure(id, runtime.Choice{Options: q.Options})
		if err != nil {
			return nil, err
		}
		return withOffers(procedure.Ask(q.Request))
	}
	// The sheet is checked as eval checks it: a client could have changed it on the way.
	play, err := (&Question{State: q.State}).resumePlay(e, id)
	if err != nil || q.Event == "" {
		return withOffers(&runtime.PlayReply{Play: play}, err)
	}
	return withOffers(play.Ask(q.Event, q.Request))
}

// withOffers adds to a play the events that may follow.
func withOffers(reply *runtime.PlayReply, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if reply.Needs != nil {
		return step{Needs: reply.Needs}, nil
	}
	offers, err := reply.Play.Offers()
	return step{Play: reply.Play, Offers: offers}, err
}
