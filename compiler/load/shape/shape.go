package shape

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ReadRecord returns the shape of a struct of named fields, from its expressions.
func (w *Reader) ReadRecord(sites []site.Site, name string, at plan.Place) *plan.Shape {
	s := w.readMeaning(sites, at).Shape
	if s.Kind != plan.Record {
		w.reportUnsayable(at, name+" is a struct of named fields")
		return &plan.Shape{Kind: plan.Record, Place: at}
	}
	return s
}

// readMeaning returns the common meaning of all expressions for a value.
//
// Structs and lists are set aside until all conjuncts are known, for their unification goes member by member and not one
// after the other: {a: int} & {a: >=0} is one member a with two sites. Atoms are unified as they come; unification is
// commutative, so the order only decides which contradiction is noticed.
func (w *Reader) readMeaning(sites []site.Site, at plan.Place) meaning {
	m, key := w.readUnkeyed(sites, at)
	w.noteKey(m, key)
	return m
}

// readUnkeyed returns the common meaning of all expressions for a value, and the @key that is yet to be noted in it.
func (w *Reader) readUnkeyed(sites []site.Site, at plan.Place) (meaning, *ast.Attribute) {
	m := meaning{Shape: &plan.Shape{Place: at}}
	var structs, lists []site.Site
	var key *ast.Attribute
	for _, s := range site.SplitConjuncts(sites) {
		switch s.Expr.(type) {
		case *ast.StructLit:
			structs = append(structs, s)
		case *ast.ListLit:
			lists = append(lists, s)
		default:
			m.unify(w.readAtom(s))
		}
		key = cmp.Or(s.KeyOf, key)
	}
	switch {
	case m.Character:
		w.reportNarrowed(structs)
	case len(structs) > 0:
		m.unify(w.readStruct(structs))
	}
	if len(lists) > 0 {
		m.unify(w.readList(lists))
	}
	w.settleMeaning(&m, sites)
	return m, key
}

// reportEqual reports references to other fields in the expressions of a value that is no constant: that two values are the
// same is no shape.
func (w *Reader) reportEqual(m meaning, sites []site.Site) {
	if m.constant != "" {
		return
	}
	for _, s := range site.FieldReferences(sites) {
		w.reportUnsayable(w.PlaceOf(s.Expr.Pos()), "this is to be the same as "+w.TextOf(s.Expr)+", another field").
			Repair = "write its type, or a definition that both have; what must be the same, a requirement says"
	}
}

// reportNarrowed reports structs with which a #Character in an input is unified: rules read every character by one shape.
func (w *Reader) reportNarrowed(structs []site.Site) {
	for _, s := range structs {
		if len(s.Expr.(*ast.StructLit).Elts) > 0 {
			w.reportUnsayable(w.PlaceOf(s.OwnPosition()), "a #Character in an input is one like any other, and is not narrowed").
				Repair = `demand it, with the message in front, as in require: "no giant": "input.them.might >= 10"`
		}
	}
}

