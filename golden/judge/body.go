package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/format"
	"github.com/google/cel-go/common/ast"
)

// An evaluation is one question, with the faces that have fallen for it.
type evaluation struct {
	r       *Ruleset
	chosen  map[string]string
	thrower Thrower
	Falls   []Fall
	undue   []error // see Sheet
}

// A run is a body that is carried out.
type run struct {
	e         *evaluation
	b         *body
	prefix    string // of the ids of its dice: "roll." in a use called roll
	roots     map[string]any
	names     map[string]*thunk
	formulas  map[string]formula // of lets and outputs
	readsDice map[string]int     // by let or output: 1 yes, 2 no, 3 being found
	inputs    *field             // the fields that may be decided
	decided   string             // the root of these: "input" or "event"
	keys      *judgement         // the strings that must be keys of the character; nil of a use
}

// prepareRun gives the names of a body their values, to be computed when they are needed.
func (e *evaluation) prepareRun(b *body, prefix string, roots map[string]any, outer []named, inputs *field,
	decided string) *run {
	r := &run{e: e, b: b, prefix: prefix, roots: roots, names: map[string]*thunk{}, formulas: map[string]formula{},
		readsDice: map[string]int{}, inputs: inputs, decided: decided}
	for _, c := range b.chances {
		r.names[c.id] = &thunk{compute: func() (any, error) {
			return nil, &Unjudged{c.id + " is read before it falls"}
		}}
	}
	define := func(n named) {
		r.formulas[n.name] = n.formula
		r.names[n.name] = &thunk{compute: func() (any, error) { return r.newScope().evalFormula(n.formula) }}
	}
	for _, n := range outer {
		define(n)
	}
	for _, n := range b.lets {
		define(n)
	}
	for _, n := range b.outputs {
		// "hits: "hits" shows the let or the die of that name"
		if _, isLet := r.names[n.name]; !isLet {
			define(n)
		}
	}
	return r
}

func (r *run) newScope() *scope {
	s := &scope{r: r.e.r, chosen: r.e.chosen, sample: r.sampleOf}
	s.lookup = func(name string) (any, bool, error) {
		if t, has := r.names[name]; has {
			v, err := t.valueOf()
			return v, true, err
		}
		if v, has := r.roots[name]; has {
			return v, true, nil
		}
		return s.optionRoot(name)
	}
	return s
}

