package resolve

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// unused reports what nobody reads. Rules, procedures and outputs are there to be asked from outside. What a formula
// with a problem was meant to read is not known, so then nothing is said.
func (r *resolver) unused() {
	for _, site := range r.out.Sites {
		if site.Expr == nil {
			return
		}
	}
	b := r.out.Book
	for _, o := range b.Options {
		r.unread(o, "unused-option", o.Place, "option "+o.ID, "no formula reads the option "+o.ID)
	}
	for _, t := range b.Tables {
		r.unread(t, "unused", t.Place, "table "+t.ID, "nothing looks anything up in the table "+t.ID)
	}
	for _, t := range b.Traits {
		r.unread(t, "unused", t.Place, "trait "+t.ID, "no formula reads the trait "+t.ID)
	}
	for _, f := range b.Functions {
		r.unread(f, "unused", f.Place, "function "+f.ID, "no formula calls the function "+f.ID)
	}
	for _, x := range b.Rules {
		r.unusedNames(&x.Body, r.out.Scopes[x], "rule "+x.ID)
	}
	for _, p := range b.Procedures {
		r.unusedOf(p)
	}
	for _, e := range r.whole {
		r.unusedFields(e)
	}
}

func (r *resolver) unread(key any, code diag.Code, at plan.Place, subject, message string) {
	if !r.read[key] {
		r.diags.Addf(code, at, subject, "%s", message)
	}
}

func (r *resolver) unusedOf(p *book.Procedure) {
	subject := "procedure " + p.ID
	r.unusedLets(p.Lets, r.out.Scopes[p], subject)
	if p.Start != nil {
		r.unusedNames(&p.Start.Body, r.out.Scopes[p.Start], subject+", start")
	}
	for _, e := range p.Events {
		r.unusedNames(&e.Body, r.out.Scopes[&e.Step], subject+", event "+e.ID)
	}
}

func (r *resolver) unusedNames(b *book.Body, s *Scope, subject string) {
	r.unusedLets(b.Lets, s, subject)
	for _, src := range b.Sources {
		if d := src.Die; d != nil {
			r.unread(s.Names[d.Name], "unused", d.Place, subject, "the die "+d.Name+" is rolled and never read")
		}
	}
}

func (r *resolver) unusedLets(list []book.Named, s *Scope, subject string) {
	for i := range list {
		n := &list[i]
		r.unread(s.Names[n.Name], "unused", n.Place, subject, "the let "+n.Name+" is never read")
	}
}

// unusedFields reports the fields of an input or an event that no formula reads.
func (r *resolver) unusedFields(e *Entity) {
	if e.Shape == nil || r.fields[e][""] {
		return
	}
	for i := range e.Shape.Fields {
		m := &e.Shape.Fields[i]
		if !r.fields[e][m.Name] {
			r.diags.Addf("unused-input", m.Place, r.subjects[e], "no formula reads %s.%s", e.Name, m.Name)
		}
	}
}
