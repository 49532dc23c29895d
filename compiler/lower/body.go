package lower

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func splitPath(path string) []string { return strings.Split(path, ".") }

// body lowers a body in the order in which it is carried out: the early requirements, the dice and uses as written, the
// other requirements, the outputs. It gives the outputs.
func (s *scope) body(b *check.Body, result *plan.Type) plan.Value {
	s.show(b.Outputs)
	for _, r := range b.Requires {
		if r.Early {
			s.require(r)
		}
	}
	for _, src := range b.Sources {
		if src.Die != nil {
			s.die(src.Die)
		} else {
			s.use(src.Use)
		}
	}
	for _, r := range b.Requires {
		if !r.Early {
			s.require(r)
		}
	}
	return s.outputs(b.Outputs, result)
}

// show tells the outputs from the other lets.
func (s *scope) show(outputs []*check.Let) {
	for _, o := range outputs {
		s.shown[o.Var] = true
	}
}

// outputs gathers outputs in a record.
func (s *scope) outputs(lets []*check.Let, result *plan.Type) plan.Value {
	fields := make([]plan.Value, len(lets))
	for i, l := range lets {
		fields[i] = s.let(l.Var)
	}
	return s.settle(record(result, fields))
}

// name records a named value for the trace.
func (s *scope) name(kind plan.NameKind, name string, v plan.Value, f *check.Formula) {
	if !s.named {
		return
	}
	n := plan.Named{Name: s.path + name, Kind: kind, Value: v, Cite: s.cite, Option: -1}
	if f != nil {
		n.Formula, n.Place = text(f.Text), f.Text.Place
		n.Option = s.chosenBy(f)
		n.Overlays = s.plan.overlays(f)
	}
	s.g.Names = append(s.g.Names, n)
}

// chosenBy is the option that chooses among a formula's arms, -1 when none does.
func (s *scope) chosenBy(f *check.Formula) int32 {
	if f.By == nil || f.By.Op != check.Ref || f.By.Var.Kind != check.OptionVar {
		return -1
	}
	return int32(s.plan.options[f.By.Var])
}

// require lowers a requirement.
func (s *scope) require(r *check.Require) {
	s.in("require "+strconv.Quote(r.Book.Message), r.Book.Expr.S, func() {
		v := s.expr(r.Expr)
		s.branch(r.Book.Place, "holds", s.reaches(s.guard, v.ID))
		s.branch(r.Book.Place, "refuses", s.reachesNot(s.guard, v.ID))
		s.refuse(v, plan.Require{Message: r.Book.Message, Place: r.Book.Place, Name: s.subj, Cite: s.cite, Early: r.Early})
	})
}

// refuse ends the evaluation when a condition does not hold, or fails.
func (s *scope) refuse(v plan.Value, r plan.Require) {
	s.countRefused(v.ID)
	s.g.Requires = append(s.g.Requires, r)
	s.here(plan.Node{
		Op: plan.OpRequire, Kind: plan.Bool, Args: []plan.ID{s.guard, v.ID, s.orOK(v.Fault)},
		Imm: int64(len(s.g.Requires) - 1), Site: -1,
	})
}

// insist ends the evaluation when a fault happened that a use needs not to have happened.
func (s *scope) insist(fault plan.ID, at plan.Place) {
	if fault == plan.None {
		return
	}
	v := scalar(plan.BoolType, s.bool(true), fault)
	s.refuse(v, plan.Require{Place: at, Name: s.subj, Cite: s.cite})
}

// use inlines another rule.
func (s *scope) use(u *check.Use) {
	s.in("use "+u.Book.Name, u.Book.Rule.S, func() {
		if len(u.Each) > 0 {
			s.vars[u.Var] = s.useEach(u)
		} else {
			s.vars[u.Var] = s.useOnce(u, s.path+u.Book.Name+".", s.named)
		}
	})
	s.name(plan.UseName, u.Book.Name, s.vars[u.Var], nil)
}

// useOnce inlines one use and gives its outputs.
func (s *scope) useOnce(u *check.Use, path string, named bool) plan.Value {
	when := s.when(u)
	guard, reach := s.guard, s.reach
	s.guard, s.reach = s.and(s.guard, when), s.and(s.guard, when)
	inner := s.builder.scope("rule "+u.Rule.Book.ID, u.Rule.Book.Cite.S)
	inner.path, inner.named, inner.guard, inner.loops = path, named, s.guard, s.loops
	inner.self = s.useCharacter(u)
	inner.vars[u.Rule.Character] = inner.self
	inner.vars[u.Rule.Input] = s.useInput(u)
	s.guard = guard
	out := inner.body(u.Rule.Body, u.Rule.Result)
	inner.countLets()
	s.reach = s.reachesNot(guard, when)
	out = s.otherwise(u, when, out)
	s.reach = reach
	return out
}

