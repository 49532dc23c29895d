package oddspage

import (
	"encoding/json"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/plot"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A Ranking is on which values a measure depends, the strongest first.
type Ranking struct {
	Measure string
	Of      *tuning.Ranking
	Top     int // how many effects are shown; 0 for all
}

// shown returns the effects that people see: JSON and CSV have all.
func (r *Ranking) shown() []tuning.Effect {
	if r.Top == 0 {
		return r.Of.Effects
	}
	return r.Of.Effects[:min(r.Top, len(r.Of.Effects))]
}

// printText prints the strongest effects, each with its distance from the measure as things are.
func (r *Ranking) printText(p *layout.Page) {
	p.AddLine(0, "%s = %s", p.Style(layout.Bold, r.Measure), layout.FormatShort(r.Of.Value))
	p.AddBlank()
	var rows [][]string
	shown := r.shown()
	for i := range shown {
		e := &shown[i]
		rows = append(rows, []string{e.Name, changeText(e), layout.FormatShort(e.Value),
			fmt.Sprintf("%+.6g", e.Value-r.Of.Value)})
	}
	p.AddRows(2, rows)
	if more := len(r.Of.Effects) - len(shown); more > 0 {
		p.AddLine(2, "and %s (--top 0 shows all)", plural.Of(more, "weaker one"))
	}
	p.AddBlank()
	p.AddLine(0, "%s a difference, %s none, %s refused",
		plural.Of(len(r.Of.Effects), "change makes", "changes make"), plural.Of(r.Of.Idle, "makes", "make"),
		plural.Of(r.Of.Refused, "is", "are"))
}

func changeText(e *tuning.Effect) string {
	return view.TextOfJSON(e.From) + " → " + view.TextOfJSON(e.To)
}

// An EffectJSON is one change in JSON.
type EffectJSON struct {
	Name  string          `json:"name"`
	From  json.RawMessage `json:"from"`
	To    json.RawMessage `json:"to"`
	Value *float64        `json:"value,omitempty"`
}

func (r *Ranking) toJSON() any {
	out := struct {
		Measure string       `json:"measure"`
		Value   float64      `json:"value"`
		Effects []EffectJSON `json:"effects"`
		Idle    int          `json:"idle"`
		Refused int          `json:"refused"`
	}{r.Measure, r.Of.Value, []EffectJSON{}, r.Of.Idle, r.Of.Refused}
	for i := range r.Of.Effects {
		e := &r.Of.Effects[i]
		out.Effects = append(out.Effects, EffectJSON{e.Name, e.From, e.To, &e.Value})
	}
	return out
}

func (r *Ranking) csvRows() [][]string {
	rows := [][]string{{"name", "from", "to", "value"}}
	for _, e := range r.Of.Effects {
		rows = append(rows, []string{e.Name, unquote(e.From), unquote(e.To), layout.FormatFull(e.Value)})
	}
	return rows
}

// toSVG draws a tornado: effects of one value stand on one line, at the place of the stronger one.
func (r *Ranking) toSVG() []byte {
	t := plot.Tornado{Name: r.Measure, Center: r.Of.Value}
	at := map[string]int{}
	shown := r.shown()
	for i := range shown {
		e := &shown[i]
		k, isKnown := at[e.Name]
		if !isKnown {
			k = len(t.Labels)
			at[e.Name] = k
			t.Labels, t.Ends = append(t.Labels, e.Name), append(t.Ends, nil)
		}
		t.Ends[k] = append(t.Ends[k], plot.TornadoEnd{Change: e.Name + " " + changeText(e), Value: e.Value})
	}
	return plot.SVG(r.Measure, t)
}
