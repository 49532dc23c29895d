// Package words turns the sentences and the glossary of a ruleset into the words of its plan: it reads sentences, holds
// every name in them to what the answers of a definition have, and makes the sentences that an author leaves out. It
// changes nothing that is computed.
//
// # What a sentence may read
//
// A sentence of the rule test reads what stands in an answer of test: its outputs, its dice, input.x and character.x; of an
// event also event.x, and of both events and procedures state.x and status. So a scope is made of the plan, whose outputs
// have their types, and not of formulas: a let is in no answer.
//
// # What is made
//
// A rule that hands on the outputs of another, single_test those of test, takes its headline and its sentence, with the
// dice under the name of the use (derive.go). What is left has as headline the first output that hangs on a die: a choice,
// else a truth, else a number; and as sentence the names and values of up to three others. Whoever shows an answer needs
// no graph for that, as it stands in the plan.
//
// Invariant: every name of a sentence in a plan is found in the answers of its definition, or in none of them by a
// condition that an author wrote.
package words

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/say"
)

// Make returns the words of a plan, encoded as Plan.Words holds them, and reports errors in the words of its ruleset.
func Make(b *book.Ruleset, p *plan.Plan, diags *diag.List) []byte {
	m := &maker{book: b, plan: p, diags: diags, out: plan.Words{Language: "en"}}
	m.addFieldHints()
	m.readGlossary()
	for _, t := range b.Tables {
		m.addTable(t)
	}
	for _, r := range b.Rules {
		m.addRule(r)
	}
	for _, d := range b.Procedures {
		m.addProcedure(d)
	}
	return planfile.EncodeWords(&m.out)
}

// A maker makes the words of one plan.
type maker struct {
	book  *book.Ruleset
	plan  *plan.Plan
	diags *diag.List
	out   plan.Words
}

// addRule adds the texts of a rule; those of the rules that it uses are there, or are made first.
func (m *maker) addRule(r *book.Rule) *plan.Texts {
	if t := m.textsOf(plan.RuleEntry, r.ID); t != nil {
		return t
	}
	s := m.ruleScope(r)
	if s == nil {
		return nil
	}
	return m.addTexts(plan.RuleEntry, r.ID, &r.Said, s, &r.Body)
}

func (m *maker) textsOf(kind plan.EntryKind, id string) *plan.Texts {
	i := slices.IndexFunc(m.out.Texts, func(t plan.Texts) bool { return t.Kind == kind && t.ID == id })
	if i < 0 {
		return nil
	}
	return &m.out.Texts[i]
}

// addTexts adds the texts of a definition: as its author wrote them or, where nothing is written, as they follow from its
// body.
func (m *maker) addTexts(kind plan.EntryKind, id string, said *book.Said, s *scope, body *book.Body) *plan.Texts {
	t := plan.Texts{
		Kind: kind, ID: id, Label: m.readForms(said.Label, s.subject), Short: said.Short.S,
		Headline: m.readSay(said.Headline, s, "headline"), Say: m.readSay(said.Say, s, "say"),
		Offered: m.readSay(said.Offered, s, "offered"),
	}
	if body != nil {
		m.deriveTexts(&t, s, body)
	}
	m.reportMissing(said, &t, s)
	m.out.Texts = append(m.out.Texts, t)
	return &m.out.Texts[len(m.out.Texts)-1]
}

// reportMissing reports a missing headline or sentence, if the ruleset has words and the definition takes none from a
// rule that it uses.
func (m *maker) reportMissing(said *book.Said, t *plan.Texts, s *scope) {
	if len(m.book.Words) == 0 || s.isDerived || s.isOverlaid {
		return
	}
	if said.Headline == nil && t.Kind != plan.EventEntry {
		m.diags.Addf("words-missing", s.place, s.subject, "it has no headline").
			Repair = `write headline: "..."`
	}
	if said.Say == nil {
		m.diags.Addf("words-missing", s.place, s.subject, "it has no say").
			Repair = `write say: "..."`
	}
}

// addProcedure adds the texts of a procedure and of its events.
func (m *maker) addProcedure(d *book.Procedure) {
	p := m.plan.Procedure(d.ID)
	if p == nil {
		return
	}
	s := m.procedureScope(d, p)
	m.addTexts(plan.ProcedureEntry, d.ID, &d.Said, s, nil)
	if t := m.textsOf(plan.ProcedureEntry, d.ID); t.Headline == nil {
		t.Headline = &plan.Say{Parts: []plan.SayPart{{Hole: statusName}}}
	}
	for i, e := range d.Events {
		if i < len(p.Events) {
			m.addTexts(plan.EventEntry, d.ID+"."+e.ID, &e.Said, m.eventScope(s, d, e, &p.Events[i]), &e.Body)
		}
	}
}

