package site

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// An oddsView is the odds of the outputs of a rule, or why there are none; of two settings side by side.
type oddsView struct {
	Headline *headlineOdds  // nil where no headline follows from one output
	Compared []comparedOdds // the headlines of the settings that are compared; none where one of them has no headline
	Constant []string       // outputs that are always the same
	IsBrief  bool           // the headline tells what most readers want to know: the rest is shown when it is asked for
	IsDear   bool           // nobody asked for them, and they would take long
	Error    string
	Settings []string       // what is compared; none for one setting
	Plain    []plainView    // outputs that one line tells: those that are always the same, and truths
	Outputs  []marginalView // all others
	Endings  []string
	Grid     *gridView // nil unless it is asked for
}

// A comparedOdds is the headline of one of several settings.
type comparedOdds struct {
	Label    string
	Headline *headlineOdds
}

// addCompared adds the headlines of settings, where each has one.
func (v *oddsView) addCompared(settings []setting) {
	for _, s := range settings {
		h := newHeadlineOdds(s.words, s.odds)
		if h == nil || len(settings) < 2 {
			v.Compared = nil
			return
		}
		v.Compared = append(v.Compared, comparedOdds{s.label, h})
	}
}

// Same returns the outputs that all settings that are compared have alike, and Different the others.
func (v *oddsView) Same() []plainView { return slices.DeleteFunc(slices.Clone(v.Plain), isDifferent) }

// Different returns the outputs that settings do not have alike.
func (v *oddsView) Different() []plainView {
	return slices.DeleteFunc(slices.Clone(v.Plain), func(p plainView) bool { return !isDifferent(p) })
}

func isDifferent(p plainView) bool { return len(slices.Compact(slices.Clone(p.Texts))) > 1 }

// A plainView is an output that each setting tells in a few words.
type plainView struct {
	Name  string
	Texts []string
	Gauge template.HTML // the chance of one truth, drawn by package plot; "" for none
}

// A marginalView is a distribution as a plot and as a table.
type marginalView struct {
	Name      string
	Summaries []summaryView
	Duel      string        // how two settings compare when both are rolled; "" for none
	SVG       template.HTML // made by package plot, which escapes what it is given
	Head      []string
	Rows      [][]string
	LeftOut   string // which values the table and the plot do not have; "" for none
}

// A summaryView is what a distribution of numbers comes to in one setting.
type summaryView struct {
	Setting         string // "" when nothing is compared
	Average         string // the mean, as people say it
	Mean, Deviation string
	Shape           string // skewness and entropy; "" of what is always the same
	Quartiles       string
	Reached         string // the greatest value that is reached in each of the chances
}

// A setting is one way to fill a form, and what it gives.
type setting struct {
	label string
	odds  *oddspage.Distributions
	words *say.Teller // nil for dice in notation
}

// name returns what people call an output.
func (s *setting) name(output string) string {
	if s.words == nil {
		return output
	}
	return s.words.Heading(output)
}

// text returns a value of an output as people read it.
func (s *setting) text(output string, value runtime.Value) string {
	if s.words == nil {
		return view.Text(value)
	}
	return s.words.Show(output, value.AppendJSON(nil))
}

// newOddsView shows the odds of the settings, which are those of the same rule.
func newOddsView(settings []setting) *oddsView {
	v := &oddsView{}
	for _, s := range settings {
		if s.label != "" {
			v.Settings = append(v.Settings, s.label)
		}
		for _, text := range s.odds.Lacks() {
			if s.label != "" {
				text = s.label + ": " + text
			}
			v.Endings = append(v.Endings, text)
		}
	}
	for _, m := range settings[0].odds.Marginals {
		list := marginalsOf(settings, m.Name)
		if texts, are := plainOdds(&settings[0], list); are {
			v.Plain = append(v.Plain, plainView{settings[0].name(m.Name), texts, gaugeOf(list)})
			if len(settings) == 1 && len(m.Values) == 1 {
				v.Constant = append(v.Constant, m.Name)
			}
		} else {
			v.Outputs = append(v.Outputs, newMarginalView(settings, list))
		}
	}
	return v
}

// marginalsOf returns the distributions of an output, one for each setting. A setting that lacks
// the output has a distribution without values, so that columns stay in line.
func marginalsOf(settings []setting, name string) []*odds.Marginal {
	var out []*odds.Marginal
	for _, s := range settings {
		i := slices.IndexFunc(s.odds.Marginals, func(m *odds.Marginal) bool { return m.Name == name })
		if i < 0 {
			out = append(out, &odds.Marginal{Name: name})
			continue
		}
		out = append(out, s.odds.Marginals[i])
	}
	return out
}

