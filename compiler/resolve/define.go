package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// names enters every definition under its name; tables and functions share one name space with what can be called.
func (r *resolver) names() {
	b := r.out.Book
	r.callables, r.traitsBy, r.rulesBy = map[string]any{}, map[string]*book.Trait{}, map[string]*book.Rule{}
	for _, o := range b.Options {
		r.out.Options[o.ID] = o
	}
	for _, t := range b.Tables {
		r.out.Tables[t.ID] = t
		r.callable("table "+t.ID, &t.Definition, t)
	}
	for _, f := range b.Functions {
		r.callable("function "+f.ID, &f.Definition, f)
	}
	for _, t := range b.Traits {
		r.traitsBy[t.ID] = t
	}
	for _, x := range b.Rules {
		r.rulesBy[x.ID] = x
	}
}

func (r *resolver) callable(subject string, d *book.Definition, x any) {
	switch old := r.callables[d.ID]; {
	case reserved(d.ID):
		r.diags.Addf("name-taken", d.Place, subject, "%s is a function of the language", d.ID).Repair = "give it another name"
		r.read[x] = true
	case old != nil:
		r.diags.Addf("name-taken", d.Place, subject, "%s is also %s", d.ID, kindOf(old)).Repair = "give one of them another name"
		r.read[x] = true
	default:
		r.callables[d.ID] = x
	}
}

// keys closes every shape whose strings are keys of a table.
func (r *resolver) keys() {
	b := r.out.Book
	r.close(b.Character, "#Character")
	for _, x := range b.Rules {
		r.close(x.Input, "rule "+x.ID)
	}
	for _, p := range b.Procedures {
		r.close(p.Input, "procedure "+p.ID)
		r.close(p.State, "procedure "+p.ID)
		for _, e := range p.Events {
			r.close(e.Input, "procedure "+p.ID+", event "+e.ID)
		}
	}
}

func (r *resolver) close(s *plan.Shape, subject string) {
	if s == nil {
		return
	}
	if s.KeyOf != "" {
		r.closeKey(s, subject)
	}
	r.close(s.Elem, subject)
	if s.Character && subject != "#Character" {
		return
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		r.close(m.Shape, subject)
		r.preset(m, subject)
	}
}

func (r *resolver) closeKey(s *plan.Shape, subject string) {
	t := r.out.Tables[s.KeyOf]
	if t == nil && r.disabled(subject, s.Place, "tables", s.KeyOf) {
		return
	}
	if t == nil || t.Kind != book.Keyed {
		r.diags.Addf("unknown-table", s.Place, subject, "@key(%s) names no keyed table", s.KeyOf).
			Repair = diag.DidYouMean(s.KeyOf, keys(r.out.Tables))
		return
	}
	r.read[t] = true
	s.Enum = make([]string, len(t.Rows))
	for i := range t.Rows {
		s.Enum[i] = t.Rows[i].Key
	}
}

func (r *resolver) options() {
	for _, o := range r.out.Book.Options {
		r.value(o, o.Default, "option "+o.ID)
	}
	for _, e := range r.out.Book.Errata {
		if e.Option.S == "" || r.out.Options[e.Option.S] != nil {
			continue
		}
		r.diags.Addf("unknown-option", e.Option.Place, "erratum "+e.ID, "there is no option %s", e.Option.S).
			Repair = diag.DidYouMean(e.Option.S, keys(r.out.Options))
	}
}

// Rulings checks that the rulings of a release name options and values that there are.
func Rulings(b *book.Ruleset, rulings []book.Ruling, diags *diag.List) {
	r := &resolver{diags: diags, out: &Ruleset{Options: map[string]*book.Option{}}}
	for _, o := range b.Options {
		r.out.Options[o.ID] = o
	}
	for _, x := range rulings {
		subject := "ruling " + x.Option
		if o := r.out.Options[x.Option]; o != nil {
			r.value(o, x.Value, subject)
			continue
		}
		diags.Addf("unknown-option", x.Place, subject, "%s has no option %s", b.ID, x.Option).
			Repair = diag.DidYouMean(x.Option, keys(r.out.Options))
	}
}

func (r *resolver) value(o *book.Option, v book.Text, subject string) {
	names := make([]string, len(o.Values))
	for i := range o.Values {
		names[i] = o.Values[i].Name
	}
	if slices.Contains(names, v.S) {
		return
	}
	d := r.diags.Addf("option-value", v.Place, subject, "%q is no value of option %s: it has %s", v.S, o.ID, strings.Join(names, ", "))
	d.Repair = diag.DidYouMean(v.S, names)
}

func (r *resolver) traits() {
	b := r.out.Book
	nodes := make([]node, len(b.Traits))
	index := map[string]int{}
	for i, t := range b.Traits {
		s := r.scope(nil, character())
		r.out.Scopes[t] = s
		if hasField(b.Character, t.ID) {
			r.diags.Addf("name-taken", t.Place, "trait "+t.ID, "%s is also a field of #Character", t.ID)
		} else {
			index[t.ID] = i
		}
		r.formula(&t.Formula, s, "trait "+t.ID)
	}
	for i, t := range b.Traits {
		nodes[i] = node{name: "trait " + t.ID, deps: r.fieldEdges(&t.Formula, index)}
	}
	for _, i := range r.sorted(nodes, "", func(i int) any { return b.Traits[i] }) {
		r.out.Traits = append(r.out.Traits, b.Traits[i])
	}
}

func hasField(s *plan.Shape, name string) bool {
	return s != nil && slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return m.Name == name })
}

