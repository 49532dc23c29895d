package lower

import (
	"fmt"

	"github.com/tabletop-rules/rules/compiler/book"
)

// dieText returns a die as its author wrote it: a struct on one line.
func dieText(d *book.Die) string {
	switch {
	case d.Notation.Written():
		return d.Notation.S
	case d.Roll != nil:
		return d.Roll.String()
	}
	out := d.DiceText()
	if d.Count.Written() {
		out = "(" + d.Count.S + ")" + out
	}
	if d.Zero > 0 {
		out += fmt.Sprintf(", 0 is %d", d.Zero)
	}
	if d.Distinct {
		out += ", distinct"
	}
	if d.Again.Written() {
		out += ", again on " + d.Again.S
	}
	if d.Once {
		out += " once"
	}
	if d.AgainWhen.Written() {
		out += " when " + d.AgainWhen.S
	}
	if d.Explode.Written() {
		out += ", explodes on " + d.Explode.S
	}
	switch {
	case d.ExplodeTimes == 1:
		out += " once"
	case d.ExplodeTimes > 1:
		out += fmt.Sprintf(" at most %d times", d.ExplodeTimes)
	}
	if d.ExplodeWhen.Written() {
		out += " when " + d.ExplodeWhen.S
	}
	if d.ExplodesIntoDice() {
		out += " into dice of their own"
	}
	return out
}
