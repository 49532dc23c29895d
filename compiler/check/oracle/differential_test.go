package oracle

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/portion"
)

// A laboratory makes expressions out of bytes, and runs them in both executions.
type laboratory struct {
	bench     *check.ExpressionChecker
	reference *reference
	refused   int
	ran       int
	valued    int
}

func newLaboratory() *laboratory {
	return &laboratory{bench: check.NewExpressionChecker(generatedVars(), profile), reference: newReference(nil)}
}

var sorts = []sort{integer, real, boolean, text, ints, reals, texts, mapping, nested, record, records, boolean}

// try runs one generated expression on a few inputs.
func (l *laboratory) try(program []byte, seed uint64) error {
	g := &generator{bytes: program, bound: map[sort][]string{}}
	source := g.expr(sorts[g.next()%len(sorts)], 6)
	p, err := l.pair(source)
	if p == nil || err != nil {
		return err
	}
	l.ran++
	d := newDealer(seed, l.reference)
	for range 3 {
		if err := p.differ(d, nil); err != nil {
			return err
		}
	}
	if p.values > 0 {
		l.valued++
	}
	return nil
}

// pair compiles an expression for both; nil when the language refuses it for a reason that is no type.
func (l *laboratory) pair(source string) (*pair, error) {
	var diags diag.List
	c := l.bench.Check(&book.Text{S: source}, &diags)
	for _, d := range diags.Sorted() {
		if d.Code != "enum-value" && d.Code != "inexact-rounding" {
			return nil, fmt.Errorf("%s: %s", source, d.String())
		}
	}
	if c == nil {
		l.refused++
		return nil, nil
	}
	clear(l.reference.planned)
	return newPair(c, l.reference)
}

// TestGenerated runs generated expressions, always the same ones.
func TestGenerated(t *testing.T) {
	t.Parallel()
	l := newLaboratory()
	r := rand.New(rand.NewPCG(7, 7))
	runs := portion.Of(400, 1000)
	program := make([]byte, 256)
	for range runs {
		for i := 0; i < len(program); i += 8 {
			binary.LittleEndian.PutUint64(program[i:], r.Uint64())
		}
		if err := l.try(program, r.Uint64()); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d expressions ran, %d had a value", l.ran, l.valued)
	if l.ran < runs*9/10 || l.valued < runs/3 {
		t.Errorf("only %d of %d expressions ran, %d had a value", l.ran, runs, l.valued)
	}
}

// FuzzDifferential looks for an expression that the two executions disagree about.
func FuzzDifferential(f *testing.F) {
	for k := range 40 {
		seed := []byte{}
		for m := range 60 {
			seed = append(seed, byte(k*37+m*m*11+m))
		}
		f.Add(seed, uint64(k))
	}
	l := newLaboratory()
	f.Fuzz(func(t *testing.T, program []byte, seed uint64) {
		if err := l.try(program, seed); err != nil {
			t.Error(err)
		}
	})
}
