package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/compiler/book"
)

// placed is a text whose code points stand in column 0 and after, so that a column is an offset.
func placed(s string) *book.Text { return &book.Text{S: s, Runs: []book.Run{{}}} }

// show prints what an expression refers to: names with their fields, calls with (), macro variables with a star.
func show(e *Expr) string {
	var out []string
	for _, r := range e.Refs {
		s := fmt.Sprintf("%s@%d", r.Name, r.Place.Col)
		for _, p := range r.Path {
			s += fmt.Sprintf(".%s@%d", p.Name, p.Place.Col)
		}
		out = append(out, s)
	}
	for _, c := range e.Calls {
		dot := ""
		if c.Member {
			dot = "."
		}
		out = append(out, fmt.Sprintf("%s%s()@%d", dot, c.Name, c.Place.Col))
	}
	for _, b := range e.Binds {
		out = append(out, fmt.Sprintf("*%s@%d", b.Name, b.Place.Col))
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2":                       "",
		"a + b.c.d":                   "a@0 b@4.c@6.d@8",
		"light('x') + light":          "light@13 light()@0",
		"dice.filter(x, x > least)":   "dice@0 least@19 *x@12",
		"x.map(x, x + y)":             "x@0 y@13 *x@6",
		"xs.map(x, x.map(y, y + z))":  "xs@0 z@23 *x@7 *y@16",
		"xs.all(x, x) && x":           "xs@0 x@16 *x@7",
		"has(input.skill)":            "input@4.skill@10",
		"xs.count(f, succeeds(f))":    "xs@0 size()@3 succeeds()@12 *f@9",
		"xs.sum(f, f * k)":            "xs@0 k@14 sum()@3 *f@7",
		"xs.slice(0, 2)":              "xs@0 .slice()@3",
		"min(a, b, c)":                "a@4 b@7 c@10 min()@0 min()@0",
		"rows(k)[i].name":             "k@5 i@8 rows()@0",
		"'é' + ä":                     "",
		"[a, {'k': b}]":               "a@1 b@10",
		"a ?\n b :\n\tc":              "a@0 b@5 c@10",
		"input.spend.ep + event['a']": "input@0.spend@6.ep@12 event@17",
	} {
		e, wrong := NewParser().Parse(placed(text))
		if strings.Contains(text, "ä") {
			if wrong == nil || wrong.Place.Col != 6 {
				t.Errorf("%s: error %v, want one at 6", text, wrong)
			}
			continue
		}
		if wrong != nil {
			t.Errorf("%s: %v", text, wrong)
			continue
		}
		if got := show(e); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"got = needed":                      `4 "=" cannot stand here: to compare write got == needed`,
		"a and b":                           `2 "and" cannot stand here: write &&`,
		"+1":                                `0 "+" cannot stand here: a formula gives the whole value, state.tired + 1`,
		"xs.count(>= 5)":                    `9 ">=" cannot stand here: a name stands before it, xs.count(x, x >= 5)`,
		"f(a)(b)":                           `4 "(" cannot stand here: all arguments stand in one pair of parentheses, f(a, b)`,
		"1 - (a ? 1)":                       `10 ")" cannot stand here: a choice is written condition ? a : b`,
		"a | b":                             `2 "|" cannot stand here: write ||`,
		"f(a":                               "3 ) is missing at the end",
		"(a +":                              "4 the expression ends too early: write what follows +, or leave it out",
		"a b":                               `2 "b" cannot stand here: an operator is missing before it, such as + or <; a function has parentheses, a(b)`,
		"'abc":                              `0 "'abc" cannot stand here`,
		"has(a)":                            "4 has asks for a field behind a dot, has(input.x); of a map with any keys get(m, key, 0)",
		"xs.map(1, 2)":                      "7 argument is not an identifier",
		"xs.count(1, true)":                 "9 argument is not an identifier",
		"a.?b":                              "1 unsupported syntax '.?'",
		"":                                  `0 the formula is empty: write what it comes to, as "0" or "true", or leave out what it stands for`,
		"a >= 2 ? 'hit'":                    "14 the expression ends too early: a choice is written condition ? a : b",
		"a ? b ? 1 : 2":                     `6 "?" cannot stand here: the choice between the ? and the : of another stands in parentheses`,
		"a in 1..5":                         `6 ".." cannot stand here: write x >= 1 && x <= 5; range(1, 6) lists the numbers from 1 to 5`,
		"a ** 2":                            `2 "**" cannot stand here: write pow(a, b)`,
		"a <> 2":                            `2 "<>" cannot stand here: write !=`,
		"a ?? 2":                            `2 "??" cannot stand here: write has(x) ? x : 0, or get(m, key, 0) of a map`,
		"input?.a":                          `5 "?." cannot stand here: write has(x) ? x : 0, or get(m, key, 0) of a map`,
		"a++":                               `1 "++" cannot stand here: a formula changes nothing, and gives the new value, x + 1`,
		"a += 1":                            `2 "+=" cannot stand here: a formula changes nothing, and gives the new value, x + 1`,
		"xs.map(x => x)":                    `9 "=>" cannot stand here: write map(x, x)`,
		"total => 3":                        `6 "=>" cannot stand here: write >= to compare, and what is made or asked of each element as xs.map(x, x + 1), xs.filter(x, x > 2)`,
		"xs.some((x) => (x > 2) || y) && z": `12 "=>" cannot stand here: write exists(x, (x > 2) || y)`,
		"a between 1 and 5":                 `2 "between" cannot stand here: write x >= 1 && x <= 5`,
		"a mod 3":                           `2 "mod" cannot stand here: write %`,
		"1,000 + a":                         `1 "," cannot stand here: a number is written without separators, 1000`,
		"1_000_000":                         `1 "_" cannot stand here: a number is written without separators, 1000000`,
		"xs[0:2]":                           `4 ":" cannot stand here: a part of a list is xs.slice(from, to), and to is outside of it: write xs.slice(0, 2)`,
		"a =< 15":                           `2 "=<" cannot stand here: write <=`,
		"a !== 3":                           `2 "!==" cannot stand here: write !=`,
		"a AND b":                           `2 "AND" cannot stand here: write &&`,
		"1,000.5":                           `1 "," cannot stand here: a number is written without separators, 1000.5`,
		"input.when 3":                      `11 "3" cannot stand here: an operator is missing before it, such as + or <; a function has parentheses, when(3)`,
		"a && ? 1 : 2":                      `5 "?" cannot stand here`,
		"[x: 1]":                            `2 ":" cannot stand here`,
		"(a // 2) + 1": "3 // begins a comment, and what stands behind it is not read: to divide, say how to round, as " +
			"div_floor(a, b) does",
		"amount // max(1, among)": "7 // begins a comment, and what stands behind it is not read: to divide, say how to round, as " +
			"div_floor(a, b) does",
		"a // 2": "2 // begins a comment, and what stands behind it is not read: to divide, say how to round, as " +
			"div_floor(a, b) does",
	} {
		_, wrong := NewParser().Parse(placed(text))
		if wrong == nil {
			t.Errorf("%q parses", text)
			continue
		}
		if got := fmt.Sprintf("%d %s", wrong.Place.Col, wrong.Message); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// A comment is a division only to whoever comes from a language where // divides: it ends a formula of one line, and begins
// as an operand does.
func TestCommentsAreNoDivisions(t *testing.T) {
	for _, text := range []string{"a // the bonus", "a // 2\n+ 1", "a == 'http://2'", "a // 2nd edition", "a // (explain) this", "a // see page (2)", "a + 1 //"} {
		if _, wrong := NewParser().Parse(placed(text)); wrong != nil {
			t.Errorf("%q: %s", text, wrong.Message)
		}
	}
}

func TestLimits(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"depth":     {strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), "the formula is nested more than 100 deep"},
		"length":    {strings.Repeat("1+", maxLength) + "1", "the formula is longer than 8192 letters"},
		"nodes":     {"a" + strings.Repeat(".sort_by(x, x)", 20), "the formula has more than 4000 parts"},
		"operators": {strings.Repeat("1+", 4_000) + "1", "the formula is nested more than 100 deep"},
	} {
		if _, wrong := NewParser().Parse(placed(c.text)); wrong == nil || wrong.Message != c.want {
			t.Errorf("%s: got %v, want %s", name, wrong, c.want)
		}
	}
}

