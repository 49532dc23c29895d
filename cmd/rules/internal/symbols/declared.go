package symbols

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// DeclaredAt is the definition whose name stands at a place in the author's files.
func (x *Index) DeclaredAt(at plan.Place) (Symbol, bool) {
	for _, d := range x.Definitions() {
		name := d.Name[strings.LastIndexByte(d.Name, '/')+1:]
		onName := d.Place.Col <= at.Col && at.Col <= d.Place.Col+len([]rune(name))
		if d.Place.File == at.File && d.Place.Line == at.Line && onName {
			return d, true
		}
	}
	return Symbol{}, false
}
