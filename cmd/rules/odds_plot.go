package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// Sizes of a plot, in pixels.
const (
	plotWidth  = 720
	plotHeight = 260
	plotLeft   = 56
	plotTop    = 34
	plotBottom = 40
	plotGap    = 20
)

// maxBars is how many values of a distribution are plotted.
const maxBars = 400

// toSVG plots every distribution as bars, one below the other.
func (d *distributions) toSVG() []byte {
	var b strings.Builder
	height := plotTop + len(d.list)*(plotHeight+plotGap)
	openSVG(&b, height, d.pageTitle())
	for i, m := range d.list {
		plotBars(&b, barsOf(m), plotTop+i*(plotHeight+plotGap))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func openSVG(b *strings.Builder, height int, title string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		plotWidth, height)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", plotWidth, height)
	writeText(b, plotLeft, 20, "start", title)
}

func writeText(b *strings.Builder, x, y float64, anchor, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
}

// bars are a distribution as it is plotted.
type bars struct {
	name   string
	labels []string
	p      []float64
}

func barsOf(m *odds.Marginal) bars {
	out := bars{name: m.Name, p: m.P}
	for _, v := range m.Values {
		out.labels = append(out.labels, present.ReadableValue(v))
	}
	return out
}

// plotBars plots one distribution.
func plotBars(b *strings.Builder, m bars, top int) {
	n := min(len(m.p), maxBars)
	highest := 0.0
	for _, p := range m.p[:n] {
		highest = max(highest, p)
	}
	inner := float64(plotHeight - plotBottom - 20)
	base := float64(top) + 20 + inner
	writeText(b, plotLeft, float64(top)+12, "start", m.name)
	writeText(b, plotLeft-4, float64(top)+26, "end", formatPercent(highest))
	wide := float64(plotWidth-plotLeft-10) / float64(max(n, 1))
	every := max(1, int(40/wide))
	for i := range n {
		h := inner * m.p[i] / max(highest, 1e-300)
		x := plotLeft + float64(i)*wide
		fmt.Fprintf(b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="#3b6ea8"><title>%s: %s</title></rect>`+"\n",
			x+wide*.08, base-h, wide*.84, h, html.EscapeString(m.labels[i]), formatPercent(m.p[i]))
		if i%every == 0 {
			writeText(b, x+wide/2, base+16, "middle", m.labels[i])
		}
	}
	fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#333"/>`+"\n", plotLeft, base, plotWidth-10, base)
}

// svgOfCourse plots how a procedure ends, and with which event.
func svgOfCourse(subject about, c *odds.Course) []byte {
	ends := bars{name: "ends"}
	for _, e := range c.Ends {
		ends.labels, ends.p = append(ends.labels, e.Status), append(ends.p, e.P)
	}
	if c.Open > 0 {
		ends.labels, ends.p = append(ends.labels, odds.Open), append(ends.p, c.Open)
	}
	all := []bars{ends, byEvent("events until an end", c.Ends)}
	if len(c.Ends) > 1 {
		for i := range c.Ends {
			all = append(all, byEvent("events until it is "+c.Ends[i].Status, c.Ends[i:i+1]))
		}
	}
	var b strings.Builder
	openSVG(&b, plotTop+len(all)*(plotHeight+plotGap), subject.pageTitle())
	for i, m := range all {
		plotBars(&b, m, plotTop+i*(plotHeight+plotGap))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// byEvent is how likely each event is the one that ends it.
func byEvent(name string, ends []odds.End) bars {
	out := bars{name: name}
	for _, e := range ends {
		for n, p := range e.By {
			for len(out.p) <= n {
				out.labels, out.p = append(out.labels, fmt.Sprint(len(out.p))), append(out.p, 0)
			}
			out.p[n] += p
		}
	}
	return out
}

// toSVG plots every column of a table as a line.
func (t *oddsTable) toSVG() []byte {
	var b strings.Builder
	openSVG(&b, plotTop+len(t.Columns)*(plotHeight+plotGap), t.pageTitle())
	for k := range t.Columns {
		t.plotColumn(&b, k, plotTop+k*(plotHeight+plotGap))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (t *oddsTable) plotColumn(b *strings.Builder, k, top int) {
	at := func(i int) float64 {
		if k < len(t.Rows[i].Values) {
			return t.Rows[i].Values[k]
		}
		return 0
	}
	lo, hi := min(0, at(0)), max(1e-9, at(0))
	for i := range t.Rows {
		lo, hi = min(lo, at(i)), max(hi, at(i))
	}
	inner := float64(plotHeight - plotBottom - 20)
	base := float64(top) + 20 + inner
	writeText(b, plotLeft, float64(top)+12, "start", t.Columns[k])
	writeText(b, plotLeft-4, float64(top)+26, "end", formatShort(hi))
	writeText(b, plotLeft-4, base, "end", formatShort(lo))
	wide := float64(plotWidth-plotLeft-10) / float64(max(len(t.Rows)-1, 1))
	every := max(1, int(40/wide))
	var points []string
	for i := range t.Rows {
		x := plotLeft + float64(i)*wide
		points = append(points, fmt.Sprintf("%.2f,%.2f", x, base-inner*(at(i)-lo)/(hi-lo)))
		if i%every == 0 {
			writeText(b, x, base+16, "middle", strings.Trim(string(t.Rows[i].At[0]), `"`))
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="#3b6ea8" stroke-width="2"/>`+"\n", strings.Join(points, " "))
}
