package overlay

import "github.com/tabletop-rules/rules/compiler/book"

// A mark gives what a homebrew added its name.
// It must run before the parts are appended to the ruleset's lists, where they can no longer be
// told apart.
type mark string

func (m mark) markNamed(list []book.Named) {
	for i := range list {
		list[i].Formula.Overlay = string(m)
	}
}

// markBody marks the formulas, dice and uses of a body. Requirements have no mark: no number follows from them.
func (m mark) markBody(b *book.Body) {
	m.markNamed(b.Lets)
	m.markNamed(b.Outputs)
	for _, s := range b.Sources {
		if s.Die != nil {
			s.Die.Overlay = string(m)
		} else {
			m.markUse(s.Use)
		}
	}
}

func (m mark) markUse(u *book.Use) {
	u.Overlay = string(m)
	m.markNamed(u.Inputs)
	m.markNamed(u.Each)
	m.markNamed(u.Otherwise)
}

// markExtension marks the definitions that a homebrew appends.
func (m mark) markExtension(x *book.Extension) {
	for _, r := range x.Rules {
		m.markBody(&r.Body)
	}
	for _, p := range x.Procedures {
		m.markProcedure(p)
	}
}

// markDefinitions marks the definitions of a homebrew.
func (m mark) markDefinitions(b *book.Ruleset) {
	for _, t := range b.Traits {
		t.Formula.Overlay = string(m)
	}
	for _, f := range b.Functions {
		f.Formula.Overlay = string(m)
	}
	for _, r := range b.Rules {
		m.markBody(&r.Body)
	}
	for _, p := range b.Procedures {
		m.markProcedure(p)
	}
}

// markProcedure marks the parts of a procedure, its bodies among them.
func (m mark) markProcedure(p *book.Procedure) {
	m.markNamed(p.Lets)
	m.markNamed(p.Output)
	if p.Start != nil {
		m.markStep(p.Start)
	}
	for _, e := range p.Events {
		m.markStep(&e.Step)
	}
}

func (m mark) markStep(s *book.Step) {
	m.markBody(&s.Body)
	m.markNamed(s.Next)
}
