package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A collector enters every definition of a ruleset under its name, before any formula is looked at, so that the order in
// which authors write them does not matter.
type collector struct {
	*language
	out *Ruleset
	// isInput says whether the shape being closed is given to a body and stands in no map, because a
	// requirement can quantify over lists and not over the values of maps (mapkeys.go).
	isInput bool
	given   book.Specification // whose shape is being closed
}

// collectDefinitions enters the definitions by kind. Options and rules have a name space each;
// tables and functions share one, since both are called; traits share theirs with the fields of
// characters. Afterwards the keys are closed, because rows are known then, and the values that
// options and errata name are checked, because options are.
func (c *collector) collectDefinitions() {
	b := c.book
	for _, o := range b.Options {
		t := &plan.Type{Kind: plan.String}
		for _, v := range o.Values {
			t.Enum = append(t.Enum, v.Name)
		}
		c.options[o.ID] = &Option{header{name: o.ID, place: o.Place, typ: t}, o}
		c.out.Options = append(c.out.Options, c.options[o.ID])
	}
	for _, t := range b.Tables {
		table := &Table{header: definitionHeader(&t.Definition), Book: t, Gives: -1}
		if t.Across != nil {
			table.Across = &Table{header: definitionHeader(&t.Definition), Book: t.Across, Gives: -1}
		}
		c.out.Tables = append(c.out.Tables, table)
		c.addCallable("table "+t.ID, table)
	}
	for _, f := range b.Functions {
		function := &Function{header: definitionHeader(&f.Definition), Book: f}
		c.out.Functions = append(c.out.Functions, function)
		c.addCallable("function "+f.ID, function)
	}
	for _, t := range b.Traits {
		trait := &Trait{header: definitionHeader(&t.Definition), Book: t}
		c.out.Traits = append(c.out.Traits, trait)
		if isMember(b.Character, t.ID) {
			c.diags.Addf("name-taken", t.Place, "trait "+t.ID, "%s is also a field of #Character", t.ID)
			continue
		}
		c.traits[t.ID] = trait
	}
	for _, x := range b.Rules {
		c.rules[x.ID] = &Rule{header: definitionHeader(&x.Definition), Book: x}
		c.out.Rules = append(c.out.Rules, c.rules[x.ID])
	}
	c.closeKeys()
	c.closeColumns()
	c.checkOptions()
}

func definitionHeader(d *book.Definition) header {
	return header{name: d.ID, place: d.Place, typ: broken, progress: pending}
}

func isMember(s *plan.Shape, name string) bool {
	return s != nil && slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return m.Name == name })
}

// addCallable enters a table or a function among the callables of formulas. Both share one space of names with the
// functions of the language, as a formula calls all three alike.
func (c *collector) addCallable(subject string, o Object) {
	_, isStandard := c.standard[o.Name()]
	switch old := c.callables[o.Name()]; {
	case isStandard || syntax.IsMacro(o.Name()):
		c.diags.Addf("name-taken", o.Place(), subject, "%s is a function of the language",
			o.Name()).Repair = "give it another name"
	case old != nil:
		c.diags.Addf("name-taken", o.Place(), subject, "%s is also %s", o.Name(), describeObject(old)).
			Repair = "give one of them another name"
	default:
		c.callables[o.Name()] = o
	}
}

// closeKeys restricts each string that is a key of a table to the table's keys, in its Enum.
//
// After it, weapon!: string @key(weapons) with the rows sword and axe is the same as "sword" | "axe": comparisons with a
// misspelt name, arms of choices and completions know the two words. It runs before any text is typed, since types are made
// of shapes.
func (c *collector) closeKeys() {
	for x := range c.book.Shapes() {
		c.isInput, c.given = x.OfBody, x
		c.closeShape(x.Shape, x.Subject)
	}
	c.isInput = false
}

