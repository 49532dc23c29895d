package plot

import (
	"fmt"
	"html"
	"math"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A Tornado shows how far single changes move a number: bars to the left and to the right of its value as things are, the
// longest first. The two changes of one value share a line.
type Tornado struct {
	Name   string
	Center float64
	Labels []string
	Ends   [][]TornadoEnd // of each label
}

// A TornadoEnd is the number after one change.
type TornadoEnd struct {
	Change string
	Value  float64
}

// tornadoLabel is the part of a picture's width that labels have.
const tornadoLabel = .4

func (t Tornado) heightInPixels() int { return 2*header + cellHeight*len(t.Labels) }

// reach returns the farthest distance of a value from the center.
func (t Tornado) reach() (out float64) {
	for _, ends := range t.Ends {
		for _, e := range ends {
			out = max(out, math.Abs(e.Value-t.Center))
		}
	}
	return out
}

func (t Tornado) describeInWords() string {
	if len(t.Labels) == 0 {
		return t.Name + ": no change makes a difference."
	}
	return fmt.Sprintf("%s is %s: %s it, %s most, by at most %s.", t.Name, layout.FormatShort(t.Center),
		plural.Of(len(t.Labels), "value changes", "values change"), t.Labels[0], layout.FormatShort(t.reach()))
}

// drawOnto draws a line for each label with its bars, and the value as things are as an axis between them.
func (t Tornado) drawOnto(b *canvas, start int) {
	writeText(b, left, float64(start)+12, "start", t.Name)
	edge := left + tornadoLabel*float64(b.width-left-right)
	middle := (edge + float64(b.width-right)) / 2
	scale := (float64(b.width-right) - middle) / max(t.reach(), 1e-300)
	writeText(b, middle, float64(start)+header+12, "middle", layout.FormatShort(t.Center))
	top := start + 2*header
	for i, label := range t.Labels {
		y := float64(top + i*cellHeight)
		writeText(b, left, y+16, "start", label)
		for _, e := range t.Ends[i] {
			x, wide := middle, (e.Value-t.Center)*scale
			if wide < 0 {
				x, wide = middle+wide, -wide
			}
			fmt.Fprintf(b, `<rect class="bar" fill-opacity="0.7" x="%.2f" y="%.1f" width="%.2f" height="%d">`+
				"<title>%s</title></rect>\n", x, y+2, wide, cellHeight-4,
				html.EscapeString(e.Change+": "+layout.FormatShort(e.Value)))
		}
	}
	fmt.Fprintf(b, `<line class="axis" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`+"\n", middle, top, middle,
		top+cellHeight*len(t.Labels))
}
