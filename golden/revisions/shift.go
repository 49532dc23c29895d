package revisions

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

// shiftsOf asks both revisions every case.
func (r *revisions) shiftsOf(cases []*golden.Case) []*Shift {
	return mapParallel(len(cases), func(i int) *Shift { return r.shiftOf(cases[i]) })
}

// shiftOf asks both revisions; it returns nil if they answer the same, or if only one knows the rule.
func (r *revisions) shiftOf(c *golden.Case) *Shift {
	if c.Kind == golden.TableCase || !canAnswer(r.old, c) || !canAnswer(r.new, c) {
		return nil
	}
	old, new := answerCase(r.old, c), answerCase(r.new, c)
	moved := old.compareWith(new)
	if len(moved) == 0 {
		return nil
	}
	out := &Shift{Subject: string(c.Kind) + " " + c.Subject, Name: c.Name, Moved: moved, Because: r.causesOf(c)}
	if c.Seed != nil {
		out.Seeds = []uint64{*c.Seed}
	}
	return out
}

// canAnswer reports whether a program has the rule or procedure of a case, and its events and options.
func canAnswer(p *runtime.Program, c *golden.Case) bool {
	switch c.Kind {
	case golden.RuleCase:
		_, err := p.Rule(c.Subject, runtime.Choice{Options: c.Options})
		return err == nil
	case golden.FunctionCase: // nobody asks a function but its own ruleset
		return false
	}
	d, err := p.Procedure(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(c.Events, func(e runtime.Step) bool { return !slices.Contains(d.EventNames(), e.Event) })
}

// placeStated notes where the case states a value that moved.
func (s *Shift) placeStated(c *golden.Case) {
	for i := range s.Moved {
		if line := c.WantedLine(s.Moved[i].Path); line > 0 {
			s.Moved[i].Place = fmt.Sprintf("%s:%d", c.File, line)
		}
	}
}
