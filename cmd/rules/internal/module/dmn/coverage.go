package dmn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// The constants in the cells of a column divide its values into finitely many classes, between which no cell tells a
// difference: each number that stands there and each gap between two, each text that stands there and all others. So all
// that can happen in a table is one of the combinations of classes. Where these are few, all are tried: two rules for one
// combination are an overlap, none is a gap. Cells that read anything else leave both open.

// mostTrials bounds the combinations times the tests of all cells, each of which is tried for each. A table with more of
// them is taken for one that reads other things.
const mostTrials = 4_000_000

// A coverage says whether the rules of a table overlap or leave a gap.
type coverage struct {
	isUnique   bool   // no two rules match together, or only such that say the same
	isComplete bool   // a rule matches in any case
	gap        string // a combination that no rule matches
}

// findCoverage tries all combinations of classes. Of hit policies U and A an overlap is an error.
func (t *decisionTable) findCoverage() (coverage, error) {
	classes := make([][]any, len(t.inputs))
	combinations, tests := 1, 0
	for _, r := range t.rules {
		for _, cell := range r.cells {
			tests += countTests(cell)
		}
	}
	for i, in := range t.inputs {
		classes[i] = t.classesOf(i, in.value)
		if combinations *= len(classes[i]); len(classes[i]) == 0 || combinations*tests > mostTrials {
			return coverage{isComplete: t.hasCatchAll()}, nil
		}
	}
	out := coverage{isUnique: true, isComplete: true}
	at := make([]int, len(classes))
	for range combinations {
		matching := t.findMatchingRules(classes, at)
		switch {
		case len(matching) == 0 && out.isComplete:
			out.isComplete, out.gap = false, t.describeCombination(classes, at)
		case len(matching) > 1 && (t.policy == "U" || t.policy == "A"):
			for _, r := range matching[1:] {
				if t.policy == "A" && t.haveSameConstants(matching[0], r) {
					continue
				}
				if t.policy == "A" && !t.hasConstantOutputs() {
					out.isUnique = false
					continue
				}
				policy := map[string]string{"U": "unique", "A": "any, of rules with one output"}[t.policy]
				return out, problemAt(r.element, "rules %d and %d both match %s, and the hit policy is %s",
					matching[0].number, r.number, t.describeCombination(classes, at), policy)
			}
		}
		for i := range at {
			if at[i]++; at[i] < len(classes[i]) {
				break
			}
			at[i] = 0
		}
	}
	return out, nil
}

// countTests returns the number of tests, and of those within others.
func countTests(list []*node) int {
	count := len(list)
	for _, n := range list {
		if n.kind == notNode {
			count += countTests(n.args)
		}
	}
	return count
}

// hasCatchAll reports whether a rule matches any input.
func (t *decisionTable) hasCatchAll() bool {
	return slices.ContainsFunc(t.rules, func(r tableRule) bool { return r.when == "" })
}

func (t *decisionTable) haveSameConstants(a, b *tableRule) bool {
	isSame := func(a, b value) bool { return a.literal != nil && a.literal == b.literal }
	return slices.EqualFunc(a.outputs, b.outputs, isSame)
}

// missingValue is the class of an input that may be null.
type missingValue struct{}

// otherText is the class of all texts that no cell names.
type otherText struct{}

// classesOf returns a value of each class of a column; none when a cell reads more than constants.
func (t *decisionTable) classesOf(column int, v value) []any {
	var constants []any
	for _, r := range t.rules {
		for _, n := range r.cells[column] {
			if !collectConstants(n, &constants) {
				return nil
			}
		}
	}
	var out []any
	switch {
	case v.typ.kind == truth:
		out = []any{true, false}
	case v.typ.kind == text && v.typ.enum != nil:
		for _, s := range v.typ.enum {
			out = append(out, s)
		}
	case v.typ.kind == text:
		for _, c := range constants {
			if s, ok := c.(string); ok && !slices.Contains(out, any(s)) {
				out = append(out, s)
			}
		}
		out = append(out, otherText{})
	case v.typ.kind.isNumeric():
		out = v.typ.numbersBetween(constants)
	default:
		if len(constants) > 0 {
			return nil
		}
		out = []any{otherText{}}
	}
	if v.known != "" {
		out = append(out, missingValue{})
	}
	return out
}

