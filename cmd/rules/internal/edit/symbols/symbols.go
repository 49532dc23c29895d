// Package symbols says what the names in the formulas of a ruleset mean: what may stand at a place, what a name refers to,
// and where it is used. It reads the book, the author's text as data, so it answers for formulas that are wrong, too.
//
// # One name
//
// The cursor stands on height in let: far: "input.place.height > 3" of the rule throw. At finds the
// text that covers the place, by the runs that package load has noted, and the offset in it, 12.
// UseAt lists the names of the text: tokens "input", "place" and "height" with nothing but dots
// between them are chains, and the last is [input place height]. Scope("rule throw") gives input,
// the locals of the rule, character and what all formulas read; resolveChain looks "input" up there,
// "place" among its members, which are the fields of the input's shape, and "height" among those of
// the place. The symbol has the place of its declaration, where an editor goes; References lists
// every other text whose chains end at that place.
//
// symbols.go has what names can mean, definitions.go the names of each definition; uses.go finds
// names in formulas, values.go strings, labels.go names in CUE, rows.go rows of tables; declared.go
// goes from a place to a symbol, records.go serves JSON, signatures.go calls.
//
// It knows names and members and does not infer types: of a chain like input.place.height it follows what is declared, and
// where a type would have to be computed it gives nothing.
//
// Invariant: a Symbol with a place stands at that place in the author's files.
package symbols

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Kind says what a symbol is.
type Kind uint8

// The kinds of symbols.
const (
	Variable Kind = iota // character, input, state, event, option, each
	Field
	Trait
	Option
	Value // of an option, an enum or a table's key
	Table
	Column
	Function
	Builtin
	Local // let, output, die or use
	Rule
	Procedure
	Event
)

var kindNames = [...]string{
	"variable", "field", "trait", "option", "value", "table", "column", "function", "builtin", "name", "rule", "procedure",
	"event",
}

// String returns the kind as messages have it.
func (k Kind) String() string { return kindNames[k] }

// A Symbol is one thing that a name in a formula can mean.
type Symbol struct {
	Name   string
	Kind   Kind
	Detail string     // its type, its parameters, or its formula
	Doc    string     // in Markdown
	Cite   string     // where the book says it
	Place  plan.Place // of its declaration; the zero Place of what is built in

	// It is a function because types contain each other: a character's opponent is a character, and
	// a list of all members would not end.
	members func() []Symbol // what may follow a dot; nil for nothing
}

// Members returns the symbols that may follow the symbol and a dot.
func (s *Symbol) Members() []Symbol {
	if s.members == nil {
		return nil
	}
	return s.members()
}

// An Index knows the names of one ruleset.
//
// The fields shared, definitions and declared are made when they are first asked for and kept, as
// an editor asks for a name at every move of the cursor; the index is made anew after each change
// of the text.
type Index struct {
	book  *book.Ruleset
	texts []book.Part
	scope map[string]func() []Symbol // by definition: the names that only its formulas may read

	shared      []Symbol // what all formulas may read but the character; computed when first asked for
	definitions []Symbol // likewise
	declared    []Symbol // likewise
}

// New makes an index of a ruleset, which may have errors. It serves one goroutine at a time.
func New(b *book.Ruleset) *Index {
	x := &Index{book: b, scope: map[string]func() []Symbol{}}
	x.addTexts(b.Parts())
	x.addScopes()
	return x
}

// addTexts adds formulas; dice in notation have no names.
func (x *Index) addTexts(list []book.Part) {
	for _, p := range list {
		if p.Role != book.Notation && (p.Role != book.DiceValue || !dice.IsNotation(p.S)) {
			x.texts = append(x.texts, p)
		}
	}
}

// AddHomebrew adds the formulas of a homebrew's replacements, which the ruleset has only where they were applied.
func (x *Index) AddHomebrew(h *book.Homebrew) { x.addTexts(h.Parts()) }

// Ruleset returns the id of the ruleset.
func (x *Index) Ruleset() string { return x.book.ID }

// Texts returns the formulas of the ruleset, in its order.
func (x *Index) Texts() []book.Part { return x.texts }

