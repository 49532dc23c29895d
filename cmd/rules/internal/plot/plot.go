// Package plot draws distributions and curves: as SVG for a browser, as bars of block characters for a terminal. It knows
// numbers and labels, and nothing of rules.
//
// A picture is a column of charts of the same size under one title. Its text is escaped, because labels come from rulesets.
package plot

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
)

// Sizes of a picture, in pixels.
const (
	width       = 720
	chartHeight = 260
	left        = 56 // room for the numbers beside a chart
	right       = 10
	top         = 34 // room for the title
	header      = 20 // room for the name of a chart
	footer      = 40 // room for the labels below a chart
	gap         = 20
	labelWidth  = 40 // labels closer than this would run into each other, so some are left out
)

// maxBars is how many values of a distribution are drawn: more would be thinner than two pixels.
const maxBars = 400

// A Chart is one part of a picture, with a name above it. It is drawn between the pixel rows start and start+chartHeight.
type Chart interface {
	draw(b *strings.Builder, start int)
}

// SVG draws charts one below the other.
func SVG(title string, charts ...Chart) []byte {
	var b strings.Builder
	height := top + len(charts)*(chartHeight+gap)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	writeText(&b, left, 20, "start", title)
	for i, c := range charts {
		c.draw(&b, top+i*(chartHeight+gap))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func writeText(b *strings.Builder, x, y float64, anchor, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
}

// Bars is a distribution: a label and a probability for each value. The longest bar fills the chart, so charts of two
// distributions compare shapes and not heights; the number at the left says what the longest bar stands for.
type Bars struct {
	Name   string
	Labels []string
	P      []float64 // as many as labels
}

// Add appends a value.
func (m *Bars) Add(label string, p float64) {
	m.Labels, m.P = append(m.Labels, label), append(m.P, p)
}

func (m Bars) draw(b *strings.Builder, start int) {
	n := min(len(m.P), maxBars)
	highest := 0.0
	for _, p := range m.P[:n] {
		highest = max(highest, p)
	}
	inner := float64(chartHeight - footer - header)
	base := float64(start) + header + inner
	writeText(b, left, float64(start)+12, "start", m.Name)
	writeText(b, left-4, float64(start)+26, "end", layout.FormatPercent(highest))
	wide := float64(width-left-right) / float64(max(n, 1))
	every := max(1, int(labelWidth/wide))
	for i := range n {
		h := inner * m.P[i] / max(highest, 1e-300) // a distribution without any chance has bars of no height
		x := left + float64(i)*wide
		fmt.Fprintf(b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="#3b6ea8"><title>%s: %s</title></rect>`+"\n",
			x+wide*.08, base-h, wide*.84, h, html.EscapeString(m.Labels[i]), layout.FormatPercent(m.P[i]))
		if i%every == 0 {
			writeText(b, x+wide/2, base+16, "middle", m.Labels[i])
		}
	}
	fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#333"/>`+"\n", left, base, width-right, base)
}

// Line is a number over values at equal distances. The axis begins at 0 or, where a number is below that, at the least.
type Line struct {
	Name   string
	Labels []string
	Y      []float64 // as many as labels, at least one
}

func (l Line) draw(b *strings.Builder, start int) {
	lo, hi := min(0, l.Y[0]), max(1e-9, l.Y[0])
	for _, y := range l.Y {
		lo, hi = min(lo, y), max(hi, y)
	}
	inner := float64(chartHeight - footer - header)
	base := float64(start) + header + inner
	writeText(b, left, float64(start)+12, "start", l.Name)
	writeText(b, left-4, float64(start)+26, "end", layout.FormatShort(hi))
	writeText(b, left-4, base, "end", layout.FormatShort(lo))
	wide := float64(width-left-right) / float64(max(len(l.Y)-1, 1))
	every := max(1, int(labelWidth/wide))
	var points []string
	for i, y := range l.Y {
		x := left + float64(i)*wide
		points = append(points, fmt.Sprintf("%.2f,%.2f", x, base-inner*(y-lo)/(hi-lo)))
		if i%every == 0 {
			writeText(b, x, base+16, "middle", l.Labels[i])
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="#3b6ea8" stroke-width="2"/>`+"\n", strings.Join(points, " "))
}

// barWidth is the length of the bar of a share of 1, in characters.
const barWidth = 40

// TextBar draws a share between 0 and 1 in eighths of a character, the finest step that block characters have.
func TextBar(share float64) string {
	n := int(math.Round(share * barWidth * 8))
	out := strings.Repeat("█", n/8)
	if n%8 > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[n%8-1])
	}
	return out
}
