package check

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// parseNotation reads a sum of dice and constants. It is nil, and reported, when it cannot be read or names no die.
func (c *checker) parseNotation(text *book.Text, subject string) *dice.Expression {
	e, err := dice.ParseExpression(text.S)
	if err == nil && !e.Dice() {
		err = &dice.SyntaxError{Msg: "no die is named: write one, such as d6, 3d6 or d%"}
	}
	if err != nil {
		c.reportNotation(text, subject, err)
		return nil
	}
	return e
}

// formulaLike is what reads a member or calls something, as no notation does.
var formulaLike = regexp.MustCompile(`^\s*[a-z_]{2,}\w*\s*[.(]`)

// reportNotation reports notation that cannot be read, at the character.
func (c *checker) reportNotation(text *book.Text, subject string, err error) {
	at := text.At(0)
	if wrong, ok := errors.AsType[*dice.SyntaxError](err); ok {
		at = text.At(wrong.Offset)
	}
	d := c.diags.Addf("dice-notation", at, subject, "%s", err)
	if formulaLike.MatchString(text.S) {
		d.Repair = fmt.Sprintf("to roll what a formula says, write {roll: %q} or {die: %q}", text.S, text.S)
	}
}

// readDie reads a die that is in notation, and gives every die its type: a face, a list of faces, or what a sum comes to.
func (c *checker) readDie(d *Die, subject string) {
	text := &d.Book.Notation
	if d.Book.Roll != nil {
		c.readRolls(d, subject)
		return
	}
	if !text.Written() {
		d.Again, d.Explode = c.readRepeat(&d.Book.Again, &d.Book.AgainWhen, subject),
			c.readRepeat(&d.Book.Explode, &d.Book.ExplodeWhen, subject)
		d.typ = typeOfFaces(d.Book.Count.Written())
		return
	}
	e := c.parseNotation(text, subject)
	if e == nil {
		d.typ = broken
		return
	}
	group := e.Plain()
	if group == nil {
		d.Sum, d.typ = e, plan.IntType
		return
	}
	d.typ = typeOfFaces(group.Listed)
	d.Faces = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(group.Faces)}}
	if group.Listed {
		d.Count = &Expr{Type: plan.IntType, Place: text.At(0), Value: Value{Int: int64(group.Count)}}
		d.Most = group.Count
	}
}

func typeOfFaces(list bool) *plan.Type {
	if list {
		return plan.ListOf(plan.IntType)
	}
	return plan.IntType
}

// typeDie checks a die that is written as a struct.
func (c *checker) typeDie(d *Die) {
	b := d.Book
	if b.Notation.Written() {
		return
	}
	subject := d.within + "dice " + d.name
	if b.Roll != nil {
		for _, r := range d.Data {
			c.typeRoll(r, subject)
		}
		return
	}
	d.Most = b.Most
	d.Faces = c.typeTextAs(&b.Faces, plan.IntType, "the faces of a die")
	d.Count = c.typeTextAs(&b.Count, plan.IntType, "the count of dice")
	d.Rolls = plan.Die{Distinct: b.Distinct, Once: b.Once, Times: int64(b.ExplodeTimes)}
	again, explode := c.typeRepeat(d.Again, d, subject), c.typeRepeat(d.Explode, d, subject)
	c.checkCount(d, subject)
	if again && explode {
		d.Rolls.Again, d.Rolls.Explode = d.Again.fixedBand(), d.Explode.fixedBand()
		c.checkRepeats(d, subject)
	}
}

// checkCount checks how many dice there are.
func (c *checker) checkCount(d *Die, subject string) {
	n, known := constantOf(d.Count)
	if !known {
		return
	}
	faces, fixed := constantOf(d.Faces)
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

// checkRepeats checks what is rolled again and on.
func (c *checker) checkRepeats(d *Die, subject string) {
	b, r := d.Book, &d.Rolls
	if b.Distinct && (b.Again.Written() || b.Explode.Written()) {
		c.diags.Addf("die-faces", b.Place, subject,
			"faces that all differ are drawn from a deck: none is rolled again or on")
	}
	faces, known := constantOf(d.Faces)
	switch why := dice.Endless(r, faces); {
	case !known:
	case faces < 2:
		c.diags.Addf("die-faces", d.Faces.Place, subject, "a die has at least two faces, not %d", faces)
	case d.Again.isFixed() && !r.Again.Among(faces):
		c.diags.Addf("die-faces", b.Again.At(0), subject,
			"a die of %d faces never shows %s, on which it is rolled again", faces, b.Again.S)
	case d.Explode.isFixed() && !r.Explode.Among(faces):
		c.diags.Addf("die-faces", b.Explode.At(0), subject,
			"a die of %d faces never shows %s, on which it explodes", faces, b.Explode.S)
	case why != "":
		c.diags.Addf("die-faces", b.Place, subject, "%s", why)
	}
}

// constantOf is the number that an expression is, when it is a number or one with a sign.
func constantOf(e *Expr) (int64, bool) {
	switch {
	case e == nil:
		return 0, false
	case e.Op == OpConst && e.Type.Kind == plan.Int:
		return e.Value.Int, true
	case e.Op == OpCall && e.Name == "negate_int64":
		v, ok := constantOf(e.Args[0])
		return -v, ok
	}
	return 0, false
}
