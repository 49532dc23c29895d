package check

import (
	"errors"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// notation reads a sum of dice and constants. It is nil, and reported, when it cannot be read or names no die.
func (c *pass) notation(text *book.Text, subject string) *dice.Expression {
	e, err := dice.ParseExpression(text.S)
	if err == nil && !e.Dice() {
		err = &dice.SyntaxError{Msg: "no die is named: write one, such as d6, 3d6 or d%"}
	}
	if err != nil {
		c.syntax(text, subject, err)
		return nil
	}
	return e
}

// syntax reports notation that cannot be read, at the character.
func (c *pass) syntax(text *book.Text, subject string, err error) {
	at := text.At(0)
	if wrong, ok := errors.AsType[*dice.SyntaxError](err); ok {
		at = text.At(wrong.Offset)
	}
	c.diags.Addf("dice-notation", at, subject, "%s", err)
}

// shows reads a die that is in notation, and gives the type of what a die shows: a face, a list of dice, or what a sum
// comes to.
func (c *pass) shows(d *Die, subject string) *plan.Type {
	text := &d.Book.Notation
	if !text.Written() {
		return facesOf(d.Book.Count.Written())
	}
	e := c.notation(text, subject)
	if e == nil {
		return broken
	}
	group := e.Plain()
	if group == nil {
		d.Sum = e
		return plan.IntType
	}
	d.Faces = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(group.Faces)}}
	if group.Listed {
		d.Count = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(group.Count)}}
		d.Most = group.Count
	}
	return facesOf(group.Listed)
}

func facesOf(list bool) *plan.Type {
	if list {
		return plan.ListOf(plan.IntType)
	}
	return plan.IntType
}

// die checks a die that is written as a struct.
func (c *pass) die(d *Die, subject string) {
	b := d.Book
	if b.Notation.Written() {
		return
	}
	d.Most = b.Most
	d.Faces = c.exprOf(&b.Faces, plan.IntType, "the faces of a die")
	d.Count = c.exprOf(&b.Count, plan.IntType, "the count of dice")
	c.guardExpr(&b.Faces, d.Faces, nil)
	c.guardExpr(&b.Count, d.Count, nil)
	again, readable := c.band(&b.Again, subject)
	on, legible := c.band(&b.Explode, subject)
	d.Rolls = plan.Die{Distinct: b.Distinct, Again: again, Once: b.Once, Explode: on, Times: int64(b.ExplodeTimes)}
	c.counted(d, subject)
	if readable && legible {
		c.chain(d, subject)
	}
}

// band reads the faces that something happens to; it is not ok, and reported, when they cannot be read.
func (c *pass) band(text *book.Text, subject string) (b plan.Band, ok bool) {
	if !text.Written() {
		return plan.Band{}, true
	}
	b, err := dice.ParseBand(text.S)
	if err != nil {
		c.syntax(text, subject, err)
	}
	return b, err == nil
}

// counted checks how many dice there are.
func (c *pass) counted(d *Die, subject string) {
	n, known := constant(d.Count)
	if !known {
		return
	}
	faces, fixed := constant(d.Faces)
	switch {
	case n < 0 || n > dice.MaxCount:
		c.diags.Addf("die-count", d.Count.Place, subject, "%d dice cannot be rolled", n)
	case d.Book.Distinct && fixed && n > faces:
		c.diags.Addf("die-count", d.Count.Place, subject, "%d faces cannot all differ when there are %d", n, faces)
	}
	if d.Most == 0 {
		d.Most = int(n)
	}
}

// chain checks what is rolled again and on.
func (c *pass) chain(d *Die, subject string) {
	b, r := d.Book, &d.Rolls
	if b.Distinct && (b.Again.Written() || b.Explode.Written()) {
		c.diags.Addf("die-faces", b.Place, subject, "faces that all differ are drawn from a deck: none is rolled again or on")
	}
	faces, known := constant(d.Faces)
	switch why := dice.Endless(r, faces); {
	case !known:
	case faces < 2:
		c.diags.Addf("die-faces", d.Faces.Place, subject, "a die has at least two faces, not %d", faces)
	case b.Again.Written() && !r.Again.Among(faces):
		c.diags.Addf("die-faces", b.Again.At(0), subject, "a die of %d faces never shows %s, on which it is rolled again", faces, b.Again.S)
	case b.Explode.Written() && !r.Explode.Among(faces):
		c.diags.Addf("die-faces", b.Explode.At(0), subject, "a die of %d faces never shows %s, on which it explodes", faces, b.Explode.S)
	case why != "":
		c.diags.Addf("die-faces", b.Place, subject, "%s", why)
	}
}
