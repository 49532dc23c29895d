package planfile

import (
	"bytes"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A TermEncoder encodes the terms of many graphs, one after the other, in the same memory. It is not to be used by several
// goroutines at once, nor once a type that it has met is changed.
type TermEncoder struct{ codec *codec }

// NewTermEncoder returns an encoder that has met no terms.
func NewTermEncoder() *TermEncoder { return &TermEncoder{newWriter()} }

// Encode returns the encoded terms of a graph, as Graph.Terms holds them; nil if there are none. The result is the
// caller's.
func (e *TermEncoder) Encode(terms []plan.Term) []byte {
	if len(terms) == 0 {
		return nil
	}
	e.codec.beginPart()
	codeList(e.codec, &terms, e.codec.codeTerm)
	return bytes.Clone(e.codec.buf)
}

// EncodeTerms returns the encoded terms of one graph; see TermEncoder.Encode.
func EncodeTerms(terms []plan.Term) []byte { return NewTermEncoder().Encode(terms) }

// DecodeTerms returns the terms of a graph. They refer to nodes of the graph, and a term stands behind those that it rests
// on; the error names the malformed term.
//
// Terms are checked here and not by plan.Verify, because they stay encoded until a trace is asked for.
func DecodeTerms(g *plan.Graph) ([]plan.Term, error) {
	var out []plan.Term
	if len(g.Terms) == 0 {
		return nil, nil
	}
	c := newReader(g.Terms)
	codeList(c, &out, c.codeTerm)
	if err := c.checkEnd("the terms of a graph"); err != nil {
		return nil, err
	}
	for i := range out {
		if !fitsGraph(&out[i], i, g) {
			return nil, malformedError("term %d of a graph refers to what there is not", i)
		}
	}
	return out, nil
}

func (c *codec) codeTerm(t *plan.Term) {
	codeNumber(c, &t.Kind)
	c.codeString(&t.Name)
	c.codeValue(&t.Value)
	codeNumbers(c, &t.Args)
	codeNumber(c, &t.Named)
	codeNumber(c, &t.Row)
	c.codeStrings(&t.Params)
	c.codeString(&t.Of)
	c.codeString(&t.Formula)
	c.codeString(&t.Cite)
	c.codePlace(&t.Place)
}

// fitsGraph reports whether a term refers to terms before it and to parts that its graph has.
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

// lacksElements reports whether a list or a map has no type of elements.
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
