package diag

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// useCodes are the kinds of problems of a name that stands for nothing.
var useCodes = []Code{"unknown-name", "unknown-member", "unknown-function", "unknown-table"}

// oneMeant is the repair of a name for which one other may be meant.
var oneMeant = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^did you mean (?:\w+\.)?(\w+)\?$`) })

// mostUses is how many uses of a misspelt declaration are shown beside it.
const mostUses = 3

// JoinUses replaces the problems of a name that is used in several places and declared in none by one problem, at the place
// of the misspelt declaration: that of the name for which all of them ask whether it is meant. Declared returns where that
// is declared; it is not ok unless the name is declared once and read nowhere.
func (l *List) JoinUses(declared func(name string) (at plan.Place, ok bool)) {
	type slip struct{ missing, meant string }
	uses := map[slip][]*Diagnostic{}
	var order []slip
	for i := range l.all {
		d := &l.all[i]
		m := oneMeant().FindStringSubmatch(d.Repair)
		if m == nil || d.Missing == "" || !slices.Contains(useCodes, d.Code) {
			continue
		}
		s := slip{d.Missing, m[1]}
		if slices.ContainsFunc(uses[s], func(u *Diagnostic) bool { return u.Place == d.Place }) {
			continue // told twice of one use
		}
		if len(uses[s]) == 0 {
			order = append(order, s)
		}
		uses[s] = append(uses[s], d)
	}
	joined := map[*Diagnostic]bool{}
	var causes []Diagnostic
	for _, s := range order {
		at, ok := declared(s.meant)
		if !ok || len(uses[s]) < 2 {
			continue
		}
		cause := *uses[s][0]
		cause.Place, cause.Subject, cause.Missing, cause.Related = at, "", s.meant, nil
		cause.Message = fmt.Sprintf("nothing reads %s, and %s is read %d times where nothing of that name is declared",
			s.meant, s.missing, len(uses[s]))
		cause.Repair = "did you mean " + s.missing + "?"
		for i, d := range uses[s] {
			if joined[d] = true; i < mostUses {
				cause.Related = append(cause.Related, Related{Place: d.Place, Message: s.missing + " is read here"})
			}
		}
		causes = append(causes, cause)
	}
	kept := make([]Diagnostic, 0, len(l.all))
	for i := range l.all {
		if !joined[&l.all[i]] {
			kept = append(kept, l.all[i])
		}
	}
	l.all = append(kept, causes...)
}
