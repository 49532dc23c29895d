// Package typedclient writes clients of a ruleset for other languages, in which a wrong word, a field that is missing or an
// output that is not there is an error of the compiler.
//
// # From a plan to a client
//
// A plan has shapes of what is given and types of what is answered. newModel makes of both records and unions with names of
// their own: equal records are one, the keys of a table are a union that has the name of the table. A back end writes the
// model in its language, beside a part that is the same for all rulesets and has its own file. Whatever options are played,
// the types stay: an option changes values alone.
//
// Names come from the ids of definitions and the paths of fields, in the order of the author. So the same plan makes the
// same bytes, and a release renames no type unless its author renames a field.
//
// The digest of the plan stands in the client, which asks for it before the first question: answers of other rules would
// have other types.
package typedclient

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A File is one file of a client.
type File struct {
	Name string
	Text string
}

// A model is a ruleset as its clients see it.
type model struct {
	plan       *plan.Plan
	digest     string
	character  *record
	options    *record
	unions     []*union
	records    []*record // in the order in which they are met, those of rules and procedures among them
	rules      []*subject
	procedures []*subject
	types      nameSet
}

// A subject is a rule, a procedure or an event.
type subject struct {
	id, name       string // as the plan and as types call it
	method         string // of what evaluates it, as the language calls it
	oddsMethod     string // of what counts its odds
	doc            string
	needsCharacter bool
	input, output  *record
	state          *record // of a procedure
	status         *union
	events         []*subject
}

// A record is an object.
type record struct {
	name, doc string // doc ends a sentence that begins with the name: "a character of ..."
	fields    []field
}

// A field of a record.
type field struct {
	name, doc  string
	of         *typeRef
	isOptional bool
}

// A union is some words.
type union struct {
	name, doc string
	words     []word
}

// A word is one of a union, as programs and as people call it.
type word struct{ value, label string }

// A typeRef is the type of a value.
type typeRef struct {
	kind   plan.Kind
	elem   *typeRef // of a list or a map
	keys   *union   // of a map whose keys are known, else nil
	record *record
	union  *union // of a string that is one of some words, else nil
}

// A typeNotation is how a language writes types.
type typeNotation struct {
	list  string // with %s for the type of the elements
	keyed string // a map whose keys are a union: %s for that, and for the type of the values
	named string // a map with any keys: %s for the type of the values
	plain map[plan.Kind]string
}

// nameOf returns a type as the language writes it. Records and unions have names.
func (n *typeNotation) nameOf(t *typeRef) string {
	switch {
	case t.record != nil:
		return t.record.name
	case t.union != nil:
		return t.union.name
	case t.kind == plan.List:
		return fmt.Sprintf(n.list, n.nameOf(t.elem))
	case t.kind == plan.Map && t.keys != nil:
		return fmt.Sprintf(n.keyed, t.keys.name, n.nameOf(t.elem))
	case t.kind == plan.Map:
		return fmt.Sprintf(n.named, n.nameOf(t.elem))
	}
	return n.plain[t.kind]
}

// A builder makes a model.
type builder struct {
	*model
	speaker *say.Speaker
	teller  *say.Teller    // of the definition whose fields are named; nil where there are no words
	same    map[string]any // records and unions by what they consist of

	subjects nameSet
}

// A nameSet has names, each once.
type nameSet map[string]bool

func newNameSet(taken ...string) nameSet {
	out := nameSet{}
	for _, name := range taken {
		out[name] = true
	}
	return out
}

// take returns a name, or the first with a number behind it that is free.
func (s nameSet) take(name string) string {
	out := name
	for n := 2; s[out]; n++ {
		out = fmt.Sprint(name, n)
	}
	s[out] = true
	return out
}

// nameMethods names what evaluates rules, begins procedures and carries events out, and what counts odds, as a language
// writes names of several words. Names of the author come first.
func (m *model) nameMethods(form, eventForm func(words string) string) {
	taken := newNameSet()
	for _, x := range m.rules {
		x.method = taken.take(form(x.id))
	}
	for _, x := range m.procedures {
		x.method = taken.take(form("start_" + x.id))
		events := newNameSet()
		for _, e := range x.events {
			e.method = events.take(eventForm(e.id))
		}
	}
	for _, x := range m.rules {
		x.oddsMethod = taken.take(form("odds_of_" + x.id))
	}
	for _, x := range m.procedures {
		x.oddsMethod = taken.take(form("course_of_" + x.id))
	}
}

// newModel returns the model of a plan. Its types have other names than those that the language or the client takes.
func newModel(p *plan.Plan, taken []string) *model {
	digest := planfile.Digest(p)
	b := &builder{model: &model{plan: p, digest: "sha256:" + hex.EncodeToString(digest[:]), types: newNameSet(taken...)},
		speaker: say.NewSpeaker(p),
		same:    map[string]any{}, subjects: nameSet{}}
	b.character = b.newRecord("Character", "a character of "+p.Title)
	b.tellOf("")
	b.character.fields = b.shapeFields("Character", p.Character, nil)
	program := runtime.New(p)
	for i := range p.Rules {
		r := &p.Rules[i]
		prepared, err := program.Rule(r.ID, runtime.Choice{})
		x := b.newSubject(r.ID, plan.RuleEntry, r.Cite)
		x.needsCharacter = err != nil || prepared.NeedsCharacter()
		x.input, x.output = b.inputOf(x.name, r.Input), b.outputOf(x.name, r.Graph.Outputs.Type)
		b.rules = append(b.rules, x)
	}
	for i := range p.Procedures {
		b.procedures = append(b.procedures, b.newProcedure(&p.Procedures[i]))
	}
	b.options = b.optionsRecord()
	return b.model
}

