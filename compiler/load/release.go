package load

import (
	"regexp"

	"github.com/tabletop-rules/rules/compiler/book"
)

var revision = regexp.MustCompile(`^(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)$`)

// release reads what rules.cue ships of one ruleset; nil when there is no ruleset.
func (r *reader) release(n *node) *book.Release {
	n.subject = "release " + n.name
	if !n.usable() {
		return nil
	}
	n.checkFields("#Release")
	rel := &book.Release{Name: n.name, Place: n.place, Revision: n.revision(), Rulings: n.rulings()}
	k, ok := n.field("rules")
	if !ok || !k.usable() {
		return nil
	}
	k.subject = ""
	rel.Rules = r.ruleset(k, k.packageDoc())
	if rel.Rules.ID != "" && rel.Rules.ID != n.name {
		n.r.addf("release-name", n.place, n.subject, "this ships the ruleset %s under another name", rel.Rules.ID)
	}
	return rel
}

func (n *node) revision() book.Text {
	t := n.words("revision")
	if t.S != "" && !revision.MatchString(t.S) {
		n.r.addf("bad-revision", t.Place, n.subject, "%q is no revision: three numbers like 1.4.0", t.S)
	}
	return t
}

func (n *node) rulings() []book.Ruling {
	var out []book.Ruling
	for _, k := range n.in("rulings") {
		out = append(out, book.Ruling{Option: k.name, Place: k.place, Value: k.word()})
	}
	return out
}

// packageDoc is the comment of the package that the node's expression names.
func (n *node) packageDoc() string {
	for _, s := range n.sites {
		if p, ok := s.imported(); ok {
			return p.doc
		}
	}
	return ""
}
