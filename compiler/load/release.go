package load

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

var revision = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)$`)
})

// readRelease returns the entry of rules.cue for one ruleset; nil if there is no ruleset.
func (r *reader) readRelease(n *node) *book.Release {
	n.subject = "release " + n.name
	if !n.checkStruct() {
		return nil
	}
	n.checkFields("#Release")
	rel := &book.Release{Name: n.name, Place: n.place, Revision: n.readRevision(), Rulings: readRulings(n)}
	k, ok := n.fieldNamed("rules")
	if !ok || !k.checkStruct() {
		return nil
	}
	k.subject = ""
	doc := ""
	if p := packageOfRules(n); p != nil {
		doc = p.Doc
		if len(p.List) > 0 {
			k.place = r.PlaceOf(p.List[0].Label.Pos()) // what is missing is missing there
		}
	}
	rel.Rules = r.readRuleset(k, doc)
	if rel.Rules.ID != "" && rel.Rules.ID != n.name {
		n.r.addf("release-name", n.place, n.subject, "this ships the ruleset %s under another name", rel.Rules.ID).Repair =
			fmt.Sprintf("write id: %q in the ruleset, or its other name here", n.name)
	}
	return rel
}

func (n *node) readRevision() book.Text {
	t := n.readPlacedField("revision")
	if t.S != "" && !revision().MatchString(t.S) {
		n.r.addf("bad-revision", t.Place, n.subject, "%q is no revision: three numbers like 1.4.0", t.S)
	}
	return t
}

func readRulings(n *node) []book.Ruling {
	var out []book.Ruling
	for _, k := range n.fieldsOf("rulings") {
		out = append(out, book.Ruling{Option: k.name, Place: k.place, Value: k.readPlacedText()})
	}
	return out
}

// packageOfRules returns the package that an entry of a release names as its rules; nil when it names none.
func packageOfRules(n *node) *site.Scope {
	k, ok := n.fieldNamed("rules")
	if !ok {
		return nil
	}
	for _, s := range k.sites {
		if p, ok := s.ImportedPackage(); ok {
			return p
		}
	}
	return nil
}
