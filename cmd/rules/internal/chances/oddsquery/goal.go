package oddsquery

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Goal is what is sought: a comparison of a measure with a number, or with another measure.
type Goal struct {
	Measures []Measure // one, or the two that are compared
	op       string
	limit    float64 // where one measure is compared
	within   float64 // what may be between two sides that are equal
}

// rounding is what sums of doubles may be off: two chances that differ by less are the same to any reader.
const rounding = 1e-12

// IsSame reports whether two values of a measure are the same but for rounding.
func IsSame(a, b float64) bool { return math.Abs(a-b) <= rounding*max(1, math.Abs(a)) }

// goalForm tells how a goal is written.
const goalForm = "it is P(FORMULA) or E(FORMULA), compared with a number or with another one: P(success) >= 0.75, " +
	"E(damage with weapon=axe) == E(damage with weapon=sword) +- 0.5"

// bareGoal is a goal without P( ) or E( ): hit > 50%.
var bareGoal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*([a-z][\w.]*)\s*(>=|<=|>|<|==)\s*([0-9.]+)\s*(%?)\s*$`)
})

// goalHabits are goals as other programs write them, each with what to write instead: the groups of the pattern in write.
var goalHabits = sync.OnceValue(func() (out []goalHabit) {
	for _, h := range [][2]string{
		{`^([PE]\(.*\)\s*)=(\s*[^=].*)$`, "${1}==$2"},
		{`^([PE]\(.*\)\s*)=([<>].*)$`, "${1}$2="},
		{`^([PE]\(.*\)\s*(?:>=|<=|==|>|<)\s*[0-9]+),([0-9]+)$`, "$1.$2"},
		{`^(P\(.*\)\s*)(?:~|≈)=?(\s*.*[0-9])$`, "${1}==$2 +- 0.05"},
		{`^(E\(.*\)\s*)(?:~|≈)=?(\s*.*[0-9])$`, "${1}==$2 +- 0.5"},
		{`^([PE]\(.*\)\s*)≥(.*)$`, "${1}>=$2"},
		{`^([PE]\(.*\)\s*)≤(.*)$`, "${1}<=$2"},
		{`^([0-9.]+)\s*<=\s*([PE]\(.*\))$`, "$2 >= $1"},
		{`^([0-9.]+)\s*<\s*([PE]\(.*\))$`, "$2 > $1"},
		{`^([0-9.]+)\s*>=\s*([PE]\(.*\))$`, "$2 <= $1"},
		{`^([0-9.]+)\s*>\s*([PE]\(.*\))$`, "$2 < $1"},
		{`^([a-z]\w*)\s+(?:is\s+)?at least\s+([0-9.]+\s*%?)$`, "P($1) >= $2"},
		{`^([a-z]\w*)\s+(?:is\s+)?at most\s+([0-9.]+\s*%?)$`, "P($1) <= $2"},
		{`^(?:p|Pr|prob|chance|probability)\((.*)$`, "P($1"},
		{`^(?:e|mean|avg|average|expected)\((.*)$`, "E($1"},
	} {
		out = append(out, goalHabit{regexp.MustCompile(h[0]), h[1]})
	}
	return out
})

// A goalHabit is a pattern of a goal, and what to write for it.
type goalHabit struct {
	pattern *regexp.Regexp
	write   string
}

// percentGoal is a goal whose number is in percent.
var percentGoal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(P\(.*\)\s*(?:>=|<=|==|>|<)\s*)([0-9.]+)\s*%$`)
})

// betweenGoal is a goal with a number on each side.
var betweenGoal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9.]+)\s*<=?\s*([PE]\(.*\))\s*<=?\s*([0-9.]+)$`)
})

// extremeGoal is a goal that is to be as great, or as small, as it can.
var extremeGoal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:max|min)(?:imi[sz]e)?\b[\s(]*([PE]\(.*?\))`)
})

// adviseGoal returns the goal that a text means which is none; "" when that cannot be told.
func adviseGoal(text string) string {
	text = strings.TrimSpace(text)
	if m := percentGoal().FindStringSubmatch(text); m != nil {
		return m[1] + fractionOf(m[2], "%")
	}
	if m := betweenGoal().FindStringSubmatch(text); m != nil {
		lo, err1 := strconv.ParseFloat(m[1], 64)
		hi, err2 := strconv.ParseFloat(m[3], 64)
		if err1 == nil && err2 == nil && lo <= hi {
			return fmt.Sprintf("%s == %.4g +- %.4g", m[2], (lo+hi)/2, (hi-lo)/2)
		}
	}
	for _, h := range goalHabits() {
		if !h.pattern.MatchString(text) {
			continue
		}
		if meant := h.pattern.ReplaceAllString(text, h.write); meant != text {
			if _, err := parseGoal(meant); err == nil {
				return meant
			}
			if further := adviseGoal(meant); further != "" {
				return further
			}
		}
	}
	return ""
}

