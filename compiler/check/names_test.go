package check_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lint"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func newFunction(id, s string) *book.Function {
	return &book.Function{Definition: defined(id), Params: []book.Param{{Name: "x", Type: at("int")}}, Formula: formula(s)}
}

func newRule(id string, body book.Body) *book.Rule {
	return &book.Rule{Definition: defined(id), Input: &plan.Shape{Kind: plan.Record}, Body: body}
}

func useOf(name, rule string) book.Source {
	return book.Source{Use: &book.Use{Name: name, Place: plan.Place{File: name, Line: 1, Col: 1}, Rule: at(rule)}}
}

func dieOf(name, count string) book.Source {
	d := &book.Die{Name: name, Place: plan.Place{File: name, Line: 1, Col: 1}, Faces: at("6"), Count: at(count), Most: 9}
	return book.Source{Die: d}
}

// problemsOf checks a ruleset and prints what is wrong with it, without the repairs.
func problemsOf(b *book.Ruleset) (*check.Ruleset, string) {
	var diags diag.List
	r := check.Check(b, &diags)
	var out []string
	for _, d := range diags.Sorted() {
		out = append(out, string(d.Code)+": "+d.Message)
	}
	return r, strings.Join(out, "\n")
}

// TestOrder holds that whatever a formula reads is typed before it, in whichever order it was written.
func TestOrder(t *testing.T) {
	r, problems := problemsOf(&book.Ruleset{
		Functions: []*book.Function{newFunction("top", "middle(x) + low(x)"), newFunction("middle", "low(x)"),
			newFunction("low", "x")},
		Rules: []*book.Rule{
			newRule("outer", book.Body{
				Sources: []book.Source{useOf("part", "inner")},
				Outputs: []book.Named{named("a", "b + part.x"), named("b", "top(c)"), named("c", "part.x")},
			}),
			newRule("inner", book.Body{Outputs: []book.Named{named("x", "1")}}),
		},
	})
	if problems != "" {
		t.Fatal(problems)
	}
	var order []string
	for _, tree := range r.Trees {
		order = append(order, tree.Subject)
	}
	want := []string{
		"function low", "function middle", "function top", "rule inner, output x",
		"rule outer, output c", "rule outer, output b", "rule outer, output a",
	}
	if !slices.Equal(order, want) {
		t.Errorf("typed in the order %q, want %q", order, want)
	}
}

