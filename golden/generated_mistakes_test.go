package golden_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// For long runs: how many requests with mistakes are asked of each ruleset, and from which seed.
var (
	mistakes    = flag.Int("mistakes", 100, "compare generated rules on so many requests with mistakes for each ruleset")
	mistakeSeed = flag.Uint64("mistake-seed", 1, "make mistakes from this seed")
)

// TestMistakesInJavaScript asks rules and procedures what nobody may ask, and wants the refusals of the interpreter, byte for
// byte. What is wrong is chosen by the schema: TestMadeUpRecordsInJavaScript changes bytes, which are seldom more than a
// slip of the grammar.
func TestMistakesInJavaScript(t *testing.T) {
	jstest.Node(t)
	for _, p := range gametest.ShippedPlans(t) {
		t.Run(p.Ruleset, func(t *testing.T) {
			const batch = 50_000 // so that answers fit the memory
			for first := 0; first < *mistakes; first += batch {
				c := newCorpus(javaScript{t.TempDir()}, p)
				c.addMistakes(t, rand.New(rand.NewPCG(*mistakeSeed, uint64(first))), min(batch, *mistakes-first))
				c.compare(t)
				c.demandRefusals(t)
			}
		})
	}
}

// demandRefusals wants most requests to be refused for what they were given, in many ways.
func (c *generatedCorpus) demandRefusals(t *testing.T) {
	t.Helper()
	refused, reasons := 0, map[string]bool{}
	for _, want := range c.want {
		if strings.HasPrefix(want, "InputError: ") || strings.HasPrefix(want, "DiceError: ") {
			refused++
			reasons[reasonOf(want)] = true
		}
	}
	if refused < len(c.want)/2 || len(reasons) < 30 {
		t.Errorf("%d of %d requests are refused for what they are given, for %d reasons", refused, len(c.want), len(reasons))
	}
}

// reasonOf returns the words of an error that tell it from others, without names, numbers and quoted text.
func reasonOf(message string) string {
	var words []string
	for word := range strings.FieldsSeq(message) {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
			words = append(words, word)
		}
	}
	return strings.Join(words[:min(len(words), 6)], " ")
}

// addMistakes adds n requests that are mostly refused.
func (c *generatedCorpus) addMistakes(t *testing.T, rng *rand.Rand, n int) {
	all := slices.DeleteFunc(gametest.Cases(t, c.plan.Ruleset), func(gc *golden.Case) bool {
		return gc.Kind != golden.ProcedureCase && (gc.Kind != golden.RuleCase && gc.Kind != golden.OddsCase ||
			c.plan.Rule(gc.Subject) == nil)
	})
	x := &blunderer{rng, &scribe{rng: rng, symbols: c.plan.Symbols}}
	for n += len(c.want); len(c.want) < n; {
		gc := all[rng.IntN(len(all))]
		if gc.Kind == golden.ProcedureCase {
			x.addPlay(t, c, gc)
		} else {
			x.addUse(t, c, gc)
		}
	}
}

// A blunderer makes the mistakes of people who write requests, and of programs that do.
type blunderer struct {
	*rand.Rand
	scribe *scribe
}

