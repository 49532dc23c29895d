package check

import "github.com/google/cel-go/common/types"

// resolveFunction enters the parameters of a function and resolves its formula, in a scope without a character or an input:
// a function reads its arguments alone.
func (c *checker) resolveFunction(f *Function) {
	s := c.newScope()
	s.ofFunction = true
	for i := range f.Book.Params {
		p := &f.Book.Params[i]
		param := &Param{header{name: p.Name, place: p.Place, typ: c.parameterType(&p.Type, "function "+f.name)}}
		f.Params = append(f.Params, param)
		c.declareName(s, "function "+f.name, param)
	}
	c.resolveFormula(&f.Book.Formula, s, "function "+f.name)
}

// typeFunction types a function and declares it for the texts that call it, which are typed after
// it. Parameters have their types from their declaration, so a function is typed once and not for
// each call.
func (c *checker) typeFunction(f *Function) {
	f.Formula = c.typeFormula(&f.Book.Formula, nil)
	f.typ = f.Formula.Type()
	if c.callables[f.name] != f {
		return // the name is taken
	}
	args := make([]*types.Type, len(f.Params))
	for i, p := range f.Params {
		args[i] = c.types.toCEL(p.typ)
	}
	c.declareCallable(f.name, f.typ, map[string][]*types.Type{"apply_" + f.name: args})
}

// resolveTrait resolves the formula of a trait, which reads the character of whom it is asked and nothing that comes
// with a request.
func (c *checker) resolveTrait(t *Trait) {
	t.Self = c.newCharacter()
	c.resolveFormula(&t.Book.Formula, c.newScope(t.Self), "trait "+t.name)
}

// typeTrait types a trait and makes it readable like a field of a character, which is all that CEL has to know of it.
// Nothing is declared as a function: character.speed is a selection, and the tree tells a trait from a field by the type
// that is marked as the character's.
func (c *checker) typeTrait(t *Trait) {
	t.Formula = c.typeFormula(&t.Book.Formula, nil)
	t.typ = t.Formula.Type()
	c.types.traits[t.name] = t
}