// numbersBetween returns the constants in order, and a number in each gap between them and beyond them, as far as the
// bounds of the type allow it. Where doubles are more than 1 apart, the next one is beyond a constant.
func (t *typ) numbersBetween(constants []any) []any {
	var points []float64
	for _, c := range constants {
		if x, ok := c.(float64); ok {
			points = append(points, x)
		}
	}
	bounds := append([]float64{}, t.parseBound(t.low)...)
	points = append(points, append(bounds, t.parseBound(t.high)...)...)
	slices.Sort(points)
	points = slices.Compact(points)
	if len(points) == 0 {
		return []any{0.0}
	}
	all := []float64{min(points[0]-1, math.Nextafter(points[0], math.Inf(-1)))}
	for i, x := range points {
		all = append(all, x)
		if i+1 < len(points) {
			all = append(all, x/2+points[i+1]/2)
		}
	}
	last := points[len(points)-1]
	all = append(all, max(last+1, math.Nextafter(last, math.Inf(1))))
	var out []any
	for _, x := range all {
		if t.isWithinBounds(x) && !math.IsInf(x, 0) {
			out = append(out, x)
		}
	}
	return out
}

// parseBound returns the number of a bound in CUE; none when there is no bound.
func (t *typ) parseBound(of string) []float64 {
	x, err := parseNumber(strings.TrimLeft(of, "<>="))
	if err != nil {
		return nil // there is no bound
	}
	return []float64{x}
}

func (t *typ) isWithinBounds(x float64) bool {
	for _, of := range []string{t.low, t.high} {
		if of == "" {
			continue
		}
		operator := of[:len(of)-len(strings.TrimLeft(of, "<>="))]
		if !isComparisonTrue(x, operator, t.parseBound(of)[0]) {
			return false
		}
	}
	return true
}

// collectConstants appends the constants of a test. It reports false for a test that reads anything else.
func collectConstants(n *node, to *[]any) bool {
	switch n.kind {
	case anyNode, nullNode:
		return true
	case notNode, testNode, intervalNode:
		return !slices.ContainsFunc(n.args, func(arg *node) bool { return !collectConstants(arg, to) })
	}
	c, ok := constantOfTest(n)
	*to = append(*to, c)
	return ok
}

// constantOfTest returns the constant of a cell, also of a date that is written out.
func constantOfTest(n *node) (any, bool) {
	at := ""
	switch {
	case n.kind == atNode:
		at = n.text
	case n.kind == callNode && len(n.args) == 1 && n.args[0].kind == stringNode &&
		slices.Contains([]string{"date", "time", "date and time", "duration"}, n.text):
		at = n.args[0].text
	default:
		return constantNode(n)
	}
	_, x, err := momentOf(at)
	return x, err == nil
}

// findMatchingRules returns the rules that match a combination.
func (t *decisionTable) findMatchingRules(classes [][]any, at []int) []*tableRule {
	var out []*tableRule
	for i := range t.rules {
		r := &t.rules[i]
		matches := true
		for c := range t.inputs {
			x := classes[c][at[c]]
			matches = matches && slices.ContainsFunc(r.cells[c], func(n *node) bool { return isTestTrue(n, x) })
		}
		if matches {
			out = append(out, r)
		}
	}
	return out
}

// isTestTrue reports whether a test of constants holds for a value. Null passes only null and "-".
func isTestTrue(n *node, x any) bool {
	_, isMissing := x.(missingValue)
	switch n.kind {
	case anyNode:
		return true
	case nullNode:
		return isMissing
	case notNode:
		return !isMissing && !slices.ContainsFunc(n.args, func(arg *node) bool { return isTestTrue(arg, x) })
	case testNode:
		c, _ := constantOfTest(n.args[0])
		return !isMissing && isComparisonTrue(x, n.text, c)
	case intervalNode:
		low, _ := constantOfTest(n.args[0])
		high, _ := constantOfTest(n.args[1])
		from, to := ">=", "<="
		if n.text[0] == '(' {
			from = ">"
		}
		if n.text[1] == ')' {
			to = "<"
		}
		return !isMissing && isComparisonTrue(x, from, low) && isComparisonTrue(x, to, high)
	}
	c, _ := constantOfTest(n)
	return x == c
}

// isComparisonTrue reports whether a comparison of two constants holds. Only numbers have an order.
func isComparisonTrue(x any, operator string, c any) bool {
	switch operator {
	case "=":
		return x == c
	case "!=":
		return x != c
	}
	a, isNumber := x.(float64)
	b, areNumbers := c.(float64)
	if !isNumber || !areNumbers {
		return false
	}
	switch operator {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}

// describeCombination returns the text of a combination for a message.
func (t *decisionTable) describeCombination(classes [][]any, at []int) string {
	var out []string
	for i, in := range t.inputs {
		switch x := classes[i][at[i]].(type) {
		case missingValue:
			out = append(out, in.name+" = null")
		case otherText:
			out = append(out, "any other "+in.name)
		case float64:
			out = append(out, in.name+" = "+plan.FormatDouble(x))
		case string:
			out = append(out, fmt.Sprintf("%s = %q", in.name, x))
		default:
			out = append(out, fmt.Sprintf("%s = %v", in.name, x))
		}
	}
	return strings.Join(out, ", ")
}