// plainOdds tells distributions that need no plot in a few words each.
//
// All settings must be plain: a plot beside a sentence would compare nothing.
func plainOdds(s *setting, list []*odds.Marginal) (texts []string, are bool) {
	for _, m := range list {
		text, is := plainMarginal(s, m)
		if !is {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// gaugeOf draws the chance that the only one of the distributions is true, when it may be and need not.
func gaugeOf(list []*odds.Marginal) template.HTML {
	if len(list) != 1 || len(list[0].Values) != 2 {
		return ""
	}
	return template.HTML(plot.Gauge(list[0].P[1]))
}

// plainMarginal returns a distribution that needs no plot in a few words.
//
// A distribution of one value whose probability is not 1 is no constant: some evaluations end
// without a value, and the plot and the endings say so. 1e-12 is rounding of sums of probabilities.
func plainMarginal(s *setting, m *odds.Marginal) (text string, is bool) {
	switch {
	case len(m.Values) == 0:
		return "never has a value", true
	case len(m.Values) == 1 && m.P[0] > 1-1e-12:
		return "always " + s.text(m.Name, m.Values[0]), true
	case m.Values[0].Kind() != plan.Bool:
		return "", false
	}
	last := len(m.Values) - 1 // false stands before true
	return s.text(m.Name, m.Values[last]) + " in " + layout.FormatShortPercent(m.P[last]), true
}

// maxValues is how many values of a distribution a page has: it is read by people.
//
// A sum of forty dice has more values than anybody scrolls through. The likeliest 200 in a row are
// shown; mean, deviation and quartiles are of all of them.
const maxValues = 200

// newMarginalView makes the plot and the table of an output. Both have the same values in the same
// order, so that a reader who sees no plot reads the same.
func newMarginalView(settings []setting, list []*odds.Marginal) marginalView {
	v := marginalView{Name: settings[0].name(list[0].Name), Head: []string{"value"}}
	bulk := oddspage.BulkOf(oddspage.MergeValues(list...), maxValues, list...)
	values := bulk.Values
	v.LeftOut = bulk.LeftOut()
	v.Rows = make([][]string, len(values))
	chart := plot.Grouped{}
	for i, value := range values {
		v.Rows[i] = []string{settings[0].text(list[0].Name, value)}
		chart.Labels = append(chart.Labels, v.Rows[i][0])
	}
	for i, m := range list {
		label := settings[i].label
		chart.Series = append(chart.Series,
			plot.Series{Name: label, Y: v.addColumn(label, "exactly", m, values, oddspage.Exactly)})
		if !m.Numeric() || len(m.Values) == 0 {
			continue
		}
		v.addColumn(label, "at least", m, values, oddspage.AtLeast)
		v.addColumn(label, "at most", m, values, oddspage.AtMost)
		v.Summaries = append(v.Summaries,
			summaryView{label, strings.Replace(strconv.FormatFloat(m.Mean(), 'f', 1, 64), "-", "−", 1),
				meanText(settings[i].odds, m), layout.FormatShort(m.Deviation()), oddspage.ShapeText(m),
				view.Text(m.Quantile(.25)) + " and " + view.Text(m.Quantile(.75)), reachedText(m)})
	}
	if len(v.Summaries) == 2 && len(list) == 2 {
		v.Duel = oddspage.DescribeDuel(settings[0].label, settings[1].label, list[0], list[1])
	}
	if len(list) == 1 {
		v.SVG = template.HTML(plot.Embed(v.Name+":", plot.Bars{Labels: chart.Labels, P: chart.Series[0].Y}))
	} else {
		v.SVG = template.HTML(plot.Embed(v.Name+":", chart))
	}
	return v
}

// addColumn adds a measure of each value as a column, and returns the numbers.
func (v *marginalView) addColumn(label, head string, m *odds.Marginal, values []runtime.Value,
	measure oddspage.Measure) []float64 {
	if label != "" {
		head = label + ", " + head
	}
	v.Head = append(v.Head, head)
	list := oddspage.Probabilities(m, values, measure)
	for i, p := range list {
		v.Rows[i] = append(v.Rows[i], layout.FormatPercent(p))
	}
	return list
}

// meanText returns a mean as a decimal, without the fraction before it: pages are for players.
func meanText(d *oddspage.Distributions, m *odds.Marginal) string {
	text := d.MeanText(m)
	if _, decimal, is := strings.Cut(text, " = "); is {
		return decimal
	}
	return text
}

// reachedText says which number is reached in each of the chances: the greatest of which at least is as likely.
func reachedText(m *odds.Marginal) string {
	var out []string
	atLeast := m.AtLeast() // exact sums, which are too dear to be made for each value
	for _, chance := range chances {
		for i := len(m.Values) - 1; i >= 0; i-- {
			if atLeast[i] >= chance-1e-12 {
				out = append(out, view.Text(m.Values[i])+" in "+layout.FormatShortPercent(chance))
				break
			}
		}
	}
	return strings.Join(out, ", ")
}