// addTable adds the sentence of a table's row, which stands beside each of its keys.
func (m *maker) addTable(t *book.Table) {
	said := &t.Said
	if said.Say == nil && !said.Label.Written() && !said.Short.Written() {
		return
	}
	row := &plan.Type{Kind: plan.Record}
	for _, c := range t.Columns {
		row.Fields = append(row.Fields, plan.Field{Name: c.Name, Type: c.Shape.Type(), Optional: c.Optional})
	}
	s := &scope{subject: "table " + t.ID, place: t.Place, definitions: []string{t.ID}, roots: []root{{"", row, "column"}}}
	m.out.Texts = append(m.out.Texts, plan.Texts{
		Kind: plan.TableEntry, ID: t.ID, Label: m.readForms(said.Label, s.subject), Short: said.Short.S,
		Say: m.readSay(said.Say, s, "say"),
	})
}

// readForms reads a label or a unit: one form, or one for each plural.
func (m *maker) readForms(t book.Text, subject string) []string {
	if t.S == "" {
		return nil
	}
	forms := strings.Split(t.S, "|")
	for _, f := range forms {
		if strings.TrimSpace(f) != f || f == "" {
			m.diags.Addf("say-syntax", t.Place, subject, "%q is no label: forms stand between | without blanks", t.S)
			return nil
		}
	}
	return forms
}

// readGlossary reads the words of names, and reports those of names that there are not.
func (m *maker) readGlossary() {
	if len(m.book.Words) == 0 {
		m.nameSpokenDefinitions()
		return
	}
	known := m.collectNames()
	for _, w := range m.book.Words {
		isDisabled := func(d book.Disabling) bool { return d.Overlay != w.Overlay }
		if !known[w.Name.S] && slices.ContainsFunc(m.book.Disabled, isDisabled) {
			continue // a homebrew disables what is called so
		}
		if !known[w.Name.S] {
			d := m.diags.Addf("word-unknown", w.Name.Place, "words", "nothing is called %q", w.Name.S)
			d.Repair = diag.DidYouMeanOneOf(w.Name.S, slices.Sorted(maps.Keys(known)))
			continue
		}
		m.out.Names = append(m.out.Names, m.readWord(w))
	}
	slices.SortFunc(m.out.Names, func(a, b plan.Word) int { return strings.Compare(a.Name, b.Name) })
}

// nameSpokenDefinitions adds the definitions with a sentence to the glossary of a ruleset that has no glossary, by
// their own names. A ruleset without a glossary is shown by its names alone, and sentences are there to be shown.
func (m *maker) nameSpokenDefinitions() {
	add := func(id string, said *book.Said) {
		if said.Headline != nil || said.Say != nil {
			m.out.Names = append(m.out.Names, plan.Word{Name: id})
		}
	}
	for _, r := range m.book.Rules {
		add(r.ID, &r.Said)
	}
	for _, d := range m.book.Procedures {
		add(d.ID, &d.Said)
		for _, e := range d.Events {
			add(e.ID, &e.Said)
		}
	}
	slices.SortFunc(m.out.Names, func(a, b plan.Word) int { return strings.Compare(a.Name, b.Name) })
	m.out.Names = slices.CompactFunc(m.out.Names, func(a, b plan.Word) bool { return a.Name == b.Name })
}

func (m *maker) readWord(w *book.Word) plan.Word {
	subject := "words, " + w.Name.S
	out := plan.Word{Name: w.Name.S, Label: m.readForms(w.Label, subject), Short: w.Short.S, Units: m.readUnits(w, subject)}
	if w.Tone.S != "" {
		i := slices.Index(plan.ToneNames(), w.Tone.S)
		if out.Tone = plan.Tone(max(i, 0)); i < 0 {
			d := m.diags.Addf("word-tone", w.Tone.Place, subject, "there is no tone %q", w.Tone.S)
			if d.Repair = diag.DidYouMean(w.Tone.S, plan.ToneNames()); d.Repair == "" {
				d.Repair = "tones are " + strings.Join(plan.ToneNames(), ", ")
			}
		}
	}
	for _, answer := range []struct {
		from *book.Word
		to   **plan.Word
	}{{w.Yes, &out.Yes}, {w.No, &out.No}} {
		if answer.from != nil {
			word := m.readWord(answer.from)
			*answer.to = &word
		}
	}
	return out
}

