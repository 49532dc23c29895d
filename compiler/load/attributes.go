package load

import (
	"maps"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

// CUE lets any attribute stand at any field, so that a misspelt one, or one at a field that has no use for it, is silent:
// the output is printed with all its digits, and the cell is never held against the table.

// attributePlaces says, for each attribute that fields may have, where it is read.
var attributePlaces = map[string]string{
	"key":      "a string, a list of strings or a map of #Character, #Input, #State or #Event, or a column of a table",
	"decimals": "an output",
	"when":     "an output",
	"cite":     "the head of a file, a struct of definitions, a definition or an event",
	"primary":  "a field of #Input or #Event",
	"group":    "a field of #Character, #Input or #Event",
	"steps":    "a number of #Character, #Input or #Event",
	"rolls":    "a number of #Character, or a map of numbers",
}

// reportUnreadAttributes warns of attributes that nothing has read. A known attribute is in the wrong place only if it
// stands in a package of the rulesets and homebrews that were read: a package that these import may be written for
// others, too. After an error nothing is known of the unread attributes.
func (r *reader) reportUnreadAttributes(read ...*site.Scope) {
	failed := r.diags.Failed()
	r.ReportParted()
	for _, inst := range r.Packages {
		if strings.HasPrefix(r.FSPath(inst.Dir), "cue.mod") {
			continue
		}
		judged := !failed && slices.Contains(read, r.PackageScope(inst))
		for _, f := range inst.Files {
			for _, d := range f.Decls {
				ast.Walk(d, func(x ast.Node) bool {
					if a, ok := x.(*ast.Attribute); ok {
						r.reportUnreadAttribute(a, judged && !r.IsRead(a) && !r.isIdle(d))
					}
					return true
				}, nil)
			}
		}
	}
}

// isIdle reports whether a declaration is there to be referred to, and nothing does.
func (r *reader) isIdle(d ast.Decl) bool {
	field, ok := d.(*ast.Field)
	if !ok {
		return false
	}
	name, _, err := ast.LabelName(field.Label)
	return err == nil && name != "#Character" && strings.ContainsAny(name[:min(1, len(name))], "#_") &&
		!r.IsReferredTo(name)
}

// reportUnreadAttribute warns of an attribute with a name that there is not, and of one that is known to be in the wrong
// place.
func (r *reader) reportUnreadAttribute(a *ast.Attribute, misplaced bool) {
	name, _ := a.Split()
	place, known := attributePlaces[name]
	switch {
	case name == "if" || name == "ignore" || name == "experiment" || name == "extern": // CUE's own, of a file
	case !known:
		d := r.addf("unread-attribute", r.PlaceOf(a.Pos()), "", "nothing reads the attribute @%s", name)
		names := slices.Sorted(maps.Keys(attributePlaces))
		if meant := diag.Nearest(name, names); meant != "" {
			d.Repair = "did you mean @" + meant + "?"
		} else {
			d.Repair = "the attributes are @" + strings.Join(names, ", @")
		}
	case misplaced:
		r.addf("unread-attribute", r.PlaceOf(a.Pos()), "", "nothing reads @%s here", name).Repair = "it stands at " + place
	}
}
