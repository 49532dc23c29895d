package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// The bar of 1 is 40 characters long, so that an eighth of a character stands for 1/320.
func TestTextBar(t *testing.T) {
	for _, test := range []struct {
		share float64
		want  string
	}{
		{0, ""}, {1, strings.Repeat("█", 40)}, {0.5, strings.Repeat("█", 20)}, {1.0 / 320, "▏"}, {7.0 / 320, "▉"},
		{1.0 / 40, "█"}, {12.0 / 320, "█▌"}, {0.4 / 320, ""},
	} {
		if got := TextBar(test.share); got != test.want {
			t.Errorf("%v gives %q, want %q", test.share, got, test.want)
		}
	}
}

// elements reads a picture as XML and counts its elements by name.
func elements(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	out := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			out[e.Name.Local]++
		}
	}
}

func TestSVGEscapesLabels(t *testing.T) {
	svg := SVG(`<script>alert("a & b")</script>`, Bars{Name: "<b>", Labels: []string{"</svg>", "&amp;"}, P: []float64{.5, .5}})
	seen := elements(t, svg)
	if seen["script"] != 0 || seen["b"] != 0 || seen["svg"] != 1 {
		t.Errorf("labels became elements: %v in %s", seen, svg)
	}
	if seen["rect"] != 3 { // the ground and two bars
		t.Errorf("%d rectangles in %s", seen["rect"], svg)
	}
}

// A chart is 260 pixels high, 40 of them below the bars and 20 above, and begins at 34: the bars stand on 254, and the
// longest is 200 pixels high.
func TestBarsAreToScale(t *testing.T) {
	svg := string(SVG("", Bars{Labels: []string{"1", "2"}, P: []float64{.25, .5}}))
	for _, want := range []string{`y="154.00" width="274.68" height="100.00"`, `y="54.00" width="274.68" height="200.00"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
}

func TestManyBarsAreCut(t *testing.T) {
	m := Bars{}
	for range 1000 {
		m.Add("x", .001)
	}
	if n := elements(t, SVG("", m))["rect"]; n != 1+maxBars {
		t.Errorf("%d rectangles", n)
	}
}

func TestLineGoesBelowZero(t *testing.T) {
	svg := string(SVG("", Line{Labels: []string{"a", "b", "c"}, Y: []float64{-1, 0, 1}}))
	if !strings.Contains(svg, `points="56.00,254.00 383.00,154.00 710.00,54.00"`) {
		t.Error(svg)
	}
}

func TestEmptyChartsAreDrawn(t *testing.T) {
	elements(t, SVG("", Bars{}, Line{Labels: []string{"a"}, Y: []float64{0}}))
	elements(t, SVG("nothing"))
}