// closeShape restricts the strings in a shape, at any depth, and judges the defaults of its fields by their keys. A
// character within another shape is left alone: it is closed where it is declared.
func (c *collector) closeShape(s *plan.Shape, subject string) {
	if s == nil {
		return
	}
	if s.KeyOf != "" {
		c.closeKey(s, subject)
	}
	around := c.isInput
	defer func() { c.isInput = around }()
	c.isInput = around && s.Kind != plan.Map
	c.closeShape(s.Elem, subject)
	if s.Character && subject != "#Character" {
		return // closed as the character's own
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if c.isNameOfTable(m) {
			d := c.diags.Addf("enum-value", m.Shape.Place, subject, "this string can only be %q, the name of a table",
				m.Name)
			d.Repair = fmt.Sprintf("a key of the table is string @key(%s)", m.Name)
			m.Shape.Enum, m.Shape.KeyOf = nil, m.Name
		}
		c.checkTypeInQuotes(m, subject)
		c.checkChoiceInQuotes(m, subject)
		c.closeShape(m.Shape, subject)
		c.checkDefault(m, subject)
	}
}

// checkTypeInQuotes reports a field that can only be the name of a type, n: "int", and gives it that type.
func (c *collector) checkTypeInQuotes(m *plan.Member, subject string) {
	s := m.Shape
	if s == nil || s.Kind != plan.String || len(s.Enum) != 1 || s.KeyOf != "" {
		return
	}
	kind, ok := typesInQuotes[s.Enum[0]]
	if !ok {
		return
	}
	c.diags.Addf("enum-value", s.Place, subject, "this string can only be %q, the name of a type", s.Enum[0]).
		Repair = fmt.Sprintf("a type stands without quotes: %s: %s", m.Name, s.Enum[0])
	s.Kind, s.Enum = kind, nil
}

// checkChoiceInQuotes reports a field that can only be one text with bars in it, "might | wits", and gives it the words
// between them.
func (c *collector) checkChoiceInQuotes(m *plan.Member, subject string) {
	s := m.Shape
	if s == nil || s.Kind != plan.String || len(s.Enum) != 1 || s.KeyOf != "" || !strings.Contains(s.Enum[0], "|") {
		return
	}
	words := strings.Split(s.Enum[0], "|")
	quoted := make([]string, len(words))
	for i, word := range words {
		words[i] = strings.Trim(strings.TrimSpace(word), `'"*`)
		quoted[i] = strconv.Quote(words[i])
	}
	c.diags.Addf("enum-value", s.Place, subject, "this string can only be %q, a text with a bar in it", s.Enum[0]).
		Repair = fmt.Sprintf("each word has quotes of its own: %s: %s", m.Name, strings.Join(quoted, " | "))
	s.Enum = words
}

// typesInQuotes are the names of types in CUE, and the kinds of their values.
var typesInQuotes = map[string]plan.Kind{
	"int": plan.Int, "number": plan.Double, "float": plan.Double, "bool": plan.Bool, "string": plan.String,
}

// isNameOfTable reports whether a field is called like a table and can only be its name, weapon!: "weapon", where a key of
// the table must be meant.
func (c *collector) isNameOfTable(m *plan.Member) bool {
	s := m.Shape
	if s == nil || s.Kind != plan.String || len(s.Enum) != 1 || s.Enum[0] != m.Name || s.KeyOf != "" {
		return false
	}
	t, ok := c.callables[m.Name].(*Table)
	return ok && !t.Book.Kind.HasNumbers()
}