// carryOut judges the requirements that read neither die nor use, lets the dice and uses fall as they are written, with the
// decisions between them, and judges the other requirements.
func (r *run) carryOut() error {
	character, _ := r.roots["character"].(*object)
	if err := r.keys.refuseKeys(character, false); err != nil {
		return err
	}
	for _, q := range r.b.requires {
		if !r.hasChance(formula{text: q.text}) {
			if err := r.judgeRequire(q); err != nil {
				return err
			}
		}
	}
	if err := r.keys.refuseKeys(character, true); err != nil {
		return err
	}
	for i, c := range r.b.chances {
		v, err := r.carryOutChance(c)
		if m, isMisthrow := err.(*Misthrow); err != nil && !(isMisthrow && m.Missing && c.die != nil) {
			return err
		}
		// the face of a die that nothing needs may be absent: its lack is an error where the value is read
		*r.names[c.id] = *newThunk(v, err)
		for _, d := range r.b.decisions {
			if r.lastBefore(d) == i {
				if err := r.judgeDecision(d); err != nil {
					return err
				}
			}
		}
	}
	for _, q := range r.b.requires {
		if r.hasChance(formula{text: q.text}) {
			if err := r.judgeRequire(q); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) judgeRequire(q require) error {
	holds, err := r.newScope().evalTruth(q.text)
	if err == nil && !holds {
		return &Refusal{q.message}
	}
	return err
}

func (r *run) carryOutChance(c chance) (any, error) {
	if c.die != nil {
		return r.fallDie(c.id, c.die)
	}
	return r.carryOutUse(c.id, c.use)
}

// lastBefore returns the die or use after which a decision is judged: "after the dice and uses that it follows and all
// above them".
func (r *run) lastBefore(d decision) int {
	last := -1
	for i, c := range r.b.chances {
		if slices.Contains(d.after, c.id) {
			last = i
		}
	}
	return last
}

// judgeDecision judges a decision: "a value outside of its bounds, or one that differs from the default where when does
// not hold, refuses".
func (r *run) judgeDecision(d decision) error {
	v := r.roots[r.decided]
	for _, name := range d.path {
		o, isObject := v.(*object)
		if !isObject {
			return nil
		}
		v, _, _ = o.getField(name)
	}
	name := strings.Join(d.path, ".")
	s := r.newScope()
	for _, b := range []struct {
		bound formula
		sign  int
		says  string
	}{{d.least, -1, "least"}, {d.most, 1, "most"}} {
		if b.bound.text == "" && b.bound.constant == nil {
			continue
		}
		bound, err := s.evalFormula(b.bound)
		if err != nil {
			return err
		}
		if c, err := compareValues(v, bound); err != nil || c*b.sign > 0 {
			if err == nil {
				err = &Refusal{fmt.Sprintf("%s must be at %s %s", name, b.says, b.bound)}
			}
			return err
		}
	}
	if d.when == "" {
		return nil
	}
	isDefault, err := r.isDefault(d, v, name)
	if err != nil {
		return err
	}
	holds, err := s.evalTruth(d.when)
	if isDefault {
		if err != nil {
			r.e.undue = append(r.e.undue, err)
		}
		return nil
	}
	if err == nil && !holds {
		err = &Refusal{name + " is decided only when " + d.when}
	}
	return err
}

// isDefault reports whether a field that is decided has its default, or is absent as that is.
func (r *run) isDefault(d decision, v any, path string) (bool, error) {
	f, value := r.inputs, r.inputs.value
	for _, name := range d.path {
		f, value = f.fields[name], value.LookupPath(cue.MakePath(cue.Str(name)))
	}
	var want any
	if text, err := value.MarshalJSON(); err == nil {
		data, err := decodeJSON(text)
		if err != nil {
			return false, err
		}
		x := &judgement{r: r.e.r, root: r.decided}
		if want, err = x.decodeField(f, data, path); err != nil {
			return false, err
		}
	}
	if v == nil || want == nil {
		return v == want, nil
	}
	return isEqual(v, want)
}

// carryOutUse carries another rule out.
func (r *run) carryOutUse(id string, u *use) (any, error) {
	if u.each == nil {
		return r.useOnce(id, u, r.newScope())
	}
	// "once for each element of these lists, walked in step: the use is a list of results"
	lists, formulas := make([][]any, len(u.each)), make([]ast.Expr, len(u.each))
	for i, x := range u.each {
		e, err := r.e.r.parseFormula(x.text)
		if err != nil {
			return nil, err
		}
		v, err := r.newScope().evalElements(e)
		if err != nil {
			return nil, err
		}
		if len(v) != len(lists[0]) && i > 0 {
			return nil, newFailure("lists that differ in length")
		}
		lists[i], formulas[i] = v, e
	}
	out := []any{}
	for i := range lists[0] {
		s := r.newScope()
		for j, x := range u.each {
			s = s.withElement(x.name, lists[j][i], formulas[j])
		}
		v, err := r.useOnce(fmt.Sprintf("%s[%d]", id, i), u, s)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// useOnce returns the outputs of a rule for an input.
func (r *run) useOnce(id string, u *use, s *scope) (any, error) {
	callee := r.e.r.rules[u.rule]
	if u.when != "" {
		holds, err := s.evalTruth(u.when)
		if err != nil {
			return nil, err
		}
		if !holds {
			return r.otherwiseOutputs(u, callee, s), nil
		}
	}
	character := r.roots["character"].(*object)
	if u.character != "" {
		v, err := s.evalText(u.character)
		if err != nil {
			return nil, err
		}
		character = v.(*object)
	}
	input, err := r.readUseInput(id, u, callee, s)
	if err != nil {
		return nil, err
	}
	inner := r.e.prepareRun(&callee.body, r.prefix+id+".", map[string]any{"character": character, "input": input}, nil,
		callee.input, "input")
	if err := inner.carryOut(); err != nil {
		return nil, err
	}
	o := newObject()
	for _, n := range callee.outputs {
		o.setField(n.name, inner.names[n.name])
	}
	return o, nil
}

// onlyFields leaves out what the input of a rule does not have.
func onlyFields(o *object, f *field) *object {
	out := newObject()
	for _, name := range o.names {
		if f.fieldNamed(name) != nil {
			out.setField(name, o.fields[name])
		}
	}
	return out
}

// otherwiseOutputs returns the outputs of a use whose condition is false: "What outputs of a use are when its condition is
// false stands in its otherwise, or else in that of the rule".
func (r *run) otherwiseOutputs(u *use, callee *rule, s *scope) *object {
	o := newObject()
	for _, n := range callee.outputs {
		f, has := u.otherwise[n.name]
		if !has {
			f, has = callee.otherwise[n.name]
		}
		if has {
			o.setField(n.name, &thunk{compute: func() (any, error) {
				v, err := s.evalFormula(f)
				if err == nil && hasWords(v) {
					like, _, _ := r.sampleOfUse(u).getField(n.name)
					v = typedLike(v, like)
				}
				return v, err
			}})
		}
	}
	return o
}

// readUseInput returns the input of a used rule: "a record that has all its input, or field by field". "The input of a use
// is judged field by field, in the order in which its rule declares them: whether the formula of a field has a value, then
// whether that is within the bounds."
func (r *run) readUseInput(id string, u *use, callee *rule, s *scope) (*object, error) {
	given, failed, failing := newObject(), error(nil), len(callee.input.names)
	if u.whole != "" {
		v, err := s.evalText(u.whole)
		if err != nil {
			return nil, err
		}
		o, isObject := v.(*object)
		if !isObject {
			return nil, &Unjudged{"an input that is no record"}
		}
		given = o
	}
	for i, name := range callee.input.names {
		for _, n := range u.input {
			path := strings.Split(n.name, ".")
			if path[0] != name || failed != nil {
				continue
			}
			v, err := s.evalFormula(n.formula)
			if _, isFailure := err.(*Failure); isFailure && n.handed && s.lacksField(n.text) {
				continue // what is not there is not handed on
			}
			if err == nil {
				given, err = given.withPath(path, v)
			}
			if err != nil {
				failed, failing = err, i
			}
		}
	}
	data, err := plainValue(withoutNonNumbers(onlyFields(given, callee.input)))
	if err != nil {
		return nil, err
	}
	input, err := (&judgement{r: r.e.r, root: "input"}).readRecord(callee.input, data)
	if m, isMisfit := err.(*Misfit); isMisfit {
		for _, name := range callee.input.names[:failing] {
			if slices.ContainsFunc(m.Paths, func(p string) bool { return isWithin(p, "input"+stepOf(name)) }) {
				return nil, newFailure("%s %s: input%s is out of its bounds", id, u.rule, stepOf(name))
			}
		}
	}
	if failed != nil {
		return nil, failed
	}
	return input, err
}

// isWithin reports whether a path is another one, or that of a part of it.
func isWithin(path, whole string) bool {
	rest, isPart := strings.CutPrefix(path, whole)
	return isPart && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// lacksField reports whether the field at the end of a path is absent.
func (s *scope) lacksField(path string) bool {
	has, err := s.evalTruth("has(" + path + ")")
	return err == nil && !has
}

// hasChance reports whether a formula reads a die, a use or a decided field, through lets and outputs too.
func (r *run) hasChance(f formula) bool {
	switch {
	case f.constant != nil:
		return false
	case f.option != "": // "in any of its forms", whatever is played
		for _, c := range f.cases {
			if r.hasChance(c.(formula)) {
				return true
			}
		}
		return false
	case f.by != "":
		if r.hasChance(formula{text: f.by}) {
			return true
		}
		for _, c := range f.cases {
			if r.hasChance(c.(formula)) {
				return true
			}
		}
		return false
	}
	e, err := r.e.r.parseFormula(f.text)
	return err == nil && r.exprHasChance(e, nil)
}

func (r *run) exprHasChance(e ast.Expr, bound []string) bool {
	switch e.Kind() {
	case ast.IdentKind:
		return r.nameHasChance(e.AsIdent(), bound)
	case ast.SelectKind:
		if path, isPath := pathOf(e); isPath && path[0] == r.decided && !slices.Contains(bound, path[0]) {
			return r.isDecided(path[1:])
		}
		return r.exprHasChance(e.AsSelect().Operand(), bound)
	case ast.CallKind:
		c := e.AsCall()
		if c.IsMemberFunction() {
			if r.exprHasChance(c.Target(), bound) {
				return true
			}
			switch c.FunctionName() {
			case "count", "sum", "sort_by":
				return r.exprHasChance(c.Args()[1], append(slices.Clone(bound), c.Args()[0].AsIdent()))
			case "fold":
				inner := append(slices.Clone(bound), c.Args()[0].AsIdent(), c.Args()[1].AsIdent())
				return r.exprHasChance(c.Args()[2], bound) || r.exprHasChance(c.Args()[3], inner)
			}
		}
		for _, a := range c.Args() {
			if r.exprHasChance(a, bound) {
				return true
			}
		}
	case ast.ListKind:
		for _, x := range e.AsList().Elements() {
			if r.exprHasChance(x, bound) {
				return true
			}
		}
	case ast.MapKind:
		for _, x := range e.AsMap().Entries() {
			if r.exprHasChance(x.AsMapEntry().Key(), bound) || r.exprHasChance(x.AsMapEntry().Value(), bound) {
				return true
			}
		}
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		inner := append(slices.Clone(bound), c.IterVar(), c.AccuVar())
		return r.exprHasChance(c.IterRange(), bound) || r.exprHasChance(c.AccuInit(), bound) ||
			r.exprHasChance(c.LoopCondition(), inner) || r.exprHasChance(c.LoopStep(), inner) ||
			r.exprHasChance(c.Result(), inner)
	}
	return false
}

func pathOf(e ast.Expr) ([]string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return []string{e.AsIdent()}, true
	case ast.SelectKind:
		path, is := pathOf(e.AsSelect().Operand())
		return append(path, e.AsSelect().FieldName()), is
	}
	return nil, false
}

// isDecided reports whether a field is decided, or has a part that is or is a part of one.
func (r *run) isDecided(path []string) bool {
	return slices.ContainsFunc(r.b.decisions, func(d decision) bool {
		n := min(len(path), len(d.path))
		return slices.Equal(path[:n], d.path[:n])
	})
}

func (r *run) nameHasChance(name string, bound []string) bool {
	if slices.Contains(bound, name) {
		return false
	}
	if slices.ContainsFunc(r.b.chances, func(c chance) bool { return c.id == name }) {
		return true
	}
	if name == r.decided {
		return r.isDecided(nil)
	}
	f, has := r.formulas[name]
	if !has {
		return false
	}
	if r.readsDice[name] == 0 {
		r.readsDice[name] = 3
		found := 2
		if r.hasChance(f) {
			found = 1
		}
		r.readsDice[name] = found
	}
	return r.readsDice[name] == 1
}

// A Question is one use of a rule.
type Question struct {
	Character, Input []byte // JSON
	Options          map[string]string
	Outputs          []string // those that are asked for; nil for all
	Thrower          Thrower
}

// A Sheet is an answer.
type Sheet struct {
	Head   map[string]any // the ruleset, the rule, "the options that differ from their defaults, the seed where faces were drawn"
	Falls  []Fall
	Output map[string]any // as encoding/json reads it, with numbers as json.Number
	Named  map[string]any // the outputs, and of the lets, the dice and the uses those that have a value
	// Undue is why conditions of decisions have no value that nobody asks for as long as the default stays: who asks for a
	// decision must know whether there is one.
	Undue []error
}

func (r *Ruleset) chooseOptions(options map[string]string) map[string]string {
	out := map[string]string{}
	for id, value := range r.options {
		out[id] = value
	}
	for id, value := range options {
		out[id] = value
	}
	return out
}

// readRequest judges the character and then the input of a question.
func (r *Ruleset) readRequest(character, input []byte, f *field, chosen map[string]string) (c, in *object, x *judgement,
	err error) {
	c, err = r.readCharacter(character, chosen)
	if err != nil {
		return nil, nil, nil, err
	}
	in, x, err = r.readInput(input, f)
	return c, in, x, err
}

func (r *Ruleset) readInput(input []byte, f *field) (in *object, x *judgement, err error) {
	data, err := decodeJSON(orEmpty(input))
	if err != nil {
		return nil, nil, &Misfit{[]string{"input"}, err.Error()}
	}
	x = &judgement{r: r, root: "input"}
	in, err = x.readRecord(f, data)
	return in, x, err
}

func (r *Ruleset) readCharacter(character []byte, chosen map[string]string) (*object, error) {
	r.playing = chosen
	data, err := decodeJSON(orEmpty(character))
	if err != nil {
		return nil, &Misfit{[]string{"character"}, err.Error()}
	}
	return (&judgement{r: r, root: "character"}).readRecord(r.character, data)
}

// FillCharacter returns a character with its defaults.
func (r *Ruleset) FillCharacter(character []byte, options map[string]string) (any, error) {
	o, err := r.readCharacter(character, r.chooseOptions(options))
	if err != nil {
		return nil, err
	}
	return plainValue(o)
}

func orEmpty(data []byte) []byte {
	if len(data) == 0 {
		return []byte("{}")
	}
	return data
}

// traitOf returns a trait of a character: "what follows from a character alone; read like its fields".
func (r *Ruleset) traitOf(o *object, name string) (any, bool, error) {
	f, has := r.traits[name]
	if !has {
		return nil, false, nil
	}
	s := &scope{r: r, chosen: r.playing, sample: func(string) any { return o }}
	s.lookup = func(n string) (any, bool, error) {
		if n == "character" {
			return o, true, nil
		}
		return s.optionRoot(n)
	}
	v, err := s.evalFormula(f)
	return v, true, err
}

// Evaluate carries a rule out.
func (r *Ruleset) Evaluate(id string, q Question) (sheet *Sheet, err error) {
	a, err := r.Ask(id, q)
	if err != nil {
		return nil, err
	}
	return a.answer(q.Thrower, true)
}

// An Asked is a question about a rule whose character and input fit: it is answered for any number of throws.
type Asked struct {
	r                *Ruleset
	x                *rule
	chosen           map[string]string
	outputs          []string
	character, input *object
	keys             *judgement
}

// Ask reads the character and the input of a question.
func (r *Ruleset) Ask(id string, q Question) (_ *Asked, err error) {
	defer recoverUnjudged(&err)
	x := r.rules[id]
	if x == nil {
		return nil, &Unjudged{"no rule " + id}
	}
	a := &Asked{r: r, x: x, chosen: r.chooseOptions(q.Options), outputs: q.Outputs}
	a.character, err = r.readCharacter(q.Character, a.chosen)
	if err != nil && hasNoFields(q.Character) {
		if r.namesCharacter(x) {
			return nil, &Unjudged{"a character without fields, of a rule that may read none"}
		}
		a.character, err = newObject(), nil
	}
	if err == nil {
		a.input, a.keys, err = r.readInput(q.Input, x.input)
	}
	return a, err
}

func hasNoFields(character []byte) bool {
	data, err := decodeJSON(orEmpty(character))
	fields, isMap := data.(map[string]any)
	return err == nil && isMap && len(fields) == 0
}

// namesCharacter reports whether a rule, or one that it uses, has the word character anywhere: "A rule of which nothing that
// is asked for reads the character is carried out for one without fields too, whatever fields must be given".
func (r *Ruleset) namesCharacter(x *rule) bool {
	text, err := format.Node(x.value.Syntax(cue.Raw(), cue.Attributes(true)))
	return err != nil || bytes.Contains(text, []byte("character")) ||
		slices.ContainsFunc(x.chances, func(c chance) bool { return c.use != nil && r.namesCharacter(r.rules[c.use.rule]) })
}

// Answer carries the rule out with the faces of a thrower, and does not tell what the lets and the dice are.
func (a *Asked) Answer(t Thrower) (*Sheet, error) { return a.answer(t, false) }

func (a *Asked) answer(t Thrower, tellsLets bool) (_ *Sheet, err error) {
	defer recoverUnjudged(&err)
	e := &evaluation{r: a.r, chosen: a.chosen, thrower: t}
	body := e.prepareRun(&a.x.body, "", map[string]any{"character": a.character, "input": a.input}, nil, a.x.input, "input")
	body.keys = a.keys
	if err := cmp.Or(body.carryOut(), noneLeft(t)); err != nil {
		return nil, err
	}
	out, err := body.computeOutputs(a.outputs)
	if err != nil {
		return nil, err
	}
	sheet := &Sheet{Head: a.head(), Falls: e.Falls, Output: out, Undue: e.undue}
	if drawn, isDrawn := t.(*Drawn); isDrawn && len(e.Falls) > 0 {
		sheet.Head["seed"] = drawn.seed
	}
	if !tellsLets {
		return sheet, nil
	}
	sheet.Named = maps.Clone(out)
	for name, t := range body.names {
		v, err := t.valueOf()
		if err == nil {
			v, err = plainValue(v)
		}
		if err == nil {
			sheet.Named[name] = v
		}
	}
	return sheet, nil
}

// head says what a sheet is of: the ruleset, the rule, and the options that are not played as the release has them.
func (a *Asked) head() map[string]any {
	changed := map[string]any{}
	for id, value := range a.chosen {
		if value != a.r.options[id] {
			changed[id] = value
		}
	}
	return map[string]any{"ruleset": optionalString(a.r.value, "id"), "rule": a.x.id, "options": changed}
}

// computeOutputs computes the outputs of a body in their order: "Where only some outputs are asked for, only those count;
// which dice fall stays the same". It is all of them when asked is nil.
func (r *run) computeOutputs(asked []string) (map[string]any, error) {
	out := map[string]any{}
	for _, n := range r.b.outputs {
		if asked != nil && !slices.Contains(asked, n.name) {
			continue
		}
		v, err := r.names[n.name].valueOf()
		if err != nil {
			return nil, err
		}
		if _, err = plainValue(withoutNonNumbers(v)); err == nil { // "of one output, a part without a value before such a number"
			out[n.name], err = plainValue(v)
		}
		if err != nil {
			return nil, newFailure("output %s: %v", n.name, err)
		}
	}
	return out, nil
}

// noneLeft reports faces that were given and did not fall: "Too few, too many or impossible faces are errors".
func noneLeft(t Thrower) error {
	if given, isGiven := t.(interface{ refuseRest() error }); isGiven {
		return given.refuseRest()
	}
	return nil
}

func recoverUnjudged(err *error) {
	if x := recover(); x != nil {
		e, isUnjudged := x.(*Unjudged)
		if !isUnjudged {
			*err = &Unjudged{fmt.Sprint(x)}
			return
		}
		*err = e
	}
}
