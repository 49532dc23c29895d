package golden

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// A difference is a place in a sheet at which it is not as a case expects.
type difference struct {
	Path string // "output.active_value", "events[1].output"
	Want string // JSON
	Got  string // JSON; empty when there is no such member
	at   int    // where what is wanted stands in its text, in bytes
}

// String says all three.
func (d difference) String() string {
	if d.Got == "" {
		return fmt.Sprintf("%s: want %s, but there is no such member", d.Path, d.Want)
	}
	return fmt.Sprintf("%s: want %s, got %s", d.Path, d.Want, d.Got)
}

// A comparison collects differences.
type comparison struct {
	near float64 // numbers this far apart are equal
	out  []difference
}

// compareTrees gives where got is not as want says: objects may have further members, lists must be as long.
func compareTrees(want, got *tree, near float64) []difference {
	c := comparison{near: near}
	c.value("", want, got)
	return c.out
}

func (c *comparison) differ(path string, want, got *tree) {
	if path == "" {
		path = "the sheet"
	}
	c.out = append(c.out, difference{path, want.String(), got.String(), want.from})
}

func (c *comparison) value(path string, want, got *tree) {
	switch {
	case want.kind != got.kind:
		c.differ(path, want, got)
	case want.kind == object:
		c.members(path, want, got)
	case want.kind == array && len(want.items) != len(got.items):
		c.differ(path, want, got)
	case want.kind == array:
		for i := range want.items {
			c.value(fmt.Sprintf("%s[%d]", path, i), want.items[i], got.items[i])
		}
	case want.kind == number && equalNumbers(want.text, got.text, c.near):
	case want.text != got.text:
		c.differ(path, want, got)
	}
}

func (c *comparison) members(path string, want, got *tree) {
	for i, name := range want.names {
		at := member(path, name)
		if x := got.get(name); x != nil {
			c.value(at, want.items[i], x)
		} else {
			c.out = append(c.out, difference{Path: at, Want: want.items[i].String(), at: want.items[i].from})
		}
	}
}

// member is the path of a member: "output.x", or skills["two words"].
func member(path, name string) string {
	switch {
	case !plainName.MatchString(name):
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// equalNumbers compares integers exactly, everything else as doubles, and either within a tolerance.
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