// closeKey closes a string by the keys of the table, or of its columns, that @key names, and by the words behind it that
// stand for no key: @key(weapon, none). A table that is found by numbers has no words to close it by.
func (c *collector) closeKey(s *plan.Shape, subject string) {
	if key, ok := parseMapKey(s.KeyOf); ok && s.Kind == plan.String {
		c.checkMapKey(s, key, subject)
		return
	}
	text, isRead := c.book.Keys[s]
	if !isRead && c.book.Keys != nil {
		c.book.Keys[s] = s.KeyOf
	}
	table, words, hasWords := strings.Cut(cmp.Or(text, s.KeyOf), ",")
	if s.KeyOf = strings.TrimSpace(table); hasWords && s.Kind == plan.Map {
		c.diags.Addf("unknown-table", s.Place, subject,
			"a word for no key stands at a string: each key of this map is a row of %s", s.KeyOf)
	}
	name, isColumn := strings.CutSuffix(s.KeyOf, ".columns")
	t, _ := c.callables[name].(*Table)
	if isColumn && t != nil {
		t = t.Across
	}
	r := c.reporterFor(subject)
	if t == nil && r.reportDisabled(s.Place, "tables", s.KeyOf) {
		return
	}
	if t == nil || t.Book.Kind.HasNumbers() {
		r.addf("unknown-table", s.Place, "@key(%s) names no keyed table", s.KeyOf).About(name).
			Repair = c.adviseTable(s.KeyOf)
		return
	}
	keys := make([]string, len(t.Book.Rows))
	for i := range t.Book.Rows {
		keys[i] = t.Book.Rows[i].Key
	}
	if s.Kind != plan.Map {
		if hasWords {
			keys = r.appendWords(keys, words, s)
		}
		s.Enum = keys
		return
	}
	s.Keys = keys
	for _, m := range s.Fields {
		c.checkKeyOf(m.Name, s, keys, m.Place, subject, m.Name, "the map names "+strconv.Quote(m.Name))
	}
}

// appendWords appends the words for no row that stand behind the table of an @key.
func (r *reporter) appendWords(keys []string, words string, s *plan.Shape) []string {
	for word := range strings.SplitSeq(words, ",") {
		switch word = strings.TrimSpace(word); {
		case word == "":
			r.addf("unknown-table", s.Place, "@key(%s,%s) has an empty word", s.KeyOf, words).Repair = "leave out a comma"
		case slices.Contains(keys, word):
			d := r.addf("unknown-table", s.Place, "@key(%s,%s): %s is a row of %[1]s, or stands here twice", s.KeyOf,
				words, word)
			d.Repair = "leave " + word + " out"
		default:
			keys = append(keys, word)
		}
	}
	return keys
}

// adviseTable returns the repair of an @key that names no table: its name without the section, or the nearest one.
func (c *collector) adviseTable(written string) string {
	name := strings.TrimPrefix(written, "tables.")
	if name != written && c.callables[name] != nil {
		return "write @key(" + name + ")"
	}
	if chart, _, isPart := strings.Cut(name, "."); isPart && c.callables[chart] != nil {
		return fmt.Sprintf("the keys of its rows are @key(%s), those of its columns @key(%[1]s.columns)", chart)
	}
	return diag.DidYouMeanOneOf(name, c.book.TableNames())
}

// checkKeyOf reports a string that is none of the keys of its table. A key of a row that a homebrew disables is reported
// at the homebrew, whose author alone can mend it.
func (c *collector) checkKeyOf(key string, s *plan.Shape, keys []string, at plan.Place, subject, member, what string) {
	inside := subject + ", " + member
	switch {
	case s.KeyOf == "" || len(keys) == 0 || slices.Contains(keys, key):
	case c.reporterFor(inside).reportDisabled(at, "tables", s.KeyOf, "rows", key):
	default:
		d := c.diags.Addf("enum-value", at, subject, "%s, which is no key of the table %s", what, s.KeyOf)
		d.Lacks = diag.Lack{Table: s.KeyOf, Row: key}
		if d.Repair = diag.DidYouMean(key, keys); d.Repair == "" && s.Kind == plan.String {
			d.Repair = fmt.Sprintf("a word that stands for no key is named behind the table: @key(%s, %s)", s.KeyOf, key)
			if len(keys) <= diag.MaxListed {
				d.Repair = "its keys are " + strings.Join(keys, ", ") + "; " + d.Repair
			}
		}
	}
}

