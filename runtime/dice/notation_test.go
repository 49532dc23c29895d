package dice

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Notation{
		"d6":        {Count: 1, Faces: 6},
		"3d6":       {Count: 3, Faces: 6, List: true},
		"1d10":      {Count: 1, Faces: 10, List: true},
		"d%":        {Count: 1, Faces: 100},
		"2d%":       {Count: 2, Faces: 100, List: true},
		" 2d10 ":    {Count: 2, Faces: 10, List: true},
		"1000d2":    {Count: 1000, Faces: 2, List: true},
		"d1000000":  {Count: 1, Faces: 1_000_000},
		"0002d0006": {Count: 2, Faces: 6, List: true},
	} {
		if got, err := Parse(in); err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", in, got, err, want)
		}
	}
}

func TestBounds(t *testing.T) {
	for in, want := range map[string][2]int64{
		"2d6+3":        {5, 15},
		"d100":         {1, 100},
		"d%":           {1, 100},
		"3 + d4":       {4, 7},
		"d6 - d6":      {-5, 5},
		"-d4+10":       {6, 9},
		"2d10 - 1":     {1, 19},
		"d6+2d8+3d4-2": {4, 32},
	} {
		lo, hi, err := Bounds(in)
		if err != nil || lo != want[0] || hi != want[1] {
			t.Errorf("Bounds(%q) = %d, %d, %v, want %d, %d", in, lo, hi, err, want[0], want[1])
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	parse := func(s string) error { _, err := Parse(s); return err }
	bounds := func(s string) error { _, _, err := Bounds(s); return err }
	for _, c := range []struct {
		read   func(string) error
		in     string
		offset int
		msg    string
	}{
		{parse, "", 0, "found nothing"},
		{parse, "d", 1, "faces is expected after d, found nothing"},
		{parse, "2dx", 2, `found "x"`},
		{parse, "6", 0, "a die is expected"},
		{parse, "0d6", 0, "the count must lie in 1..1000"},
		{parse, "1001d6", 0, "the count must lie in 1..1000"},
		{parse, "d1", 1, "faces must lie in 2..1000000"},
		{parse, "d1000001", 1, "faces must lie in 2..1000000"},
		{parse, "2d6+1", 3, "only one group"},
		{parse, "é2d6", 0, `found "é"`},
		{parse, "99999999999999999999d6", 0, "greater than"},
		{bounds, "2d6+", 4, "found nothing"},
		{bounds, "2d6é3", 3, `+ or - is expected, found "é"`},
		{bounds, "2 d6", 2, "+ or - is expected"},
		{bounds, "2d6+-1", 4, `found "-"`},
		{bounds, "7", 0, "no die is named"},
		{bounds, "d99999999999999999999", 1, "greater than"},
	} {
		var syntax *SyntaxError
		if err := c.read(c.in); !errors.As(err, &syntax) {
			t.Errorf("%q: got %v, want a syntax error", c.in, err)
		} else if syntax.Offset != c.offset || !strings.Contains(syntax.Msg, c.msg) {
			t.Errorf("%q: got %d: %s, want %d: %s", c.in, syntax.Offset, syntax.Msg, c.offset, c.msg)
		}
	}
}

func FuzzNotation(f *testing.F) {
	for _, seed := range []string{"2d6+3", "d%", "-d4 - 1", "2d", "é", "99999999999d9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		lo, hi, berr := Bounds(s)
		if err == nil && (berr != nil || lo != int64(n.Count) || hi != int64(n.Count*n.Faces)) {
			t.Errorf("%q is %+v, but its bounds are %d, %d, %v", s, n, lo, hi, berr)
		}
		if berr == nil && lo > hi {
			t.Errorf("%q: bounds %d, %d", s, lo, hi)
		}
		var syntax *SyntaxError
		if errors.As(berr, &syntax) && (syntax.Offset < 0 || syntax.Offset > utf8.RuneCountInString(s)) {
			t.Errorf("%q: offset %d", s, syntax.Offset)
		}
	})
}
