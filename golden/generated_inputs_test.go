package golden_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// For long runs: how many records are made up for each ruleset, and from which seed.
var (
	madeUp     = flag.Int("made-up", 60, "compare generated rules on so many records that are made up for each ruleset")
	madeUpSeed = flag.Uint64("made-up-seed", 1, "make records up from this seed")
)

// TestMadeUpRecordsInJavaScript plays records that are made up by their schemas, and those of cases with a slip, with the
// interpreter and with the rule in JavaScript, under options chosen at random.
func TestMadeUpRecordsInJavaScript(t *testing.T) {
	jstest.Node(t)
	for _, p := range gametest.ShippedPlans(t) {
		t.Run(p.Ruleset, func(t *testing.T) {
			const batch = 100_000 // so that answers fit the memory
			for first := 0; first < *madeUp; first += batch {
				rng := rand.New(rand.NewPCG(*madeUpSeed, uint64(first)))
				c := newCorpus(javaScript{t.TempDir()}, p)
				c.addMadeUp(t, rng, gametest.Cases(t, p.Ruleset), min(batch, *madeUp-first))
				c.compare(t)
			}
		})
	}
}

// addMadeUp adds n requests under a few choices of options.
func (c *generatedCorpus) addMadeUp(t *testing.T, rng *rand.Rand, cases []*golden.Case, n int) {
	choices := []runtime.Choice{{}, {Options: map[string]string{}}, {Options: map[string]string{}}}
	for _, o := range c.plan.Options {
		for _, choice := range choices[1:] {
			choice.Options[o.ID] = o.Values[rng.IntN(len(o.Values))]
		}
	}
	type choiceRule struct {
		rule int
		at   int
	}
	rules := map[choiceRule]*runtime.Rule{}
	for i := range n {
		key := choiceRule{rng.IntN(len(c.plan.Rules)), rng.IntN(len(choices))}
		of, choice := &c.plan.Rules[key.rule], choices[key.at]
		r := rules[key]
		if r == nil {
			var err error
			if r, err = c.program.Rule(of.ID, choice); err != nil {
				t.Fatal(err)
			}
			rules[key] = r
		}
		s := &scribe{rng: rng, symbols: c.plan.Symbols}
		q := runtime.Request{Character: []byte(s.record(c.plan.Character)), Input: []byte(s.record(of.Input))}
		if known := cases[rng.IntN(len(cases))]; known.Subject == of.ID || rng.IntN(2) == 0 {
			q.Character = known.Character
			if known.Subject == of.ID && rng.IntN(2) == 0 {
				q.Input = known.Input
			}
		}
		if rng.IntN(10) == 0 {
			q.Input = s.slip(q.Input)
		}
		if rng.IntN(20) == 0 {
			q.Character = s.slip(q.Character)
		}
		q.Throw = s.throw()
		module, export := c.moduleOf(t, choice, of.ID)
		c.add(fmt.Sprint("record ", i), module, export, r, q)
	}
}

// A scribe makes records up.
type scribe struct {
	rng     *rand.Rand
	symbols []string // of the plan, from which strings are taken
	written []string // strings that the record has, which are taken again
}

// throw returns dice: mostly drawn, sometimes given, sometimes too few.
func (s *scribe) throw() dice.Throw {
	if s.rng.IntN(4) > 0 {
		return dice.DrawnFrom(s.rng.Uint64() >> s.rng.IntN(64))
	}
	faces := make([]int64, s.rng.IntN(5))
	for i := range faces {
		faces[i] = 1 + s.rng.Int64N(6)
	}
	return dice.Fallen(faces...)
}

// record returns a record, or a value of another kind, that mostly fits a shape.
func (s *scribe) record(shape *plan.Shape) string {
	var b strings.Builder
	s.write(&b, shape)
	return b.String()
}

