package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue"
)

// A Ruleset is what CUE makes of a ruleset, as plain structs.
type Ruleset struct {
	value     cue.Value
	character *field
	options   map[string]string // the value played unless another one is chosen
	// optionValues are the values of each option, in the order in which they are written
	optionValues map[string][]string
	tables       map[string]*table
	traits       map[string]formula
	functions    map[string]*function
	rules        map[string]*rule
	procedures   map[string]*procedure

	parsed    map[string]parsedFormula
	notations map[string]*notation
	readings  map[string]reading // by fields and data: CUE takes long
	playing   map[string]string  // the values of options that traits see
}

// A formula is "one expression, or one for each value of a closed choice: an option, a let, or a field that has an enum".
type formula struct {
	text     string         // CEL
	constant any            // a number or a truth value without quotes; nil of any other
	by       string         // CEL whose value chooses
	option   string         // the option whose value chooses
	cases    map[string]any // by value: a formula without choice
}

// String returns a bound as a refusal names it.
func (f formula) String() string {
	if f.constant != nil {
		return fmt.Sprint(f.constant)
	}
	return f.text
}

type function struct {
	params map[string]string // type by name
	order  []string
	expr   formula
}

// A body is what rules and events compute.
type body struct {
	chances   []chance // dice and uses "in the order in which the rule is written, top to bottom"
	lets      []named
	outputs   []named
	requires  []require
	decisions []decision
}

type named struct {
	name string
	formula
	handed bool // from elsewhere, under its own name
}

type require struct {
	message, text string
	pos           position
}

type chance struct {
	id  string
	die *die
	use *use
	pos position
}

type position struct {
	file      string
	line, col int
}

// compare orders what stands in one file: "in the order in which the rule is written".
func (p position) compare(q position) int {
	if p.file != q.file {
		return 0
	}
	return cmp.Or(p.line-q.line, p.col-q.col)
}

type use struct {
	rule      string
	character string // CEL, empty for one's own
	when      string
	whole     string  // CEL of a record that has all its input
	input     []named // by path
	each      []named
	otherwise map[string]formula
}

type decision struct {
	path        []string
	after       []string
	when        string
	least, most formula
}

type rule struct {
	id    string
	value cue.Value
	input *field
	body
	otherwise map[string]formula
}

type step struct {
	body
	next []named // by path
	when string
	// event is what comes with it; nil of a start.
	event *field
}

type procedure struct {
	id           string
	input, state *field
	lets         []named
	start        *step
	events       map[string]*step
	ends         []require // status and condition
	outputs      []named
}

// Read reads a ruleset, with its rulings: the values played instead of the defaults of options.
func Read(v cue.Value, rulings map[string]string) (_ *Ruleset, err error) {
	defer func() {
		if x := recover(); x != nil {
			e, isUnjudged := x.(*Unjudged)
			if !isUnjudged {
				panic(x)
			}
			err = e
		}
	}()
	r := &Ruleset{value: v, options: map[string]string{}, optionValues: map[string][]string{},
		tables: map[string]*table{}, traits: map[string]formula{},
		functions: map[string]*function{}, rules: map[string]*rule{}, procedures: map[string]*procedure{},
		parsed: map[string]parsedFormula{}, notations: map[string]*notation{},
		readings: map[string]reading{}}
	for id, o := range membersOf(v, "options") {
		r.options[id] = optionalString(o, "default")
		for value := range membersOf(o, "values") { // "the first value, unless it is said"
			r.optionValues[id] = append(r.optionValues[id], value)
			if r.options[id] == "" {
				r.options[id] = value
			}
		}
	}
	maps.Copy(r.options, rulings)
	for id, t := range membersOf(v, "tables") {
		r.tables[id] = r.readTable(id, t)
	}
	for _, t := range r.tables {
		t.unifyColumns(r)
	}
	r.character = r.fieldOf(v.LookupPath(cue.MakePath(cue.Def("#Character"))))
	r.character.isCharacter = true
	for id, t := range membersOf(v, "traits") {
		r.traits[id] = formulaOf(t.LookupPath(cue.ParsePath("expr")))
	}
	for id, f := range membersOf(v, "functions") {
		fn := &function{params: map[string]string{}, expr: formulaOf(f.LookupPath(cue.ParsePath("expr")))}
		for name, typ := range membersOf(f, "params") {
			fn.order = append(fn.order, name)
			fn.params[name], _ = typ.String()
		}
		r.functions[id] = fn
	}
	for id, x := range membersOf(v, "rules") {
		r.rules[id] = &rule{id: id, value: x, input: r.readDefinition(x, "#Input"), body: r.readBody(x),
			otherwise: readFormulas(x, "otherwise")}
	}
	for id, x := range membersOf(v, "procedures") {
		r.procedures[id] = r.readProcedure(id, x)
	}
	return r, nil
}

