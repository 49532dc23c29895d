package plot

import (
	"fmt"
	"html"
	"math"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A HeatMap is a number for each pair of a row and a column, as cells that are the darker the greater it is.
type HeatMap struct {
	Name          string
	Rows, Columns []string
	Values        [][]float64 // of each row; NaN where there is no value
}

// Sizes of a heat map, in pixels.
const (
	cellHeight    = 24
	mostRowLabel  = 200
	leastCellText = 44 // of a cell's width, with a number in it
)

// heightInPixels leaves a line for the name and one for the labels of the columns.
func (m HeatMap) heightInPixels() int { return 2*header + cellHeight*len(m.Rows) }

// bounds returns the least and the greatest value; 0 and 0 without any.
func (m HeatMap) bounds() (least, greatest float64) {
	least, greatest = math.Inf(1), math.Inf(-1)
	for _, row := range m.Values {
		for _, v := range row {
			if !math.IsNaN(v) {
				least, greatest = min(least, v), max(greatest, v)
			}
		}
	}
	if least > greatest {
		return 0, 0
	}
	return least, greatest
}

func (m HeatMap) describeInWords() string {
	least, greatest := m.bounds()
	return fmt.Sprintf("%s: %d by %s from %s to %s.", m.Name, len(m.Rows), plural.Of(len(m.Columns), "value"), layout.FormatShort(least),
		layout.FormatShort(greatest))
}

// drawOnto draws the cells. The opacity of a cell is its place between the least and the greatest value, and its number
// stands in it where there is room.
func (m HeatMap) drawOnto(b *canvas, start int) {
	least, greatest := m.bounds()
	writeText(b, left, float64(start)+12, "start", m.Name)
	edge := 0
	for _, label := range m.Rows {
		edge = max(edge, runeWidth*len([]rune(label))+labelGap)
	}
	edge = left + min(edge, mostRowLabel)
	wide := float64(b.width-right-edge) / float64(max(len(m.Columns), 1))
	every := labelSpacing(m.Columns, wide)
	for j, label := range m.Columns {
		if j%every == 0 {
			writeLabel(b, float64(edge)+(float64(j)+.5)*wide, float64(start)+header+14, label)
		}
	}
	for i, label := range m.Rows {
		y := float64(start + 2*header + i*cellHeight)
		writeText(b, left, y+16, "start", label)
		for j, v := range m.Values[i] {
			x := float64(edge) + float64(j)*wide
			if math.IsNaN(v) {
				continue
			}
			share := 0.0
			if greatest > least {
				share = (v - least) / (greatest - least)
			}
			text := layout.FormatShort(v)
			fmt.Fprintf(b, `<rect class="bar" fill-opacity="%.3f" x="%.2f" y="%.1f" width="%.2f" height="%d">`+
				"<title>%s, %s: %s</title></rect>\n", .08+.62*share, x, y, wide, cellHeight-1, html.EscapeString(label),
				html.EscapeString(m.Columns[j]), html.EscapeString(text))
			if float64(runeWidth*len(text)) < wide && wide >= leastCellText {
				writeText(b, x+wide/2, y+16, "middle", text)
			}
		}
	}
}
