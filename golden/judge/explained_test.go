package judge_test

import (
	"strings"
	"unicode"
)

const (
	asSlow     = "the answer is found in the way that takes longer"
	sameAgain  = "what is done twice is what it was"
	notMeaning = "no rule means another thing: "
	coverage   = notMeaning + "the branches that a case reaches are held by the tests of coverage"
	terms      = notMeaning + "the steps of a trace between named values are held by golden/trace_test.go"
	wording    = notMeaning + "advice and places in texts are held by the tests of jsonio and by golden/diag"
)

// explanations are the faults that the comparison cannot notice, each with why: by a part of its place.
var explanations = []struct{ place, why string }{
	{"AddOverflows: signs < 0: < excludes or includes its bound wrongly", asSlow},
	{"SubOverflows: signs < 0: < excludes or includes its bound wrongly", asSlow},
	{"alignLayouts: if sameLayout(x.Type, y.Type) {: this end never comes", "two equal layouts are joined to the same"},
	{"compiler/lower/cover.go", coverage},
	{"costOf: ", "how much a table of values saves: " + asSlow},
	{"dieTerm: ", terms},
	{"emitInitial: e.appendInstruction(loop, Instruction{Op: OpMove", sameAgain},
	{"finishError: err.Line", wording},
	{"foldBounds: w.walkNodes(0, func(id plan.ID) {: this call is made twice", sameAgain},
	{"foldSides: w.makeConstant(id, deciding): this call is made twice", sameAgain},
	{"foreseeFold: ", "a forecast of work, which chooses among ways of the same answer"},
	{"formulaText: ", terms},
	{"inPart: s.part, s.formula, s.reach", terms},
	{"internEnums: p.internEnums(s.Elem): this call is made twice", sameAgain},
	{"isOutsideLoops: ", terms},
	{"isRolledAlike: ", "groups that are not taken for alike are rolled one by one: " + asSlow},
	{"isShareable: ", "what is not shared is computed again: " + asSlow},
	{"isTabular: ", "what is not tabulated is computed: " + asSlow},
	{"magnitude: a < 0: < excludes or includes its bound wrongly", "0 is its own negative"},
	{"markMissingRows: signs >= 0: >= excludes or includes its bound wrongly", "no record is found to be marked: " + asSlow},
	{"nameAdvice: ", wording},
	{"nameTerm: ", terms},
	{"newBreakpoints: b.low, b.scale = low", "all limits are in one bucket: " + asSlow},
	{"OneOf: ", wording},
	{"outputLines: ", terms},
	{"overlaysOf: o.addFormula(f): this call is made twice", sameAgain},
	{"putPath: ", terms},
	{"putReference: ", terms},
	{"readFields: next = i + 1: this statement is left out", "the next name is looked up: " + asSlow},
	{"readFrom: s.addNeeded(id): this call is made twice", sameAgain},
	{"readMap: next = i + 1: this statement is left out", "the next name is looked up: " + asSlow},
	{"rowOf: if row, ok := s.foundRows[found]; ok {: this end never comes", terms},
	{"runLoop: count-i: ", "a forecast of work: no budget is as tight"},
	{"sameLayout: if t == u {: this comes after the statement that follows it", "equal types pass what follows too"},
	{"selectValue: x == y || b.isTrue(c): the left of || is left out", "a choice between a value and itself"},
	{"shareBlock: w.same[id] != id: != is the opposite", "what is not shared is computed again: " + asSlow},
	{"tryFusion: n.Op == plan.OpCell && n.Imm>>32 != m.Imm: the left of && is left out", "two instructions for one: " + asSlow},
	{"unknownField: ", wording},
}

// explain returns why nobody can notice a fault; "" of any other.
func explain(place string) string {
	for _, x := range explanations {
		k := strings.Index(place, x.place)
		if k == 0 || k > 0 && !unicode.IsLetter(rune(place[k-1])) { // a whole name
			return x.why
		}
	}
	return ""
}
