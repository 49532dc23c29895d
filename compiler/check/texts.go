package check

import "github.com/tabletop-rules/rules/compiler/book"

// textsOf lists the texts on which the value of an object depends.
func textsOf(o Object) []*book.Text {
	switch o := o.(type) {
	case *Let:
		return formulaTexts(&o.Book.Formula)
	case *Trait:
		return formulaTexts(&o.Book.Formula)
	case *Function:
		return formulaTexts(&o.Book.Formula)
	case *Die:
		return dieTexts(o)
	case *Use:
		u := o.Book
		out := []*book.Text{&u.Character, &u.When, &u.Input}
		for _, list := range [][]book.Named{u.Each, u.Inputs, u.Otherwise} {
			for i := range list {
				out = append(out, formulaTexts(&list[i].Formula)...)
			}
		}
		return out
	}
	return nil
}

// dieTexts lists the expressions of a source of faces; notation that stands in place of one is none.
func dieTexts(d *Die) []*book.Text {
	out := []*book.Text{&d.Book.Faces, &d.Book.Pool, &d.Book.Count}
	for _, r := range []*Repeat{d.Again, d.Explode} {
		if r != nil {
			out = append(out, &r.text, r.when)
		}
	}
	for _, r := range d.Data {
		if len(r.Forms) == 0 || r.Notation != nil {
			out = append(out, &r.Book.Dice)
		}
		out = append(out, &r.Book.Times)
	}
	if d.Book.Roll != nil {
		out = append(out, &d.Book.Roll.Repeat)
	}
	return out
}

// formulaTexts lists the expressions of a formula.
func formulaTexts(f *book.Formula) []*book.Text {
	if !f.By.Written() {
		return []*book.Text{&f.Expr}
	}
	out := []*book.Text{&f.By}
	for i := range f.Is {
		out = append(out, &f.Is[i].Expr)
	}
	return out
}
