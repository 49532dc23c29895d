package present

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// PrintWhy prints the step that decided an output, and the nearest changes that give another answer.
//
// The step is printed with one level below it: enough to see the two sides of a comparison.
func PrintWhy(p *layout.Page, a *why.Answer) {
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle(askedSubject(a), a.Ruleset, a.Revision)))
	if a.Refused != "" {
		p.AddLine(2, "refused: %s", a.Refused)
	} else {
		p.AddLine(2, "%s = %s", p.Style(layout.Bold, a.Output), view.TextOfJSON(a.Value))
	}
	if a.Decided != nil {
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, "decided by"))
		printStep(p, a.Decided, 2, 2)
	}
	p.AddBlank()
	switch {
	case len(a.Changes) == 0 && a.Further:
		p.AddLine(0, "no other face, integer, choice or option alone gives another answer for certain")
	case len(a.Changes) == 0:
		p.AddLine(0, "no other face, integer, choice or option alone gives another answer")
	default:
		p.AddLine(0, "%s", p.Style(layout.Bold, "it would be otherwise with"))
	}
	p.AddRows(2, WhyRows(a))
	if a.Further {
		p.AddLine(0, "under some changes further dice fall, and the answer then rests on what they show")
	}
	if a.Stopped {
		p.AddLine(0, "stopped after asking %s", plural.Of(a.Tries, "time"))
	}
}

// WhyRows returns the changes that give another answer: the change, the answer then, and the row of a table that is
// found then, if that differs.
func WhyRows(a *why.Answer) [][]string {
	var rows [][]string
	for i := range a.Changes {
		c := &a.Changes[i]
		rows = append(rows, []string{changeWords(c), a.Output + " = " + view.TextOfJSON(c.Value), rowChangeWords(c.Row)})
	}
	return rows
}

// askedSubject returns the evaluated rule or step, as the title of the answer.
func askedSubject(a *why.Answer) string {
	switch {
	case a.IsRule:
		return "rule " + a.Subject
	case a.Event == "":
		return "start of procedure " + a.Subject
	}
	return "event " + a.Event + " of procedure " + a.Subject
}

// changeWords says a change as people do: "1 less on dice roll, 60 instead of 61".
// The three kinds of change read differently: a face is moved on a die, a number of the input by
// its name, and an option or a choice takes another value.
func changeWords(c *why.Change) string {
	instead := c.To + " instead of " + c.From
	switch c.Kind {
	case why.Face:
		return fmt.Sprintf("%s on %s: %s", moreOrLess(c), dieWords(c), instead)
	case why.Integer:
		return fmt.Sprintf("%s %s: %s", c.Name, moreOrLess(c), instead)
	case why.Option:
		return "option " + c.Name + "=" + instead
	}
	return c.Name + " " + instead
}

// moreOrLess returns how far a number is moved. Both ends are integers here: faces and integers of
// the input.
func moreOrLess(c *why.Change) string {
	from, _ := strconv.ParseInt(c.From, 10, 64)
	to, _ := strconv.ParseInt(c.To, 10, 64)
	if to < from {
		return fmt.Sprintf("%d less", c.Distance)
	}
	return fmt.Sprintf("%d more", c.Distance)
}

// dieWords returns which face is meant; a die that falls once needs no number.
func dieWords(c *why.Change) string {
	if c.Number == 0 {
		return "dice " + c.Name
	}
	return fmt.Sprintf("face %d of dice %s", c.Number, c.Name)
}

func rowChangeWords(r *why.RowChange) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s: row %s instead of %s", r.Table, r.To, r.From)
}

// A whyJSON is an answer for tools.
//
// The shape is this package's own and not that of package why, whose fields may change with the
// search.
type whyJSON struct {
	Ruleset   string          `json:"ruleset"`
	Revision  string          `json:"revision"`
	Rule      string          `json:"rule,omitempty"`
	Procedure string          `json:"procedure,omitempty"`
	Event     string          `json:"event,omitempty"`
	Output    string          `json:"output"`
	Value     json.RawMessage `json:"value,omitempty"`
	Refused   string          `json:"refused,omitempty"`
	Decided   *trace.Step     `json:"decided,omitempty"`
	Changes   []*changeJSON   `json:"changes"`
	Further   bool            `json:"further_dice,omitempty"`
	Tries     int             `json:"tries"`
	Stopped   bool            `json:"stopped"`
}

type changeJSON struct {
	Kind     why.Kind        `json:"kind"`
	Name     string          `json:"name"`
	Number   int             `json:"number,omitempty"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Distance int64           `json:"distance"`
	Value    json.RawMessage `json:"value"`
	Row      *rowJSON        `json:"row,omitempty"`
}

type rowJSON struct {
	Table string `json:"table"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// WhyJSON is an answer for tools.
func WhyJSON(a *why.Answer) any {
	out := whyJSON{Ruleset: a.Ruleset, Revision: a.Revision, Output: a.Output, Refused: a.Refused,
		Decided: a.Decided, Changes: []*changeJSON{}, Further: a.Further, Tries: a.Tries, Stopped: a.Stopped}
	if a.Refused == "" {
		out.Value = a.Value
	}
	if out.Rule = a.Subject; !a.IsRule {
		out.Rule, out.Procedure, out.Event = "", a.Subject, a.Event
	}
	for i := range a.Changes {
		c := &a.Changes[i]
		x := &changeJSON{c.Kind, c.Name, c.Number, c.From, c.To, c.Distance, c.Value, nil}
		if c.Row != nil {
			x.Row = &rowJSON{c.Row.Table, c.Row.From, c.Row.To}
		}
		out.Changes = append(out.Changes, x)
	}
	return out
}
