package plot

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
)

// Grouped compares distributions over the same values: a group of bars for each value, one bar of each series. All bars
// have one scale, so that heights can be compared within a group and between groups.
type Grouped struct {
	Labels []string
	Series []Series // probabilities
}

// heightInPixels leaves a line for the name of each series above the bars.
func (g Grouped) heightInPixels() int { return chartHeight + header*len(g.Series) }

// greatestProbability returns that of all series.
func (g Grouped) greatestProbability() float64 {
	out := 0.0
	for _, s := range g.Series {
		for _, y := range s.Y[:min(len(s.Y), maxBars)] {
			out = max(out, y)
		}
	}
	return out
}

// describeInWords returns the sentence of each series as its own distribution would: whoever hears the picture compares
// sentence by sentence.
func (g Grouped) describeInWords() string {
	var out []string
	for _, s := range g.Series {
		out = append(out, Bars{Name: s.Name, Labels: g.Labels, P: s.Y}.describeInWords())
	}
	return strings.Join(out, " ")
}

func (g Grouped) drawOnto(b *canvas, start int) {
	n := min(len(g.Labels), maxBars)
	highest := g.greatestProbability()
	inner := float64(chartHeight - footer - header)
	base := float64(start) + header*float64(1+len(g.Series)) + inner
	writeText(b, float64(b.width-right), float64(start)+12, "end", "longest bar "+layout.FormatPercent(highest))
	for k, s := range g.Series {
		y := float64(start) + 12 + header*float64(k)
		fmt.Fprintf(b, `<rect class="bar s%d" x="%d" y="%.1f" width="12" height="12"/>`+"\n", k%maxSeries, left, y-10)
		writeText(b, left+20, y, "start", s.Name)
	}
	// A group has 84 % of the room of its value, and the rest parts it from its neighbours; the
	// bars of a group touch.
	wide := float64(b.width-left-right) / float64(max(n, 1))
	one := wide * .84 / float64(max(len(g.Series), 1))
	every := labelSpacing(g.Labels[:n], wide)
	for i := range n {
		x := left + float64(i)*wide
		for k, s := range g.Series {
			if math.IsNaN(s.Y[i]) {
				continue
			}
			h := inner * s.Y[i] / max(highest, 1e-300) // distributions without any chance have bars of no height
			fmt.Fprintf(b, `<rect class="bar s%d" x="%.2f" y="%.2f" width="%.2f" height="%.2f">`+
				"<title>%s, %s: %s</title></rect>\n",
				k%maxSeries, x+wide*.08+float64(k)*one, base-h, one, h, html.EscapeString(s.Name),
				html.EscapeString(g.Labels[i]),
				layout.FormatPercent(s.Y[i]))
		}
		if i%every == 0 {
			writeLabel(b, x+wide/2, base+16, g.Labels[i])
		}
	}
	drawAxis(b, base)
}
