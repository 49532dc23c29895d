package record

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime"
)

// Three records in one rule are what they are one by one.
func TestLarge(t *testing.T) {
	p, err := Large(3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := runtime.New(p).Rule("blow", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewMany(r, 3)
	if err != nil {
		t.Fatal(err)
	}
	in := Generate(30, 4)
	for len(in) > 0 {
		if err := d.Run(in[:3]); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			var want, got Output
			ByHand(&in[i], &want)
			if d.Read(i, &got); got != want {
				t.Fatalf("record %d: got %+v, want %+v", i, got, want)
			}
		}
		in = in[3:]
	}
}
