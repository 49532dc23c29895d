package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An answeringGraph is a graph that answers, with the shapes of what it reads.
type answeringGraph struct {
	kind  string
	id    string
	step  string // of a procedure: "start" or "close"
	graph *plan.Graph
	roots [plan.NumRoots]*plan.Shape
}

// answeringGraphs returns all graphs of a plan.
func answeringGraphs(p *plan.Plan) []answeringGraph {
	var out []answeringGraph
	for i := range p.Rules {
		r := &p.Rules[i]
		out = append(out, answeringGraph{"rule", r.ID, "", &r.Graph, [plan.NumRoots]*plan.Shape{p.Character, r.Input}})
	}
	for i := range p.Procedures {
		d := &p.Procedures[i]
		roots := [plan.NumRoots]*plan.Shape{p.Character, d.Input, d.State, nil}
		out = append(out, answeringGraph{"procedure", d.ID, "start", &d.Start, roots})
		for k := range d.Events {
			e := &d.Events[k]
			with := roots
			with[plan.EventRoot] = e.Input
			out = append(out, answeringGraph{"event", d.ID + "." + e.ID, "", &e.Graph, with})
		}
		out = append(out, answeringGraph{"procedure", d.ID, "close", &d.Close, roots})
	}
	return out
}

// compareAnswers compares the answers of the graphs that both plans have.
func (d *differ) compareAnswers() {
	old := answeringGraphs(d.old)
	for _, q := range answeringGraphs(d.new) {
		i := slices.IndexFunc(old,
			func(a answeringGraph) bool { return a.kind == q.kind && a.id == q.id && a.step == q.step })
		if i < 0 {
			continue
		}
		if l := d.compareAnswer(&old[i], &q); len(l) > 0 {
			d.addAnswered(&q, l)
		}
	}
}

// addAnswered notes an answer; the steps of a procedure are one.
func (d *differ) addAnswered(q *answeringGraph, l changeList) {
	for i := range d.out.Answers {
		if a := &d.out.Answers[i]; a.Kind == q.kind && a.ID == q.id {
			a.Changes = append(a.Changes, l...)
			return
		}
	}
	d.out.Answers = append(d.out.Answers, Changed{Kind: q.kind, ID: q.id, Verb: "changed", Place: d.placeOf(q), Changes: l})
}

func (d *differ) placeOf(q *answeringGraph) plan.Place {
	for i := range d.new.Entries {
		if e := &d.new.Entries[i]; e.ID == q.id && e.Kind.String() == q.kind {
			return e.Place
		}
	}
	return plan.Place{}
}

// A Normal gives for a graph one that answers the same to all that the shapes admit, in which less depends on how it was
// written.
type Normal func(p *plan.Plan, g *plan.Graph, shapes [plan.NumRoots]*plan.Shape) *plan.Graph

// compareAnswer compares two graphs twice: with the declarations of dice, and without. Equal normal forms do not imply
// equal written forms, nor the other way round: the bounds of inputs, which may differ, count in normal forms alone.
//
// That makes four digests for each graph: written form or normal form, with or without chance. An output is the same when
// it is the same in either form. Both forms are needed: a normal form takes the bounds of the input into account, so it may
// differ for two graphs that were written alike and whose inputs have other bounds.
func (d *differ) compareAnswer(old, new *answeringGraph) changeList {
	a, b := labelDice(old.graph, new.graph)
	f, g := d.normal(d.old, old.graph, old.roots), d.normal(d.new, new.graph, new.roots)
	same := func(chance bool) digestPairs {
		return digestPairs{
			{digestGraph(d.old, old.graph, old.roots, a, chance), digestGraph(d.new, new.graph, new.roots, b, chance)},
			{digestGraph(d.old, f, old.roots, a, chance), digestGraph(d.new, g, new.roots, b, chance)},
		}
	}
	whole, faces := same(true), same(false)
	var l changeList
	for _, name := range commonParts(whole[0].was.values, whole[0].is.values) {
		l.addAnswer(trimRecordMark(name), whole.value(name), faces.value(name))
	}
	l.addAnswer("what is refused", whole.requires(), faces.requires())
	if !whole.rolls() {
		l.add(OddsClass, false, "dice", listDice(old.graph), listDice(new.graph))
	}
	return l
}

// A digestPairs is what two graphs mean, as they are and in their normal forms: what one of the two finds the same is.
type digestPairs [2]struct{ was, is *semanticDigests }

func (s *digestPairs) value(name string) bool {
	return s.any(func(was, is *semanticDigests) bool { return was.values[name] == is.values[name] })
}

func (s *digestPairs) requires() bool {
	return s.any(func(was, is *semanticDigests) bool { return slices.Equal(was.requires, is.requires) })
}

func (s *digestPairs) rolls() bool {
	return s.any(func(was, is *semanticDigests) bool { return slices.Equal(was.rolls, is.rolls) })
}

func (s *digestPairs) any(same func(was, is *semanticDigests) bool) bool {
	return same(s[0].was, s[0].is) || same(s[1].was, s[1].is)
}

// addAnswer notes a part that is not the same: numbers if it differs for the same faces too, else odds.
func (l *changeList) addAnswer(part string, same, sameFaces bool) {
	switch {
	case !sameFaces:
		l.add(NumbersClass, false, part, "", "")
	case !same:
		l.add(OddsClass, false, part, "", "")
	}
}

// commonParts returns the parts that both graphs have, in order; a part of only one is a matter of shapes.
func commonParts(old, new map[string]digest) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(old)), func(name string) bool {
		_, there := new[name]
		return !there
	})
}

// trimRecordMark drops the mark of a record's own faults.
func trimRecordMark(path string) string { return strings.TrimSuffix(path, "{}") }

// labelDice names the dice of two graphs so that those which belong together have one name: their id, and for dice whose
// ids the other graph does not have, their order.
// A die "roll" that is renamed to "attack" has no counterpart by id, and is then the first lone one
// in both graphs: "#1".
func labelDice(old, new *plan.Graph) (a, b []string) {
	return labelDiceOf(old, new), labelDiceOf(new, old)
}

func labelDiceOf(g, other *plan.Graph) []string {
	var out []string
	lone, groups := 0, map[string]int{}
	for i := range g.Dice {
		id := g.Dice[i].ID
		if !slices.ContainsFunc(other.Dice, func(d plan.Die) bool { return d.ID == id }) {
			lone++
			id = fmt.Sprint("#", lone)
		} else if groups[id]++; groups[id] > 1 {
			id = fmt.Sprint(id, "#", groups[id])
		}
		out = append(out, id)
	}
	return out
}

func listDice(g *plan.Graph) string {
	var out []string
	for i := range g.Dice {
		if !slices.Contains(out, g.Dice[i].ID) {
			out = append(out, g.Dice[i].ID)
		}
	}
	return strings.Join(out, ", ")
}
