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
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// Sizes of a picture, in pixels.
const (
	width       = 720
	chartHeight = 260 // of a chart with one series
	left        = 12
	right       = 12
	top         = 34 // room for the title
	header      = 20 // room for the name of a chart, and for that of each further series
	footer      = 40 // room for the labels below a chart
	gap         = 20
	labelGap    = 10 // between two labels
	runeWidth   = 7  // of one character of a label: what nearly all are narrower than
)

// maxBars is how many values of a distribution are drawn: more would be thinner than two pixels,
// and no eye could tell them apart. The text and the JSON of an answer have all.
const maxBars = 400

// style has the colours for light and dark screens; paper is light. Series differ in their dashes too, for those who
// print in black or do not see the difference.
const style = `<style>
text{fill:#222}.ground{fill:#fff}.axis{stroke:#333}.bar{fill:#3b6ea8}.line{fill:none;stroke-width:2}
.s0{stroke:#3b6ea8}.s1{stroke:#b5541c;stroke-dasharray:8 3}.s2{stroke:#2e7d4f;stroke-dasharray:3 3}
.s3{stroke:#8a4fa8;stroke-dasharray:10 3 3 3}.s4{stroke:#7a6a00;stroke-dasharray:1 3}.s5{stroke:#555;stroke-dasharray:14 4}
@media screen and (prefers-color-scheme:dark){text{fill:#ddd}.ground{fill:#15181c}.axis{stroke:#bbb}.bar{fill:#7fb0e6}
.s0{stroke:#7fb0e6}.s1{stroke:#f0a070}.s2{stroke:#7fd0a0}.s3{stroke:#cfa0e8}.s4{stroke:#d8c860}.s5{stroke:#bbb}}
</style>
`

// maxSeries is how many series have a look of their own.
const maxSeries = 6

// A Chart is one part of a picture, with a name above it. It is drawn below the pixel row start.
type Chart interface {
	drawOnto(b *canvas, start int)
	heightInPixels() int
	describeInWords() string // in one sentence, for those who do not see it
}

// A canvas is the text of a picture that is being drawn, and how wide the picture is.
type canvas struct {
	strings.Builder
	width      int
	isEmbedded bool // in a page
}

