package main

import (
	"fmt"
	"html"
	"strings"

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

// svg plots every distribution as bars, one below the other.
func (d *distributions) svg() []byte {
	var b strings.Builder
	height := plotTop + len(d.list)*(plotHeight+plotGap)
	openSVG(&b, height, d.Title)
	for i, m := range d.list {
		plotBars(&b, m, plotTop+i*(plotHeight+plotGap))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func openSVG(b *strings.Builder, height int, title string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, height)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", plotWidth, height)
	text(b, plotLeft, 20, "start", title)
}

func text(b *strings.Builder, x, y float64, anchor, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
}

// plotBars plots one distribution.
func plotBars(b *strings.Builder, m *odds.Marginal, top int) {
	n := min(len(m.Values), maxBars)
	highest := 0.0
	for _, p := range m.P[:n] {
		highest = max(highest, p)
	}
	inner := float64(plotHeight - plotBottom - 20)
	base := float64(top) + 20 + inner
	text(b, plotLeft, float64(top)+12, "start", m.Name)
	text(b, plotLeft-4, float64(top)+26, "end", percent(highest))
	wide := float64(plotWidth-plotLeft-10) / float64(max(n, 1))
	every := max(1, int(40/wide))
	for i := range n {
		h := inner * m.P[i] / max(highest, 1e-300)
		x := plotLeft + float64(i)*wide
		fmt.Fprintf(b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="#3b6ea8"><title>%s: %s</title></rect>`+"\n",
			x+wide*.08, base-h, wide*.84, h, html.EscapeString(readable(m.Values[i])), percent(m.P[i]))
		if i%every == 0 {
			text(b, x+wide/2, base+16, "middle", readable(m.Values[i]))
		}
	}
	fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#333"/>`+"\n", plotLeft, base, plotWidth-10, base)
}

// svg plots every column of a table as a line.
func (t *oddsTable) svg() []byte {
	var b strings.Builder
	openSVG(&b, plotTop+len(t.Columns)*(plotHeight+plotGap), t.Title)
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
	text(b, plotLeft, float64(top)+12, "start", t.Columns[k])
	text(b, plotLeft-4, float64(top)+26, "end", short(hi))
	text(b, plotLeft-4, base, "end", short(lo))
	wide := float64(plotWidth-plotLeft-10) / float64(max(len(t.Rows)-1, 1))
	every := max(1, int(40/wide))
	var points []string
	for i := range t.Rows {
		x := plotLeft + float64(i)*wide
		points = append(points, fmt.Sprintf("%.2f,%.2f", x, base-inner*(at(i)-lo)/(hi-lo)))
		if i%every == 0 {
			text(b, x, base+16, "middle", strings.Trim(string(t.Rows[i].At[0]), `"`))
		}
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="#3b6ea8" stroke-width="2"/>`+"\n", strings.Join(points, " "))
}