// settleMeaning finishes a meaning: bounds alone make a number, and a default that is excluded is none.
//
// After a contradiction the bounds are dropped: the phases behind would report an empty interval at
// each use of the field, where the author needs one message. The line is remembered, because CUE
// may find the same (Contradictions).
func (w *Reader) settleMeaning(m *meaning, sites []site.Site) {
	if m.Kind == plan.Invalid && m.numeric {
		m.Kind = plan.Double
	}
	if m.isEmpty() {
		w.contradictions.Add(m.Place)
		d := w.diags.Addf("cue-conflict", m.Place, w.subject, "no value satisfies all that is said here")
		if m.Min != nil && m.Max != nil {
			d.Message, d.Repair = explainEmpty(m.Shape)
		}
		for _, s := range sites {
			if at := w.PlaceOf(s.Expr.Pos()); at.Line != 0 && (at.File != m.Place.File || at.Line != m.Place.Line) {
				d.Message = "no value satisfies all that is said of it"
				d.Repair = "keep one of its declarations"
				d.Related = append(d.Related, diag.Related{Place: at, Message: "said too"})
			}
		}
		m.void, m.Min, m.Max, m.Enum = false, nil, nil, nil
	}
	if m.Kind == plan.List && m.MaxItems != 0 && m.MinItems > m.MaxItems {
		w.reportUnsayable(m.Place, fmt.Sprintf("no list has at least %d and at most %d elements", m.MinItems, m.MaxItems)).
			Repair = fmt.Sprintf("write list.MinItems(%d) & list.MaxItems(%d)", m.MaxItems, m.MinItems)
	}
	if m.second != "" {
		d := w.reportUnsayable(m.Place,
			"the defaults "+m.fallback+" and "+m.second+" contradict each other, and CUE then has none")
		d.Repair = "keep one of them"
	}
	if m.fallback != "" && !FitsShape(m.fallback, m.Shape) {
		m.fallback = ""
	}
}

// explainEmpty says which two bounds leave no number between them, and what to write where they stand the wrong way round.
func explainEmpty(s *plan.Shape) (message, repair string) {
	sign := func(strict, other string, b *plan.Bound) string {
		if b.Open {
			return strict
		}
		return other
	}
	format := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	least, most := sign(">", ">=", s.Min), sign("<", "<=", s.Max)
	message = fmt.Sprintf("no number is %s%s and %s%s", least, format(s.Min.Value), most, format(s.Max.Value))
	// else none is between them
	if s.Min.Value >= s.Max.Value+2 || s.Min.Value > s.Max.Value && !s.Min.Open && !s.Max.Open {
		repair = fmt.Sprintf("write %s%s & %s%s", least, format(s.Max.Value), most, format(s.Min.Value))
	}
	return message, repair
}

// noteKey notes that a string, each string of a list, or each key of a map is a key of a table.
func (w *Reader) noteKey(m meaning, key *ast.Attribute) {
	if key == nil {
		return
	}
	if s := KeyedPart(m.Shape); s != nil {
		s.KeyOf = w.readKeyOf(key, s)
		return
	}
	w.reportUnsayable(m.Place, "@key stands at a string, at a list of strings, or at a map")
}

// readKeyOf returns what stands in the @key of a string or a map.
func (w *Reader) readKeyOf(key *ast.Attribute, of *plan.Shape) string {
	text := w.ReadAttribute(key)
	switch {
	case text == "":
		w.reportUnsayable(w.PlaceOf(key.Pos()), "@key() names no table").Repair =
			"write a table, or a map of the character: @key(weapon), @key(character.skills)"
	case namesField().MatchString(text): // the choice holds, and each word must be a key of the map
	case of.Kind == plan.String && of.Enum != nil, of.Kind == plan.Map && of.Keys != nil:
		w.reportUnsayable(w.PlaceOf(key.Pos()), "@key says which words may stand here, and so does the choice beside it").
			Repair = "write string @key(" + text + "), or the choice alone"
	}
	return text
}

// KeyedPart returns the part of a shape that a @key is about: a string, the strings of a list, or the keys of a map; nil
// of any other shape.
func KeyedPart(s *plan.Shape) *plan.Shape {
	switch {
	case s.Kind == plan.String, s.Kind == plan.Map:
		return s
	case s.Kind == plan.List && s.Elem != nil && s.Elem.Kind == plan.String:
		return s.Elem
	}
	return nil
}

// defaultForms are fields with a default, by the kinds of their values.
var defaultForms = map[plan.Kind]string{
	plan.Bool: "*false | bool", plan.Int: "*0 | int", plan.Double: "*0.5 | number", plan.String: `*"none" | string`,
}

// DefaultForm returns an example of how a field of a shape is written with a default.
func DefaultForm(s *plan.Shape) string {
	if len(s.Enum) > 1 {
		return fmt.Sprintf("*%q | %q", s.Enum[0], s.Enum[1])
	}
	return cmp.Or(defaultForms[s.Kind], "*... | ...")
}

