package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// graph reads nodes as "a: b c" lines.
func graph(lines ...string) []node {
	index := map[string]int{}
	for i, l := range lines {
		index[strings.Split(l, ":")[0]] = i
	}
	nodes := make([]node, len(lines))
	for i, l := range lines {
		name, deps, _ := strings.Cut(l, ":")
		nodes[i].name = name
		for _, d := range strings.Fields(deps) {
			nodes[i].deps = append(nodes[i].deps, edge{to: index[d]})
		}
	}
	return nodes
}

func TestSort(t *testing.T) {
	for _, c := range []struct {
		nodes  []node
		order  string
		cycles string
	}{
		{graph("a:", "b:", "c:"), "a b c", ""},
		{graph("a: b", "b: c", "c:"), "c b a", ""},
		{graph("a: c b", "b:", "c: b"), "b c a", ""},
		{graph("a: a"), "a", "a"},
		{graph("a: b", "b: c", "c: b"), "c b a", "b c"},
		{graph("a: b", "b: a c", "c: b"), "c b a", "a b; b c"},
	} {
		order, cycles := sort(c.nodes)
		name := func(list []int) string {
			var out []string
			for _, i := range list {
				out = append(out, c.nodes[i].name)
			}
			return strings.Join(out, " ")
		}
		var paths []string
		for _, x := range cycles {
			paths = append(paths, name(x.path))
		}
		if name(order) != c.order || strings.Join(paths, "; ") != c.cycles {
			t.Errorf("%v: order %s, cycles %s; want %s, %s", c.nodes, name(order), paths, c.order, c.cycles)
		}
	}
}

func place(name string) plan.Place { return plan.Place{File: name, Line: 1, Col: 1} }

func text(s string) book.Text { return book.Text{S: s, Place: place(s)} }

func expr(s string) book.Formula { return book.Formula{Expr: text(s)} }

func let(name, s string) book.Named {
	return book.Named{Name: name, Place: place(name), Formula: expr(s)}
}

func function(id, param, s string) *book.Function {
	return &book.Function{
		Definition: book.Definition{ID: id, Place: place(id)},
		Params:     []book.Param{{Name: param, Type: text("int")}}, Formula: expr(s),
	}
}

func rule(id string, body book.Body) *book.Rule {
	return &book.Rule{Definition: book.Definition{ID: id, Place: place(id)}, Input: &plan.Shape{Kind: plan.Record}, Body: body}
}

func uses(name, of string) book.Source {
	return book.Source{Use: &book.Use{Name: name, Place: place(name), Rule: text(of)}}
}

func die(name, count string) book.Source {
	return book.Source{Die: &book.Die{Name: name, Place: place(name), Faces: text("6"), Count: text(count)}}
}

// said resolves a ruleset and prints what is wrong with it, without the repairs.
func said(b *book.Ruleset) (*Ruleset, string) {
	var diags diag.List
	r := Run(b, &diags)
	var out []string
	for _, d := range diags.Sorted() {
		out = append(out, fmt.Sprintf("%s: %s", d.Code, d.Message))
	}
	return r, strings.Join(out, "\n")
}