// newProcedure returns a procedure with its events.
func (b *builder) newProcedure(d *plan.Procedure) *subject {
	x := b.newSubject(d.ID, plan.ProcedureEntry, d.Cite)
	x.needsCharacter = true
	x.input, x.output = b.inputOf(x.name, d.Input), b.outputOf(x.name, d.Close.Outputs.Type)
	x.state = b.newRecord(x.name+"State", "what "+d.ID+" remembers")
	x.state.fields = b.typeFields(x.state.name, d.State.Type(), nil)
	for i := range d.Events {
		e := &d.Events[i]
		event := b.newSubject(d.ID+"."+e.ID, plan.EventEntry, e.Cite)
		event.input, event.output = b.inputOf(event.name, e.Input), b.outputOf(event.name, e.Graph.Outputs.Type)
		event.id = e.ID
		x.events = append(x.events, event)
	}
	b.teller = nil
	x.status = b.unionOf(x.name+"Status", "how "+d.ID+" stands", append([]string{plan.Open}, d.Ends...), nil)
	return x
}

// newSubject begins a subject, whose fields are named from now on.
func (b *builder) newSubject(id string, kind plan.EntryKind, cite string) *subject {
	x := &subject{id: id, name: b.subjects.take(camelCase(id))}
	b.tellOf(id)
	if e := b.plan.Entry(id, kind); e != nil {
		x.doc = e.Doc
	}
	if cite != "" {
		x.doc = strings.TrimSpace(x.doc + " (" + cite + ")")
	}
	return x
}

// tellOf names what follows by the words of a definition, "" for those of characters.
func (b *builder) tellOf(id string) {
	if b.teller = nil; b.speaker.HasGlossary() {
		b.teller = b.speaker.Of(id)
	}
}

// inputOf returns the record of an input, also of one without fields.
func (b *builder) inputOf(name string, s *plan.Shape) *record {
	out := b.newRecord(name+"Input", "what is given")
	if s != nil {
		out.fields = b.shapeFields(out.name, s, nil)
	}
	return out
}

// outputOf returns the record of outputs.
func (b *builder) outputOf(name string, t *plan.Type) *record {
	out := b.newRecord(name+"Output", "what is answered")
	if t != nil {
		out.fields = b.typeFields(out.name, t, nil)
	}
	return out
}

// newRecord adds a record under a name that none has yet.
func (b *builder) newRecord(name, doc string) *record {
	out := &record{name: b.types.take(name), doc: doc}
	b.records = append(b.records, out)
	return out
}

// shapeFields returns the fields of a shape, at a path of the definition.
func (b *builder) shapeFields(owner string, s *plan.Shape, path []string) []field {
	var out []field
	for i := range s.Fields {
		m := &s.Fields[i]
		at := append(append([]string{}, path...), m.Name)
		doc := b.fieldDoc(at, m.Doc)
		if m.Default != "" {
			doc = strings.TrimSpace(doc + " (default " + m.Default + ")")
		}
		if bounds := boundsText(m.Shape); bounds != "" {
			doc = strings.TrimSpace(doc + " (" + bounds + ")")
		}
		isOptional := m.Optional || m.Default != ""
		out = append(out, field{m.Name, doc, b.shapeRef(owner+camelCase(m.Name), m.Shape, at), isOptional})
	}
	return out
}

// boundsText tells the bounds of a number.
func boundsText(s *plan.Shape) string {
	var parts []string
	for _, x := range []struct {
		of         *plan.Bound
		open, even string
	}{{s.Min, "above ", "at least "}, {s.Max, "below ", "at most "}} {
		if x.of != nil {
			word := x.even
			if x.of.Open {
				word = x.open
			}
			parts = append(parts, fmt.Sprint(word, x.of.Value))
		}
	}
	return strings.Join(parts, ", ")
}

// fieldDoc tells a field as people call it, and what its author says.
func (b *builder) fieldDoc(path []string, doc string) string {
	if b.teller == nil {
		return doc
	}
	at := strings.Join(path, ".")
	label := b.teller.Heading(at)
	if unit := b.teller.Unit(at); unit != "" {
		label += ", in " + unit
	}
	if doc == "" {
		return label
	}
	return label + ": " + doc
}