// closeColumns restricts the strings in cells that are keys of tables, and judges each cell by these keys.
func (c *collector) closeColumns() {
	for _, t := range c.book.Tables {
		subject := "table " + t.ID
		for i := range t.Columns {
			m := &t.Columns[i]
			c.closeShape(m.Shape, subject)
			for r := range t.Rows {
				if i >= len(t.Rows[r].Cells) {
					continue
				}
				cell := &t.Rows[r].Cells[i]
				walkStrings(cell.JSON, m.Shape, func(key string, s *plan.Shape) {
					c.checkKeyOf(key, s, s.Enum, cell.Place, subject, m.Name, fmt.Sprintf("%s is %q", m.Name, key))
				})
			}
		}
	}
}

// checkDefault reports the default of a field that is no key of its tables. CUE, which knows no tables, lets every string
// stand there. weapon: *"swrod" | string @key(weapon): no input is refused for it, and each that leaves the weapon out
// would fail at the table.
func (c *collector) checkDefault(m *plan.Member, subject string) {
	walkStrings(m.Default, m.Shape, func(key string, s *plan.Shape) {
		c.checkKeyOf(key, s, s.Enum, m.Place, subject, m.Name, fmt.Sprintf("%s is %q when nobody gives it", m.Name, key))
	})
}

// walkStrings visits each string of a value in JSON with its shape. A value that is no JSON, such as the cell that could not be
// read, has no strings, nor has a list or a record where its shape has none: load has reported it.
func walkStrings(text string, s *plan.Shape, visit func(string, *plan.Shape)) {
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		walkStringsOf(value, s, visit)
	}
}

func walkStringsOf(value any, s *plan.Shape, visit func(string, *plan.Shape)) {
	if s == nil {
		return
	}
	switch v := value.(type) {
	case string:
		visit(v, s)
	case []any:
		for _, x := range v {
			walkStringsOf(x, s.Elem, visit)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			walkStringsOf(v[name], partOf(s, name), visit)
		}
	}
}

// partOf returns the shape of a field of a record, or of a value of a map.
func partOf(s *plan.Shape, name string) *plan.Shape {
	i := slices.IndexFunc(s.Fields, func(f plan.Member) bool { return f.Name == name })
	if i < 0 {
		return s.Elem
	}
	return s.Fields[i].Shape
}

// checkOptions checks that each option is played, unless somebody says otherwise, in a way that it has, and that errata
// are ruled by options that exist.
func (c *collector) checkOptions() {
	for _, o := range c.book.Options {
		c.checkOptionValue(o, o.Default, "option "+o.ID)
	}
	for _, e := range c.book.Errata {
		if e.Option.S != "" && c.options[e.Option.S] == nil {
			c.diags.Addf("unknown-option", e.Option.Place, "erratum "+e.ID, "there is no option %s", e.Option.S).
				Repair = diag.DidYouMeanOneOf(e.Option.S, sortedKeys(c.options))
		}
	}
}

func (c *collector) checkOptionValue(o *book.Option, v book.Text, subject string) {
	names := make([]string, len(o.Values))
	for i := range o.Values {
		names[i] = o.Values[i].Name
	}
	if slices.Contains(names, v.S) || len(names) == 0 || v.S == "" {
		return
	}
	c.diags.Addf("option-value", v.Place, subject, "%q is no value of option %s: it has %s", v.S, o.ID,
		strings.Join(names, ", ")).
		Repair = diag.DidYouMean(v.S, names)
}

// CheckRulings checks that the rulings of a release name options and values that there are.
func CheckRulings(b *book.Ruleset, rulings []book.Ruling, diags *diag.List) {
	c := &collector{language: &language{diags: diags}}
	var known []string
	for _, o := range b.Options {
		known = append(known, o.ID)
	}
	for _, x := range rulings {
		subject := "ruling " + x.Option
		if i := slices.Index(known, x.Option); i >= 0 {
			c.checkOptionValue(b.Options[i], x.Value, subject)
			continue
		}
		diags.Addf("unknown-option", x.Place, subject, "%s has no option %s", b.ID, x.Option).
			Repair = diag.DidYouMeanOneOf(x.Option, known)
	}
}
