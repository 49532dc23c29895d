package golden

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Difference is a place in a sheet at which it is not as a case expects.
type Difference struct {
	Path string // "output.active_value", "events[1].output"
	Want string // JSON
	By   string // the arithmetic that Want is the result of; empty where it is written out
	Got  string // JSON; empty when there is no such member
	Hint string // what is probably meant; empty when that is not known
	at   int    // where what is wanted stands in its text, in bytes
	end  int    // behind it; 0 where that is not known
}

// String says all of it.
func (d Difference) String() string {
	want := d.Want
	if d.By != "" {
		want = d.By + " = " + want
	}
	text := fmt.Sprintf("%s: want %s, got %s", d.Path, want, d.Got)
	if d.Got == "" {
		text = fmt.Sprintf("%s: want %s, but there is no such member", d.Path, want)
	}
	if d.Hint != "" {
		text += "; " + d.Hint
	}
	return text
}

// A comparison collects differences.
type comparison struct {
	near  float64 // numbers this far apart are equal
	sheet *jsontree.Tree
	out   []Difference
}

// CompareTrees returns the differences of got from want: objects may have further members, lists must be as long.
//
// The comparison is one-sided on purpose. A page of a book says the result of a roll, and nothing about the other twelve
// outputs; a case that had to state them all would be copied from the program's answer.
func CompareTrees(want, got *jsontree.Tree, near float64) []Difference {
	c := comparison{near: near, sheet: got}
	c.compareValues("", want, got)
	return c.out
}

func (c *comparison) addDifference(path string, want, got *jsontree.Tree) {
	if path == "" {
		path = "the sheet"
	}
	d := Difference{Path: path, Want: want.String(), Got: got.String(), at: want.From, end: want.To}
	d.Hint = hintOf(want, got)
	isDistribution := got.Kind == jsontree.Object && want.Kind != jsontree.Object && len(got.Names) > 0
	if output, ok := strings.CutPrefix(path, "odds."); ok && isDistribution {
		d.Hint = fmt.Sprintf("chances stand by the value: {%q: {%q: %s}}", output, got.Names[len(got.Names)-1], want)
	}
	c.out = append(c.out, d)
}

var (
	percentText    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9.]+ ?%$`) })
	arithmeticText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9.() ]+[-+*/][-+*/0-9.() ]+$`) })
)

// hintOf returns how a value is written that is meant by another; "" where that is not known.
func hintOf(want, got *jsontree.Tree) string {
	isNumber := got.Kind == jsontree.Number
	switch {
	case want.Kind == jsontree.Text && got.Kind > jsontree.Text && want.Text == got.Text:
		return "write it without quotes"
	case isNumber && want.Kind == jsontree.Text && percentText().MatchString(want.Text):
		return `a chance is a part of 1: write 0.25 or "1/4"`
	case isNumber && want.Kind == jsontree.Text && arithmeticText().MatchString(want.Text):
		return fmt.Sprintf("arithmetic is written {\"cel\": %q}", want.Text)
	case isNumber && want.Kind == jsontree.Number && isRounded(want.Text, got.Text):
		return fmt.Sprintf(`it is rounded: write the header near: 1e-%d, or a fraction in quotes, as "1/6"`,
			decimalsOf(want.Text))
	}
	return ""
}

// isRounded reports whether a number of at least two decimals is another one with fewer of them.
func isRounded(want, got string) bool {
	a, err := strconv.ParseFloat(want, 64)
	b, failed := strconv.ParseFloat(got, 64)
	n := decimalsOf(want)
	return err == nil && failed == nil && 1 < n && n < decimalsOf(got) && math.Abs(a-b) < math.Pow10(-n)
}

// decimalsOf returns how many digits stand behind the point of a number.
func decimalsOf(number string) int {
	_, decimals, _ := strings.Cut(number, ".")
	return len(decimals)
}

func (c *comparison) compareValues(path string, want, got *jsontree.Tree) {
	switch {
	case want.Kind != got.Kind:
		c.addDifference(path, want, got)
	case want.Kind == jsontree.Object:
		c.compareMembers(path, want, got)
	case want.Kind == jsontree.Array && len(want.Items) != len(got.Items):
		c.addDifference(path, want, got)
	case want.Kind == jsontree.Array:
		for i := range want.Items {
			c.compareValues(fmt.Sprintf("%s[%d]", path, i), want.Items[i], got.Items[i])
		}
	case want.Kind == jsontree.Number && equalNumbers(want.Text, got.Text, c.near):
	case want.Text != got.Text:
		c.addDifference(path, want, got)
	}
}

func (c *comparison) compareMembers(path string, want, got *jsontree.Tree) {
	bare := bareOutputs(path, want, got)
	for i, name := range want.Names {
		x, at := got.Get(name), MemberPath(path, name)
		k := slices.Index(bare, name)
		switch {
		case x != nil:
			c.compareValues(at, want.Items[i], x)
		case k > 0: // told with the first
		default:
			hint := ""
			if k == 0 {
				hint = adviseOutputs(bare)
			} else if state := c.sheet.Get("state"); path == "output" && state != nil && state.Get(name) != nil {
				hint = fmt.Sprintf("it is of the state: {\"state\": {%q: ...}}", name)
			} else if near := spell.Nearest(name, got.Names); near != "" {
				hint = "did you mean " + near
			}
			c.out = append(c.out, Difference{Path: at, Want: want.Items[i].String(), Hint: hint, at: want.Items[i].From,
				end: want.Items[i].To})
		}
	}
}

// bareOutputs are the outputs of a sheet that are wanted beside its outputs, in place of among them.
func bareOutputs(path string, want, got *jsontree.Tree) (out []string) {
	output := got.Get("output")
	if path != "" || output == nil {
		return nil
	}
	for _, name := range want.Names {
		if got.Get(name) == nil && output.Get(name) != nil {
			out = append(out, name)
		}
	}
	return out
}

// adviseOutputs says where outputs stand.
func adviseOutputs(names []string) string {
	return fmt.Sprintf("outputs stand under output: {\"output\": {\"%s\": ...}}", strings.Join(names, `": ..., "`))
}

// MemberPath returns the path of a member: "output.x", or skills["two words"].
func MemberPath(path, name string) string {
	switch {
	case !plainName().MatchString(name):
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// equalNumbers compares integers exactly, everything else as doubles, and either within a tolerance.
// Beyond 2^53 neighbouring integers are the same double, so comparing all as doubles would let a
// case pass that is off by one.
func equalNumbers(a, b string, near float64) bool {
	i, err1 := strconv.ParseInt(a, 10, 64)
	j, err2 := strconv.ParseInt(b, 10, 64)
	if err1 == nil && err2 == nil && near == 0 {
		return i == j
	}
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && (x == y || math.Abs(x-y) <= near)
}
