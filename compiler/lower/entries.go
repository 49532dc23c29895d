package lower

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addEntries describes every definition for people, in the author's order within each kind.
//
// It reads the book and not the typed tree: entries repeat the author's text. Commands that show, compare or search a
// ruleset read them from a plan file, without CUE and CEL; they are its last parts, which playing a rule does not read.
func (p *planner) addEntries(r *check.Ruleset) {
	b := r.Book
	for _, o := range b.Options {
		e := p.addEntry(plan.OptionEntry, &o.Definition)
		for _, v := range o.Values {
			e.Values = append(e.Values, plan.Line{Part: "value", Name: v.Name, Text: v.Doc, Place: v.Place})
		}
	}
	for _, t := range b.Tables {
		e := p.addEntry(plan.TableEntry, &t.Definition)
		for i := range t.Rows {
			e.Rows = append(e.Rows, t.Rows[i].Place)
		}
	}
	for _, t := range b.Traits {
		e := p.addEntry(plan.TraitEntry, &t.Definition)
		e.Lines = append(e.Lines, formulaLine("expr", t.ID, &t.Formula))
	}
	for _, f := range b.Functions {
		e := p.addEntry(plan.FunctionEntry, &f.Definition)
		for _, x := range f.Params {
			e.Lines = append(e.Lines, plan.Line{Part: "param", Name: x.Name, Text: x.Type.S, Place: x.Place})
		}
		e.Lines = append(e.Lines, formulaLine("expr", f.ID, &f.Formula))
	}
	for _, x := range b.Rules {
		e := p.addEntry(plan.RuleEntry, &x.Definition)
		e.Lines = bodyLines(&x.Body)
		for i := range x.Otherwise {
			e.Lines = append(e.Lines, formulaLine("otherwise", x.Otherwise[i].Name, &x.Otherwise[i].Formula))
		}
	}
	for _, x := range b.Procedures {
		p.addProcedureEntries(x)
	}
	p.addRulings(b)
}

// addEntry adds the entry of a definition, which commands show people.
//
// The pointer is good until the next entry is added, as the slice may move.
func (p *planner) addEntry(kind plan.EntryKind, d *book.Definition) *plan.Entry {
	e := plan.Entry{Kind: kind, ID: d.ID, Place: d.Place, Cite: d.Cite.S, Doc: d.Doc, Overlays: d.Overlays}
	for _, c := range d.Covers {
		e.Covers = append(e.Covers, c.S)
	}
	p.out.Entries = append(p.out.Entries, e)
	return &p.out.Entries[len(p.out.Entries)-1]
}

// Events have entries of their own, named procedure.event, and take the procedure's citation where
// they have none: a book states a procedure as a whole. The start has none, and its statements
// count for the procedure.
func (p *planner) addProcedureEntries(x *book.Procedure) {
	e := p.addEntry(plan.ProcedureEntry, &x.Definition)
	for i := range x.Lets {
		e.Lines = append(e.Lines, formulaLine("let", x.Lets[i].Name, &x.Lets[i].Formula))
	}
	if x.Start != nil {
		for _, c := range x.Start.Covers {
			e.Covers = append(e.Covers, c.S)
		}
		e.Lines = append(e.Lines, stepLines(x.Start)...)
	}
	for _, end := range x.Ends {
		e.Lines = append(e.Lines, plan.Line{Part: "ends", Name: end.Message, Text: end.Expr.S, Place: end.Place})
	}
	e.Lines = append(e.Lines, outputLines(x.Output)...)
	for _, ev := range x.Events {
		e := p.addEntry(plan.EventEntry, &ev.Definition)
		e.ID = x.ID + "." + ev.ID
		if e.Cite == "" {
			e.Cite = x.Cite.S
		}
		if ev.When.S != "" {
			e.Lines = append(e.Lines, plan.Line{Part: "when", Text: ev.When.S, Place: ev.When.Place})
		}
		e.Lines = append(e.Lines, stepLines(&ev.Step)...)
	}
}