// TestCycles names the objects of each cycle, in the order in which they lead to each other.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string // "a: b c" is a function a that calls b and c
		want  string
	}{
		{"none", []string{"a: b", "b: c", "c:"}, ""},
		{"itself", []string{"a: a"}, "function a -> function a"},
		{"behind another", []string{"a: b", "b: c", "c: b"}, "function b -> function c -> function b"},
		{"two", []string{"a: b", "b: a c", "c: b"},
			"function a -> function b -> function a; function b -> function c -> function b"},
	} {
		b := &book.Ruleset{}
		for _, line := range c.lines {
			id, calls, _ := strings.Cut(line, ":")
			text := "x"
			for _, f := range strings.Fields(calls) {
				text += " + " + f + "(x)"
			}
			b.Functions = append(b.Functions, newFunction(id, text))
		}
		_, got := problemsOf(b)
		want := ""
		for i, path := range strings.Split(c.want, "; ") {
			if i > 0 {
				want += "\n"
			}
			if path != "" {
				want += "cycle: it depends on itself: " + path
			}
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// TestRollingOrder holds that a source reads only those above it, through lets too.
func TestRollingOrder(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []book.Source
		lets    []book.Named
		want    string
	}{
		{"above", []book.Source{dieOf("a", "1"), dieOf("b", "size(a)")}, nil, ""},
		{"below", []book.Source{dieOf("b", "size(a)"), dieOf("a", "1")}, nil,
			"source-order: b is rolled before a, on which it depends"},
		{"through lets", []book.Source{dieOf("b", "x"), dieOf("a", "1")},
			[]book.Named{named("x", "y"), named("y", "size(a)")},
			"source-order: b is rolled before a, on which it depends"},
		{"a source of a source", []book.Source{dieOf("a", "1"), dieOf("b", "size(a)"), dieOf("c", "size(b)")}, nil, ""},
		{"itself", []book.Source{dieOf("a", "size(a)")}, nil, "cycle: it depends on itself: a -> a"},
		{"itself through a let", []book.Source{dieOf("a", "x")}, []book.Named{named("x", "size(a)")},
			"cycle: it depends on itself: x -> a -> x"},
	} {
		body := book.Body{Sources: c.sources, Lets: c.lets, Outputs: []book.Named{named("all", "1")}}
		for _, s := range c.sources {
			body.Outputs = append(body.Outputs, named("of_"+s.Die.Name, s.Die.Name))
		}
		if _, got := problemsOf(&book.Ruleset{Rules: []*book.Rule{newRule("r", body)}}); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestElements reads the elements that a use walks, which are names in the use alone.
func TestElements(t *testing.T) {
	walk := func(each, input string) *book.Ruleset {
		u := useOf("all", "inner")
		u.Use.Each = []book.Named{named(each, "range(3)")}
		u.Use.Inputs = []book.Named{named("x", input)}
		inner := newRule("inner", book.Body{Outputs: []book.Named{named("x", "input.x")}})
		inner.Input = object(field("x", shape(plan.Int)))
		return &book.Ruleset{Rules: []*book.Rule{
			newRule("outer", book.Body{Sources: []book.Source{u}, Outputs: []book.Named{named("n", "all.count(a, a.x > 1)")}}),
			inner,
		}}
	}
	for _, c := range []struct{ each, input, want string }{
		{"i", "i + 1", ""},
		{"i", "n", "cycle: it depends on itself: n -> all -> n"},
		{"i", "k", "unknown-name: there is no k here"},
		{"n", "n + 1", "name-taken: n is already the name of a let or an output"},
		{"i", "range(2).sum(i, i)", "name-hidden: i hides what a use walks of that name"},
	} {
		if _, got := problemsOf(walk(c.each, c.input)); got != c.want && !strings.HasPrefix(got, c.want+"\n") {
			t.Errorf("each %s, input %s:\n got %s\nwant %s", c.each, c.input, got, c.want)
		}
	}
	outside := walk("i", "i")
	outside.Rules[0].Body.Outputs[0] = named("n", "size(all) + i")
	if _, got := problemsOf(outside); got != "unknown-name: there is no i here" {
		t.Errorf("an element may be read only in its use: %s", got)
	}
}

func TestRulings(t *testing.T) {
	b := &book.Ruleset{ID: "game", Options: []*book.Option{{
		Definition: defined("band"), Values: []book.Value{{Name: "up"}, {Name: "down"}},
	}}}
	for _, c := range []struct{ option, value, want string }{
		{"band", "up", ""},
		{"band", "left", `"left" is no value of option band: it has up, down`},
		{"bond", "up", "game has no option bond"},
	} {
		var diags diag.List
		check.CheckRulings(b, []book.Ruling{{Option: c.option, Value: at(c.value)}}, &diags)
		got := ""
		for _, d := range diags.Sorted() {
			got += d.Message
		}
		if got != c.want {
			t.Errorf("%s=%s: got %q, want %q", c.option, c.value, got, c.want)
		}
	}
}

// TestLetsThatReadLetsTwice holds that a chain of lets, each of which reads the one before twice, costs no more than its
// length, wherever lets are looked through. Without a memo the forty of it take 2^40 visits.
func TestLetsThatReadLetsTwice(t *testing.T) {
	chain := func(prefix, first, format string) []book.Named {
		lets := []book.Named{named(prefix+"0", first)}
		for i := 1; i <= 40; i++ {
			before := prefix + strconv.Itoa(i-1)
			lets = append(lets, named(prefix+strconv.Itoa(i), strings.ReplaceAll(format, "?", before)))
		}
		return lets
	}
	rule := newRule("deep", book.Body{
		Lets: slices.Concat(chain("n", "1", "min(?, ?)"), chain("same", "input.n", "max(?, ?)"),
			chain("holds", "has(input.skill)", "? && ?")),
		Sources:  []book.Source{dieOf("roll", "n40"), dieOf("more", "input.more")},
		Requires: []book.Require{{Message: "n is positive", Expr: at("same40 > 0")}, {Message: "known", Expr: at("holds40")}},
		Outputs: []book.Named{named("element", "input.xs[input.index] + input.xs[n40]"), named("dice", "sum(roll) + sum(more)"),
			named("skill", "holds40 && same40 > 0 ? input.skill : 0")},
	})
	numbers := &plan.Shape{Kind: plan.List, Elem: shape(plan.Int), MaxItems: 8}
	rule.Input = object(field("n", shape(plan.Int)), field("more", shape(plan.Int)), field("index", shape(plan.Int)),
		field("xs", numbers), optional("skill", shape(plan.Int)))
	done := make(chan string, 1)
	go func() {
		r, problems := problemsOf(&book.Ruleset{Rules: []*book.Rule{rule}})
		if problems == "" {
			var diags diag.List
			lint.Check(r, &diags)
			problems = fmt.Sprint(diags.Sorted())
		}
		done <- problems
	}()
	select {
	case problems := <-done:
		if problems != "[]" {
			t.Error(problems)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("lets are followed again wherever they are read")
	}
}
