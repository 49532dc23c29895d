package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime"
)

// explainRefusal says of a rule that refused which numbers its requirement read, and which faces had fallen from which
// seed: they are the players', although there is no sheet. It is nil for any other error.
func (q *question) explainRefusal(rule *runtime.Rule, request runtime.Request, err error) error {
	if _, refused := errors.AsType[*runtime.Refused](err); !refused {
		return nil
	}
	if request.Seed != nil { // one that was drawn must not be drawn anew
		q.seed, q.seeded = *request.Seed, true
	}
	source, seed, failed := q.chooseFaces()
	if failed != nil {
		return nil
	}
	again := request
	again.Dice, again.Trace = source, false
	why, failed := rule.WhyRefused(again)
	if failed != nil || why == nil {
		return nil
	}
	out := exit.WordRefusal(err)
	if s := why.Step; s != nil && s.Equation != "" {
		out = fmt.Errorf("%w: it needs %s", out, s.Equation)
	}
	if len(why.Dice) == 0 {
		return out
	}
	var fell []string
	for _, row := range present.DiceRows(why.Dice, nil) {
		fell = append(fell, row[1])
	}
	out = fmt.Errorf("%w; fallen are %s", out, strings.Join(fell, " "))
	if seed != nil {
		out = fmt.Errorf("%w, and --seed %d lets them fall so again", out, *seed)
	}
	return out
}
