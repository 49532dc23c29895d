package record

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime"
)

// A frame agrees with hand-written Go, and neither an evaluation nor one that fails allocates.
func TestDirect(t *testing.T) {
	p, err := Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := runtime.New(p).Rule("blow", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDirect(r)
	if err != nil {
		t.Fatal(err)
	}
	dense := NewDense()
	for _, in := range Generate(8192, 2) {
		var want, got Output
		var numbers Result
		ByHand(&in, &want)
		if err := d.Eval(&in, &got); err != nil || got != want {
			t.Fatalf("%+v: got %+v, %v, want %+v", in, got, err, want)
		}
		numbered := in.Number()
		if dense.BranchFree(&numbered, &numbers); numbers.Name() != want {
			t.Fatalf("%+v: branch-free: got %+v, want %+v", in, numbers.Name(), want)
		}
	}
	in, out := Generate(1, 3)[0], Output{}
	if n := testing.AllocsPerRun(100, func() { d.Eval(&in, &out) }); n != 0 {
		t.Errorf("an evaluation allocates %v times", n)
	}
}