// shapeRef returns the type of the values that a shape admits, by a name if it needs one.
func (b *builder) shapeRef(name string, s *plan.Shape, path []string) *typeRef {
	out := &typeRef{kind: s.Kind}
	switch {
	case s.Character:
		out.record = b.character
	case s.Kind == plan.String && s.Enum != nil:
		out.union = b.keysOf(name, s.KeyOf, s.Enum, path)
	case s.Kind == plan.List:
		out.elem = b.shapeRef(name, s.Elem, path)
	case s.Kind == plan.Map:
		out.elem = b.shapeRef(name, s.Elem, path)
		if s.Keys != nil {
			out.keys = b.keysOf(name+"Key", s.KeyOf, s.Keys, path)
		}
	case s.Kind == plan.Record:
		out.record = b.nestedRecord(name, b.shapeFields(name, s, path))
	}
	return out
}

// keysOf returns the union of the keys of a table, which has its name, or of the words of a field.
func (b *builder) keysOf(name, table string, words, path []string) *union {
	if table != "" && b.plan.Table(table) != nil {
		return b.unionOf(camelCase(table), "a row of the table "+table, words, path)
	}
	return b.unionOf(name, "a word", words, path)
}

// typeFields returns the fields of a type.
func (b *builder) typeFields(owner string, t *plan.Type, path []string) []field {
	var out []field
	for i := range t.Fields {
		f := &t.Fields[i]
		at := append(append([]string{}, path...), f.Name)
		out = append(out, field{f.Name, b.fieldDoc(at, ""), b.valueRef(owner+camelCase(f.Name), f.Type, at), f.Optional})
	}
	return out
}

// valueRef returns the type of answered values.
func (b *builder) valueRef(name string, t *plan.Type, path []string) *typeRef {
	out := &typeRef{kind: t.Kind}
	switch {
	case t.Character:
		out.record = b.character
	case t.Kind == plan.String && t.Enum != nil:
		out.union = b.unionOf(name, "a word", t.Enum, path)
	case t.Kind == plan.List || t.Kind == plan.Map:
		out.elem = b.valueRef(name, t.Elem, path)
	case t.Kind == plan.Record:
		out.record = b.nestedRecord(name, b.typeFields(name, t, path))
	}
	return out
}

// nestedRecord returns the record of some fields: an equal one that is there, or a new one.
func (b *builder) nestedRecord(name string, fields []field) *record {
	key := signatureOf(fields)
	if known, ok := b.same[key].(*record); ok {
		return known
	}
	out := b.newRecord(name, "a part of a record")
	out.fields = fields
	b.same[key] = out
	return out
}

// signatureOf returns a text that only equal fields share.
func signatureOf(fields []field) string {
	var out strings.Builder
	for i := range fields {
		f := &fields[i]
		fmt.Fprintf(&out, "%s %q %t ", f.name, f.doc, f.isOptional)
		for of := f.of; of != nil; of = of.elem {
			fmt.Fprintf(&out, "%d %p %p %p,", of.kind, of.record, of.union, of.keys)
		}
	}
	return out.String()
}

// unionOf returns the union of some words: an equal one that is there, or a new one.
func (b *builder) unionOf(name, doc string, words []string, path []string) *union {
	key := fmt.Sprintf("%q", words)
	if known, ok := b.same[key].(*union); ok && path != nil {
		return known
	}
	out := &union{name: b.types.take(name), doc: doc}
	for _, w := range words {
		x := word{value: w}
		if b.teller != nil && path != nil {
			x.label = b.teller.LabelOf(strings.Join(path, "."), w)
		}
		x.label = cmp.Or(x.label, strings.ReplaceAll(w, "_", " "))
		out.words = append(out.words, x)
	}
	b.unions = append(b.unions, out)
	if path != nil {
		b.same[key] = out
	}
	return out
}

// optionsRecord returns the options of the ruleset, all of which may be left out.
func (b *builder) optionsRecord() *record {
	b.teller = nil
	out := b.newRecord("Options", "other rulings than those of the release, which change answers and no type")
	for i := range b.plan.Options {
		o := &b.plan.Options[i]
		doc := ""
		if e := b.plan.Entry(o.ID, plan.OptionEntry); e != nil {
			doc = e.Doc
		}
		of := &typeRef{kind: plan.String, union: b.unionOf("Option"+camelCase(o.ID), "a ruling of "+o.ID, o.Values, nil)}
		doc = strings.TrimSpace(doc + " (default " + o.Values[o.Default] + ")")
		out.fields = append(out.fields, field{o.ID, doc, of, true})
	}
	return out
}

// camelCase returns an id or a path as the name of a type.
func camelCase(id string) string {
	var out strings.Builder
	upper := true
	for _, c := range id {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			upper = true
		case upper:
			out.WriteRune(unicode.ToUpper(c))
			upper = false
		default:
			out.WriteRune(c)
		}
	}
	if text := out.String(); text != "" && !unicode.IsDigit(rune(text[0])) {
		return text
	}
	return "X" + out.String()
}

// commentText returns a text of the author within a comment of one line.
func commentText(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "* /")
}

// originText returns the sentence about the source with which each file begins.
func (m *model) originText() string {
	out := m.plan.Title
	for _, part := range []string{m.plan.Book, m.plan.Author} {
		if part != "" {
			out += ", " + part
		}
	}
	return commentText(out)
}