// At returns the formula at a place, and the offset in it in code points, as places count them.
func (x *Index) At(at plan.Place) (t book.Part, offset int, ok bool) {
	for _, t := range x.texts {
		if offset, ok := offsetIn(t.Text, at); ok {
			return t, offset, true
		}
	}
	return book.Part{}, 0, false
}

// offsetIn returns the offset of the code point of a text that stands at a place; its end counts. A text of several lines
// has a run for each, and a run ends one code point before the next begins, where the line break is.
func offsetIn(t *book.Text, at plan.Place) (int, bool) {
	if t.Place.File != at.File {
		return 0, false
	}
	length := len([]rune(t.S))
	for i, r := range t.Runs {
		end := length
		if i+1 < len(t.Runs) {
			end = t.Runs[i+1].Start - 1
		}
		if col := at.Col - r.Place.Col; r.Place.Line == at.Line && col >= 0 && r.Start+col <= end {
			return r.Start + col, true
		}
	}
	return 0, false
}

// Owner returns the definition that a place lies in: that of its formula, or else the last one that begins before it in its
// file; empty before the first.
//
// Between formulas, in a row or at a label, a place belongs to the definition that begins last before
// it. So a line of a procedure behind its events, outside of a formula, counts as the last event's.
func (x *Index) Owner(at plan.Place) string {
	if t, _, ok := x.At(at); ok {
		return t.Scope
	}
	owner, line := "", 0
	for _, d := range x.Definitions() {
		if d.Place.File == at.File && d.Place.Line <= at.Line && d.Place.Line >= line {
			owner, line = d.Kind.String()+" "+d.Name, d.Place.Line
		}
	}
	return owner
}

// Scope lists the names that formulas of a definition may read: its own, and those that all may.
func (x *Index) Scope(owner string) []Symbol {
	var out []Symbol
	if local := x.scope[owner]; local != nil {
		out = local()
	}
	if !strings.HasPrefix(owner, "function ") {
		out = append(out, x.characterVariable())
	}
	return append(out, x.sharedSymbols()...)
}

// sharedSymbols returns the symbols that all formulas may read but the character: builtins, options, tables and functions.
// Traits and rules are not among them: a trait is read of a character, and a rule is used and not called.
func (x *Index) sharedSymbols() []Symbol {
	if x.shared != nil {
		return x.shared
	}
	x.shared = append(builtinSymbols(), x.optionsVariable())
	for _, d := range x.Definitions() {
		if d.Kind == Table || d.Kind == Function {
			x.shared = append(x.shared, d)
		}
	}
	return x.shared
}

// Resolve follows a chain of names, the first of them in the scope of a definition: "input", "place", "height".
func (x *Index) Resolve(owner string, chain []string) (Symbol, bool) {
	list := x.Scope(owner)
	for i, name := range chain {
		k := slices.IndexFunc(list, func(s Symbol) bool { return s.Name == name })
		if k < 0 {
			return Symbol{}, false
		}
		if i == len(chain)-1 {
			return list[k], true
		}
		list = list[k].Members()
	}
	return Symbol{}, false
}

// Definitions returns the tables, traits, functions, options, rules, procedures and events of the ruleset, in its order.
func (x *Index) Definitions() []Symbol {
	if x.definitions == nil {
		x.definitions = x.listDefinitions()
	}
	return x.definitions
}

func (x *Index) listDefinitions() []Symbol {
	b := x.book
	var out []Symbol
	for _, o := range b.Options {
		out = append(out, x.optionSymbol(o))
	}
	for _, t := range b.Tables {
		columns := func() []Symbol { return columnSymbols(t) }
		out = append(out, definitionSymbol(Table, &t.Definition, tableDetail(t), columns))
	}
	for _, t := range b.Traits {
		out = append(out, definitionSymbol(Trait, &t.Definition, formulaText(&t.Formula), nil))
	}
	for _, f := range b.Functions {
		out = append(out, definitionSymbol(Function, &f.Definition, functionDetail(f), nil))
	}
	for _, r := range b.Rules {
		outputs := func() []Symbol { return namedSymbols(r.Body.Outputs, "output") }
		out = append(out, definitionSymbol(Rule, &r.Definition, "", outputs))
	}
	for _, p := range b.Procedures {
		out = append(out, definitionSymbol(Procedure, &p.Definition, "", nil))
		for _, e := range p.Events {
			s := definitionSymbol(Event, &e.Definition, "", nil)
			s.Name = p.ID + "/" + e.ID
			out = append(out, s)
		}
	}
	return out
}