func TestOrder(t *testing.T) {
	r, problems := said(&book.Ruleset{
		Functions: []*book.Function{function("top", "x", "middle(x) + low(x)"), function("middle", "x", "low(x)"), function("low", "x", "x")},
		Rules: []*book.Rule{
			rule("outer", book.Body{
				Sources: []book.Source{uses("part", "inner")},
				Outputs: []book.Named{let("a", "b + part.x"), let("b", "top(c)"), let("c", "part.x")},
			}),
			rule("inner", book.Body{Outputs: []book.Named{let("x", "1")}}),
		},
	})
	if problems != "" {
		t.Fatal(problems)
	}
	var functions, rules, lets []string
	for _, f := range r.Functions {
		functions = append(functions, f.ID)
	}
	for _, x := range r.Rules {
		rules = append(rules, x.ID)
	}
	for _, n := range r.Scopes[r.Book.Rules[0]].Order {
		lets = append(lets, n.Name)
	}
	for _, c := range []struct{ got, want []string }{
		{functions, []string{"low", "middle", "top"}},
		{rules, []string{"inner", "outer"}},
		{lets, []string{"c", "b", "a"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("order is %v, want %v", c.got, c.want)
		}
	}
}

func TestSources(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []book.Source
		lets    []book.Named
		want    string
	}{
		{"above", []book.Source{die("a", "1"), die("b", "size(a)")}, nil, ""},
		{"below", []book.Source{die("b", "size(a)"), die("a", "1")}, nil,
			"source-order: b is rolled before a, on which it depends"},
		{"through lets", []book.Source{die("b", "x"), die("a", "1")}, []book.Named{let("x", "y"), let("y", "size(a)")},
			"source-order: b is rolled before a, on which it depends"},
		{"a source of a source", []book.Source{die("a", "1"), die("b", "size(a)"), die("c", "size(b)")}, nil, ""},
		{"itself", []book.Source{die("a", "size(a)")}, nil, "cycle: it depends on itself: a -> a"},
		{"itself through a let", []book.Source{die("a", "x")}, []book.Named{let("x", "size(a)")},
			"cycle: it depends on itself: x -> a -> x"},
	} {
		body := book.Body{Sources: c.sources, Lets: c.lets, Outputs: []book.Named{let("all", "1")}}
		for _, s := range c.sources {
			body.Outputs = append(body.Outputs, let("of_"+s.Die.Name, s.Die.Name))
		}
		if _, got := said(&book.Ruleset{Rules: []*book.Rule{rule("r", body)}}); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestEachAndMacros(t *testing.T) {
	walk := func(each, input string) *book.Ruleset {
		u := uses("all", "inner")
		u.Use.Each = []book.Named{let(each, "range(3)")}
		u.Use.Inputs = []book.Named{let("x", input)}
		return &book.Ruleset{Rules: []*book.Rule{
			rule("outer", book.Body{Sources: []book.Source{u}, Outputs: []book.Named{let("n", "all.count(a, a.x > 1)")}}),
			rule("inner", book.Body{Outputs: []book.Named{let("x", "1")}}),
		}}
	}
	for _, c := range []struct{ each, input, want string }{
		{"i", "i + 1", ""},
		{"i", "n", "cycle: it depends on itself: n -> all -> n"},
		{"i", "k", "unknown-name: there is no k here"},
		{"n", "n + 1", "name-taken: n is already the name of a let or an output"},
		{"i", "range(2).sum(i, i)", "name-hidden: i hides what a use walks of that name"},
	} {
		if _, got := said(walk(c.each, c.input)); got != c.want && !strings.HasPrefix(got, c.want+"\n") {
			t.Errorf("each %s, input %s:\n got %s\nwant %s", c.each, c.input, got, c.want)
		}
	}
	outside := walk("i", "i")
	outside.Rules[0].Body.Outputs[0] = let("n", "size(all) + i")
	if _, got := said(outside); got != "unknown-name: there is no i here" {
		t.Errorf("an element may be read only in its use: %s", got)
	}
}

func TestRulings(t *testing.T) {
	b := &book.Ruleset{ID: "game", Options: []*book.Option{{
		Definition: book.Definition{ID: "band"}, Values: []book.Value{{Name: "up"}, {Name: "down"}},
	}}}
	for _, c := range []struct{ option, value, want string }{
		{"band", "up", ""},
		{"band", "left", `"left" is no value of option band: it has up, down`},
		{"bond", "up", "game has no option bond"},
	} {
		var diags diag.List
		Rulings(b, []book.Ruling{{Option: c.option, Value: text(c.value)}}, &diags)
		got := ""
		for _, d := range diags.Sorted() {
			got += d.Message
		}
		if got != c.want {
			t.Errorf("%s=%s: got %q, want %q", c.option, c.value, got, c.want)
		}
	}
}