// chanceMeant says which chance a number of a hundred means; "" of a number that is none.
func chanceMeant(percent float64) string {
	if percent < 0 || percent > 100 {
		return ""
	}
	return fmt.Sprintf(": for %v write %v", percent, percent/100)
}

// fractionOf returns a chance as a fraction, 0.5 for 50%.
func fractionOf(number, percent string) string {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || percent == "" {
		return number
	}
	return strconv.FormatFloat(x/100, 'f', -1, 64)
}

// ParseGoal reads "P(success) >= 0.75", "E(effect) > 4" or "E(a) == E(b) +- 0.5". Its error has the goal that is meant,
// where that can be told.
func ParseGoal(text string) (Goal, error) {
	g, err := parseGoal(text)
	if err != nil {
		if m := extremeGoal().FindStringSubmatch(text); m != nil {
			return g, fmt.Errorf("--until %s: a goal is compared, %s >= 0.75; rules odds --vary shows it for "+
				"each value", text, m[1])
		}
		if meant := adviseGoal(text); meant != "" {
			return g, fmt.Errorf("--until %s: write %s", text, meant)
		}
	}
	return g, err
}

// parseGoal is ParseGoal without the advice.
func parseGoal(text string) (g Goal, err error) {
	wrong := fmt.Errorf("--until %s: %s", text, goalForm)
	left, end, ok := parseMeasure(text)
	if m := bareGoal().FindStringSubmatch(text); !ok && m != nil {
		return g, fmt.Errorf("--until %s: write P(%s) %s %s where that holds or not, E(%[2]s) %[3]s ... for the mean of "+
			"a number", text, m[1], m[2], fractionOf(m[3], m[4]))
	}
	if !ok {
		return g, wrong
	}
	g.Measures = []Measure{left}
	rest := strings.TrimLeft(text[end:], " ")
	// The longer operators come first: ">" is the beginning of ">=".
	for _, op := range []string{">=", "<=", "==", ">", "<"} {
		if strings.HasPrefix(rest, op) {
			g.op = op
			break
		}
	}
	if g.op == "" {
		return g, wrong
	}
	at := len(text) - len(rest) + len(g.op)
	side, within, isWithin := strings.Cut(strings.ReplaceAll(text[at:], "±", "+-"), "+-")
	if isWithin {
		g.within, err = strconv.ParseFloat(strings.TrimSpace(within), 64)
		if err != nil || g.op != "==" || !(g.within >= 0) {
			return g, fmt.Errorf("--until %s: +- stands behind ==, with what the two sides may differ by", text)
		}
	}
	if right, end, ok := parseMeasure(side); ok && strings.TrimSpace(side[end:]) == "" {
		right.at += at
		g.Measures = append(g.Measures, right)
		return g, nil
	}
	if g.limit, err = parseLimit(strings.TrimSpace(side)); err != nil || math.IsNaN(g.limit) {
		return g, wrong
	}
	if !left.IsMean {
		for _, n := range []float64{g.limit, g.within} {
			if n < 0 || n > 1 {
				return g, fmt.Errorf("--until %s: a chance lies in 0 to 1%s", text, chanceMeant(n))
			}
		}
	}
	return g, nil
}

// parseLimit reads a number, or a fraction: 1/2.
func parseLimit(text string) (float64, error) {
	above, below, isFraction := strings.Cut(text, "/")
	x, err := strconv.ParseFloat(strings.TrimSpace(above), 64)
	if err != nil || !isFraction {
		return x, err
	}
	y, err := strconv.ParseFloat(strings.TrimSpace(below), 64)
	return x / y, err
}

// String returns the compared number: "P(success)", or "E(a) - E(b)".
func (g *Goal) String() string {
	if len(g.Measures) == 2 {
		return g.Measures[0].String() + " - " + g.Measures[1].String()
	}
	return g.Measures[0].String()
}

// Value returns the number that is compared, by the values of the measures: that of the one, or the difference of the two.
func (g *Goal) Value(measured []float64) float64 {
	if len(g.Measures) == 2 {
		return measured[0] - measured[1]
	}
	return measured[0]
}

// Misses returns by how much a value misses the goal, 0 where it meets it.
func (g *Goal) Misses(v float64) float64 {
	above := v - g.limit
	miss := 0.0
	switch g.op {
	case "==":
		miss = math.Abs(above) - g.within
	case ">=":
		miss = -above
	case "<=":
		miss = above
	case ">":
		miss = -above + 2*rounding // at the limit it is missed
	default:
		miss = above + 2*rounding
	}
	if miss <= rounding {
		return 0
	}
	return miss
}
