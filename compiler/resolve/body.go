package resolve

import (
	"fmt"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// body declares the names of a body, which are one name space, and resolves its formulas.
func (r *resolver) body(b *book.Body, s *Scope, subject string) {
	for _, src := range b.Sources {
		r.declare(s, subject, sourceEntity(src))
	}
	r.lets(b.Lets, s, subject, "let")
	r.lets(b.Outputs, s, subject, "output")
	for _, src := range b.Sources {
		r.source(src, s, subject)
	}
	r.namedFormulas(b.Lets, s, subject, "let")
	r.namedFormulas(b.Outputs, s, subject, "output")
	for i := range b.Requires {
		r.site(&b.Requires[i].Expr, s, fmt.Sprintf("%s, require %q", subject, b.Requires[i].Message))
	}
	s.Order = r.order(append(pointers(b.Lets), pointers(b.Outputs)...), b.Sources, s, subject)
	r.rolls(b, s, subject)
}

func sourceEntity(src book.Source) *Entity {
	if src.Die != nil {
		return &Entity{Kind: Die, Name: src.Die.Name, Place: src.Die.Place, Die: src.Die}
	}
	return &Entity{Kind: UseName, Name: src.Use.Name, Place: src.Use.Place, Use: src.Use}
}

// lets declares named formulas.
func (r *resolver) lets(list []book.Named, s *Scope, subject, part string) {
	for i := range list {
		n := &list[i]
		r.declare(s, fmt.Sprintf("%s, %s %s", subject, part, n.Name), &Entity{Kind: Let, Name: n.Name, Place: n.Place, Named: n})
	}
}

func (r *resolver) namedFormulas(list []book.Named, s *Scope, subject, part string) {
	for i := range list {
		r.formula(&list[i].Formula, s, fmt.Sprintf("%s, %s %s", subject, part, list[i].Name))
	}
}

func (r *resolver) source(src book.Source, s *Scope, subject string) {
	if d := src.Die; d != nil {
		at := subject + ", dice " + d.Name
		r.site(&d.Faces, s, at)
		r.site(&d.Count, s, at)
		return
	}
	r.use(src.Use, s, subject+", use "+src.Use.Name)
}

func (r *resolver) use(u *book.Use, s *Scope, subject string) {
	out := &Use{Rule: r.rulesBy[u.Rule.S], Scope: s}
	r.out.Uses[u] = out
	if out.Rule == nil && !r.disabled(subject, u.Rule.Place, "rules", u.Rule.S) {
		r.diags.Addf("unknown-rule", u.Rule.Place, subject, "there is no rule %s", u.Rule.S).
			Repair = diag.DidYouMean(u.Rule.S, keys(r.rulesBy))
	}
	r.namedFormulas(u.Each, s, subject, "each")
	if len(u.Each) > 0 {
		out.Scope = r.scope(s)
		for i := range u.Each {
			n := &u.Each[i]
			r.declare(out.Scope, subject+", each "+n.Name, &Entity{Kind: Each, Name: n.Name, Place: n.Place, Named: n})
		}
	}
	r.site(&u.Character, out.Scope, subject+", character")
	r.site(&u.When, out.Scope, subject+", when")
	r.site(&u.Input, out.Scope, subject+", input")
	r.namedFormulas(u.Inputs, out.Scope, subject, "input")
	r.namedFormulas(u.Otherwise, out.Scope, subject, "otherwise")
}

// sourceTexts lists the expressions that a source depends on.
func sourceTexts(src book.Source) []*book.Text {
	if src.Die != nil {
		return []*book.Text{&src.Die.Faces, &src.Die.Count}
	}
	u := src.Use
	out := []*book.Text{&u.Character, &u.When, &u.Input}
	for _, list := range [][]book.Named{u.Each, u.Inputs, u.Otherwise} {
		for i := range list {
			out = append(out, texts(&list[i].Formula)...)
		}
	}
	return out
}