func (r *Ruleset) readProcedure(id string, x cue.Value) *procedure {
	p := &procedure{id: id, input: r.readDefinition(x, "#Input"), state: r.readDefinition(x, "#State"),
		lets: namedFormulas(x, "let"), outputs: namedFormulas(x, "output"), events: map[string]*step{}}
	if s := x.LookupPath(cue.ParsePath("start")); s.Exists() {
		p.start = r.readStep(s)
	}
	for name, e := range membersOf(x, "events") {
		p.events[name] = r.readStep(e)
		p.events[name].event = r.readDefinition(e, "#Event")
	}
	for status, c := range membersOf(x, "ends") {
		p.ends = append(p.ends, require{message: status, text: formulaOf(c).text})
	}
	return p
}

func (r *Ruleset) readStep(x cue.Value) *step {
	return &step{body: r.readBody(x), next: namedFormulas(x, "next"), when: optionalString(x, "when")}
}

func (r *Ruleset) readBody(x cue.Value) (b body) {
	b.lets = namedFormulas(x, "let")
	for id, d := range membersOf(x, "dice") {
		b.chances = append(b.chances, chance{id: id, die: readDie(d), pos: positionOf(d)})
	}
	for id, u := range membersOf(x, "use") {
		b.chances = append(b.chances, chance{id: id, use: readUse(u), pos: positionOf(u)})
	}
	slices.SortStableFunc(b.chances, func(a, b chance) int { return a.pos.compare(b.pos) })
	for message, c := range membersOf(x, "require") {
		b.requires = append(b.requires, require{message, formulaOf(c).text, positionOf(c)})
	}
	slices.SortStableFunc(b.requires, func(a, b require) int { return a.pos.compare(b.pos) })
	for path, d := range membersOf(x, "decide") {
		dec := decision{path: strings.Split(path, "."), when: optionalString(d, "when"),
			least: optionalFormula(d, "least"), most: optionalFormula(d, "most")}
		mustSucceed(d.LookupPath(cue.ParsePath("after")).Decode(&dec.after))
		b.decisions = append(b.decisions, dec)
	}
	b.outputs = namedFormulas(x, "output")
	return b
}

func readUse(x cue.Value) *use {
	u := &use{rule: mustString(x, "rule"), character: optionalString(x, "character"), when: optionalString(x, "when"),
		otherwise: readFormulas(x, "otherwise")}
	for id, e := range membersOf(x, "each") {
		text, _ := e.String()
		u.each = append(u.each, named{name: id, formula: formula{text: text}})
	}
	in := x.LookupPath(cue.ParsePath("input"))
	if in.Exists() {
		if in.IncompleteKind() == cue.StringKind {
			u.whole, _ = in.String()
		} else {
			u.input = namedFormulas(x, "input")
		}
	}
	return u
}

// elementsOf returns the elements of a list.
func elementsOf(v cue.Value) (out []cue.Value) {
	it, err := v.List()
	mustSucceed(err)
	for it.Next() {
		out = append(out, it.Value())
	}
	return out
}

// membersOf yields the regular fields of a struct in a struct, in CUE's order.
func membersOf(v cue.Value, name string) func(func(string, cue.Value) bool) {
	return func(yield func(string, cue.Value) bool) {
		x := v.LookupPath(cue.MakePath(cue.Str(name)))
		if !x.Exists() {
			return
		}
		it, err := x.Fields()
		mustSucceed(err)
		for it.Next() {
			value := it.Value()
			if d, has := value.Default(); has {
				value = d
			}
			if !yield(it.Selector().Unquoted(), value) {
				return
			}
		}
	}
}

func namedFormulas(v cue.Value, name string) (out []named) {
	for id, x := range membersOf(v, name) {
		if x.IncompleteKind() == cue.ListKind {
			out = append(out, handedOn(id, x)...)
			continue
		}
		out = append(out, named{name: id, formula: formulaOf(x)})
	}
	return out
}

// handedOn reads a list of names: "the fields of these names are what they are there".
func handedOn(id string, v cue.Value) (out []named) {
	var names []string
	mustSucceed(v.Decode(&names))
	for _, name := range names {
		out = append(out, named{name: name, handed: true, formula: formula{text: id + "." + name}})
	}
	return out
}

func readFormulas(v cue.Value, name string) map[string]formula {
	out := map[string]formula{}
	for id, x := range membersOf(v, name) {
		out[id] = formulaOf(x)
	}
	return out
}

func optionalFormula(v cue.Value, name string) formula {
	x := v.LookupPath(cue.MakePath(cue.Str(name)))
	if !x.Exists() {
		return formula{}
	}
	return formulaOf(x)
}

