package runtime

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// somebody is what the rule of these tests asks for.
func somebody() *plan.Shape {
	bound := func(v float64, open bool) *plan.Bound { return &plan.Bound{Value: v, Open: open} }
	return &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "age", Shape: &plan.Shape{Kind: plan.Int, Min: bound(0, false), Max: bound(120, false)}},
		{Name: "luck", Shape: &plan.Shape{Kind: plan.Int}},
		{Name: "weight", Shape: &plan.Shape{Kind: plan.Double, Min: bound(0, true), Max: bound(500, false)}},
		{Name: "odd", Shape: &plan.Shape{Kind: plan.Int, Not: []plan.Bound{{Value: 4}}}, Default: "3"},
		{Name: "brave", Shape: &plan.Shape{Kind: plan.Bool}, Default: "true"},
		{Name: "trade", Shape: &plan.Shape{Kind: plan.String, Enum: []string{"smith", "bard"}}, Default: `"bard"`},
		{Name: "name", Shape: &plan.Shape{Kind: plan.String}, Optional: true},
		{Name: "home", Shape: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
			{Name: "floor", Shape: &plan.Shape{Kind: plan.Int, Min: bound(-3, false), Max: bound(9, false)}},
		}}},
	}}
}

// people is a rule that gives back what a person is, slot by slot, and divides age by luck.
func people(t *testing.T) *Rule {
	b := graphtest.NewBuilder()
	b.Plan.Character = somebody()
	for _, s := range []string{"smith", "bard"} {
		b.Symbol(s)
	}
	at := int32(0)
	leaf := func(name string, typ *plan.Type) plan.ID {
		b.Graph.Leaves = append(b.Graph.Leaves, plan.Leaf{Root: plan.CharacterRoot, Offset: at})
		at++
		id := b.Node(plan.OpLeaf, typ.Kind, int64(len(b.Graph.Leaves)-1))
		b.Output(name, typ, id, plan.None)
		return id
	}
	age, luck := leaf("age", plan.IntType), leaf("luck", plan.IntType)
	leaf("weight", plan.DoubleType)
	leaf("odd", plan.IntType)
	leaf("brave", plan.BoolType)
	leaf("trade", plan.StringType)
	leaf("named", plan.BoolType)
	leaf("name", plan.StringType)
	leaf("floor", plan.IntType)
	b.Output("share", plan.IntType, b.Node(plan.OpDivTrunc, plan.Int, 0, age, luck),
		b.Node(plan.OpDivFault, plan.Fault, 0, age, luck))
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	if err := plan.Verify(b.Plan); err != nil {
		t.Fatal(err)
	}
	r, err := New(b.Plan).Rule("r", Choice{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A sitter sets the fields of a person and reads results by name.
type sitter struct {
	*Frame
	t    *testing.T
	rule *Rule
}

func (s *sitter) field(path string) *Field {
	x, err := s.rule.Field("character." + path)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

func (s *sitter) result(path string) *Result {
	x, err := s.rule.Result(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

func sit(t *testing.T) *sitter {
	r := people(t)
	return &sitter{r.Frame(), t, r}
}

func (s *sitter) complete() {
	s.SetInt(s.field("age"), 30)
	s.SetInt(s.field("luck"), 7)
	s.SetDouble(s.field("weight"), 70.5)
	s.SetInt(s.field("home.floor"), -2)
}

// What is set is what the rule sees; defaults stand where nothing was set, and what was set stays.
func TestFrameFields(t *testing.T) {
	s := sit(t)
	s.complete()
	if !s.Run(nil) {
		t.Fatal(s.Err())
	}
	if got := s.Int(s.result("share")); got != 4 {
		t.Errorf("share: got %d, want 4", got)
	}
	if s.Int(s.result("odd")) != 3 || !s.Bool(s.result("brave")) || s.Text(s.result("trade")) != "bard" ||
		s.Bool(s.result("named")) {
		t.Error("the defaults are not there")
	}
	s.SetText(s.field("name"), "Ana")
	s.SetBool(s.field("brave"), false)
	s.SetText(s.field("trade"), "smith")
	s.SetInt(s.field("weight"), 80)
	if !s.Run(nil) || s.Text(s.result("name")) != "Ana" || !s.Bool(s.result("named")) || s.Bool(s.result("brave")) {
		t.Error("a field has not what it was set to")
	}
	if s.Text(s.result("trade")) != "smith" || s.Double(s.result("weight")) != 80 || s.Int(s.result("floor")) != -2 {
		t.Error("a field has not what it was set to")
	}
	s.Clear(s.field("name"))
	if !s.Run(nil) || s.Bool(s.result("named")) {
		t.Error("a field that was cleared is there")
	}
}

// A field that must be set says so until it is, whatever its kind.
func TestFrameMissing(t *testing.T) {
	s := sit(t)
	for _, step := range []struct {
		path string
		set  func(x *Field)
	}{
		{".age", func(x *Field) { s.SetInt(x, 30) }},
		{".luck", func(x *Field) { s.SetInt(x, unset) }},
		{".weight", func(x *Field) { s.SetDouble(x, 1) }},
		{".home.floor", func(x *Field) { s.SetInt(x, 0) }},
	} {
		if s.Run(nil) {
			t.Fatalf("runs without %s", step.path)
		}
		e, ok := errors.AsType[*jsonio.InputError](s.Err())
		if !ok || e.Path != step.path || e.Error() != "character"+step.path+": is missing" {
			t.Fatalf("got %v, want %s to be missing", s.Err(), step.path)
		}
		step.set(s.field(step.path[1:]))
	}
	if !s.Run(nil) {
		t.Error(s.Err())
	}
	read := sit(t)
	if err := read.Read([]byte(`{"age": 1, "luck": 1, "weight": 2, "home": {"floor": 3}}`), nil); err != nil ||
		!read.Run(nil) {
		t.Errorf("after Read: %v, %v", err, read.Err())
	}
}

// What does not fit is refused, and leaves what was there.
func TestFrameMisfits(t *testing.T) {
	for _, c := range []struct {
		path, want string
		set        func(s *sitter, x *Field)
	}{
		{"age", "must be at least 0, not -1", func(s *sitter, x *Field) { s.SetInt(x, -1) }},
		{"age", "must be at most 120, not 121", func(s *sitter, x *Field) { s.SetInt(x, 121) }},
		{"age", "must be a whole number", func(s *sitter, x *Field) { s.SetDouble(x, 1) }},
		{"age", "must be a whole number", func(s *sitter, x *Field) { s.SetText(x, "smith") }},
		{"age", "must be a whole number", func(s *sitter, x *Field) { s.SetBool(x, true) }},
		{"age", "is missing", func(s *sitter, x *Field) { s.Clear(x) }},
		{"weight", "must be more than 0, not 0", func(s *sitter, x *Field) { s.SetDouble(x, 0) }},
		{"weight", "must be a number, not NaN", func(s *sitter, x *Field) { s.SetDouble(x, math.NaN()) }},
		{"weight", "must be a number, not +Inf", func(s *sitter, x *Field) { s.SetDouble(x, math.Inf(1)) }},
		{"odd", "must not be 4", func(s *sitter, x *Field) { s.SetInt(x, 4) }},
		{"trade", `must be one of "smith", "bard", not "baker"`, func(s *sitter, x *Field) { s.SetText(x, "baker") }},
		{"trade", "must be a string", func(s *sitter, x *Field) { s.SetInt(x, 1) }},
	} {
		s := sit(t)
		s.complete()
		c.set(s, s.field(c.path))
		if s.Run(nil) || !strings.Contains(s.Err().Error(), "character."+c.path+": "+c.want) {
			t.Errorf("%s: got %v, want %s", c.path, s.Err(), c.want)
		}
		if !s.Run(nil) || s.Int(s.result("age")) != 30 {
			t.Errorf("%s: afterwards: %v", c.path, s.Err())
		}
	}
}

// What a frame has kept it can be set to again, whatever else was set; another frame cannot.
func TestFrameKeeps(t *testing.T) {
	s := sit(t)
	if g, err := s.Keep(); err == nil {
		t.Errorf("what is not set is kept: %v", g)
	}
	s.complete()
	s.SetText(s.field("name"), "Ana")
	ana, err := s.Keep()
	if err != nil {
		t.Fatal(err)
	}
	s.SetText(s.field("name"), "Bo")
	s.SetInt(s.field("age"), 70)
	for range 2 {
		if !s.Run(nil) || s.Int(s.result("share")) != 10 || s.Text(s.result("name")) != "Bo" {
			t.Fatal("the fields have not what they were set to")
		}
	}
	s.Set(ana)
	if !s.Run(nil) || s.Int(s.result("share")) != 4 || s.Text(s.result("name")) != "Ana" {
		t.Error("the fields have not what was kept")
	}
	other := sit(t)
	other.complete()
	if other.Set(ana); other.Run(nil) {
		t.Error("a frame takes what another has kept")
	}
}

func TestFieldNames(t *testing.T) {
	r := people(t)
	for _, path := range []string{"age", "character", "character.agee", "character.home", "character.age.x", "input.age",
		"state.age"} {
		if x, err := r.Field(path); err == nil {
			t.Errorf("%s: got %+v", path, x)
		}
	}
	for _, path := range []string{"", "agee", "age.x"} {
		if x, err := r.Result(path); err == nil {
			t.Errorf("%s: got %+v", path, x)
		}
	}
}

// Neither an evaluation nor one that fails allocates.
func TestFrameAllocatesNothing(t *testing.T) {
	s := sit(t)
	s.complete()
	age, luck, weight, trade := s.field("age"), s.field("luck"), s.field("weight"), s.field("trade")
	share, faces := s.result("share"), dice.FromList(nil)
	for _, by := range []int64{7, 0} {
		n := testing.AllocsPerRun(100, func() {
			s.SetInt(age, 40)
			s.SetInt(luck, by)
			s.SetDouble(weight, 70)
			s.SetText(trade, "smith")
			if s.Run(faces) != (by != 0) {
				t.Error(s.Err())
			}
			s.Int(share)
		})
		if n != 0 {
			t.Errorf("divided by %d: %v allocations", by, n)
		}
	}
	if f, ok := errors.AsType[*vm.Failure](s.Err()); !ok || !strings.Contains(f.Error(), "division by zero") {
		t.Errorf("got %v", s.Err())
	}
}