// when is whether a use is made.
func (s *scope) when(u *check.Use) plan.ID {
	if u.When == nil {
		return s.bool(true)
	}
	v := s.expr(u.When)
	s.insist(v.Fault, u.When.Place)
	s.branch(u.When.Place, "used", s.reaches(s.guard, v.ID))
	s.branch(u.When.Place, "not used", s.reachesNot(s.guard, v.ID))
	return v.ID
}

func (s *scope) useCharacter(u *check.Use) plan.Value {
	if u.Character == nil {
		return s.self
	}
	v := s.expr(u.Character)
	s.insist(s.deepFault(v), u.Character.Place)
	return v
}

// useInput is the input of the used rule: given as a record or field by field, completed by its defaults and checked
// against its bounds.
func (s *scope) useInput(u *check.Use) plan.Value {
	shape := u.Rule.Book.Input
	if u.Input != nil {
		v := s.complete(s.expr(u.Input), shape)
		s.insist(s.first(s.deepFault(v), s.outside(v, shape, u.Input.Place)), u.Input.Place)
		return v
	}
	given := map[string]plan.Value{}
	places := map[string]plan.Place{}
	for _, l := range u.Inputs {
		given[l.Book.Name], places[l.Book.Name] = s.formulaOf(l.Formula), l.Book.Formula.Place
	}
	v := s.assemble(shape, "", given)
	for i, m := range shape.Fields {
		at := u.Book.Place
		if p, ok := places[m.Name]; ok {
			at = p
		}
		f := s.first(s.deepFault(v.Fields[i]), s.outside(v.Fields[i], m.Shape, at))
		if f != plan.None && v.Fields[i].Present != plan.None {
			f = s.sel(v.Fields[i].Present, f, s.ok())
		}
		s.insist(f, at)
	}
	return v
}

// otherwise chooses between what a use gives and what is given instead of it.
func (s *scope) otherwise(u *check.Use, when plan.ID, out plan.Value) plan.Value {
	if u.When == nil {
		return out
	}
	fields := append([]plan.Value(nil), out.Fields...)
	for _, l := range u.Otherwise {
		i, _ := out.Type.Field(l.Book.Name)
		fields[i] = s.choose(when, out.Fields[i], s.formulaOf(l.Formula))
	}
	return s.settle(record(s.retype(out.Type, fields), fields))
}

// retype is a record type with the layouts of its fields' values.
func (s *scope) retype(t *plan.Type, fields []plan.Value) *plan.Type {
	out := *t
	out.Fields = append([]plan.Field(nil), t.Fields...)
	for i := range fields {
		out.Fields[i].Type = fields[i].Type
	}
	return &out
}

// useEach inlines a use once for each element of its lists, and gives the list of its outputs.
func (s *scope) useEach(u *check.Use) plan.Value {
	lists := make([]plan.Value, len(u.Each))
	var n plan.ID
	for i, e := range u.Each {
		lists[i] = s.walk(e.List)
		s.insist(lists[i].Fault, e.List.Place)
		size := s.size(lists[i].ID)
		if i == 0 {
			n = size
			continue
		}
		same := s.op(plan.OpEqInt, plan.Bool, n, size)
		message := s.plan.symbol("the lists that " + u.Book.Name + " walks differ in length")
		s.insist(s.fault(plan.OpFail, s.site(e.List.Place), message, same), e.List.Place)
	}
	n = s.sel(s.guard, n, s.int(0))
	span := s.newSpan(n, 0)
	loops, first := s.loops, len(s.g.Dice)
	var elem *plan.Type
	res := s.loop(n, []plan.ID{span}, func(i plan.ID, acc []plan.ID) []plan.ID {
		s.loops = append(append([]plan.ID(nil), loops...), plan.None)
		for k, e := range u.Each {
			s.vars[e.Var] = s.element(lists[k], i)
		}
		x := s.useOnce(u, s.path+u.Book.Name+"[*].", false)
		elem = x.Type
		return []plan.ID{s.append(acc[0], s.bool(true), s.slots(x))}
	})
	s.loops = loops
	for k := range s.g.Dice[first:] { // the loop has a node only now
		s.g.Dice[first+k].Loops[len(loops)] = s.g.Nodes[res[0]].Args[0]
	}
	s.g.Nodes[span].Imm = int64(elem.Slots())
	return scalar(plan.ListOf(elem), res[0], plan.None)
}