// SVG draws charts one below the other.
//
// The title and the description are elements of the picture, named by aria-labelledby: a screen
// reader reads them in place of the shapes. Two passes are needed, because the height stands in the
// first line.
func SVG(title string, charts ...Chart) []byte {
	b := &canvas{width: width}
	height := top
	var described []string
	for _, c := range charts {
		height += c.heightInPixels() + gap
		described = append(described, c.describeInWords())
	}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12"`+
		` role="img" aria-labelledby="title description">`+"\n", width, height)
	fmt.Fprintf(b, `<title id="title">%s</title><desc id="description">%s</desc>`+"\n",
		html.EscapeString(title), html.EscapeString(strings.Join(described, " ")))
	b.WriteString(style)
	fmt.Fprintf(b, `<rect class="ground" width="%d" height="%d"/>`+"\n", width, height)
	writeText(b, left, 20, "start", title)
	at := top
	for _, c := range charts {
		c.drawOnto(b, at)
		at += c.heightInPixels() + gap
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// Sizes of a picture that stands in a page, which names it: narrower, so that its labels can be read on a phone.
const (
	embeddedWidth = 480
	embeddedTop   = 4
)

// Embed draws charts one below the other for a page, which colours them: a page that admits no style but that of its own
// files would show a picture that brings one in black. The style sheet of the page has the classes bar, line, axis and s0
// to s5 within svg.plot. The name is told to those who do not see the picture.
func Embed(name string, charts ...Chart) []byte {
	b := &canvas{width: embeddedWidth, isEmbedded: true}
	height := embeddedTop
	described := []string{name}
	for _, c := range charts {
		height += c.heightInPixels()
		described = append(described, c.describeInWords())
	}
	fmt.Fprintf(b, `<svg class="plot" viewBox="0 0 %d %d" font-size="12" role="img" aria-label="%s">`+"\n", b.width, height,
		html.EscapeString(strings.Join(described, " ")))
	at := embeddedTop
	for _, c := range charts {
		c.drawOnto(b, at)
		at += c.heightInPixels()
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// Gauge draws a share between 0 and 1 as a part of a rail, for a page that says it in words beside it.
func Gauge(share float64) []byte {
	return fmt.Appendf(nil, `<svg class="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">`+
		`<rect class="rail" width="100" height="6"/><rect class="bar" width="%.2f" height="6"/></svg>`, 100*share)
}

// writeText writes text that begins, ends or has its middle at x. No width of text is guessed where it could leave the
// picture: it grows away from the edge that it is anchored at.
func writeText(b *canvas, x, y float64, anchor, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
}

// writeLabel writes a label below the axis. The first and the last one are anchored at the edges.
func writeLabel(b *canvas, x, y float64, s string) {
	half := float64(runeWidth*utf8.RuneCountInString(s)) / 2
	switch {
	case x-half < left:
		writeText(b, left, y, "start", s)
	case x+half > float64(b.width-right):
		writeText(b, float64(b.width-right), y, "end", s)
	default:
		writeText(b, x, y, "middle", s)
	}
}

// labelSpacing returns the distance between labels that are written, in labels, when each has so much room.
//
// A label is never shortened: one of ten that can be read says more than ten that cannot.
func labelSpacing(labels []string, room float64) int {
	longest := 0
	for _, s := range labels {
		longest = max(longest, utf8.RuneCountInString(s))
	}
	return max(1, int(math.Ceil(float64(longest*runeWidth+labelGap)/room)))
}

// Bars is a distribution: a label and a probability for each value. The longest bar fills the chart, so charts of two
// distributions compare shapes and not heights; the number above it says what the longest bar stands for.
type Bars struct {
	Name   string
	Labels []string
	P      []float64 // as many as labels
}

// Add appends a value.
func (m *Bars) Add(label string, p float64) {
	m.Labels, m.P = append(m.Labels, label), append(m.P, p)
}

// heightInPixels is the same for all distributions, so that pictures of several answers line up.
func (m Bars) heightInPixels() int { return chartHeight }

// longestBar returns the probability of the longest bar that is drawn, and its place; -1 without any.
func (m Bars) longestBar() (p float64, at int) {
	at = -1
	for i, x := range m.P[:min(len(m.P), maxBars)] {
		if at < 0 || x > p {
			p, at = x, i
		}
	}
	return p, at
}

func (m Bars) describeInWords() string {
	p, at := m.longestBar()
	name := m.Name
	if name != "" {
		name += ": "
	}
	if at < 0 {
		return name + "no value."
	}
	return fmt.Sprintf("%s%s from %s to %s, the likeliest %s with %s.", name, plural.Of(len(m.P), "value"), m.Labels[0],
		m.Labels[len(m.Labels)-1], m.Labels[at], layout.FormatPercent(p))
}

// drawOnto draws bars that are as wide as there is room. Embedded in a page the percentages stand above
// the bars when they fit, and the scale is not told; else the length of the longest bar is.
func (m Bars) drawOnto(b *canvas, start int) {
	n := min(len(m.P), maxBars)
	highest, _ := m.longestBar()
	inner := float64(chartHeight - footer - header)
	base := float64(start) + header + inner
	writeText(b, left, float64(start)+12, "start", m.Name)
	wide := float64(b.width-left-right) / float64(max(n, 1))
	numbers := m.percentagesOf(n, wide)
	isNumbered := b.isEmbedded && numbers != nil
	if !isNumbered {
		writeText(b, float64(b.width-right), float64(start)+12, "end", "longest bar "+layout.FormatPercent(highest))
	}
	every := labelSpacing(m.Labels[:n], wide)
	for i := range n {
		h := inner * m.P[i] / max(highest, 1e-300) // a distribution without any chance has bars of no height
		x := left + float64(i)*wide
		if isNumbered {
			writeText(b, x+wide/2, base-h-4, "middle", numbers[i])
		}
		fmt.Fprintf(b, `<rect class="bar" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s: %s</title></rect>`+"\n",
			x+wide*.08, base-h, wide*.84, h, html.EscapeString(m.Labels[i]), layout.FormatPercent(m.P[i]))
		if i%every == 0 {
			writeLabel(b, x+wide/2, base+16, m.Labels[i])
		}
	}
	drawAxis(b, base)
}

// percentagesOf returns the percentages of the first n values, or nil unless each fits above its bar.
func (m Bars) percentagesOf(n int, wide float64) []string {
	var out []string
	for _, p := range m.P[:n] {
		text := layout.FormatShortPercent(p)
		if float64(runeWidth*len(text)) > wide {
			return nil
		}
		out = append(out, text)
	}
	return out
}

// drawAxis draws the line on which the bars stand. There is no other axis: heights are told by
// numbers.
func drawAxis(b *canvas, base float64) {
	fmt.Fprintf(b, `<line class="axis" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`+"\n", left, base, b.width-right, base)
}

// A Series is one line of a chart.
type Series struct {
	Name string
	Y    []float64 // as many as the chart has labels; NaN where there is no value
}

// Lines are numbers over values at equal distances. The axis begins at 0 or, where a number is below that, at the least.
type Lines struct {
	Name   string // "" when the only series says it
	Labels []string
	Series []Series
}

func (l Lines) heightInPixels() int { return chartHeight + header*max(0, len(l.Series)-1) }

// axisBounds returns the ends of the axis.
func (l Lines) axisBounds() (lo, hi float64) {
	lo, hi = 0, 1e-9
	for _, s := range l.Series {
		for _, y := range s.Y {
			if !math.IsNaN(y) {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	return lo, hi
}

func (l Lines) describeInWords() string {
	lo, hi := l.axisBounds()
	var names []string
	for _, s := range l.Series {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("%s, %s on an axis from %s to %s.", strings.Join(names, ", "), plural.Of(len(l.Labels), "value"),
		layout.FormatShort(lo),
		layout.FormatShort(hi))
}

func (l Lines) drawOnto(b *canvas, start int) {
	lo, hi := l.axisBounds()
	inner := float64(chartHeight - footer - header)
	names := float64(start) + 12
	base := float64(start) + header*float64(max(1, len(l.Series))) + inner
	ends := fmt.Sprintf("from %s to %s", layout.FormatShort(lo), layout.FormatShort(hi))
	if l.Name != "" {
		ends = l.Name + ", " + ends
	}
	writeText(b, float64(b.width-right), names, "end", ends)
	wide := float64(b.width-left-right) / float64(max(len(l.Labels)-1, 1))
	for k, s := range l.Series {
		y := names + header*float64(k)
		if len(l.Series) > 1 {
			fmt.Fprintf(b, `<line class="line s%d" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`+"\n", k%maxSeries, left, y-4,
				left+24, y-4)
			writeText(b, left+30, y, "start", s.Name)
		} else {
			writeText(b, left, y, "start", s.Name)
		}
		drawCurve(b, s.Y, k, wide, func(v float64) float64 { return base - inner*(v-lo)/(hi-lo) })
	}
	every := labelSpacing(l.Labels, wide)
	for i := 0; i < len(l.Labels); i += every {
		writeLabel(b, left+float64(i)*wide, base+16, l.Labels[i])
	}
	drawAxis(b, base)
}

// drawCurve draws one series, with a gap where there is no value.
func drawCurve(b *canvas, values []float64, k int, wide float64, rowOf func(float64) float64) {
	var points []string
	flush := func() {
		if len(points) > 0 {
			fmt.Fprintf(b, `<polyline class="line s%d" points="%s"/>`+"\n", k%maxSeries, strings.Join(points, " "))
		}
		points = nil
	}
	for i, y := range values {
		if math.IsNaN(y) {
			flush()
			continue
		}
		points = append(points, fmt.Sprintf("%.2f,%.2f", left+float64(i)*wide, rowOf(y)))
	}
	flush()
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