// definitionSymbol returns the symbol of a definition, with the sentence and the citation that hovering
// shows.
func definitionSymbol(kind Kind, d *book.Definition, detail string, members func() []Symbol) Symbol {
	return Symbol{Name: d.ID, Kind: kind, Detail: detail, Doc: d.Doc, Cite: d.Cite.S, Place: d.Place, members: members}
}

func functionDetail(f *book.Function) string {
	var params []string
	for _, p := range f.Params {
		params = append(params, p.Name+" "+p.Type.S)
	}
	return f.ID + "(" + strings.Join(params, ", ") + ") = " + formulaText(&f.Formula)
}

// tableDetail returns the keys and the result of a table, as one line.
func tableDetail(t *book.Table) string {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	kind := t.Kind.String()
	if t.Across != nil {
		return fmt.Sprintf("%s(row, column), %s by %s: %s", t.ID, kind, t.Across.Kind, strings.Join(names, ", "))
	}
	if t.Gives.S != "" {
		return fmt.Sprintf("%s(key), %s: gives %s of %s", t.ID, kind, t.Gives.S, strings.Join(names, ", "))
	}
	return fmt.Sprintf("%s(key), %s: %s", t.ID, kind, strings.Join(names, ", "))
}

// formulaText returns a formula on one line; of a choice, its arms.
//
// It is for one line of a pop-up and is never parsed again.
func formulaText(f *book.Formula) string {
	text := f.Expr.S
	if f.By.S != "" {
		var arms []string
		for _, a := range f.Is {
			arms = append(arms, a.Value+": "+a.Expr.S)
		}
		text = "by " + f.By.S + ": " + strings.Join(arms, "; ")
	}
	return strings.Join(strings.Fields(text), " ")
}

func columnSymbols(t *book.Table) []Symbol {
	var out []Symbol
	for i := range t.Columns {
		out = append(out, memberSymbol(&t.Columns[i], Column))
	}
	return out
}

// Keys returns the keys of a table, as values that a formula may look up.
func (x *Index) Keys(table string) []Symbol {
	i := slices.IndexFunc(x.book.Tables, func(t *book.Table) bool { return t.ID == table })
	if i < 0 {
		return nil
	}
	return keysOf(x.book.Tables[i])
}

// ColumnKeys returns the second keys of a table, if it has some, as values that a formula may look up.
func (x *Index) ColumnKeys(table string) []Symbol {
	i := slices.IndexFunc(x.book.Tables, func(t *book.Table) bool { return t.ID == table })
	if i < 0 || x.book.Tables[i].Across == nil {
		return nil
	}
	return keysOf(x.book.Tables[i].Across)
}

// keysOf returns the keys that are strings, each with the cells of its row.
func keysOf(t *book.Table) []Symbol {
	if t.Kind.HasNumbers() {
		return nil
	}
	var out []Symbol
	for _, r := range t.Rows {
		var cells []string
		for k, c := range r.Cells {
			if k < len(t.Columns) {
				cells = append(cells, t.Columns[k].Name+" "+c.JSON)
			}
		}
		out = append(out, Symbol{Name: r.Key, Kind: Value, Detail: strings.Join(cells, ", "), Place: r.Place})
	}
	return out
}

// optionSymbol returns the symbol of an option, whose members are its values.
func (x *Index) optionSymbol(o *book.Option) Symbol {
	return definitionSymbol(Option, &o.Definition, "default "+o.Default.S, func() []Symbol { return valueSymbols(o) })
}

func valueSymbols(o *book.Option) []Symbol {
	var out []Symbol
	for _, v := range o.Values {
		out = append(out, Symbol{Name: v.Name, Kind: Value, Doc: v.Doc, Place: v.Place})
	}
	return out
}

