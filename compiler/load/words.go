package load

import (
	"cuelang.org/go/cue"

	"github.com/tabletop-rules/rules/compiler/book"
)

// readSaid reads how people read a definition.
func (n *node) readSaid() book.Said {
	return book.Said{
		Label: n.readExpr("label"), Short: n.readExpr("short"),
		Headline: n.readSayField("headline"), Say: n.readSayField("say"), Offered: n.readSayField("offered"),
	}
}

func (n *node) readSayField(name string) *book.Say {
	k, ok := n.fieldNamed(name)
	if !ok {
		return nil
	}
	return k.readSay()
}

// readSay reads a sentence, or those for the values of one name; nil when it is neither.
func (n *node) readSay() *book.Say {
	s := &book.Say{Place: n.place}
	if !n.isStruct() {
		s.Text = n.formulaText()
		return s
	}
	names := n.dataFields()
	if len(names) != 1 || names[0].name == "" {
		n.addf("wrong-type", "%s must be a sentence, or one for each value of one name: "+
			"{success: {yes: \"...\", no: \"...\"}}", n.name)
		return nil
	}
	of := names[0]
	s.Of = book.Text{S: of.name, Place: of.place}
	if !of.checkStruct() {
		return nil
	}
	for _, k := range of.dataFields() {
		if said := k.readSay(); said != nil {
			s.Cases = append(s.Cases, book.SayCase{If: book.Text{S: k.name, Place: k.place}, Say: said})
		}
	}
	return s
}

// readWords reads the glossary of a ruleset.
func readWords(n *node) []*book.Word {
	var out []*book.Word
	for _, k := range n.fieldsOf("words") {
		k.subject = "words"
		k.checkPath()
		out = append(out, k.readWord())
	}
	return out
}

// readWord reads how a name is called: a label alone, or more.
func (n *node) readWord() *book.Word {
	w := &book.Word{Name: book.Text{S: n.name, Place: n.place}}
	if !n.isStruct() {
		w.Label = n.formulaText()
		return w
	}
	n.checkFields("#Word")
	w.Label, w.Short, w.Tone = n.readExpr("label"), n.readExpr("short"), n.readNameField("tone")
	for _, answer := range []struct {
		name string
		to   **book.Word
	}{{"yes", &w.Yes}, {"no", &w.No}} {
		if k, ok := n.fieldNamed(answer.name); ok {
			*answer.to = k.readWord()
		}
	}
	if k, ok := n.fieldNamed("unit"); ok {
		w.Units = k.readUnits()
	}
	return w
}

// readUnits returns the units in which a number is counted: one unit, or one for each size.
func (n *node) readUnits() []book.Unit {
	if n.value.IncompleteKind() == cue.StringKind {
		return []book.Unit{{Text: n.formulaText()}}
	}
	var out []book.Unit
	if n.checkStruct() {
		for _, k := range n.dataFields() {
			out = append(out, book.Unit{Size: book.Text{S: k.name, Place: k.place}, Text: k.formulaText()})
		}
	}
	return out
}
