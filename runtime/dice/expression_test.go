package dice_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestExpressionsRoll(t *testing.T) {
	for _, c := range []struct {
		text  string
		faces []int64
		want  int64
	}{
		{"3d6", []int64{1, 5, 6}, 12},
		{"d%", []int64{100}, 100},
		{"4d6kh3", []int64{1, 6, 2, 5}, 13},
		{"4d6kh", []int64{1, 6, 2, 5}, 6},
		{"4d6dl", []int64{1, 6, 2, 5}, 13},
		{"2d6!!kh1", []int64{6, 2, 4}, 8},
		{"4d6k3", []int64{3, 3, 3, 3}, 9},
		{"2d20kl1", []int64{14, 3}, 3},
		{"4d6dl1", []int64{1, 6, 2, 5}, 13},
		{"4d6dh1", []int64{1, 6, 2, 5}, 8},
		{"6d6!", []int64{6, 6, 2, 1, 1, 1, 1, 6, 1}, 25},
		{"d10!>=9", []int64{9, 10, 3}, 22},
		{"d10!5", []int64{5, 4}, 9},
		{"2d10r1", []int64{1, 1, 4, 7}, 11},
		{"2d10ro1", []int64{1, 1, 7}, 8},
		{"d6r<=2!", []int64{2, 6, 1, 3}, 9},
		{"4d6mi2", []int64{1, 6, 2, 1}, 12},
		{"3d6mi3kh2", []int64{1, 2, 6}, 9},
		{"3d6mi3>=3", []int64{1, 2, 3}, 3},
		{"d6!mi4", []int64{6, 1}, 7}, // what it explodes into is shown too
		{"d6!mi4", []int64{2}, 4},
		{"8d6>=6", []int64{6, 1, 2, 3, 6, 4, 5, 6}, 3},
		{"3d6!=6>=5", []int64{6, 1, 4, 5}, 2},
		{"3d6 + d4 - 2", []int64{1, 2, 3, 4}, 8},
		{"-d4+10", []int64{3}, 7},
		{"7", nil, 7},
	} {
		e, err := dice.ParseExpression(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got, _, err := e.Roll(dice.FromList(c.faces)); err != nil || got != c.want {
			t.Errorf("%s with %v: got %d, %v, want %d", c.text, c.faces, got, err, c.want)
		}
	}
}

// A group without a modifier is plain: what it shows are faces, not their sum.
func TestPlain(t *testing.T) {
	for text, want := range map[string]dice.Term{
		"d6":        {Count: 1, Faces: 6},
		"3d6":       {Count: 3, Faces: 6, Listed: true},
		"1d10":      {Count: 1, Faces: 10, Listed: true},
		"d%":        {Count: 1, Faces: 100},
		"2d%":       {Count: 2, Faces: 100, Listed: true},
		" 2d10 ":    {Count: 2, Faces: 10, Listed: true},
		"1000d2":    {Count: 1000, Faces: 2, Listed: true},
		"d1000000":  {Count: 1, Faces: 1_000_000},
		"0002d0006": {Count: 2, Faces: 6, Listed: true},
	} {
		e, err := dice.ParseExpression(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if g := e.Plain(); g == nil || g.Count != want.Count || g.Faces != want.Faces || g.Listed != want.Listed {
			t.Errorf("%q is %+v, want %+v", text, g, want)
		}
	}
	for _, text := range []string{"-d6", "d6 + 0", "d6 - d6", "3d6kh3", "d6!", "d6r1", "2d6>=1", "7"} {
		if e, err := dice.ParseExpression(text); err != nil || e.Plain() != nil {
			t.Errorf("%q: got %v, %v, want more than a plain group", text, e.Plain(), err)
		}
	}
}

func TestBounds(t *testing.T) {
	for text, want := range map[string][2]int64{
		"2d6+3":        {5, 15},
		"d100":         {1, 100},
		"d%":           {1, 100},
		"3 + d4":       {4, 7},
		"d6 - d6":      {-5, 5},
		"-d4+10":       {6, 9},
		"2d10 - 1":     {1, 19},
		"d6+2d8+3d4-2": {4, 32},
		"4d6kh3":       {3, 18},
		"4d6dl3":       {1, 6},
		"4d6dh4":       {0, 0},
		"8d6>=5":       {0, 8},
		"4d6mi2":       {8, 24},
		"4d6mi6kh3":    {18, 18},
		"8d6mi5>=5":    {8, 8},
		"8d6>=1":       {8, 8},
		"8d6>6":        {0, 0},
		"4d6kl2=6":     {0, 2},
		"3d10r<=2":     {9, 30},
		"3d10ro<=2":    {3, 30},
		"d10r>=9":      {1, 8},
		"10 - 2d6kh1":  {4, 9},
		"d6!>=9":       {1, 6},        // no face explodes
		"2d6!":         {2, 2 * 5999}, // 999 sixes and a five
		"d4!<=2":       {3, 2002},     // what does not explode is 3 or 4; 999 twos and a four
		"5d6!>=3":      {5, 5 * 5996}, // 999 sixes and a two
	} {
		e, err := dice.ParseExpression(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if lo, hi := e.Bounds(); lo != want[0] || hi != want[1] {
			t.Errorf("%q lies in %d..%d, want %d..%d", text, lo, hi, want[0], want[1])
		}
	}
}

func TestUnbounded(t *testing.T) {
	for text, want := range map[string]int{"2d6 + d6!": 6, "d6!>=7": -1, "8d6!>=5": 0, "8d6!=6>=5": -1, "2d6!dl2": -1,
		"3d6": -1} {
		e, err := dice.ParseExpression(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := -1
		if term := e.Unbounded(); term != nil {
			got = term.Offset
		}
		if got != want {
			t.Errorf("%q explodes without end at %d, want %d", text, got, want)
		}
	}
}

func TestParseBand(t *testing.T) {
	for text, want := range map[string]plan.Band{
		"6": {Lo: 6, Hi: 6}, "=6": {Lo: 6, Hi: 6}, " 10 ": {Lo: 10, Hi: 10}, "<=2": {Lo: math.MinInt64, Hi: 2},
		"<2":  {Lo: math.MinInt64, Hi: 1},
		">=9": {Lo: 9, Hi: math.MaxInt64}, ">9": {Lo: 10, Hi: math.MaxInt64},
	} {
		if got, err := dice.ParseBand(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]dice.SyntaxError{
		"":             {0, "a comparison with a number is expected, such as 1, <=2 or >=9, found nothing"},
		">= 9":         {2, `a number is expected, found " "`},
		"even":         {0, `a comparison with a number is expected, such as 1, <=2 or >=9, found "e"`},
		"5, 6":         {1, `only one comparison may stand here, found ", 6" after it`},
		"-1":           {0, `a comparison with a number is expected, such as 1, <=2 or >=9, found "-"`},
		"<9e9":         {2, `only one comparison may stand here, found "e9" after it`},
		"=12345678901": {1, "the number is greater than 1000000000"},
	} {
		_, err := dice.ParseBand(text)
		if got, ok := errors.AsType[*dice.SyntaxError](err); !ok || *got != want {
			t.Errorf("%q: got %v, want %v", text, err, want)
		}
	}
}

func TestMalformedExpressions(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		msg    string
	}{
		{"", 0, "a die or a number is expected: write \"0\""}, {"-", 1, "a die or a number is expected: write \"0\""}, {"none", 0, "where none are rolled"},
		{"1d10/2", 4, "multiply or divide in the formula that reads them"}, {"d10*2", 3, "multiply or divide in the formula"},
		{"1d10 +2 fire", 8, "fire is no part of the dice"}, {"d6 ~", 3, "+ or - is expected"},
		{"0d6", 0, "the count must lie in 1..1000"},
		{"1001d6", 0, "the count must lie in 1..1000"},
		{"d0", 1, "faces must lie in 2..1000000"},
		{"4d6kh5", 3, "kh5 keeps 5 dice, but there are 4"},
		{"4d6dl5", 3, "dl5 leaves out 5 dice, but there are 4"},
		{"4d6kh0", 3, "at least one die must be kept: write kh1"}, {"4d6kl0", 3, "write kl1"},
		{"4d6d1", 4, "h or l is expected after d"},
		{"d6r", 3, "a number is expected, found nothing"},
		{"d6!>", 4, "a number is expected, found nothing"},
		{"d6!>=1", 2, "every face explodes"},
		{"d6r<=6", 2, "every face is rolled again"},
		{"d6r<=5!", 2, "every face is rolled again or explodes"},
		{"4d6kh3!", 6, "! stands further to the left"},
		{"2d6 + x", 6, `found "x"`},
		{"d6>=99999999999999999999", 4, "greater than"},
		{"d", 1, "faces is expected after d, found nothing"},
		{"2d-1", 2, `found "-": write d6 where the book leaves six faces out`},
		{"2dx", 2, `found "x"`},
		{"2w6", 1, "the letter of a die is d, write d6"},
		{"d1", 1, "d1 always shows 1"},
		{"d1000001", 1, "faces must lie in 2..1000000"},
		{"é2d6", 0, `found "é"`},
		{"99999999999999999999d6", 0, "greater than"},
		{"2d6+", 4, "found nothing"},
		{"2d6é3", 3, `+ or - is expected, found "é3"`},
		{"2 d6", 2, "leave out the blank before d6"},
		{"2d6 d8", 4, "write + before d8 to add it"},
		{"d6 + 2 d8", 7, "leave out the blank before d8"},
		{"2d6+-1", 4, `found "-"`},
		{"d99999999999999999999", 1, "greater than"},
		{"d6mi7", 2, "cannot count as at least 7"},
		{"d6mi", 4, "is expected, found nothing"},
		{"4d6kh3mi2", 6, "mi2 stands further to the left: the order is r1, !, mi2, kh3, >=5"},
		{"d6!r1", 3, "r1 stands further to the left"},
		{"d10ro<=10!<=10", 3, "every face explodes"},
		{strings.Repeat("1+", 100) + "d6", 200, "the sum has more than 100 terms"},
	} {
		_, err := dice.ParseExpression(c.text)
		var syntax *dice.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: got %v, want a syntax error", c.text, err)
		} else if syntax.Offset != c.offset || !strings.Contains(syntax.Msg, c.msg) {
			t.Errorf("%q: got %d: %s, want %d: %s", c.text, syntax.Offset, syntax.Msg, c.offset, c.msg)
		}
	}
}

func FuzzExpression(f *testing.F) {
	for _, seed := range []string{"4d6kh3 + 2", "8d6!=6>=5", "2d10ro<=2 - d%", "d6r", "é", "99999999999d9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := dice.ParseExpression(s)
		var syntax *dice.SyntaxError
		if errors.As(err, &syntax) {
			if syntax.Offset < 0 || syntax.Offset > utf8.RuneCountInString(s) {
				t.Errorf("%q: offset %d", s, syntax.Offset)
			}
			return
		}
		for i := range e.Terms {
			if x := &e.Terms[i]; x.Keep > x.Count || x.Count > dice.MaxCount {
				t.Errorf("%q: term %d: %+v", s, i, x)
			}
		}
		least, most := e.Bounds()
		total, _, err := e.Roll(dice.FromSeed(1, 0, 0))
		switch {
		case errors.As(err, &syntax): // a die that hardly ever stops
		case err != nil:
			t.Errorf("%q: %v", s, err)
		case total < least || most < total:
			t.Errorf("%q: %d lies outside of %d..%d", s, total, least, most)
		}
	})
}

// TestListedFaces reads dice whose faces are listed as rulesets write them, and holds that the wider notation of the
// commands has the same faces.
func TestListedFaces(t *testing.T) {
	for text, want := range map[string][]int64{
		"4dF": {-1, 0, 1}, "d{1, 1,2..4}": {1, 1, 2, 3, 4}, "2d{-3..-1}kh1": {-3, -2, -1},
	} {
		e, err := dice.ParseExpression(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Terms[0].Die.Shows; !slices.Equal(got, want) {
			t.Errorf("%s shows %v, want %v", text, got, want)
		}
		n, err := dice.ParseNotation(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Pools()[0].Faces.Values; !slices.Equal(got, want) {
			t.Errorf("%s shows %v on the command line, want %v", text, got, want)
		}
		if !dice.IsNotation(text) {
			t.Errorf("%s is not taken for notation", text)
		}
	}
	e, _ := dice.ParseExpression("3dF>=1 + 2")
	if least, most := e.Bounds(); least != 2 || most != 5 {
		t.Errorf("3dF>=1 + 2 lies in %d..%d, want 2..5", least, most)
	}
	if total, _, err := e.Roll(dice.FromList([]int64{1, 0, 1})); err != nil || total != 4 {
		t.Errorf("1, 0 and 1 come to %d, %v, want 4", total, err)
	}
	if _, repeat, err := dice.ParseRepeated("6x 4d6kh3"); err != nil || repeat != 6 {
		t.Errorf("6x 4d6kh3 is rolled %d times: %v", repeat, err)
	}
	for _, formula := range []string{"damage(x)", "dF_bonus(x)", "d"} {
		if dice.IsNotation(formula) {
			t.Errorf("%s is taken for notation", formula)
		}
	}
}
