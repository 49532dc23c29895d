package runtime

import (
	"fmt"
	"math"
	"testing"
)

// A person is a character of the rule people; the zero pointer leaves an optional or defaulted field out.
type person struct {
	age, luck int64
	weight    float64
	odd       *int64
	brave     bool
	trade     string
	name      *string
	floor     int64
}

// text is the person as JSON.
func (p *person) text() string {
	s := fmt.Sprintf(`{"age": %d, "luck": %d, "weight": %v, "brave": %v, "trade": %q, "home": {"floor": %d}`,
		p.age, p.luck, p.weight, p.brave, p.trade, p.floor)
	if p.odd != nil {
		s += fmt.Sprintf(`, "odd": %d`, *p.odd)
	}
	if p.name != nil {
		s += fmt.Sprintf(`, "name": %q`, *p.name)
	}
	return s + "}"
}

// fillPeople fills a block with persons.
func fillPeople(t *testing.T, b *Block, r *Rule, persons []person) {
	t.Helper()
	n := len(persons)
	ages, lucks, odds, floors := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	weights, brave, trades, names := make([]float64, n), make([]bool, n), make([]Symbol, n), make([]Symbol, n)
	var noOdd, noName []int
	for i, p := range persons {
		ages[i], lucks[i], weights[i], brave[i], floors[i] = p.age, p.luck, p.weight, p.brave, p.floor
		trades[i] = b.Symbol(p.trade)
		if p.odd == nil {
			noOdd = append(noOdd, i)
		} else {
			odds[i] = *p.odd
		}
		if p.name == nil {
			noName = append(noName, i)
		} else {
			names[i] = b.Symbol(*p.name)
		}
	}
	field := func(path string) *Field {
		x, err := r.Field("character." + path)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	b.FillInts(field("age"), ages)
	b.FillInts(field("luck"), lucks)
	b.FillDoubles(field("weight"), weights)
	b.FillInts(field("odd"), odds)
	b.FillBools(field("brave"), brave)
	b.FillSymbols(field("trade"), trades)
	b.FillSymbols(field("name"), names)
	b.FillInts(field("home.floor"), floors)
	for _, row := range noOdd {
		b.Omit(field("odd"), row)
	}
	for _, row := range noName {
		b.Omit(field("name"), row)
	}
}

// crowd makes persons of whom some do not fit.
func crowd(n int, spoiled bool) []person {
	out := make([]person, n)
	for i := range out {
		p := person{age: int64(i % 121), luck: int64(i%7) + 1, weight: 1 + float64(i%400), brave: i%2 == 0,
			trade: []string{"smith", "bard"}[i%2], floor: int64(i%13) - 3}
		if i%3 == 0 {
			odd := int64(i % 4)
			p.odd = &odd
		}
		if i%5 == 0 {
			name := fmt.Sprint("name ", i)
			p.name = &name
		}
		if spoiled {
			switch i % 11 {
			case 1:
				p.age = 121
			case 2:
				p.weight = 0
			case 3:
				p.trade = "baker"
			case 4:
				odd := int64(4)
				p.odd = &odd
			case 5:
				p.luck = 0
			case 6:
				p.floor = math.MinInt64
			}
		}
		out[i] = p
	}
	return out
}

// What is filled by columns gives the sheets of JSON, and refuses what JSON refuses, in blocks of any size and whatever
// the block held before.
func TestFill(t *testing.T) {
	r := people(t)
	b, err := r.Block(0)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for round, n := range []int{BlockSize, 3, 0, BlockSize, 500} {
		persons := crowd(n, round%2 == 0)
		b.Clear()
		fillPeople(t, b, r, persons)
		if b.Run(); b.Len() != n {
			t.Fatalf("%d records were filled, and the block has %d", n, b.Len())
		}
		all := true
		for row := range persons {
			sheet, wantErr := r.Eval(Request{Character: []byte(persons[row].text())})
			gotErr := b.Err(row)
			if (gotErr == nil) != (wantErr == nil) {
				t.Fatalf("round %d, row %d: error %v, want %v", round, row, gotErr, wantErr)
			}
			if wantErr != nil {
				all = false
				refused++
				want, byInput := wantErr.(*InputError)
				if got, _ := gotErr.(*InputError); byInput && (got.Root+got.Path != want.Root+want.Path) {
					t.Fatalf("round %d, row %d: %v, want one of %s%s", round, row, gotErr, want.Root, want.Path)
				}
				continue
			}
			got, err := b.AppendJSON(nil, row)
			if want := string(sheet.AppendJSON(nil)); err != nil || string(got) != want {
				t.Fatalf("round %d, row %d: %s (%v), want %s", round, row, got, err, want)
			}
		}
		if b.AllFit() != all {
			t.Errorf("round %d: AllFit is %v, and that all fit is %v", round, b.AllFit(), all)
		}
	}
	if refused < 100 {
		t.Errorf("only %d records were refused", refused)
	}
}

// A column that was not filled has the value of the frame, and one that must be filled is missing.
func TestFillKeepsTheFrame(t *testing.T) {
	r := people(t)
	b, err := r.Block(0)
	if err != nil {
		t.Fatal(err)
	}
	age, _ := r.Field("character.age")
	luck, _ := r.Field("character.luck")
	shown, err := b.Result("age")
	if err != nil {
		t.Fatal(err)
	}
	b.FillInts(age, []int64{1, 2, 3})
	b.Run()
	if why, ok := b.Err(1).(*InputError); !ok || why.Path != ".luck" || b.AllFit() {
		t.Errorf("luck was neither set nor filled: %v", b.Err(1))
	}
	b.Clear()
	whole := crowd(1, false)[0]
	if err := b.Frame().Read([]byte(whole.text()), nil); err != nil {
		t.Fatal(err)
	}
	for round := range int64(2) {
		b.Frame().SetInt(luck, round+2)
		b.FillInts(age, []int64{40, 41, 42})
		b.Run()
		share, _ := b.Result("share")
		if got := b.Column(share)[2]; got != 42/(round+2) || b.Column(shown)[1] != 41 || !b.AllFit() {
			t.Errorf("round %d: the share is %d, the ages are %v", round, got, b.Column(shown))
		}
		b.Clear()
	}
	if err := b.Add(); err != nil {
		t.Fatal(err)
	}
	if b.Run(); b.Column(shown)[0] != 0 {
		t.Errorf("age is %d after it was filled, and 0 was set", b.Column(shown)[0])
	}
}
