package oddspage

import (
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

// A Fight is how a procedure ends and what its outputs are there: the ends first, then a line for each output.
type Fight struct {
	Subject
	Of *oddsquery.Answer
}

// IsAnswered reports whether anything comes of the fight.
func (f *Fight) IsAnswered() bool { return f.course().IsAnswered() }

func (f *Fight) course() *Course { return &Course{Subject: f.Subject, Of: f.Of.Course} }

func (f *Fight) distributions() *Distributions { return OfAnswer(f.Subject, f.Of) }

func (f *Fight) printText(p *layout.Page) {
	printTitle(p, f.Subject)
	p.AddBlank()
	printEnds(p, f.Of.Course, false, false)
	p.AddBlank()
	rows, isNumber := [][]string{{""}}, false
	for _, m := range f.Of.Outputs {
		switch {
		case m.Numeric():
			isNumber = true
			rows = append(rows, append([]string{m.Name}, SpreadOf(m)...))
		case tuning.IsTruth(m):
			rows = append(rows, []string{m.Name, layout.FormatPercent(tuning.MeanOf(m))})
		}
	}
	if isNumber {
		rows[0] = []string{"", "mean", "deviation", "5 %", "half", "95 %"}
	}
	if len(rows) > 1 {
		p.AddRows(2, rows, layout.Column{Style: layout.Bold})
		p.AddBlank()
	}
	p.AddLine(0, "%s", f.course().describeLength())
}

// spreadQuantiles are those that tell how a number spreads.
var spreadQuantiles = [...]float64{0.05, 0.5, 0.95}

// SpreadOf returns the mean, the deviation and three quantiles of a number.
func SpreadOf(m *odds.Marginal) []string {
	out := []string{layout.FormatShort(m.Mean()), layout.FormatShort(m.Deviation())}
	for _, q := range spreadQuantiles {
		out = append(out, view.Text(m.Quantile(q)))
	}
	return out
}

func (f *Fight) toJSON() any {
	d := f.distributions()
	return struct {
		*oddsjson.Course
		Odds map[string]oddsjson.Marginal `json:"odds"`
	}{oddsjson.NewCourse(f.Subject, f.Of.Course), oddsjson.NewAnswer(f.Subject, f.Of.Answer, d.Endings, d.Exact).Odds}
}

func (f *Fight) csvRows() [][]string { return f.distributions().csvRows() }

// toSVG draws the ends, the events until then, and each output.
func (f *Fight) toSVG() []byte {
	ends := plot.Bars{Name: "ends"}
	for i := range f.Of.Course.Ends {
		ends.Add(nameEnd(&f.Of.Course.Ends[i]), f.Of.Course.Ends[i].P)
	}
	charts := []plot.Chart{ends, barsByEvent("events until an end", f.Of.Course.Ends)}
	for _, m := range f.Of.Outputs {
		if m.Numeric() {
			charts = append(charts, barsOf(m))
		}
	}
	return plot.SVG(titleOf(f.Subject), charts...)
}
