package jsonio

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A value that was packed is in a frame that holds other lists and strings what it is when it is decoded there; so is one
// that is loaded behind it.
func TestPackedValuesLoadAsDecoded(t *testing.T) {
	m := vm.NewImage(&plan.Plan{Symbols: []string{"", "elf", "dwarf"}, Consts: []int64{7, 7}, Character: person()})
	schema := NewRootSchema(m, plan.CharacterRoot, m.Plan().Character)
	f := vm.NewStore(m)
	f.Store([]int64{1, 2, 3}, 3)
	f.Intern([]byte("somebody else"))
	at, _ := locateLayout(m.Plan().Character.Type(), 0)
	for _, text := range []string{
		`{"name":"Ada"}`,
		`{"name":"elf","height":1.5,"kind":"dwarf","skills":{"climb":4,"swim":2},"body":{"arm":1}}`,
		`{"name":"Ada","skills":{"somebody else":1},"wounds":[{"deep":2,"days":[1,2,3]},{"deep":0}]}`,
		`{"name":"Ada","wounds":[{"deep":1},{"deep":1},{"deep":1}]}`,
	} {
		want, err := decoded(person(), text)
		if err != nil {
			if _, err := Pack(m, schema, []byte(text)); err == nil {
				t.Errorf("%s is packed, which cannot be decoded", text)
			}
			continue
		}
		p, err := Pack(m, schema, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			slots := slices.Repeat([]int64{-1}, schema.Slots+1)
			p.Load(f, slots)
			var e Encoder
			if fault := vm.Walk(f, &at, vm.NewView(slots, 1), &e); fault != 0 || string(e.Bytes()) != want {
				t.Errorf("%s is %s when it was packed, not %s", text, e.Bytes(), want)
			}
			if slots[schema.Slots] != -1 {
				t.Errorf("%s writes beyond its %d slots", text, schema.Slots)
			}
		}
		if got := p.AppendJSON([]byte("x"), m, schema); string(got) != "x"+want {
			t.Errorf("%s is %s in JSON when it was packed, not x%s", text, got, want)
		}
		store := vm.NewStore(m)
		again := PackStored(schema, store, p.Store(store))
		if got := again.AppendJSON(nil, m, schema); string(got) != want {
			t.Errorf("%s is %s when it was packed again, not %s", text, got, want)
		}
	}
}