// FuzzParse holds that no text makes the parser panic, that places lie in the text, and that a bound name is not free.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a + b.c", "xs.map(x, x + 1)", "has(a.b) ? 'é' : \"\\u00e9\"", "min(1, 2, 3)",
		"xs.sort_by(x, -x.a)", "(a", "a.?b", "{1: [2]}", "\n\t// c\n1"} {
		f.Add(s)
	}
	p := NewParser()
	f.Fuzz(func(t *testing.T, s string) {
		e, wrong := p.Parse(placed(s))
		if (e == nil) != (wrong != nil) {
			t.Fatalf("expression %v with the error %v", e, wrong)
		}
		n := utf8.RuneCountInString(s)
		if wrong != nil && (wrong.Place.Col < 0 || wrong.Place.Col > n) {
			t.Errorf("error at %d of %d", wrong.Place.Col, n)
		}
		if e != nil {
			names(t, p, e, s, n)
		}
	})
}

// names checks the places of free names, and that each is bound once a macro with that variable is put around it all.
func names(t *testing.T, p *Parser, e *Expr, s string, n int) {
	for _, r := range e.Refs {
		if r.Place.Col < 0 || r.Place.Col > n {
			t.Errorf("%s at %d of %d", r.Name, r.Place.Col, n)
		}
		around, wrong := p.Parse(placed("[1].map(" + r.Name + ", " + s + "\n)"))
		if wrong != nil {
			continue
		}
		if slices.ContainsFunc(around.Refs, func(inner Ref) bool { return inner.Name == r.Name }) {
			t.Errorf("%s is free within its macro", r.Name)
		}
	}
}
