package oracle

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Numbers at which arithmetic goes wrong. JSON says the doubles; NaN and infinities it cannot say.
var (
	edgeInts = []int64{math.MinInt64, math.MinInt64 + 1, -1 << 53, -2, -1, 0, 1, 2, 3, 1 << 53, math.MaxInt64 - 1,
		math.MaxInt64}
	edgeDoubles = []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2.5, 0.1, 5e-324, -5e-324, 1e308, -1e308, math.MaxFloat64,
		1 << 53, 1<<63 - 1024, 1 << 63, -1 << 63, 100, 29,
	}
)

// A dealer makes values of declared types, each at once as JSON, for the runtime, and for CEL's interpreter.
type dealer struct {
	*rand.Rand
	words     []string // strings that mean something
	whole     bool     // optional fields are all there
	reference *reference
}

func newDealer(seed uint64, r *reference) *dealer {
	return &dealer{Rand: rand.New(rand.NewPCG(seed, 1)), words: []string{"", "a", "é", "b c"}, reference: r}
}

func (d *dealer) value(t *plan.Type) ([]byte, ref.Val) {
	switch t.Kind {
	case plan.Int:
		n := d.int()
		return strconv.AppendInt(nil, n, 10), types.Int(n)
	case plan.Double:
		f := d.double()
		return strconv.AppendFloat(nil, f, 'g', -1, 64), types.Double(f)
	case plan.Bool:
		b := d.IntN(2) == 0
		return strconv.AppendBool(nil, b), types.Bool(b)
	case plan.String:
		s := pick(d, d.words)
		if t.Enum != nil {
			s = pick(d, t.Enum)
		}
		return quoted(s), types.String(s)
	case plan.List:
		return d.list(t.Elem)
	case plan.Map:
		return d.mapOf(t.Elem)
	}
	return d.record(t)
}

func pick[T any](d *dealer, list []T) T { return list[d.IntN(len(list))] }

func quoted(s string) []byte {
	text, err := json.Marshal(s)
	must(err)
	return text
}

func (d *dealer) int() int64 {
	switch d.IntN(4) {
	case 0:
		return pick(d, edgeInts)
	case 1:
		return d.Int64N(200) - 50
	}
	return d.Int64N(12)
}

func (d *dealer) double() float64 {
	switch d.IntN(4) {
	case 0:
		return pick(d, edgeDoubles)
	case 1:
		return float64(d.IntN(200)-50) / 4
	}
	return d.NormFloat64() * 20
}

func (d *dealer) list(elem *plan.Type) ([]byte, ref.Val) {
	text, vals := []byte("["), []ref.Val{}
	for i := range d.IntN(5) {
		if i > 0 {
			text = append(text, ',')
		}
		part, v := d.value(elem)
		text, vals = append(text, part...), append(vals, v)
	}
	return append(text, ']'), list(vals)
}

func (d *dealer) mapOf(elem *plan.Type) ([]byte, ref.Val) {
	text, vals := []byte("{"), map[string]ref.Val{}
	most := 1 + d.IntN(2*len(d.words))
	for range min(most, 12) {
		name := pick(d, d.words)
		if _, twice := vals[name]; !twice {
			text = d.member(text, name, elem, vals)
		}
	}
	return append(text, '}'), newObject(vals)
}

func (d *dealer) record(t *plan.Type) ([]byte, ref.Val) {
	text, vals := []byte("{"), map[string]ref.Val{}
	for _, f := range t.Fields {
		if !f.Optional || d.whole || d.IntN(2) == 0 {
			text = d.member(text, f.Name, f.Type, vals)
		}
	}
	out := newRecord(vals)
	if t.Character {
		out.trait = d.reference.trait
	}
	return append(text, '}'), out
}

func (d *dealer) member(text []byte, name string, t *plan.Type, vals map[string]ref.Val) []byte {
	if len(text) > 1 {
		text = append(text, ',')
	}
	part, v := d.value(t)
	vals[name] = v
	return append(append(append(text, quoted(name)...), ':'), part...)
}