// finishMeaning reports a value of which too little is known, or more than a shape can express, and a list without an end.
// A reported value becomes an int, so that the phases that follow always have a type.
func (w *Reader) finishMeaning(m meaning) {
	switch {
	case m.unclear:
	case m.Kind == plan.Invalid:
		w.reportUnsayable(m.Place, "the type must be known: int, number, bool, string, a list or a struct")
	case m.Kind == plan.Bool && m.constant != "":
		w.reportUnsayable(m.Place, "a bool that is always "+m.constant).Repair = "write *" + m.constant + " | bool"
	case m.Kind == plan.List && m.Elem == nil:
		w.reportUnsayable(m.Place,
			"the type of the elements must be known, and not their values").Repair =
			fmt.Sprintf("one of some values stands without brackets, %s; a list has a type, [...int] & list.MaxItems(8)",
				cmp.Or(choiceOf(m.constant), "1 | 2 | 3"))
	case m.Kind == plan.Map && m.Elem == nil && m.MaxItems > 0:
		w.reportUnsayable(m.Place, "struct.MaxFields counts the keys of a map, and this has none but by name").Repair =
			"a map has a type for its values, {[string]: int} & struct.MaxFields(8); a requirement says how many named " +
				"fields there are"
	case m.Kind == plan.List && m.MaxItems == 0:
		elem := "{...}"
		switch m.Elem.Kind {
		case plan.Int, plan.Bool, plan.String:
			elem = m.Elem.Kind.String()
		case plan.Double:
			elem = "number"
		}
		repair := fmt.Sprintf("give it list.MaxItems: [...%s] & list.MaxItems(8)", elem)
		if !strings.Contains(w.FileNamed(m.Place.File).Text, `"list"`) {
			repair += `, with import "list" at the head of the file`
		}
		w.diags.Addf("unbounded-list", m.Place, w.subject, "the list has no end").Repair = repair
	}
	if m.Kind == plan.Invalid || m.Kind == plan.Map && m.Elem == nil {
		m.Kind = plan.Int
	}
	if m.Kind == plan.List {
		m.Elem = cmp.Or(m.Elem, &plan.Shape{Kind: plan.Int, Place: m.Place})
	}
}

// readMember returns a member from all expressions for its name. The constraint that binds least decides whether it must be
// given: a plain field beats a required one, and that an optional one.
//
// The three kinds of field, and the members that JSON may leave out:
//
//	hard:  int            a default is needed; without one the member is demanded like hard!
//	hard!: int            must be given
//	hard?: int            may be absent; formulas ask has(input.hard)
func (w *Reader) readMember(name string, fields []site.Field, patterns []site.Field) plan.Member {
	first := slices.MinFunc(fields, func(a, b site.Field) int { return site.CompareKeys(a.Site.Key, b.Site.Key) })
	out := plan.Member{Name: name, Place: w.PlaceOf(first.Label.Pos()), Doc: docOf(fields)}
	var sites []site.Site
	for _, f := range slices.Concat(fields, patterns) {
		sites = append(sites, f.Site)
	}
	outer := w.member
	w.member = name
	defer func() { w.member = outer }()
	var m meaning
	if table := tableNamed(sites); table == "" {
		m = w.readMeaning(sites, out.Place)
		w.reportEqual(m, sites)
	} else {
		mark := map[token.Token]string{token.OPTION: "?", token.NOT: "!"}[strictestConstraint(fields)]
		d := w.reportUnsayable(w.PlaceOf(sites[0].Expr.Pos()), "tables."+table+" is a table, and no type")
		d.Repair = fmt.Sprintf("a key of it is %s%s: string @key(%s)", name, mark, table)
		m = meaning{Shape: &plan.Shape{Kind: plan.String, KeyOf: table, Place: out.Place}}
	}
	if form := choiceOfSchema(m.Shape); form != "" {
		d := w.reportUnsayable(out.Place, "type, default and bounds of a field are one expression, and no struct of them")
		d.Repair =
			"write " + name + ": " + form
		m = unclearMeaning(out.Place)
	}
	w.finishMeaning(m)
	out.Shape = m.Shape
	w.noteMarks(&out, fields, sites)
	switch strictestConstraint(fields) {
	case token.OPTION:
		out.Optional = true
		if m.fallback != "" {
			w.reportUnsayable(out.Place, "a field that may be missing has no default").Repair =
				"leave out the ?, so that the field is always there, or the default, so that has(input." + name + ") tells"
		}
	case token.NOT:
		if m.fallback != "" {
			d := w.diags.Addf("default-unread", out.Place, w.subject,
				"%s must be given, so that its default is never taken", name)
			d.Repair =
				"leave out the !: it is " + m.fallback + " where nobody gives it"
		}
	case token.ILLEGAL:
		out.Default = m.defaultValue()
	}
	return out
}