// addRulings copies the readings and the errata of the book, which commands show to people: no graph refers to them.
func (p *planner) addRulings(b *book.Ruleset) {
	for _, r := range b.Readings {
		p.out.Readings = append(p.out.Readings, plan.Reading{
			ID: r.ID, Cite: r.Cite.S, Question: r.Question, Ruled: r.Ruled, Rejected: r.Rejected, Why: r.Why,
			Place: r.Place})
	}
	for _, r := range b.Errata {
		p.out.Errata = append(p.out.Errata, plan.Erratum{
			ID: r.ID, Cite: r.Cite.S, Printed: r.Printed, Ruled: r.Ruled, Why: r.Why, Option: r.Option.S, Place: r.Place})
	}
}

func formulaLine(part, name string, f *book.Formula) plan.Line {
	return plan.Line{Part: part, Name: name, Text: strings.TrimSpace(formulaText(f)), Place: f.Place}
}

func stepLines(s *book.Step) []plan.Line {
	out := bodyLines(&s.Body)
	for i := range s.Next {
		out = append(out, formulaLine("next", s.Next[i].Name, &s.Next[i].Formula))
	}
	return out
}

// bodyLines returns the formulas of a body in the order in which it is carried out. A Line's Part is the word that stands
// in the author's file, "let" or "require"; its Name is the label behind it. Package compare pairs the lines of two
// revisions by both.
func bodyLines(b *book.Body) []plan.Line {
	var out []plan.Line
	for _, s := range b.Sources {
		if s.Die != nil {
			out = append(out, plan.Line{Part: "dice", Name: s.Die.Name, Text: dieText(s.Die), Place: s.Die.Place})
		} else {
			out = append(out, useLines(s.Use)...)
		}
	}
	for i := range b.Lets {
		out = append(out, formulaLine("let", b.Lets[i].Name, &b.Lets[i].Formula))
	}
	for i := range b.Decisions {
		out = append(out, decisionLine(&b.Decisions[i]))
	}
	for _, r := range b.Requires {
		out = append(out, plan.Line{Part: "require", Name: r.Message, Text: strings.TrimSpace(r.Expr.S), Place: r.Place})
	}
	return append(out, outputLines(b.Outputs)...)
}

// outputLines returns the formulas of outputs, and after them how these are shown: with how many digits after the point,
// and only where which of them holds.
func outputLines(list []book.Named) (out []plan.Line) {
	for i := range list {
		out = append(out, formulaLine("output", list[i].Name, &list[i].Formula))
	}
	for i := range list {
		if d := list[i].Decimals; d.S != "" {
			out = append(out, plan.Line{Part: "decimals", Name: list[i].Name, Text: d.S, Place: d.Place})
		}
		if w := list[i].When; w.S != "" {
			out = append(out, plan.Line{Part: "possible", Name: list[i].Name, Text: w.S, Place: w.Place})
		}
	}
	return out
}

// decisionLine returns a decision on one line: "after roll, when success, at most quality".
func decisionLine(d *book.Decision) plan.Line {
	var after []string
	for _, name := range d.After {
		after = append(after, name.S)
	}
	text := "after " + strings.Join(after, " and ")
	for _, b := range d.Bounds() {
		if b.Text.Written() {
			text += ", " + b.Name + " " + strings.TrimSpace(b.Text.S)
		}
	}
	return plan.Line{Part: "decide", Name: d.Path, Text: text, Place: d.Place}
}

// useLines returns the lines of a use as the author wrote them: the lists that it walks, its inputs, and its otherwise.
func useLines(u *book.Use) []plan.Line {
	out := []plan.Line{{Part: "use", Name: u.Name, Text: u.Rule.S, Place: u.Place}}
	part := func(name string, t book.Text) {
		if t.S != "" {
			out = append(out, plan.Line{Part: "use", Name: u.Name + "." + name, Text: strings.TrimSpace(t.S),
				Place: t.Place})
		}
	}
	for i := range u.Each {
		out = append(out, formulaLine("use", u.Name+".each."+u.Each[i].Name, &u.Each[i].Formula))
	}
	part("character", u.Character)
	part("when", u.When)
	part("input", u.Input)
	for i := range u.Inputs {
		out = append(out, formulaLine("use", u.Name+".input."+u.Inputs[i].Name, &u.Inputs[i].Formula))
	}
	for i := range u.Otherwise {
		out = append(out, formulaLine("use", u.Name+".otherwise."+u.Otherwise[i].Name, &u.Otherwise[i].Formula))
	}
	return out
}
