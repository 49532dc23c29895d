package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
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
// longest is 200 pixels high. Each has 84 % of half of the 720 pixels without 12 at both ends.
func TestBarsAreToScale(t *testing.T) {
	svg := string(SVG("", Bars{Labels: []string{"1", "2"}, P: []float64{.25, .5}}))
	for _, want := range []string{`y="154.00" width="292.32" height="100.00"`, `y="54.00" width="292.32" height="200.00"`} {
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
	svg := string(SVG("", Lines{Labels: []string{"a", "b", "c"}, Series: []Series{{"x", []float64{-1, 0, 1}}}}))
	if !strings.Contains(svg, `points="12.00,254.00 360.00,154.00 708.00,54.00"`) {
		t.Error(svg)
	}
}

// Where there is no value a curve has a gap, and not a 0.
func TestCurveWithGap(t *testing.T) {
	svg := SVG("", Lines{Labels: []string{"a", "b", "c"}, Series: []Series{{"x", []float64{1, math.NaN(), 1}}}})
	if n := elements(t, svg)["polyline"]; n != 2 {
		t.Errorf("%d curves in %s", n, svg)
	}
}

// Text that is anchored at its end begins at x minus its width. A character is at most 8 pixels wide in the fonts that
// browsers have, so that no number may lose its first digits at the edge: 20.2500% was read as 0.2500%.
func TestNoTextLeavesThePicture(t *testing.T) {
	svg := string(SVG("2d20kl1", Bars{Name: "total", Labels: []string{"1", "2"}, P: []float64{.2025, .1}},
		Lines{Labels: []string{"-1000000", "1000000"}, Series: []Series{{"mean", []float64{-123456, 123456}}}}))
	texts := regexp.MustCompile(`<text x="([0-9.]+)" y="[0-9.]+" text-anchor="(\w+)">([^<]*)</text>`).FindAllStringSubmatch(
		svg, -1)
	if len(texts) < 8 {
		t.Fatalf("%d texts in %s", len(texts), svg)
	}
	for _, m := range texts {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		wide := 8 * float64(len(m[3]))
		from := map[string]float64{"start": x, "middle": x - wide/2, "end": x - wide}[m[2]]
		if from < 0 || from+wide > width {
			t.Errorf("%q lies between %v and %v", m[3], from, from+wide)
		}
	}
	if !strings.Contains(svg, ">longest bar 20.2500%<") {
		t.Error(svg)
	}
}

// A picture says what it is to those who do not see it.
func TestPictureIsDescribed(t *testing.T) {
	svg := string(SVG("3d6", Bars{Name: "total", Labels: []string{"3", "4"}, P: []float64{.25, .75}}))
	for _, want := range []string{`role="img"`, `<title id="title">3d6</title>`,
		"total: 2 values from 3 to 4, the likeliest 4 with 75.0000%."} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
}

func TestEmptyChartsAreDrawn(t *testing.T) {
	elements(t, SVG("", Bars{}, Lines{Labels: []string{"a"}, Series: []Series{{"x", []float64{0}}}}, Lines{}))
	elements(t, SVG("nothing"))
}

// An embedded picture has no style of its own, which pages refuse, and no ids, which several on a page would share.
func TestEmbeddedPicturesLeaveStyleToThePage(t *testing.T) {
	svg := Embed("harm & woe", Bars{Labels: []string{"1", "2"}, P: []float64{.25, .75}})
	seen := elements(t, svg)
	if seen["style"] != 0 || seen["rect"] != 2 || strings.Contains(string(svg), " id=") {
		t.Errorf("%v in %s", seen, svg)
	}
	if want := `aria-label="harm &amp; woe 2 values from 1 to 2, the likeliest 2 with 75.0000%."`; !strings.Contains(
		string(svg), want) {
		t.Errorf("no %s in %s", want, svg)
	}
}

// Two distributions of two values: four bars of one scale, half as wide each; .8 is the highest with 200 pixels, so .2
// has 50.
func TestGroupedBarsShareAScale(t *testing.T) {
	svg := Embed("", Grouped{[]string{"1", "2"}, []Series{{"now", []float64{.2, .8}}, {"<then>", []float64{.6, .4}}}})
	if seen := elements(t, svg); seen["rect"] != 4+2 || seen["then"] != 0 { // two in the legend
		t.Errorf("%v in %s", seen, svg)
	}
	for _, want := range []string{`width="95.76" height="50.00"`, `width="95.76" height="200.00"`, `height="150.00"`,
		`height="100.00"`} {
		if !strings.Contains(string(svg), want) { // (480 - 24) / 2 * .84 / 2 is 95.76
			t.Errorf("no %s in %s", want, svg)
		}
	}
}
