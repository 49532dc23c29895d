package record

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime"
)

func BenchmarkOurs(b *testing.B) {
	p, err := Plan()
	if err != nil {
		b.Fatal(err)
	}
	prog := runtime.New(p)
	r, err := prog.Rule("blow", runtime.Choice{})
	if err != nil {
		b.Fatal(err)
	}
	o, err := NewDirect(r)
	if err != nil {
		b.Fatal(err)
	}
	in := Generate(8192, 1)
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		var out Output
		for b.Loop() {
			o.Eval(&in[i&8191], &out)
			i++
		}
	})
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			if !o.frame.Run(nil) {
				b.Fatal()
			}
		}
	})
	b.Run("hand", func(b *testing.B) {
		i := 0
		var out Output
		for b.Loop() {
			ByHand(&in[i&8191], &out)
			i++
		}
	})
	ids := make([]Numbered, len(in))
	for i := range in {
		ids[i] = in[i].Number()
	}
	b.Run("limit", func(b *testing.B) {
		i := 0
		var out Result
		d := NewDense()
		for b.Loop() {
			d.BranchFree(&ids[i&8191], &out)
			i++
		}
	})
	syms := make([]runtime.Symbol, len(in))
	for i := range in {
		syms[i], _ = prog.Symbol(in[i].Armor)
	}
	b.Run("symbol", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		var out Output
		for b.Loop() {
			o.Symbol(&in[i&8191], syms[i&8191], &out)
			i++
		}
	})
}