// tableNamed returns the table that an expression refers to in place of a type, tables.weapon; "" when none does.
func tableNamed(sites []site.Site) string {
	for _, s := range sites {
		x, ok := s.Expr.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		section, isName := x.X.(*ast.Ident)
		if table, _, err := ast.LabelName(x.Sel); err == nil && isName && section.Name == "tables" {
			return table
		}
	}
	return ""
}

// strictestConstraint is the constraint of a field that is declared more than once.
func strictestConstraint(fields []site.Field) token.Token {
	out := token.OPTION
	for _, f := range fields {
		switch {
		case f.Decl.Constraint == token.ILLEGAL:
			return token.ILLEGAL
		case f.Decl.Constraint == token.NOT:
			out = token.NOT
		}
	}
	return out
}

// docOf returns the comments of a field.
func docOf(fields []site.Field) string {
	for _, f := range fields {
		if s := remarkOf(f.Decl); s != "" {
			return s
		}
	}
	return ""
}

// remarkOf is the first comment at a declaration: above it, or behind it on its line.
func remarkOf(decl *ast.Field) (out string) {
	ast.Walk(decl, func(n ast.Node) bool {
		for _, g := range ast.Comments(n) {
			if out == "" && (g.Doc || g.Line) {
				out = strings.TrimSpace(g.Text())
			}
		}
		_, inner := n.(*ast.StructLit)
		return out == "" && !inner
	}, nil)
	return out
}

