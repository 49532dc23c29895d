package refusal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// NameLacks says of an error that is about a face which was not given which faces are missing in all; lacks finds them. A
// single face needs no more than the error says.
func NameLacks(err error, lacks func() []dice.Lack) error {
	if !dice.IsMissing(err) {
		return err
	}
	var parts []string
	total := 0
	for _, l := range lacks() {
		total += l.Count
		parts = append(parts, fmt.Sprintf("%s (%d of d%d)", l.ID, l.Count, l.Faces))
	}
	if total < 2 {
		return err
	}
	return fmt.Errorf("%w; missing are %s", err, strings.Join(parts, ", "))
}

// NameOffered returns the error of an event that is not offered, with the reason and the offered events added.
//
// An event whose input does not fit may not be offered at all. The offers then take the place of the error about the
// input: filling it in would be work for nothing.
func NameOffered(err error, play *runtime.Play, event string) error {
	off, ok := errors.AsType[*runtime.NotOffered](err)
	if !ok && !exit.Answered[*runtime.InputError](err) || ok && off.Status != plan.Open {
		return err // the end says why
	}
	offers, failed := play.Offers()
	if failed != nil {
		return err // a condition of another event has no value: what this event is refused for stays true
	}
	if !ok {
		if slices.ContainsFunc(offers, func(o runtime.Offer) bool { return o.Event == event && o.Offered }) {
			return err
		}
		off = &runtime.NotOffered{Event: event, Status: play.Status}
		err = off
	}
	why, offered := "", []string{}
	for i := range offers {
		o := &offers[i]
		switch {
		case o.Offered:
			offered = append(offered, o.Event)
		case o.Event == off.Event && o.WhyNot() != "":
			why = ": " + o.WhyNot()
		}
	}
	if len(offered) == 0 {
		return fmt.Errorf("%w%s; no event is offered", err, why)
	}
	return fmt.Errorf("%w%s; offered: %s", err, why, strings.Join(offered, ", "))
}
