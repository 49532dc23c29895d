package record

import "testing"

func TestPlan(t *testing.T) {
	p, err := Plan()
	if err != nil {
		t.Fatal(err)
	}
	_ = p
}
