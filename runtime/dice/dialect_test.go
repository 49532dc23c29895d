package dice_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// published are notations that the documents and the tests of other programs have, with what each means here. Means and
// bounds were found beside the program: by enumeration as fractions, and where dice explode in closed form: a chain that
// goes on with probability p has the mean m + p·m'/(1-p), and the sum of the k highest of a pool is the sum over v of
// E[min(k, dice that show v or more)]. A value without an end has no "to". Where a notation differs from its program a
// note says so.
var published = [...]struct {
	text, program, mean, from, to string
	differs                       bool
}{
	{"d6", "rpg-dice-roller", "7/2", "1", "6", false},
	{"2d6", "rpg-dice-roller", "7", "2", "12", false},
	{"4d6", "rpg-dice-roller", "14", "4", "24", false},
	{"d%", "rpg-dice-roller", "101/2", "1", "100", false},
	{"2d%", "rpg-dice-roller", "101", "2", "200", false},
	{"4dF", "rpg-dice-roller", "0", "-4", "4", false},
	{"4dF.1", "rpg-dice-roller", "0", "-4", "4", false},
	{"4dF.2", "rpg-dice-roller", "0", "-4", "4", false},
	{"1d20+5", "rpg-dice-roller", "31/2", "6", "25", false},
	{"4d8+6d10", "rpg-dice-roller", "51", "10", "92", false},
	{"1d20+-5", "rpg-dice-roller", "11/2", "-4", "15", false},
	{"4d6-2d4", "rpg-dice-roller", "9", "-4", "22", false},
	{"2d7 + (5d4 * 2)", "rpg-dice-roller", "33", "12", "54", false},
	{"3d6*2", "rpg-dice-roller", "21", "6", "36", false},
	{"4d6/2", "rpg-dice-roller", "7", "2", "12", false},
	{"1d8+1d6*2", "rpg-dice-roller", "23/2", "3", "20", false},
	{"floor(2.56 * d7)", "rpg-dice-roller", "68/7", "2", "17", false},
	{"ceil(3d6/2)", "rpg-dice-roller", "11/2", "2", "9", false},
	{"round(3d6/2)", "rpg-dice-roller", "11/2", "2", "9", false},
	{"abs(2d6-7)", "rpg-dice-roller", "35/18", "0", "5", false},
	{"max(2d6, 1d12)", "rpg-dice-roller", "1223/144", "2", "12", false},
	{"min(2d6, 1d12)", "rpg-dice-roller", "721/144", "1", "12", false},
	{"d6^2", "rpg-dice-roller", "91/6", "1", "36", false},
	{"d20%5", "rpg-dice-roller", "2", "0", "4", false},
	{"(4*6)d6", "rpg-dice-roller", "84", "24", "144", false},
	{"3d(5/1)", "rpg-dice-roller", "9", "3", "15", false},
	{"(1d4)d6", "rpg-dice-roller", "35/4", "1", "24", false},
	{"4d6dl1", "rpg-dice-roller", "15869/1296", "3", "18", false},
	{"4d6dh2", "rpg-dice-roller", "3017/648", "2", "12", false},
	{"4d10d1", "rpg-dice-roller", "194667/10000", "3", "30", false},
	{"4d6kh3", "rpg-dice-roller", "15869/1296", "3", "18", false},
	{"4d6k3", "rpg-dice-roller", "15869/1296", "3", "18", false},
	{"2d20kl1", "rpg-dice-roller", "287/40", "1", "20", false},
	{"4d6kl", "rpg-dice-roller", "2275/1296", "1", "6", false},
	{"2d20k", "rpg-dice-roller", "553/40", "1", "20", false},
	{"6d6dl", "rpg-dice-roller", "912605/46656", "5", "30", false},
	{"6d8dh2kl3", "rpg-dice-roller", "275895/32768", "3", "24", false},
	{"6d8dl1dh1", "rpg-dice-roller", "18", "4", "32", false},
	{"2d6r<=4", "rpg-dice-roller", "11", "10", "12", false},
	{"2d10r", "rpg-dice-roller", "12", "4", "20", false},
	{"2d10r=1", "rpg-dice-roller", "12", "4", "20", false},
	{"d10ro<=3", "rpg-dice-roller", "131/20", "1", "10", false},
	{"5d10u", "rpg-dice-roller", "55/2", "15", "40", false},
	{"6d6!", "rpg-dice-roller", "126/5", "6", "", false},
	{"2d10!<>8", "rpg-dice-roller", "110", "16", "", false},
	{"d10!>=9", "rpg-dice-roller", "55/8", "1", "", false},
	{"6d6!=5", "rpg-dice-roller", "126/5", "6", "", false},
	{"4d6!!", "rpg-dice-roller", "84/5", "4", "", false},
	{"5d6!!>4", "rpg-dice-roller", "105/4", "5", "", false},
	{"6d6!p", "rpg-dice-roller", "24", "6", "", false},
	{"5d6!!p", "rpg-dice-roller", "20", "5", "", false},
	{"6d10>=8", "rpg-dice-roller", "9/5", "0", "6", false},
	{"8d10>7", "rpg-dice-roller", "12/5", "0", "8", false},
	{"8d6=6", "rpg-dice-roller", "4/3", "0", "8", false},
	{"6d10!>=9>=8", "rpg-dice-roller", "9/4", "0", "", false},
	{"6d10>=8!>=9", "rpg-dice-roller", "9/4", "0", "", false},
	{"5d10!>=8", "rpg-dice-roller", "275/7", "5", "", false},
	{"4d6!kh3", "rpg-dice-roller", "299383/23328", "3", "18", false},
	{"10d10!k5", "rpg-dice-roller", "31744102999849/800000000000", "5", "50", false},
	{"4d6>5f<=2", "rpg-dice-roller", "-2/3", "-4", "4", false},
	{"6d10>=8f1", "rpg-dice-roller", "6/5", "-6", "6", false},
	{"3d6cs>3cf<3", "rpg-dice-roller", "21/2", "3", "18", false},
	{"4d6sd", "rpg-dice-roller", "14", "4", "24", false},
	{"10d5s", "rpg-dice-roller", "30", "10", "50", false},
	{"4d10min3", "rpg-dice-roller", "116/5", "12", "40", false},
	{"2d6max3", "rpg-dice-roller", "5", "2", "6", false},
	{"8d6min2", "rpg-dice-roller", "88/3", "16", "48", false},
	{"4d20max18", "rpg-dice-roller", "207/5", "4", "72", false},
	{"{4d6, 2d10}kh1", "rpg-dice-roller", "24229/1620", "4", "24", false},
	{"{4d6+5, 20/2d10, d4-1}>10", "rpg-dice-roller", "1291/1296", "0", "1", false},
	{"{2d6, 1d12}kl1", "rpg-dice-roller", "721/144", "1", "12", false},
	{"{4d6}>10", "rpg-dice-roller", "545/648", "0", "1", false},
	{"3d6 # this is a comment", "rpg-dice-roller", "21/2", "3", "18", false},
	{"3d6 // fire", "rpg-dice-roller", "21/2", "3", "18", false},
	{"d64ro<=35", "rpg-dice-roller", "5175/128", "1", "64", false},
	{"-4d6", "no peer", "-14", "-24", "-4", false},
	{"2d10r1", "no peer", "12", "4", "20", false},
	{"6d6!3", "no peer", "126/5", "6", "", false},
	{"1000d6", "no peer", "3500", "", "", false},
	{"1d20", "Avrae", "21/2", "1", "20", false},
	{"1d%", "Avrae", "101/2", "1", "100", true},
	{"2d20kl1+5", "Avrae", "487/40", "6", "25", false},
	{"2d6ro<3", "Avrae", "25/3", "2", "12", false},
	{"2d6rr1", "Avrae", "8", "4", "12", false},
	{"8d6mi2", "Avrae", "88/3", "16", "48", false},
	{"8d6ma5", "Avrae", "80/3", "8", "40", false},
	{"3d6ra6", "Avrae", "5173/432", "3", "24", false}, // 21/2 + 91/216·7/2: one die more when some die shows a 6
	{"4d6e6", "Avrae", "84/5", "4", "", false},
	{"4d6e6kh3", "Avrae", "299383/23328", "3", "18", false},
	{"10d6e>4", "Avrae", "105/2", "10", "", false},
	{"4d6pl1", "Avrae", "15869/1296", "3", "18", false},
	{"4d6ph1", "Avrae", "11347/1296", "3", "18", false},
	{"4d6p1", "Avrae", "40/3", "0", "24", false},
	{"8d6k>4", "Avrae", "44/3", "0", "48", false},
	{"(1d4 + 1, 3, 2d6kl1)kh1", "Avrae", "287/72", "3", "6", false},
	{"(1d20, 1d20+2)kl1", "Avrae", "3231/400", "1", "20", false},
	{"1d20+5 [stealth]", "Avrae", "31/2", "6", "25", false},
	{"3d6[fire]+1d4[piercing]", "Avrae", "13", "4", "22", false},
	{"2d6//2", "Avrae", "13/4", "1", "6", false},
	{"1d20+5>=15", "Avrae", "11/20", "0", "1", false},
	{"4*(3d8kh2+9)", "Avrae", "639/8", "44", "100", false},
	{"-(1d8+3)", "Avrae", "-15/2", "-11", "-4", false},
	{"0d6", "Avrae", "0", "0", "0", false},
	{"3d6+4", "Roll20", "29/2", "7", "22", false},
	{"1d20+1d4+3", "Roll20", "16", "5", "27", false},
	{"4dF+1", "Roll20", "1", "-3", "5", false},
	{"3d6!", "Roll20", "63/5", "3", "", false},
	{"3d6!>4", "Roll20", "63/4", "3", "", true},
	{"3d6!3", "Roll20", "63/5", "3", "", false},
	{"10d6!!", "Roll20", "42", "10", "", false},
	{"5d6!!>5", "Roll20", "21", "5", "", true},
	{"5d6!p", "Roll20", "20", "5", "", false},
	{"8d100k4", "Roll20", "14544111111113333/50000000000000", "4", "400", false},
	{"8d100d3", "Roll20", "67165333333320001/200000000000000", "5", "500", false},
	{"8d100kh4", "Roll20", "14544111111113333/50000000000000", "4", "400", false},
	{"8d100kl4", "Roll20", "5655888888886667/50000000000000", "4", "400", false},
	{"8d100dh3", "Roll20", "33834666666679999/200000000000000", "5", "500", false},
	{"8d100dl3", "Roll20", "67165333333320001/200000000000000", "5", "500", false},
	{"3d6>3", "Roll20", "3/2", "0", "3", true},
	{"10d6<4", "Roll20", "5", "0", "10", true},
	{"3d6>3f1", "Roll20", "1", "-3", "3", true},
	{"10d6<4f>5", "Roll20", "10/3", "-10", "10", true},
	{"2d8r<2", "Roll20", "10", "4", "16", true},
	{"2d8r8", "Roll20", "8", "2", "14", false},
	{"2d8ro<2", "Roll20", "79/8", "2", "16", true},
	{"8d6r1r3", "Roll20", "34", "16", "48", false},
	{"10d6sa", "Roll20", "35", "10", "60", false},
	{"20d6cs>10", "Roll20", "70", "20", "120", false},
	{"(2+3)d6", "Roll20", "35/2", "5", "30", false},
	{"4d(2+4)", "Roll20", "14", "4", "24", false},
	{"{4d6+3d8}k4", "Roll20", "6930401/331776", "4", "30", false},
	{"{4d6,3d8}k1", "Roll20", "584645/36864", "4", "24", false},
	{"{2d20+10,4d6+8}d1", "Roll20", "15221/480", "12", "50", false},
	{"{4d6+3d8,3d20-10}>3", "Roll20", "7857/4000", "1", "2", true},
	{"floor(11/2)+1d6", "Roll20", "17/2", "6", "11", false},
	{"1d20+5*2", "Roll20", "41/2", "11", "30", false},
	{"6d10!>6>8", "Roll20", "2", "0", "", true},
	{"5d10>8!", "Roll20", "10/9", "0", "", true},
	{"d20", "Roll20", "21/2", "1", "20", false},
}

