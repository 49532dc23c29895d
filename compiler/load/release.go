package load

import (
	"regexp"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
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
	rel.Rules = r.readRuleset(k, packageDocOf(k))
	if rel.Rules.ID != "" && rel.Rules.ID != n.name {
		n.r.addf("release-name", n.place, n.subject, "this ships the ruleset %s under another name", rel.Rules.ID)
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

// packageDocOf is the comment of the package that the node's expression names.
func packageDocOf(n *node) string {
	for _, s := range n.sites {
		if p, ok := s.ImportedPackage(); ok {
			return p.Doc
		}
	}
	return ""
}