// addUse adds a request of the rule of a case, with a mistake in a record or in the dice.
func (x *blunderer) addUse(t *testing.T, c *generatedCorpus, gc *golden.Case) {
	r, err := c.program.Rule(gc.Subject, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q, of := gc.Request(), c.plan.Rule(gc.Subject)
	if q.Throw.IsZero() {
		q.Throw = dice.DrawnFrom(x.Uint64())
	}
	switch x.IntN(5) {
	case 0, 1:
		q.Character = x.spoil(q.Character, c.plan.Character)
	case 2, 3:
		q.Input = x.spoil(q.Input, of.Input)
	default:
		q.Throw = dice.DrawnFrom(x.Uint64())
		if s, err := r.Eval(q); err == nil {
			q.Throw = x.throw(s.Dice)
		}
	}
	if x.IntN(20) == 0 {
		q.Input = x.spoil(q.Input, of.Input)
	}
	if utf8.Valid(q.Character) && utf8.Valid(q.Input) {
		module, export := c.moduleOf(t, runtime.Choice{}, gc.Subject)
		c.add(gc.Name, module, export, r, q)
	}
}

// addPlay adds a play of the procedure of a case, with a mistake in one of its records or events.
func (x *blunderer) addPlay(t *testing.T, c *generatedCorpus, gc *golden.Case) {
	d, q, steps := c.plan.Procedure(gc.Subject), gc.Request(), gc.Steps()
	kinds := 2
	if len(steps) > 0 {
		kinds = 8
	}
	switch at := x.IntN(kinds); at {
	case 0:
		q.Character = x.spoil(q.Character, c.plan.Character)
	case 1:
		q.Input = x.spoil(q.Input, d.Input)
	default:
		steps = steps[:1+x.IntN(len(steps))]
		last := &steps[len(steps)-1]
		e := slices.IndexFunc(d.Events, func(e plan.Event) bool { return e.ID == last.Event })
		if at == 2 {
			last.Throw = dice.Fallen(faces(x)...)
		} else {
			last.Input = x.spoil(last.Input, d.Events[e].Input)
		}
	}
	isStray := func(s runtime.Step) bool { return !utf8.Valid(s.Input) }
	if utf8.Valid(q.Character) && utf8.Valid(q.Input) && !slices.ContainsFunc(steps, isStray) {
		c.addPlay(t, gc.Name, gc.Subject, runtime.Choice{}, q, steps)
	}
}

// faces returns a few faces that dice may have.
func faces(x *blunderer) []int64 {
	out := make([]int64, x.IntN(4))
	for i := range out {
		out[i] = x.face()
	}
	return out
}

func (x *blunderer) face() int64 {
	odd := []int64{0, -1, 7, 21, 101, 1 << 40}
	if x.IntN(3) == 0 {
		return odd[x.IntN(len(odd))]
	}
	return 1 + x.Int64N(6)
}

// throw returns faces that once fell with a mistake, or the same faces in another form.
func (x *blunderer) throw(fell dice.Rolls) dice.Throw {
	var list []int64
	byID := dice.Rolls{}
	for _, r := range fell {
		list = append(list, r.Faces...)
		byID = append(byID, dice.Roll{ID: r.ID, Faces: slices.Clone(r.Faces)})
	}
	out := dice.FallenByID(byID)
	if x.IntN(3) == 0 {
		out = dice.Fallen(x.changeFaces(list)...)
	} else if len(byID) == 0 || x.IntN(6) == 0 {
		out.Dice.ByID = append(byID, dice.Roll{ID: "extra", Faces: faces(x)})
	} else {
		at := x.IntN(len(byID))
		switch r := &byID[at]; x.IntN(6) {
		case 0:
			out.Dice.ByID = slices.Delete(byID, at, at+1)
		case 1, 2:
			r.ID = x.misspell(r.ID)
		default:
			r.Faces = x.changeFaces(r.Faces)
		}
	}
	if x.IntN(4) == 0 {
		out.Seed = dice.DrawnFrom(x.Uint64()).Seed
	}
	return out
}

func (x *blunderer) changeFaces(list []int64) []int64 {
	if len(list) == 0 {
		return append(list, x.face())
	}
	at := x.IntN(len(list))
	switch x.IntN(4) {
	case 0:
		return list[:at]
	case 1:
		return slices.Insert(list, at, x.face())
	case 2:
		list[at] = list[x.IntN(len(list))]
	default:
		list[at] = x.face()
	}
	return list
}

// A draft is a value as it is about to be written, with its schema, if any: each string may be changed.
type draft struct {
	shape       *plan.Shape
	open, close string // of a list or an object; open is all of another value
	parts       []*part
}

// A part is an element of a list, or a member of an object.
type part struct {
	name, colon string // as they are written; "" of an element
	value       *draft
	comma       string // behind it
}

func (d *draft) write(b *strings.Builder) {
	b.WriteString(d.open)
	for _, p := range d.parts {
		b.WriteString(p.name + p.colon)
		p.value.write(b)
		b.WriteString(p.comma)
	}
	b.WriteString(d.close)
}

// newDraft returns the draft of a value of a schema in a text.
func newDraft(text []byte, t *jsontree.Tree, shape *plan.Shape) *draft {
	d := &draft{shape: shape}
	switch t.Kind {
	case jsontree.Object, jsontree.Array:
		d.open, d.close = string(text[t.From]), string(text[t.To-1])
	default:
		d.open = string(text[t.From:t.To])
	}
	for i, item := range t.Items {
		p := &part{comma: ","}
		var of *plan.Shape
		switch {
		case t.Kind == jsontree.Object:
			p.name, p.colon = strconv.Quote(t.Names[i]), ":"
			of = shape.Member(t.Names[i])
		case shape != nil:
			of = shape.Elem
		}
		if i == len(t.Items)-1 {
			p.comma = ""
		}
		p.value = newDraft(text, item, of)
		d.parts = append(d.parts, p)
	}
	return d
}

// appendValues appends all values of a draft.
func (d *draft) appendValues(out []*draft) []*draft {
	out = append(out, d)
	for _, p := range d.parts {
		out = p.value.appendValues(out)
	}
	return out
}

// spoil returns a record with a mistake or two; a text that is empty is that of another record.
func (x *blunderer) spoil(text []byte, shape *plan.Shape) []byte {
	if len(text) == 0 || x.IntN(4) == 0 {
		text = []byte(x.scribe.record(shape))
	}
	t, err := jsontree.ReadTree(text)
	if err != nil {
		return text
	}
	d := newDraft(text, t, shape)
	for range 1 + x.IntN(8)/6 {
		all := d.appendValues(nil)
		x.change(all[x.IntN(len(all))])
	}
	var b strings.Builder
	d.write(&b)
	out := b.String()
	if x.IntN(12) == 0 {
		out = x.wrap(out)
	}
	return []byte(out)
}

// wrap returns a text with a mistake around it.
func (x *blunderer) wrap(text string) string {
	switch x.IntN(4) {
	case 0:
		begins := []string{"\ufeff", "// a note\n", "# a note\n", "{", "[", "x = ", "\u00a0", "null ", "--- \n", "\x00", "/* */"}
		return x.one(begins) + text
	case 1:
		ends := []string{" // a note", "\n# a note", "}", "]", ";", ",", text, " x", "\x00", "\u00a0", "\n\n", "None", "“”", "+1"}
		return text + x.one(ends)
	case 2:
		return x.one([]string{"", " ", "null", "character: 1", "[]", strconv.Quote(text), "'" + text + "'", "[" + text + "]",
			"name: x", "{", `{"`, "\x00", "{\x00}", "true", "17"})
	}
	return strings.ReplaceAll(text, `"`, x.one([]string{"'", "”", "`", `\"`}))
}

func (x *blunderer) one(of []string) string { return of[x.IntN(len(of))] }

// oddValues are values that are no value of most schemas, or no JSON at all.
var oddValues = strings.Split(`null|true|false|True|False|None|NaN|Infinity|-Infinity|undefined|nil|yes|nul|truely|nullify`+
	`|""|"12"|" 3"|"three"|"x"|'x'|“x”|„x“|"é"|"\u00e9"|"\ud83d\ude00"|"\ud83d"|"\udE00"|"\ud83dx"|"\ud83d\u0041"|"\u12"`+
	`|"\q"|"\é"|"no end|"a\|{}|[]|[1]|["x"]|{"a":1}|[[]]|{"a":{}}|[null]|{|[|}|]|,|:|;|(1)|<1>|@|$1|%|&|0|-0|1|-1|01|-01|007`+
	`|+1|1.|.5|-.5|1.5|1.0|1.50|1e3|1E+2|1e|1e+|1.e2|1e400|-1e400|1e-400|1_000|1,5|1 000|0x10|10%|12a|- 1|--1|-`+
	`|9007199254740991|9007199254740992|-9007199254740993|9223372036854775807|9223372036854775808|-9223372036854775808`+
	`|-9223372036854775809|100000000000000000000|0.1|-0.0|123456789.125|1e21|1/2|2+3|/* 1 */ 1|// 1|# 1`, "|")

// rawValues are values with characters that mostly nobody sees.
var rawValues = []string{"\"a\tb\"", "\"a\nb\"", "\"\x01\"", "\"\x7f\"", "\"\x00\"", "\x00", "\ufeff1", "\u00a01", "\"\u2028\"",
	"\v1", "\"\ufffd\"", "\"\\u0000\"", "\n\n  x", "\r\n7", "é", "\U0001f600", "\"\U0001f600\" x", "\u200b1"}

// change makes one mistake in a value.
func (x *blunderer) change(d *draft) {
	if len(d.parts) > 0 && x.IntN(4) > 0 {
		x.changePart(d, x.IntN(len(d.parts)))
		return
	}
	if d.close != "" && x.IntN(2) == 0 {
		switch x.IntN(6) {
		case 0:
			d.close = x.one([]string{"", "]", "}", ")", " ]", "// note\n" + d.close, "…" + d.close, "," + d.close})
		case 1:
			d.open = x.one([]string{"", "[", "{", "(", d.open + ",", d.open + "...", d.open + "/* note */"})
		default:
			x.grow(d)
		}
		return
	}
	d.parts, d.close = nil, ""
	d.open = x.value(d.shape)
}

// value returns a value that is about one of a schema.
func (x *blunderer) value(shape *plan.Shape) string {
	switch n := x.IntN(10); {
	case n == 0:
		return rawValues[x.IntN(len(rawValues))]
	case n < 6 || shape == nil:
		return x.one(oddValues)
	case shape.Enum != nil && n < 9:
		return strconv.Quote(x.misspell(x.one(shape.Enum)))
	case (shape.Kind == plan.Int || shape.Kind == plan.Double) && n < 9:
		return x.number(shape)
	}
	return x.scribe.record(shape)
}

// number returns a number beside the bounds of a schema.
func (x *blunderer) number(shape *plan.Shape) string {
	var ends []float64
	for _, b := range append([]*plan.Bound{shape.Min, shape.Max}, pointers(shape.Not)...) {
		if b != nil {
			ends = append(ends, b.Value-1, b.Value, b.Value+1, b.Value*1000, -b.Value)
		}
	}
	if ends == nil {
		return x.one(oddValues)
	}
	v := ends[x.IntN(len(ends))]
	return x.one([]string{strconv.FormatFloat(v, 'f', -1, 64), strconv.FormatFloat(v, 'e', -1, 64),
		strconv.FormatFloat(v, 'f', 1, 64), strconv.FormatFloat(v+0.5, 'f', -1, 64), fmt.Sprintf(`"%v"`, v)})
}

func pointers(list []plan.Bound) (out []*plan.Bound) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// grow adds what nobody asked for, or as much as no schema allows.
func (x *blunderer) grow(d *draft) {
	if len(d.parts) > 0 {
		d.parts[len(d.parts)-1].comma = ","
	}
	more := 1
	if x.IntN(8) == 0 {
		more = []int{3, 13, 70, 1001}[x.IntN(4)]
	}
	for i := range more {
		p := &part{value: &draft{open: x.one(oddValues)}, comma: ","}
		if more > 1 && d.shape != nil && d.shape.Elem != nil {
			p.value = &draft{open: x.scribe.record(d.shape.Elem), shape: d.shape.Elem}
		}
		if d.open != "[" {
			p.name, p.colon = strconv.Quote(x.name(d)), ":"
			if more > 1 {
				p.name = strconv.Quote(fmt.Sprint("k", i))
			}
		}
		if i == more-1 {
			p.comma = ""
		}
		d.parts = append(d.parts, p)
	}
}

// name returns a name that a record of a draft may be thought to have.
func (x *blunderer) name(d *draft) string {
	odd := []string{"$revision", "$homebrews", "__proto__", "constructor", "toString", "", "0", "17", "é", "\U0001f600", "a b", "id",
		"name", "a-b", "\"", "length", "$schema", "\u2028", "\ue000"}
	if d.shape == nil || x.IntN(3) == 0 {
		return x.one(odd)
	}
	if n := len(d.shape.Fields); n > 0 && x.IntN(2) == 0 {
		return x.misspell(d.shape.Fields[x.IntN(n)].Name)
	}
	if n := len(d.shape.Keys); n > 0 {
		return x.misspell(d.shape.Keys[x.IntN(n)])
	}
	return x.scribe.word(nil)
}

// misspell returns a word with a slip.
func (x *blunderer) misspell(word string) string {
	letters := []rune(word)
	if len(letters) == 0 {
		return "x"
	}
	at := x.IntN(len(letters))
	switch x.IntN(9) {
	case 0:
		letters = slices.Delete(letters, at, at+1)
	case 1:
		letters = slices.Insert(letters, at, rune('a'+x.IntN(26)))
	case 2:
		letters[at] = rune('a' + x.IntN(26))
	case 3:
		letters[at], letters[max(0, at-1)] = letters[max(0, at-1)], letters[at]
	case 4:
		return strings.ToUpper(word[:1]) + word[1:]
	case 5:
		return strings.ToUpper(word)
	case 6:
		return strings.ReplaceAll(word, "_", x.one([]string{" ", "-", ""}))
	case 7:
		return " " + word
	default:
		letters = slices.Insert(letters, at, []rune{'é', ' ', '\U0001f600', '\u00a0', '_'}[x.IntN(5)])
	}
	return string(letters)
}

// changePart makes a mistake in a member or an element.
func (x *blunderer) changePart(d *draft, at int) {
	p := d.parts[at]
	if p.name == "" {
		switch x.IntN(4) {
		case 0:
			p.comma = x.one([]string{"", ",", ",,", ";", " ", "]", ", // note\n"})
		case 1:
			d.parts = slices.Insert(d.parts, at, &part{value: p.value, comma: ","})
		default:
			x.change(p.value)
		}
		return
	}
	bare, _ := strconv.Unquote(p.name)
	switch x.IntN(12) {
	case 0:
		p.comma = x.one([]string{"", ",", ",,", ";", " ", "}", ", // note\n", "\n", ", /* */"})
	case 1:
		p.colon = x.one([]string{"", "=", " = ", "::", " ", ",", " => ", ";", " : ", "\n:\t", "："})
	case 2:
		p.name = x.one([]string{bare, "'" + bare + "'", "“" + bare + "”", "`" + bare + "`", `"` + bare, bare + `"`, "1", "?" + bare,
			"// note\n" + p.name, "." + bare, "\"" + bare + "\x01\"", `"\u0061` + bare + `"`, " " + p.name, "\n\t" + p.name})
	case 3:
		d.parts = slices.Insert(d.parts, at, &part{p.name, p.colon, p.value, ","})
	case 4:
		d.parts = slices.Insert(d.parts, at, &part{strconv.Quote(x.name(d)), ":", p.value, ","})
	case 5:
		d.parts = slices.Delete(d.parts, at, at+1)
		if n := len(d.parts); n > 0 {
			d.parts[n-1].comma = ""
		}
	case 6, 7:
		p.name = strconv.Quote(x.misspell(bare))
	case 8:
		other := d.parts[x.IntN(len(d.parts))]
		p.value, other.value = other.value, p.value
	default:
		x.change(p.value)
	}
}