// elsewhere are notations of other programs that are refused, with what to write instead.
var elsewhere = map[string]string{
	"4d6uo":      "u rolls them again until all dice differ",
	"8d10f<2":    "write 8d10>=8f1", // its program refuses it too
	"20d6mt":     "ask a rule",
	"10d6k1k2k3": "write k<=3",
}

func TestPublishedNotations(t *testing.T) {
	for _, c := range published {
		n, err := dice.ParseNotation(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if c.differs && len(n.Notes) == 0 {
			t.Errorf("%s means something else in %s, and no note says so", c.text, c.program)
		}
		r, err := notation.Compute(n)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		m := r.Results[0]
		mean, from, to := momentsOf(m)
		if exact := r.Means[m.Name]; exact != nil {
			mean, _ = exact.Float64()
		}
		want := ratio(t, c.mean)
		if math.Abs(mean-want) > 1e-10*max(1, math.Abs(want)) {
			t.Errorf("%s: mean %v, want %s = %v", c.text, mean, c.mean, want)
		}
		if c.from == "" { // the ends are too unlikely for floats
			continue
		}
		if from != ratio(t, c.from) || c.to != "" && to != ratio(t, c.to) || c.to == "" && r.Rest == 0 {
			t.Errorf("%s: from %v to %v, %v beyond, want %s to %q", c.text, from, to, r.Rest, c.from, c.to)
		}
	}
}

// momentsOf are the mean and the bounds of a number, or of a truth as 1 or 0.
func momentsOf(m *odds.Marginal) (mean, from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for i, v := range m.Values {
		x := float64(v.Int())
		if !m.Numeric() {
			x = map[string]float64{"true": 1}[v.String()]
		} else if strings.Contains(v.String(), ".") {
			x = v.Double()
		}
		mean, from, to = mean+x*m.P[i], min(from, x), max(to, x)
	}
	return mean, from, to
}

func ratio(t *testing.T, text string) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no fraction", text)
	}
	f, _ := r.Float64()
	return f
}

