package lower

import (
	"fmt"
	"math"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// die lowers a source of faces.
func (s *scope) die(d *check.Die) {
	s.in("dice "+d.Book.Name, dieText(d.Book), func() {
		id := plan.None
		if d.Sum != nil {
			id = s.sum(d)
		} else {
			id = s.faces(d)
		}
		s.vars[d.Var] = scalar(d.Var.Type, id, plan.None)
	})
	s.nameDie(d)
}

// nameDie records a die for the trace; of a sum, which is no face, also what it was made of.
func (s *scope) nameDie(d *check.Die) {
	var text *check.Formula
	if d.Sum != nil {
		notation := d.Book.Notation
		text = &check.Formula{Text: &book.Formula{Place: notation.At(0), Expr: notation, Overlay: d.Book.Overlay}}
	}
	s.name(plan.DieName, d.Book.Name, s.vars[d.Var], text)
}

// dieText is a die as its author wrote it: a struct on one line.
func dieText(d *book.Die) string {
	if d.Notation.Written() {
		return d.Notation.S
	}
	out := "d(" + d.Faces.S + ")"
	if d.Count.Written() {
		out = "(" + d.Count.S + ")" + out
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
	if d.Explode.Written() {
		out += ", explodes on " + d.Explode.S
	}
	switch {
	case d.ExplodeTimes == 1:
		out += " once"
	case d.ExplodeTimes > 1:
		out += fmt.Sprintf(" at most %d times", d.ExplodeTimes)
	}
	return out
}

// faces lowers one face, or a list of dice.
func (s *scope) faces(d *check.Die) plan.ID {
	faces := s.expr(d.Faces)
	count := scalar(plan.IntType, s.int(-1), plan.None)
	if d.Count != nil {
		count = s.expr(d.Count)
	}
	roll := d.Rolls
	roll.List, roll.Most = d.Count != nil, int64(d.Most)
	return s.roll(d.Book, roll, faces.ID, count.ID, s.orOK(s.first(faces.Fault, count.Fault)))
}

// roll rolls one group of dice. The groups of a source share its id.
func (s *scope) roll(b *book.Die, roll plan.Die, faces, count, fault plan.ID) plan.ID {
	roll.ID, roll.Place, roll.Loops = s.path+b.Name, b.Place, s.loops
	s.g.Dice = append(s.g.Dice, roll)
	kind := plan.Int
	if roll.List {
		kind = plan.List
	}
	return s.here(plan.Node{
		Op: plan.OpRoll, Kind: kind, Args: []plan.ID{s.guard, faces, count, fault},
		Imm: int64(len(s.g.Dice) - 1), Site: s.site(b.Place),
	})
}

// sum lowers a sum of dice and constants. It cannot overflow: notation bounds it far below.
func (s *scope) sum(d *check.Die) plan.ID {
	total := plan.None
	for i := range d.Sum.Terms {
		t := &d.Sum.Terms[i]
		id := s.int(t.Number)
		if t.Count > 0 {
			id = s.group(d.Book, t)
		}
		switch {
		case total != plan.None && t.Sign < 0:
			total = s.op(plan.OpSubInt, plan.Int, total, id)
		case total != plan.None:
			total = s.op(plan.OpAddInt, plan.Int, total, id)
		case t.Sign < 0:
			total = s.op(plan.OpNegInt, plan.Int, id)
		default:
			total = id
		}
	}
	return total
}

// group lowers what a group of dice comes to: the sum of those that are kept, or how many of them count.
func (s *scope) group(b *book.Die, t *dice.Term) plan.ID {
	faces, roll := s.int(int64(t.Faces)), t.Die
	if roll.List = t.Count > 1; !roll.List {
		return s.single(s.roll(b, roll, faces, s.int(-1), s.ok()), t)
	}
	list := s.roll(b, roll, faces, s.int(int64(t.Count)), s.ok())
	switch {
	case t.Keep == 1 && t.Success == nil:
		return s.raised(s.best(list, t), t)
	case t.Success != nil || t.Least > 0:
		return s.sumWorths(s.kept(list, t), t)
	}
	return s.op(plan.OpSumInt, plan.Int, s.kept(list, t))
}

// best is the one die that is kept.
func (s *scope) best(list plan.ID, t *dice.Term) plan.ID {
	op := plan.OpGreatest
	if t.Lowest {
		op = plan.OpLeast
	}
	return s.opImm(op, plan.Int, s.plan.typ(plan.ListOf(plan.IntType)), list)
}

// raised is what a die counts as that shows too little.
func (s *scope) raised(die plan.ID, t *dice.Term) plan.ID {
	if t.Least <= 1 {
		return die
	}
	return s.op(plan.OpMaxInt, plan.Int, die, s.int(t.Least))
}

// worth is what a die that is kept adds.
func (s *scope) worth(die plan.ID, t *dice.Term) plan.ID {
	die = s.raised(die, t)
	if t.Success == nil {
		return die
	}
	return s.succeeds(die, t.Success)
}

// sumWorths is what the dice of a list add.
func (s *scope) sumWorths(list plan.ID, t *dice.Term) plan.ID {
	total := s.loop(s.size(list), []plan.ID{s.int(0)}, func(i plan.ID, carried []plan.ID) []plan.ID {
		x := s.elem(list, i, plan.Int, 1, 0)
		return []plan.ID{s.op(plan.OpAddInt, plan.Int, carried[0], s.worth(x, t))}
	})
	return total[0]
}

// single is what one die comes to.
func (s *scope) single(id plan.ID, t *dice.Term) plan.ID {
	if t.Keep == 0 {
		return s.int(0)
	}
	return s.worth(id, t)
}

// kept is the dice that are kept, as a list.
func (s *scope) kept(list plan.ID, t *dice.Term) plan.ID {
	if t.Keep == t.Count {
		return list
	}
	typ := s.plan.typ(plan.ListOf(plan.IntType))
	from, to := t.Count-t.Keep, t.Count
	if t.Lowest {
		from, to = 0, t.Keep
	}
	sorted := s.opImm(plan.OpSort, plan.List, typ, list)
	return s.opImm(plan.OpSlice, plan.List, typ, sorted, s.int(int64(from)), s.int(int64(to)))
}

// succeeds is 1 for a die that is of the kind said, else 0.
func (s *scope) succeeds(die plan.ID, kind *plan.Band) plan.ID {
	holds := s.bool(true)
	if kind.Lo > math.MinInt64 {
		holds = s.op(plan.OpLeInt, plan.Bool, s.int(kind.Lo), die)
	}
	if kind.Hi < math.MaxInt64 {
		holds = s.and(holds, s.op(plan.OpLeInt, plan.Bool, die, s.int(kind.Hi)))
	}
	return s.sel(holds, s.int(1), s.int(0))
}