// optionsVariable returns the variable option, whose members are all options.
func (x *Index) optionsVariable() Symbol {
	return Symbol{Name: "option", Kind: Variable, Doc: "The options of the ruleset, as they are played.",
		members: func() []Symbol {
			var out []Symbol
			for _, o := range x.book.Options {
				out = append(out, x.optionSymbol(o))
			}
			return out
		}}
}

// characterVariable returns the variable character, whose members are its fields and traits. Functions do not read it;
// they take arguments.
func (x *Index) characterVariable() Symbol {
	return Symbol{
		Name: "character", Kind: Variable, Doc: "The character: its fields, and the traits that follow from them.",
		Place: placeOf(x.book.Character), members: x.characterMembers,
	}
}

func (x *Index) characterMembers() []Symbol {
	out := fieldSymbols(x.book.Character, x)
	for _, t := range x.book.Traits {
		out = append(out, definitionSymbol(Trait, &t.Definition, formulaText(&t.Formula), nil))
	}
	return out
}

func placeOf(s *plan.Shape) plan.Place {
	if s == nil {
		return plan.Place{}
	}
	return s.Place
}

// fieldSymbols returns the symbols of the fields of a record.
func fieldSymbols(s *plan.Shape, x *Index) []Symbol {
	if s == nil {
		return nil
	}
	if s.Character && x != nil && s != x.book.Character {
		return x.characterMembers()
	}
	var out []Symbol
	for i := range s.Fields {
		f := memberSymbol(&s.Fields[i], Field)
		shape := s.Fields[i].Shape
		f.members = func() []Symbol {
			switch {
			case shape.Kind == plan.String && shape.KeyOf != "" && x != nil:
				return x.Keys(shape.KeyOf)
			case shape.Kind == plan.String:
				return enumValues(shape)
			}
			return fieldSymbols(shape, x)
		}
		out = append(out, f)
	}
	return out
}

// memberSymbol returns the symbol of a field or a column. It has no type while the ruleset has errors.
func memberSymbol(m *plan.Member, kind Kind) Symbol {
	s := Symbol{Name: m.Name, Kind: kind, Doc: m.Doc, Place: m.Place}
	if m.Shape != nil {
		s.Detail = describeShape(m)
	}
	return s
}

func enumValues(s *plan.Shape) []Symbol {
	var out []Symbol
	for _, v := range s.Enum {
		out = append(out, Symbol{Name: v, Kind: Value})
	}
	return out
}

// describeShape returns a field's type, bounds and default: "int, 1 to 10, default 5".
func describeShape(m *plan.Member) string {
	s := m.Shape
	parts := []string{s.Type().String()}
	number := func(b *plan.Bound) string { return strconv.FormatFloat(b.Value, 'f', -1, 64) }
	switch {
	case s.Min != nil && s.Max != nil:
		parts = append(parts, number(s.Min)+" to "+number(s.Max))
	case s.Min != nil:
		parts = append(parts, "from "+number(s.Min))
	case s.Max != nil:
		parts = append(parts, "up to "+number(s.Max))
	}
	if s.KeyOf != "" {
		parts = append(parts, "a key of "+s.KeyOf)
	}
	if m.Optional {
		parts = append(parts, "optional")
	}
	if m.Default != "" {
		parts = append(parts, "default "+m.Default)
	}
	return strings.Join(parts, ", ")
}

// builtinSymbols returns the symbols of the functions of the language.
func builtinSymbols() []Symbol {
	var out []Symbol
	for _, f := range builtin.Table() {
		s := Symbol{Name: f.Name, Kind: Builtin, Doc: f.Doc}
		var forms []string
		for _, o := range f.Overloads {
			forms = append(forms, signatureText(f.Name, &o))
		}
		s.Detail = strings.Join(forms, "\n")
		for _, e := range f.Examples {
			s.Doc += "\n\n    " + e.Expr + " == " + e.Want
		}
		out = append(out, s)
	}
	return out
}

func signatureText(name string, o *builtin.Overload) string {
	if o.Member {
		return o.Params[0] + "." + name + "(" + strings.Join(o.Params[1:], ", ") + ") -> " + o.Result
	}
	return name + "(" + strings.Join(o.Params, ", ") + ") -> " + o.Result
}