// fieldEdges are the traits that a formula reads of its character.
func (r *resolver) fieldEdges(f *book.Formula, index map[string]int) []edge {
	var out []edge
	for _, t := range texts(f) {
		site := r.out.Sites[t]
		if site == nil || site.Expr == nil {
			continue
		}
		for _, ref := range site.Expr.Refs {
			if ref.Name != "character" || len(ref.Path) == 0 {
				continue
			}
			if i, ok := index[ref.Path[0].Name]; ok {
				out = append(out, edge{to: i, at: t.At(ref.Rune)})
			}
		}
	}
	return out
}

func (r *resolver) functions() {
	b := r.out.Book
	nodes := make([]node, len(b.Functions))
	index := map[string]int{}
	for i, f := range b.Functions {
		index[f.ID] = i
		s := r.scope(nil)
		r.out.Scopes[f] = s
		for k := range f.Params {
			p := &f.Params[k]
			r.declare(s, "function "+f.ID, &Entity{Kind: Param, Name: p.Name, Place: p.Place, Param: p})
		}
		r.formula(&f.Formula, s, "function "+f.ID)
	}
	for i, f := range b.Functions {
		nodes[i] = node{name: "function " + f.ID, deps: r.callEdges(&f.Formula, index)}
	}
	for _, i := range r.sorted(nodes, "", func(i int) any { return b.Functions[i] }) {
		r.out.Functions = append(r.out.Functions, b.Functions[i])
	}
}

func (r *resolver) callEdges(f *book.Formula, index map[string]int) []edge {
	var out []edge
	for _, t := range texts(f) {
		site := r.out.Sites[t]
		if site == nil || site.Expr == nil {
			continue
		}
		for _, c := range site.Expr.Calls {
			if i, ok := index[c.Name]; ok && !c.Member {
				out = append(out, edge{to: i, at: t.At(c.Rune)})
			}
		}
	}
	return out
}

// sorted orders nodes and reports the cycles among them; what lies on a cycle is broken. Prefix names the definition
// that the nodes are parts of.
func (r *resolver) sorted(nodes []node, prefix string, of func(int) any) []int {
	order, cycles := sort(nodes)
	for _, c := range cycles {
		names := make([]string, 0, len(c.path)+1)
		for _, i := range c.path {
			names = append(names, nodes[i].name)
			r.breaks(of(i))
		}
		names = append(names, nodes[c.path[0]].name)
		r.diags.Addf("cycle", c.at, prefix+nodes[c.path[len(c.path)-1]].name, "it depends on itself: %s", strings.Join(names, " -> "))
	}
	return order
}

// breaks marks what lies on a cycle: its formulas are not checked, so that the cycle is all that is said.
func (r *resolver) breaks(x any) {
	r.out.Broken[x] = true
	var list []*book.Text
	switch x := x.(type) {
	case *book.Function:
		list = texts(&x.Formula)
	case *book.Trait:
		list = texts(&x.Formula)
	case *book.Named:
		list = texts(&x.Formula)
	case book.Source:
		list = sourceTexts(x)
	}
	for _, t := range list {
		if site := r.out.Sites[t]; site != nil {
			site.Expr = nil
		}
	}
}

func (r *resolver) rules() {
	b := r.out.Book
	nodes := make([]node, len(b.Rules))
	index := map[*book.Rule]int{}
	for i, x := range b.Rules {
		index[x] = i
		subject := "rule " + x.ID
		s := r.scope(nil, character(), r.root(Input, "input", subject, x.Input))
		r.out.Scopes[x] = s
		r.body(&x.Body, s, subject)
	}
	for i, x := range b.Rules {
		nodes[i].name = "rule " + x.ID
		for _, src := range x.Body.Sources {
			if src.Use == nil {
				continue
			}
			if k, ok := index[r.out.Uses[src.Use].Rule]; ok {
				nodes[i].deps = append(nodes[i].deps, edge{to: k, at: src.Use.Rule.Place})
			}
		}
	}
	for _, i := range r.sorted(nodes, "", func(i int) any { return b.Rules[i] }) {
		r.out.Rules = append(r.out.Rules, b.Rules[i])
	}
}

func (r *resolver) procedures() {
	for _, p := range r.out.Book.Procedures {
		r.procedure(p)
	}
}

func (r *resolver) procedure(p *book.Procedure) {
	subject := "procedure " + p.ID
	person := character()
	input := r.root(Input, "input", subject, p.Input)
	top := r.scope(nil, person, input, r.root(State, "state", subject, p.State))
	r.out.Scopes[p] = top
	r.lets(p.Lets, top, subject, "let")
	r.namedFormulas(p.Lets, top, subject, "let")
	top.Order = r.order(pointers(p.Lets), nil, top, subject)
	if p.Start != nil {
		s := r.scope(nil, person, input)
		r.step(p.Start, s, subject+", start")
	}
	for _, e := range p.Events {
		at := subject + ", event " + e.ID
		s := r.scope(top, r.root(Event, "event", at, e.Input))
		r.site(&e.When, top, at+", when")
		r.step(&e.Step, s, at)
	}
	end := r.scope(top)
	r.out.Ends[p] = end
	r.lets(p.Output, end, subject, "output")
	r.namedFormulas(p.Output, end, subject, "output")
	end.Order = r.order(pointers(p.Output), nil, end, subject)
	for i := range p.Ends {
		r.site(&p.Ends[i].Expr, end, fmt.Sprintf("%s, end %s", subject, p.Ends[i].Message))
	}
}

func (r *resolver) step(s *book.Step, scope *Scope, subject string) {
	r.out.Scopes[s] = scope
	r.body(&s.Body, scope, subject)
	r.namedFormulas(s.Next, scope, subject, "next")
}
