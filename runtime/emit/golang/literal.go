package golang

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// doubleLiteral returns a double as an expression.
func doubleLiteral(v float64) string {
	switch {
	case v != v:
		return "math.NaN()"
	case math.IsInf(v, 1):
		return "math.Inf(1)"
	case math.IsInf(v, -1):
		return "math.Inf(-1)"
	case v == 0 && math.Signbit(v):
		return "math.Copysign(0, -1)"
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func numbersLiteral(list []float64) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = strings.TrimSuffix(doubleLiteral(v), ".0")
	}
	return "[]float64{" + strings.Join(out, ", ") + "}"
}

func stringsLiteral(list []string) string {
	if list == nil {
		return "nil"
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return "[]string{" + strings.Join(out, ", ") + "}"
}

// intsLiteral returns a list of ints of a type.
func intsLiteral(of string, list []int64) string {
	return "[]" + of + "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]") + "}"
}

// placeLiteral returns a place in a ruleset.
func placeLiteral(p plan.Place) string {
	return fmt.Sprintf("kernel.Place{File: %q, Line: %d, Col: %d}", p.File, p.Line, p.Col)
}

// siteLiteral returns a site of a fault.
func siteLiteral(s plan.Site) string {
	members := []string{}
	if s.Place.File != "" {
		members = append(members, "Place: "+placeLiteral(s.Place))
	}
	members = append(members, fmt.Sprintf("Name: %q", s.Name))
	for _, m := range [][2]string{{"Cite", s.Cite}, {"Text", s.Text}} {
		if m[1] != "" {
			members = append(members, fmt.Sprintf("%s: %q", m[0], m[1]))
		}
	}
	return "&kernel.Site{" + strings.Join(members, ", ") + "}"
}

// dieName returns the name of a die.
func (w *writer) dieName(index int) string {
	d := &w.f.Body.Graph.Dice[index]
	members := []string{fmt.Sprintf("ID: %q", d.ID)}
	if d.Place.File != "" {
		members = append(members, "Place: "+placeLiteral(d.Place))
	}
	flag := func(name string, holds bool) {
		if holds {
			members = append(members, name+": true")
		}
	}
	band := func(name string, b plan.Band) {
		if b != (plan.Band{}) {
			members = append(members, fmt.Sprintf("%s: kernel.Band{Lo: %d, Hi: %d}", name, b.Lo, b.Hi))
		}
	}
	number := func(name string, n int64) {
		if n != 0 {
			members = append(members, fmt.Sprint(name, ": ", n))
		}
	}
	flag("List", d.List)
	flag("Distinct", d.Distinct)
	band("Again", d.Again)
	flag("Once", d.Once)
	band("Explode", d.Explode)
	number("Times", d.Times)
	number("Most", d.Most)
	if d.Shows != nil {
		members = append(members, "Shows: "+intsLiteral("int64", d.Shows))
	}
	number("Zero", d.Zero)
	text := "&kernel.Die{Declared: kernel.Declared{" + strings.Join(members, ", ") + "}"
	if w.idle != nil && w.idle[index] {
		text += ", Idle: true"
	}
	return w.declare(sitesFile, "die"+camel(d.ID), "", text+"}")
}
