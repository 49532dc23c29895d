package vm

import (
	"strconv"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Refused is an evaluation that a requirement ended: what was asked is not legal.
type Refused struct {
	Require plan.Require
}

// Error returns the message of the requirement.
func (e *Refused) Error() string { return e.Require.Message }

// A Failure is a formula that has no value: an overflow, a division by zero, a key that a map or a table does not have.
type Failure struct {
	Site plan.Site // where
	Msg  string
}

// Error names the place, the rule, the problem and the citation.
func (e *Failure) Error() string {
	msg := e.Msg
	if e.Site.Name != "" {
		msg = e.Site.Name + ": " + msg
	}
	if at := PlaceString(e.Site.Place); at != "" {
		msg = at + ": " + msg
	}
	if e.Site.Cite != "" {
		msg += " (" + e.Site.Cite + ")"
	}
	return msg
}

// PlaceString returns a place as people read it; empty where there is none.
func PlaceString(p plan.Place) string {
	if p.File == "" {
		return ""
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}
