package check

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkProcedure returns a checked procedure: the values that follow from the state, the steps that change it, its ends.
//
// The scopes read:
//
//	start     character, input              its own lets, dice and uses
//	event     character, input, state       the procedure's lets, event, and its own
//	output    character, input, state       the procedure's lets, and outputs
//	ends      the same
//
// A guard (when) is judged before the event is given, so it reads the procedure around the event and not the event.
func (c *checker) checkProcedure(p *book.Procedure) *Procedure {
	subject := "procedure " + p.ID
	out := &Procedure{
		Book: p, Character: c.newCharacter(),
		Input: c.newGiven(plan.InputRoot, "input", p.Input), State: c.newGiven(plan.StateRoot, "state", p.State),
	}
	top := c.newScope(out.Character, out.Input, out.State)
	out.Lets = c.checkLets(p.Lets, top, subject, "let")
	if p.Start != nil { // it has no state yet
		out.Start = &Step{Book: p.Start}
		c.checkStep(out, out.Start, c.newScope(out.Character, out.Input), nil, subject+", start")
	}
	c.checkStateSet(p)
	for _, e := range p.Events {
		out.Events = append(out.Events, c.checkEvent(out, e, top))
	}
	end := newScope(top)
	out.Outputs = c.checkLets(p.Output, end, subject, "output")
	c.checkAttributes(out.Outputs, nil, end, subject)
	for i := range p.Ends {
		c.resolveText(&p.Ends[i].Expr, end, fmt.Sprintf("%s, end %s", subject, p.Ends[i].Message))
		out.Ends = append(out.Ends, c.typeRequire(&p.Ends[i], "an end"))
	}
	return out
}

// checkLets returns named formulas that read each other and the scope around them.
func (c *checker) checkLets(list []book.Named, s *Scope, subject, part string) []*Let {
	out := c.declareLets(list, s, subject, part)
	c.resolveLets(list, s, subject, part)
	c.completeLets(out)
	return out
}

// checkStateSet checks that every field of the state has a value when the first event comes.
func (c *checker) checkStateSet(p *book.Procedure) {
	var set []string
	if p.Start != nil {
		set = pathsOf(p.Start.Next)
	}
	for _, path := range missingMembers(p.State, "", set) {
		at := p.State.Place
		if m := topMember(p.State, path); m != nil {
			at = m.Place
		}
		c.diags.Addf("state-unset", at, "procedure "+p.ID, "state.%s has no default, and start does not set it", path).
			Repair = "give it a default, or set it in start: next"
	}
}

func topMember(s *plan.Shape, path string) *plan.Member {
	name, _, _ := strings.Cut(path, ".")
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

func (c *checker) checkEvent(p *Procedure, e *book.Event, top *Scope) *Event {
	subject := "procedure " + p.Book.ID + ", event " + e.ID
	out := &Event{Book: e, Step: Step{Book: &e.Step}, Event: c.newGiven(plan.EventRoot, "event", e.Input)}
	c.resolveText(&e.When, top, subject+", when")
	out.When = c.typeTextAs(&e.When, plan.BoolType, "when")
	c.checkStep(p, &out.Step, newScope(top, out.Event), out.Event, subject)
	return out
}

// checkStep checks a body and the next values of paths into the state and the character.
func (c *checker) checkStep(p *Procedure, s *Step, scope *Scope, given *Given, subject string) {
	s.Body = c.checkBody(&s.Book.Body, scope, given, subject)
	c.resolveLets(s.Book.Next, scope, subject, "next")
	for i := range s.Book.Next {
		next := c.typeNext(p, &s.Book.Next[i], subject)
		p.Changes = p.Changes || next.Root == plan.CharacterRoot
		s.Next = append(s.Next, next)
	}
	c.checkOtherwise(s.Body, scope)
	c.checkDisjoint(s.Book.Next, subject)
}

// typeNext types the next value of a path of the state, or of the character, by the shape at that path. Only the named part
// changes.
func (c *checker) typeNext(p *Procedure, n *book.Named, subject string) *Next {
	out := &Next{Root: plan.StateRoot, Path: strings.Split(n.Name, ".")}
	shape, of := p.Book.State, "#State"
	if out.Path[0] == "character" {
		out.Root, out.Path = plan.CharacterRoot, out.Path[1:]
		shape, of = c.book.Character, "#Character"
	}
	want := c.typeAtPath(shape, strings.Join(out.Path, "."), n.Place, subject+", next "+n.Name, of)
	out.Let = &Let{header: header{name: n.Name, place: n.Place}, Book: n}
	c.typeLet(out.Let, want)
	c.checkFormulaFits(out.Let.Formula, want, n.Name)
	return out
}

// checkDisjoint checks that no path lies within another: both would be set at once.
func (c *checker) checkDisjoint(list []book.Named, subject string) {
	for i := range list {
		for k := range list {
			if strings.HasPrefix(list[k].Name, list[i].Name+".") {
				c.diags.Addf("next-overlap", list[k].Place, subject,
					"%s is set as a part of %s, which is set as a whole", list[k].Name, list[i].Name).
					Repair = fmt.Sprintf("leave %s out, or set each part by itself", list[i].Name)
			}
		}
	}
}
