package planfile

import (
	"bytes"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A TermEncoder encodes the terms of many graphs, one after the other, in the same memory. It is not to be used by several
// goroutines at once, nor once a type that it has met is changed.
type TermEncoder struct{ codec *codec }

// NewTermEncoder makes an encoder that has met no terms.
func NewTermEncoder() *TermEncoder { return &TermEncoder{newWriter()} }

// Encode encodes the terms of a graph, as Graph.Terms holds them; nil when there are none. The result is the caller's.
func (e *TermEncoder) Encode(terms []plan.Term) []byte {
	if len(terms) == 0 {
		return nil
	}
	e.codec.beginPart()
	list(e.codec, &terms, e.codec.term)
	return bytes.Clone(e.codec.buf)
}

// EncodeTerms encodes the terms of one graph; see TermEncoder.Encode.
func EncodeTerms(terms []plan.Term) []byte { return NewTermEncoder().Encode(terms) }

// DecodeTerms gives the terms of a graph. What they refer to is in the graph, and a term stands behind those that it rests
// on; the error says what is malformed.
// Terms are checked here and not by plan.Verify, because they stay encoded until a trace is asked
// for.
func DecodeTerms(g *plan.Graph) ([]plan.Term, error) {
	var out []plan.Term
	if len(g.Terms) == 0 {
		return nil, nil
	}
	c := newReader(g.Terms)
	list(c, &out, c.term)
	if err := c.end("the terms of a graph"); err != nil {
		return nil, err
	}
	for i := range out {
		if !fitsGraph(&out[i], i, g) {
			return nil, malformedError("term %d of a graph refers to what there is not", i)
		}
	}
	return out, nil
}

func (c *codec) term(t *plan.Term) {
	number(c, &t.Kind)
	c.string(&t.Name)
	c.value(&t.Value)
	numbers(c, &t.Args)
	number(c, &t.Named)
	number(c, &t.Row)
	c.strings(&t.Params)
	c.string(&t.Of)
	c.string(&t.Formula)
	c.string(&t.Cite)
	c.place(&t.Place)
}

// fitsGraph reports whether a term refers to terms before it, and to what its graph has.
func fitsGraph(t *plan.Term, at int, g *plan.Graph) bool {
	for _, a := range t.Args {
		if a < 0 || int(a) >= at {
			return false
		}
	}
	return t.Kind < plan.NumTermKinds && t.Named >= -1 && int(t.Named) < len(g.Names) &&
		(t.Kind != plan.ElementTerm || fitsLoop(t, g)) &&
		t.Row >= plan.None && int(t.Row) < len(g.Nodes) && (t.Value.Type == nil || valueFits(&t.Value, g))
}

// fitsLoop reports whether the term of an element counts iterations, and has the parts that its macro makes.
func fitsLoop(t *plan.Term, g *plan.Graph) bool {
	if t.Row < 0 || int(t.Row) >= len(g.Nodes) || g.Nodes[t.Row].Op != plan.OpParam || g.Nodes[t.Row].Imm != 0 {
		return false
	}
	return t.Name == "each" || len(t.Args) == 2 || len(t.Args) == 3
}

// valueFits reports whether a value stands in nodes of a graph that have slots of its type.
func valueFits(v *plan.Value, g *plan.Graph) bool {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id < plan.None || int(id) >= len(g.Nodes) {
			return false
		}
	}
	switch {
	case v.Type == nil:
		return false
	case v.Type.Kind != plan.Record:
		return v.ID != plan.None && g.Nodes[v.ID].Kind == v.Type.Kind && !lacksElements(v.Type)
	case len(v.Fields) != len(v.Type.Fields):
		return false
	}
	for i := range v.Fields {
		if !valueFits(&v.Fields[i], g) {
			return false
		}
	}
	return true
}

// lacksElements reports whether a list or a map does not say what it holds.
func lacksElements(t *plan.Type) bool {
	if t == nil || t.Kind < plan.Int || t.Kind > plan.Record {
		return true
	}
	if t.Kind == plan.List || t.Kind == plan.Map {
		return lacksElements(t.Elem)
	}
	for i := range t.Fields {
		if lacksElements(t.Fields[i].Type) {
			return true
		}
	}
	return false
}
