package lint

import (
	"fmt"
	"strconv"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkSingles reports fields that may have one value only. "skill: 0" is meant as a default, and says that skill is 0:
// whoever gives anything else is refused, and a sheet need not ask.
func checkSingles(r *check.Ruleset, diags *diag.List) {
	for x := range r.Book.Shapes() {
		if x.Root != plan.StateRoot {
			reportSingles(x.Subject, x.Shape, diags)
		}
	}
}

// reportSingles reports the fields of a shape, at any depth, but not those of a character in it.
func reportSingles(subject string, s *plan.Shape, diags *diag.List) {
	if s == nil {
		return
	}
	for _, m := range s.Fields {
		if m.Shape.Character {
			continue
		}
		if value, kind := onlyValue(m.Shape); value != "" {
			d := diags.Addf("single-value", m.Shape.Place, subject, "%s can only be %s", m.Name, value)
			if m.Default != "" { // written as the value, and not between bounds that leave but one
				d.Repair = fmt.Sprintf("a default is marked by a star: *%s | %s", value, kind)
			}
		}
		reportSingles(subject, m.Shape, diags)
	}
	if s.Elem != nil && !s.Elem.Character {
		reportSingles(subject, s.Elem, diags)
	}
}

// onlyValue returns the value of a shape that has but one, as an author writes it, and its type; "" of any other, and of
// keys of a table, which a homebrew may add to.
func onlyValue(s *plan.Shape) (value, kind string) {
	switch {
	case s.Kind == plan.String && len(s.Enum) == 1 && s.KeyOf == "":
		return strconv.Quote(s.Enum[0]), "string"
	case (s.Kind == plan.Int || s.Kind == plan.Double) && s.Min != nil && s.Max != nil && s.Min.Value == s.Max.Value:
		kind = "number"
		if s.Kind == plan.Int {
			kind = "int"
		}
		return strconv.FormatFloat(s.Min.Value, 'f', -1, 64), kind
	}
	return "", ""
}