func (s *scribe) write(b *strings.Builder, shape *plan.Shape) {
	switch shape.Kind {
	case plan.Int:
		b.WriteString(strconv.FormatInt(int64(s.number(shape)), 10))
	case plan.Double:
		v := s.number(shape)
		if s.rng.IntN(2) == 0 {
			v += float64(s.rng.IntN(8)) / 8
		}
		b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
	case plan.Bool:
		b.WriteString(strconv.FormatBool(s.rng.IntN(2) == 0))
	case plan.String:
		b.WriteString(strconv.Quote(s.word(shape.Enum)))
	case plan.List:
		b.WriteByte('[')
		for i := range shape.MinItems + s.rng.IntN(1+min(4, shape.MaxItems-shape.MinItems)) {
			if i > 0 {
				b.WriteByte(',')
			}
			s.write(b, shape.Elem)
		}
		b.WriteByte(']')
	default:
		s.writeObject(b, shape)
	}
}

func (s *scribe) writeObject(b *strings.Builder, shape *plan.Shape) {
	b.WriteByte('{')
	n := 0
	member := func(name string, of *plan.Shape) {
		if n++; n > 1 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":")
		s.write(b, of)
	}
	for i := range shape.Fields {
		if m := &shape.Fields[i]; !m.Optional && m.Default == "" && s.rng.IntN(200) > 0 || s.rng.IntN(2) == 0 {
			member(m.Name, m.Shape)
		}
	}
	if shape.Kind == plan.Map {
		var keys []string
		for range s.rng.IntN(6) {
			if key := s.word(shape.Keys); !slices.Contains(keys, key) && shape.Member(key) == shape.Elem {
				keys = append(keys, key)
				member(key, shape.Elem)
			}
		}
	}
	b.WriteByte('}')
}

// number returns a number that mostly fits a shape, often an end of its range.
func (s *scribe) number(shape *plan.Shape) float64 {
	low, high := -5.0, 120.0
	if shape.Min != nil {
		low, high = shape.Min.Value, shape.Min.Value+120
	}
	if shape.Max != nil {
		high = shape.Max.Value
	}
	switch s.rng.IntN(40) {
	case 0:
		return low - 1
	case 1:
		return high + 1
	case 2, 3:
		return low
	case 4, 5:
		return high
	case 6:
		return float64(s.rng.IntN(2_000_000) - 1_000_000)
	}
	return low + float64(s.rng.Int64N(max(1, int64(min(high-low, 1e6))+1)))
}

// oddWords are strings that engines of JavaScript treat otherwise than others.
var oddWords = []string{"é", "\u00a0x", "😀", "\ue000", "__proto__", "12", "-1", "constructor", "toString", `"`, ""}

// word returns one of some words, or any.
func (s *scribe) word(among []string) string {
	word := ""
	switch {
	case len(among) > 0 && s.rng.IntN(100) > 0:
		return among[s.rng.IntN(len(among))]
	case len(s.written) > 0 && s.rng.IntN(3) > 0:
		return s.written[s.rng.IntN(len(s.written))]
	case s.rng.IntN(10) == 0:
		word = oddWords[s.rng.IntN(len(oddWords))]
	default:
		word = s.symbols[s.rng.IntN(len(s.symbols))]
	}
	s.written = append(s.written, word)
	return word
}

var aNumber = regexp.MustCompile(`-?\d+`)

// slip returns a text with a slip; the text itself where no string of JavaScript would be left.
func (s *scribe) slip(text []byte) []byte {
	if out := s.slipBytes(text); utf8.Valid(out) {
		return out
	}
	return text
}

func (s *scribe) slipBytes(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	at := s.rng.IntN(len(text))
	switch s.rng.IntN(5) {
	case 0: // another number
		list := aNumber.FindAllIndex(text, -1)
		if len(list) == 0 {
			return text
		}
		x := list[s.rng.IntN(len(list))]
		numbers := []string{"0", "-0", "-1", "1.5", "1e2", "1000000", "9007199254740991", "99999999999999999999", "01", "null"}
		return slices.Concat(text[:x[0]], []byte(numbers[s.rng.IntN(len(numbers))]), text[x[1]:])
	case 1: // the end is missing
		return text[:at]
	case 2: // a character is missing
		return slices.Concat(text[:at], text[at+1:])
	case 3: // two change places
		out := slices.Clone(text)
		if at > 0 {
			out[at-1], out[at] = out[at], out[at-1]
		}
		return out
	}
	more := []string{" ", "\n", `"`, "'", "{", "]", ",", "x", `\u00e9`, "\t", "é", "€", "1", "\x01", `\q`}
	return slices.Concat(text[:at], []byte(more[s.rng.IntN(len(more))]), text[at:])
}