// readChoice returns the meaning of a disjunction: strings that are written out, or one type with values of it that are its
// default.
//
// A shape has no alternatives, so a disjunction must come down to one of these forms; they are tried in this order, from
// the most to the least specific:
//
//	"a" | "b" | *"c"     strings: an enumeration
//	1 | 2 | 4            whole numbers: bounds, and the numbers that they leave out
//	*0 | int             one alternative after those that it contains are gone: its shape, and the default
//	*0 | >=5             a default outside of the shape: reported, as JSON without the field would be refused
//	true | false         bool; anything else is reported
func (w *Reader) readChoice(s site.Site) meaning {
	at := w.PlaceOf(s.Expr.Pos())
	arms := w.readArms(s)
	out := meaning{Shape: &plan.Shape{Place: at}, fallback: markedDefault(arms)}
	if second := otherMark(arms, out.fallback); second != "" {
		d := w.reportUnsayable(at,
			"both "+out.fallback+" and "+second+" are marked as the default, and CUE then has none")
		d.Repair = "leave the star before one of them"
	}
	rest := widerArms(arms)
	w.reportUnmarked(arms, out.fallback)
	if slices.ContainsFunc(arms, func(a arm) bool { return a.unclear }) {
		return unclearMeaning(at)
	}
	if enum, ok := literalStrings(rest); ok {
		out.Kind, out.Enum = plan.String, enum
		return out
	}
	if shape := literalInts(rest, at); shape != nil {
		out.Shape = shape
		return out
	}
	if len(rest) == 1 {
		one := rest[0].meaning
		one.fallback = cmp.Or(out.fallback, one.fallback)
		return one
	}
	if wide := singleType(rest); wide != nil && out.fallback != "" && !FitsShape(out.fallback, wide) {
		d := w.reportUnsayable(at, "the default "+out.fallback+" lies outside of what the field may be")
		d.Repair = "widen the bounds, or give another default"
		if (wide.Kind == plan.String) != strings.HasPrefix(out.fallback, `"`) {
			d.Repair = oneType
			if namesField().MatchString(out.fallback) {
				d.Repair = "a default is a value, and no formula: what a state begins with is said in start: next"
			}
		}
		if (wide.Kind == plan.Bool) != (out.fallback == "true" || out.fallback == "false") &&
			defaultForms[wide.Kind] != "" {
			d.Repair = "a default is of the field's type: " + defaultForms[wide.Kind]
		}
		out.Kind, out.fallback = wide.Kind, ""
		return out
	}
	if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind != plan.Bool }) {
		d := w.reportUnsayable(at, "alternatives are strings or whole numbers that are written out, "+
			"or one type and a default of it: *0 | int")
		if !slices.ContainsFunc(rest, func(a arm) bool { return a.Kind != plan.Record }) {
			d.Repair = "write the fields of all as ones that may be missing, x?: int, and a requirement for which stand together"
		} else if slices.ContainsFunc(arms, func(a arm) bool { return a.isSibling }) {
			d.Repair = "a default is a value, and reads no other field: leave it out, or make a trait of what " +
				"follows from fields"
		} else if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind == plan.Map }) {
			d.Repair = "a map that is left out is empty as it is: [string]: int"
		} else if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind == plan.Double }) {
			d.Repair = "bound the fractions, as in >=0.5 & <=1.5, or name them by strings that a table translates"
			if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind == plan.Int }) {
				d.Repair = "bounds of one number are joined by &: *0 | int & >=0 & <=5"
			}
		} else if !slices.ContainsFunc(rest, func(a arm) bool { return a.Kind != plan.Int }) {
			d.Repair = "write one range, and without the numbers that lie in it: int & >=0 & !=1"
		} else if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind != rest[0].Kind }) {
			d.Repair = oneType
		}
	}
	out.Kind = rest[0].Kind
	return out
}

// namesField finds a text that reads what is given.
var namesField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(character|input|state|event)\.\w`) })

// oneType is the repair of a field that was to have several types.
const oneType = "a field has one type: make two fields of it that may be missing, amount?: int and word?: string"

// readArms are the alternatives, those of nested choices too.
func (w *Reader) readArms(s site.Site) []arm {
	switch x := s.Expr.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.OR {
			return append(w.readArms(s.WithOperand(x.X)), w.readArms(s.WithOperand(x.Y))...)
		}
	case *ast.UnaryExpr:
		if x.Op == token.MUL {
			operand := s.WithOperand(x.X)
			_, isSibling := operand.SiblingPath()
			return []arm{{w.readMeaning([]site.Site{operand}, w.PlaceOf(x.Pos())), true, w.TextOf(x), isSibling}}
		}
	}
	return []arm{{w.readMeaning([]site.Site{s}, w.PlaceOf(s.Expr.Pos())), false, w.TextOf(s.Expr), false}}
}

// ReadQuietly reads the expressions of a field that is no input, without a report: it returns the one value that the field
// can have, as JSON, or else the shape of its values. Where there would be a report it is not clear.
func ReadQuietly(m *site.Module, sites []site.Site) (constant string, shape *plan.Shape, clear bool) {
	var diags diag.List
	out := NewReader(m, &diags, Contradictions{}, "", nil, nil).readMeaning(sites, plan.Place{})
	return out.constant, out.Shape, !out.unclear && !diags.Failed()
}