// readUnits returns the units in which a number is counted, the largest first.
func (m *maker) readUnits(w *book.Word, subject string) []plan.Unit {
	var out []plan.Unit
	for _, u := range w.Units {
		size := int64(1)
		if u.Size.S != "" {
			n, err := strconv.ParseInt(u.Size.S, 10, 64)
			if err != nil || n < 1 {
				m.diags.Addf("say-syntax", u.Size.Place, subject, "%q is no size of a unit: it is a number from 1 on",
					u.Size.S)
				continue
			}
			size = n
		}
		forms := m.readForms(u.Text, subject)
		if len(forms) == 1 && !isUnitSymbol(forms[0]) {
			m.diags.Addf("say-plural", u.Text.Place, subject, "the unit %q has one form", forms[0]).Repair =
				"write \"" + forms[0] + "|" + forms[0] + "s\", or \"" + forms[0] + "|" + forms[0] + "\" where " +
					"both are the same"
		}
		if len(forms) > 0 {
			out = append(out, plan.Unit{Size: size, Forms: forms})
		}
	}
	slices.SortFunc(out, func(a, b plan.Unit) int { return cmp.Compare(b.Size, a.Size) })
	return out
}

// isUnitSymbol reports whether a unit needs no plural: "m", "EP", "%", "Offenciancy".
func isUnitSymbol(unit string) bool {
	return len([]rune(unit)) <= 3 || strings.ToLower(unit) != unit || strings.Contains(unit, "%")
}

// readSay reads a sentence of a definition, or those for the values of a name; nil when there is none or it is wrong.
func (m *maker) readSay(from *book.Say, s *scope, part string) *plan.Say {
	if from == nil {
		return nil
	}
	if from.Of.S != "" {
		return m.readCases(from, s, part)
	}
	parts, holes, err := say.Parse(from.Text.S)
	if err != nil {
		syntax := err.(*say.SyntaxError)
		m.diags.Addf("say-syntax", from.Text.At(syntax.Offset), s.subject, "%s of %s", syntax, part)
		return nil
	}
	for _, h := range holes {
		m.checkHole(h, from, s, part)
	}
	m.checkDollars(holes, from, s)
	m.checkDoubleBraces(from, s)
	return &plan.Say{Parts: parts}
}

// checkDollars reports a sentence in which a dollar sign stands before each of its values, as other languages mark them
// there. A price has one, and mostly other values beside it.
func (m *maker) checkDollars(holes []say.Hole, from *book.Say, s *scope) {
	text := []rune(from.Text.S)
	isMarked := func(h say.Hole) bool { return h.Offset >= len("${") && text[h.Offset-len("${")] == '$' }
	if len(holes) == 0 || slices.ContainsFunc(holes, func(h say.Hole) bool { return !isMarked(h) }) {
		return
	}
	first := holes[0]
	d := m.diags.Addf("say-foreign", from.Text.At(first.Offset-len("${")), s.subject,
		"$ before {%s} is shown as it is", first.Name)
	d.Repair = fmt.Sprintf("write {%s}; where dollars are meant, allow it: "+
		"allow: [{code: \"say-foreign\", why: \"...\"}]", first.Name)
}

// doubleBraces is a name, or a path, in the braces of templates.
var doubleBraces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{ *([a-z_]\w*(?:\.\w+)*) *\}\}`) })

// checkDoubleBraces reports a value in double braces, as other languages mark one: these show braces.
func (m *maker) checkDoubleBraces(from *book.Say, s *scope) {
	for _, at := range doubleBraces().FindAllStringSubmatchIndex(from.Text.S, -1) {
		if name := from.Text.S[at[2]:at[3]]; s.lookUp(name) != nil {
			d := m.diags.Addf("say-foreign", from.Text.At(utf8.RuneCountInString(from.Text.S[:at[0]])), s.subject,
				"{{%s}} shows the braces, and no value", name)
			d.Repair = fmt.Sprintf("write {%s}", name)
		}
	}
}

// readCases reads the sentences for the values of a name.
func (m *maker) readCases(from *book.Say, s *scope, part string) *plan.Say {
	f := m.findField(from.Of.S, from.Of.Place, s, part)
	if f == nil {
		return nil
	}
	out := &plan.Say{Of: from.Of.S}
	for _, c := range from.Cases {
		if text := m.readSay(c.Say, s, part); text != nil {
			out.Cases = append(out.Cases, plan.SayCase{If: c.If.S, Say: *text})
		}
	}
	m.checkCases(from, f, s, part)
	slices.SortStableFunc(out.Cases,
		func(a, b plan.SayCase) int { return boolInt(a.If == say.Else) - boolInt(b.If == say.Else) })
	return out
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