func TestNotationsOfOthersAreRefused(t *testing.T) {
	for text, advice := range elsewhere {
		_, err := dice.ParseNotation(text)
		if wrong, ok := errors.AsType[*dice.SyntaxError](err); !ok || !strings.Contains(wrong.Msg, advice) {
			t.Errorf("%s: got %v, want %q", text, err, advice)
		}
	}
}

// What a ruleset writes means the same at the command line, but for explosions of which dice are kept or counted: a note
// says so there.
func TestRulesetsAndCommandsAgree(t *testing.T) {
	for _, text := range []string{"3d6", "d%", "4d6kh3", "2d20kl1", "4d6dl1", "4d6dh1", "6d6!", "d10!>=9", "d10!5", "2d10r1",
		"2d10ro1", "d6r<=2!", "4d6mi2", "3d6mi3kh2", "3d6mi3>=3", "8d6>=6", "3d6 + d4 - 2", "-d4+10", "7", "2d6>=6 - 3d6>=6"} {
		n, err := dice.ParseNotation(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		e, err := dice.ParseExpression(text)
		if err != nil {
			t.Fatal(err)
		}
		here := n.Expression()
		if here == nil {
			t.Errorf("%s is no sum of dice at the command line", text)
			continue
		}
		a, err := notation.ComputeTotal(e)
		if err != nil {
			t.Fatal(err)
		}
		b, err := notation.ComputeTotal(here)
		if err != nil {
			t.Fatal(err)
		}
		if a.Lo != b.Lo || len(a.P) != len(b.P) {
			t.Errorf("%s: from %d, %d values, and from %d, %d values", text, a.Lo, len(a.P), b.Lo, len(b.P))
			continue
		}
		for i := range a.P {
			if a.P[i] != b.P[i] {
				t.Errorf("%s: P(%d) is %v and %v", text, a.Lo+int64(i), a.P[i], b.P[i])
			}
		}
	}
}
