package plot

import (
	"fmt"
	"math"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
)

// Curves are chances over values at equal distances, with an axis that has numbers. Series begin and end where they have
// values.
type Curves struct {
	Labels []string
	Series []Series
}

// The parts of a chart with a numbered axis.
const (
	axisRoom   = 44 // left of the chart, for the numbers
	curveSteps = 4  // lines across the chart
)

func (c Curves) heightInPixels() int { return chartHeight }

// axisEnd returns the end of the axis: the chance above all others, of those that divide well.
func (c Curves) axisEnd() float64 {
	top := 0.0
	for _, s := range c.Series {
		for _, y := range s.Y {
			if !math.IsNaN(y) {
				top = max(top, y)
			}
		}
	}
	for _, end := range []float64{.02, .04, .08, .12, .2, .4, .6, .8} {
		if top <= end {
			return end
		}
	}
	return 1
}

func (c Curves) describeInWords() string {
	var names []string
	for _, s := range c.Series {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("%s, from %s to %s, chances up to %s.", strings.Join(names, ", "), c.Labels[0],
		c.Labels[len(c.Labels)-1], layout.FormatShortPercent(c.axisEnd()))
}

func (c Curves) drawOnto(b *canvas, start int) {
	end := c.axisEnd()
	base := float64(start + chartHeight - footer)
	inner := base - float64(start) - 12
	for i := range curveSteps + 1 {
		share := end * float64(i) / curveSteps
		y := base - inner*float64(i)/curveSteps
		fmt.Fprintf(b, `<line class="across" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`+"\n", axisRoom, b.width-right, y, y)
		writeText(b, axisRoom-6, y+4, "end", layout.FormatShortPercent(share))
	}
	wide := float64(b.width-axisRoom-2*right) / float64(max(len(c.Labels)-1, 1))
	column := func(i int) float64 { return axisRoom + right + float64(i)*wide }
	for k, s := range c.Series {
		var points []string
		for i, y := range s.Y {
			if math.IsNaN(y) {
				continue
			}
			at := base - inner*y/end
			points = append(points, fmt.Sprintf("%.2f,%.2f", column(i), at))
			if len(c.Labels) <= mostDots {
				fmt.Fprintf(b, `<circle class="dot s%d" cx="%.2f" cy="%.2f" r="2.5"/>`+"\n", k%maxSeries, column(i), at)
			}
		}
		fmt.Fprintf(b, `<polyline class="line s%d" points="%s"/>`+"\n", k%maxSeries, strings.Join(points, " "))
	}
	for i, every := 0, labelSpacing(c.Labels, wide); i < len(c.Labels); i += every {
		writeLabel(b, column(i), base+18, c.Labels[i])
	}
}

// mostDots is up to how many values are marked on their lines.
const mostDots = 60
