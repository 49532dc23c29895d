package dice

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
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
		{"8d6>=6", []int64{6, 1, 2, 3, 6, 4, 5, 6}, 3},
		{"3d6!=6>=5", []int64{6, 1, 4, 5}, 2},
		{"3d6 + d4 - 2", []int64{1, 2, 3, 4}, 8},
		{"-d4+10", []int64{3}, 7},
		{"7", nil, 7},
	} {
		e, err := ParseExpression(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got, _, err := e.Roll(FromList(c.faces)); err != nil || got != c.want {
			t.Errorf("%s with %v: got %d, %v, want %d", c.text, c.faces, got, err, c.want)
		}
	}
}

func TestMalformedExpressions(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		msg    string
	}{
		{"", 0, "found nothing"},
		{"0d6", 0, "the count must lie in 1..1000"},
		{"1001d6", 0, "the count must lie in 1..1000"},
		{"d0", 1, "faces must lie in 2..1000000"},
		{"4d6kh", 5, "the number of dice is expected, found nothing"},
		{"4d6kh5", 3, "5 dice of 4"},
		{"4d6kh0", 3, "at least one die must be kept"},
		{"4d6d1", 4, "h or l is expected after d"},
		{"d6r", 3, "a number is expected, found nothing"},
		{"d6!>", 4, "a number is expected, found nothing"},
		{"d6!>=1", 2, "every face explodes"},
		{"d6r<=6", 2, "every face is rolled again"},
		{"d6r<=5!", 2, "every face is rolled again or explodes"},
		{"4d6kh3!", 6, "+ or - is expected"},
		{"2d6 + x", 6, `found "x"`},
		{"d6>=99999999999999999999", 4, "greater than"},
	} {
		_, err := ParseExpression(c.text)
		var syntax *SyntaxError
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
		e, err := ParseExpression(s)
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			if syntax.Offset < 0 || syntax.Offset > utf8.RuneCountInString(s) {
				t.Errorf("%q: offset %d", s, syntax.Offset)
			}
			return
		}
		for i := range e.Terms {
			if x := &e.Terms[i]; x.Keep > x.Count || x.Count > MaxCount {
				t.Errorf("%q: term %d: %+v", s, i, x)
			}
		}
		if len(e.Terms) < 20 {
			if _, _, err := e.Roll(FromSeed(1, 0, 0)); err != nil && !errors.As(err, &syntax) {
				t.Errorf("%q: %v", s, err)
			}
		}
	})
}
