package site

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A changesPage says what differs between two states of a ruleset, and for whom.
type changesPage struct {
	page
	From, Verdict string
	Choices       []choiceView
	Error         string
	Definitions   []changedView
	Answers       []changedView
	Party, Cases  []shiftView
	Odds          []chanceView
	HasParty      bool // characters were given
}

// A changedView is a definition that differs, or a rule that answers otherwise.
type changedView struct {
	Label, Verb, Link string
	Rows              [][]string // what, before, after
	Because           []linkView
}

// A shiftView is a character or a case whose numbers change.
type shiftView struct {
	Who, Subject, Link, Name string
	Moved                    [][]string // what, before, after
	Because                  []linkView
}

// A chanceView is an output whose odds change for a character.
type chanceView struct {
	Who, Subject, Link, Name, Output string
	Mean, Why                        string
	SVG                              template.HTML // made by package plot, which escapes what it is given
	Rows                             [][]string    // value, before, after
	Because                          []linkView
}

// showChanges compares an edition with the state that the query names, else with the first that there is.
//
// The comparison is kept for the pair of editions as long as their shelf: it plays every case twice
// and asks for exact odds of a party. A first reader waits some seconds, and the others do not.
func (s *server) showChanges(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	v := changesPage{page: s.newPage("What changed, "+b.Title, 1), From: r.URL.Query().Get("from"),
		HasParty: s.Party != nil}
	v.Book = b
	shelf := s.library.Shelf()
	list := shelf.Comparable(e)
	var names []string
	var old *library.Earlier
	for _, x := range list {
		if old == nil && (v.From == "" || v.From == x.Called) {
			// The first that is comparable is the default, since the shelf has them in the order in
			// which they were given.
			old = x
		}
		names = append(names, x.Called)
		v.Choices = append(v.Choices, choiceView{Value: x.Called, Label: x.Called, Selected: old == x})
	}
	if old == nil && v.From != "" {
		s.writeError(w, r, http.StatusNotFound, &runtime.UnknownError{What: "earlier state", Name: v.From, Known: names})
		return
	}
	if old != nil {
		v.From = old.Called
		found, err := s.changes.find(shelf, [2]*library.Edition{old.Edition, e},
			func() (*revisions.Comparison, error) { return s.compare(old.Edition, e) })
		if err != nil {
			v.Error = wordError(err)
		} else {
			v.fill(b, found)
		}
	}
	s.write(w, http.StatusOK, "changes", v)
}

// compare compares two states by their plans, by the golden cases of the newer one, and for the party.
//
// The party is read for each comparison, so that a character that was edited meanwhile counts as it
// is.
func (s *server) compare(old, new *library.Edition) (*revisions.Comparison, error) {
	cases, err := casesOf(new)
	if err != nil {
		return nil, err
	}
	var party []revisions.Member
	if s.Party != nil {
		if party, err = s.Party(new.Plan); err != nil {
			return nil, err
		}
	}
	return revisions.Compare(old.Plan, new.Plan, cases, party), nil
}

// casesOf returns the golden cases of an edition: those of its module, or those that its release
// holds.
func casesOf(e *library.Edition) ([]*golden.Case, error) {
	if e.Files != nil {
		dir := path.Join("golden", e.Plan.Ruleset)
		return golden.Load(e.Files, dir, dir)
	}
	var out []*golden.Case
	for _, f := range e.Cases {
		list, err := golden.ParseAll(path.Join("golden", e.Plan.Ruleset, f.Name), []byte(f.Data), nil)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func (v *changesPage) fill(b *bookView, c *revisions.Comparison) {
	v.Verdict = present.ComparisonVerdict(c)
	for i := range c.Definitions {
		v.Definitions = append(v.Definitions, newChanged(b, &c.Definitions[i]))
	}
	for i := range c.Answers {
		v.Answers = append(v.Answers, newChanged(b, &c.Answers[i]))
	}
	v.Party, v.Cases = newShifts(b, c.Party), newShifts(b, c.Cases)
	for i := range c.Odds {
		v.Odds = append(v.Odds, newChance(b, v.From, &c.Odds[i]))
	}
}

// newChanged shows a definition that differs. A change without a part says that it is there or
// gone, which the heading has said, unless it breaks.
func newChanged(b *bookView, x *compare.Changed) changedView {
	out := changedView{Label: x.Label(), Verb: x.Verb, Link: b.linkOf(x.Kind, x.ID), Because: b.linkNames(x.Because)}
	for i := range x.Changes {
		c := &x.Changes[i]
		if c.Part == "" && !c.Breaking {
			continue
		}
		part := c.Part
		if c.Breaking {
			part = strings.TrimSpace(part + " (breaking)")
		}
		out.Rows = append(out.Rows, []string{part, c.Old, c.New})
	}
	return out
}

// newShifts shows shifts; those after each other that say the same of one subject as one.
//
// Ten cases that move by the same edit in the same way are one thing to read.
func newShifts(b *bookView, list []revisions.Shift) []shiftView {
	var out []shiftView
	for i := range list {
		x := newShift(b, &list[i])
		if n := len(out); n > 0 && out[n-1].saysSame(&x) {
			out[n-1].Name += ", " + x.Name
			continue
		}
		out = append(out, x)
	}
	return out
}

// saysSame reports whether two shifts are one thing to read: the same numbers of the same subject
// moved by the same edits.
func (x *shiftView) saysSame(y *shiftView) bool {
	return x.Who == y.Who && x.Subject == y.Subject && slices.Equal(x.Because, y.Because) &&
		slices.EqualFunc(x.Moved, y.Moved, slices.Equal)
}

func newShift(b *bookView, x *revisions.Shift) shiftView {
	out := shiftView{Who: x.Who, Subject: x.Subject, Link: b.linkOfSubject(x.Subject), Name: x.Name,
		Because: b.linkNames(x.Because)}
	// Where dice fall the numbers were compared for several seeds; those that moved alike are one
	// shift.
	if n := len(x.Seeds); n > 0 {
		out.Name += fmt.Sprintf(", with the dice of %s", plural.Of(n, "seed"))
	}
	for _, m := range x.Moved {
		out.Moved = append(out.Moved, []string{m.Path, m.Old, m.New})
	}
	return out
}

// newChance draws the odds before and after of the values whose probability changes.
func newChance(b *bookView, from string, x *revisions.Chance) chanceView {
	out := chanceView{Who: x.Who, Subject: x.Subject, Link: b.linkOfSubject(x.Subject), Name: x.Name,
		Output: cmp.Or(x.Output, "no answer"), Why: x.Why, Because: b.linkNames(x.Because)}
	if x.Mean != nil {
		out.Mean = layout.FormatShort(x.Mean.Old) + " → " + layout.FormatShort(x.Mean.New)
	}
	chart := plot.Grouped{Series: []plot.Series{{Name: from}, {Name: "now"}}}
	for _, l := range x.Values[:min(len(x.Values), maxValues)] {
		value := view.TextOfJSON([]byte(l.Value))
		chart.Labels = append(chart.Labels, value)
		chart.Series[0].Y, chart.Series[1].Y = append(chart.Series[0].Y, l.Old), append(chart.Series[1].Y, l.New)
		out.Rows = append(out.Rows, []string{value, layout.FormatShortPercent(l.Old), layout.FormatShortPercent(l.New)})
	}
	if len(chart.Labels) > 0 {
		out.SVG = template.HTML(plot.Embed(out.Who+", "+out.Output+":", chart))
	}
	return out
}
