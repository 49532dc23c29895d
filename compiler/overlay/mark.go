package overlay

import "github.com/tabletop-rules/rules/compiler/book"

// A mark gives what a homebrew added its name.
type mark string

func (m mark) named(list []book.Named) {
	for i := range list {
		list[i].Formula.Overlay = string(m)
	}
}

func (m mark) body(b *book.Body) {
	m.named(b.Lets)
	m.named(b.Outputs)
	for _, s := range b.Sources {
		if s.Die != nil {
			s.Die.Overlay = string(m)
		} else {
			m.use(s.Use)
		}
	}
}

func (m mark) use(u *book.Use) {
	u.Overlay = string(m)
	m.named(u.Inputs)
	m.named(u.Each)
	m.named(u.Otherwise)
}

// more marks what a homebrew appends.
func (m mark) more(x *book.Extension) {
	for _, r := range x.Rules {
		m.body(&r.Body)
	}
	for _, p := range x.Procedures {
		m.procedure(p)
	}
}

// all marks the definitions of a homebrew.
func (m mark) all(b *book.Ruleset) {
	for _, t := range b.Traits {
		t.Formula.Overlay = string(m)
	}
	for _, f := range b.Functions {
		f.Formula.Overlay = string(m)
	}
	for _, r := range b.Rules {
		m.body(&r.Body)
	}
	for _, p := range b.Procedures {
		m.procedure(p)
	}
}

func (m mark) procedure(p *book.Procedure) {
	m.named(p.Lets)
	m.named(p.Output)
	if p.Start != nil {
		m.step(p.Start)
	}
	for _, e := range p.Events {
		m.step(&e.Step)
	}
}

func (m mark) step(s *book.Step) {
	m.body(&s.Body)
	m.named(s.Next)
}