// formulaOf reads #Formula of the schema.
func formulaOf(v cue.Value) formula {
	if d, has := v.Default(); has {
		v = d
	}
	switch v.IncompleteKind() {
	case cue.StringKind:
		text, err := v.String()
		mustSucceed(err)
		return formula{text: text}
	case cue.StructKind:
		return choiceOf(v)
	}
	return formula{constant: constantOf(v)}
}

// choiceOf reads "one for each value of a closed choice: an option, a let, or a field that has an enum. The path of its
// name stands before them".
func choiceOf(v cue.Value) formula {
	if by := v.LookupPath(cue.ParsePath("by")); by.Exists() {
		text, err := by.String()
		mustSucceed(err)
		return formula{by: text, cases: casesOf(v.LookupPath(cue.ParsePath("is")))}
	}
	var path []string
	for {
		it, err := v.Fields()
		mustSucceed(err)
		if !it.Next() {
			panic(&Unjudged{fmt.Sprintf("the formula %v", v)})
		}
		if it.Value().IncompleteKind() != cue.StructKind {
			break
		}
		path = append(path, it.Selector().Unquoted())
		v = it.Value()
	}
	if path[0] == "option" {
		return formula{option: path[1], cases: casesOf(v)}
	}
	return formula{by: strings.Join(path, "."), cases: casesOf(v)}
}

func casesOf(v cue.Value) map[string]any {
	out := map[string]any{}
	it, err := v.Fields()
	mustSucceed(err)
	for it.Next() {
		out[it.Selector().Unquoted()] = formulaOf(it.Value())
	}
	return out
}

// constantOf returns a number, a truth or a string of CUE.
func constantOf(v cue.Value) any {
	switch v.IncompleteKind() {
	case cue.IntKind:
		n, err := v.Int64()
		mustSucceed(err)
		return n
	case cue.FloatKind, cue.NumberKind:
		f, err := v.Float64()
		mustSucceed(err)
		return f
	case cue.BoolKind:
		b, err := v.Bool()
		mustSucceed(err)
		return b
	case cue.StringKind:
		s, err := v.String()
		mustSucceed(err)
		return s
	}
	panic(&Unjudged{fmt.Sprintf("the constant %v", v)})
}

func optionalString(v cue.Value, name string) string {
	x := v.LookupPath(cue.MakePath(cue.Str(name)))
	if !x.Exists() {
		return ""
	}
	x, _ = x.Default()
	s, err := x.String()
	mustSucceed(err)
	return s
}

func mustString(v cue.Value, name string) string {
	s, err := v.LookupPath(cue.MakePath(cue.Str(name))).String()
	mustSucceed(err)
	return s
}

// positionOf returns where the author has written the first part of a value. Where the value's own place is the schema's,
// its fields say it.
func positionOf(v cue.Value) position {
	p := v.Pos()
	best := position{p.Filename(), p.Line(), p.Column()}
	var parts []cue.Value
	switch v.IncompleteKind() {
	case cue.StructKind:
		it, err := v.Fields()
		mustSucceed(err)
		for it.Next() {
			parts = append(parts, it.Value())
		}
	case cue.ListKind:
		parts = elementsOf(v)
	}
	found := false
	for _, part := range parts {
		at := positionOf(part)
		if strings.HasSuffix(at.file, "schema.cue") || at.file == "" {
			continue
		}
		if !found || at.file == best.file && (at.line < best.line || at.line == best.line && at.col < best.col) {
			best, found = at, true
		}
	}
	return best
}

func mustSucceed(err error) {
	if err != nil {
		panic(&Unjudged{err.Error()})
	}
}

// halfPair finds half of a surrogate pair where otherEscape, whole pairs and what is no code, has been taken out.
var halfPair, otherEscape = regexp.MustCompile(`\\u[dD][89a-fA-F]`),
	regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[^u]`)

// decodeJSON reads JSON with numbers as they are written. "A member … that is written twice … is an error".
func decodeJSON(data []byte) (any, error) {
	if !json.Valid(data) || !utf8.Valid(data) || halfPair.Match(otherEscape.ReplaceAll(data, nil)) {
		return nil, fmt.Errorf("%q is no JSON", data)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	return decodeValue(d)
}

// decodeValue reads a value of what is JSON.
func decodeValue(d *json.Decoder) (any, error) {
	token, _ := d.Token()
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decodeValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, _ = d.Token()
		return list, nil
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			name, _ := d.Token()
			v, err := decodeValue(d)
			if err != nil {
				return nil, err
			}
			if _, isTwice := object[name.(string)]; isTwice {
				return nil, fmt.Errorf("%s is written twice", name)
			}
			object[name.(string)] = v
		}
		_, _ = d.Token()
		return object, nil
	}
	return token, nil
}
