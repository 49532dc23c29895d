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
	needs      = notMeaning + "the judge knows no needs before an answer; golden/ask_test.go holds them"
	forecasts  = "how much work or memory something will take: no budget of the comparison is as tight"
	unread     = "nobody reads the value behind a fault"
	memory     = "what is kept for the next evaluation: " + asSlow
)

// classes are changes that nobody can notice wherever they are made in some files.
var classes = []struct{ files, change, why string }{
	{"runtime/internal/vector/", "this call is made twice", "no kernel writes a column that it reads"},
	{"runtime/internal/vector/", "[:len(d)]: this statement is left out", "all columns are of one length"},
	{"compiler/lower/terms.go", "", terms},
	{"compiler/lower/recorder.go", "", terms},
	{"compiler/lower/entries.go", "", notMeaning + "what lists of definitions show is held by the scripts of cmd/rules"},
	{"compiler/lower/die_text.go", "", notMeaning + "how a die is shown is held by golden/trace_test.go"},
	{"compiler/lower/overlays.go", "", notMeaning + "who has a part in a value is held by TestOverlays"},
	{"", "markBranch(", coverage},
	{"", "CountBranches: ", coverage},
	{"", "trace.begin(): this call is made twice", terms},
	{"runtime/odds/eliminate/work.go", "", forecasts},
	{"runtime/odds/eliminate/turns.go", "", "which form of a rule is tried first: " + asSlow},
	{"runtime/odds/eliminate/recall.go", "", memory},
	{"runtime/jsonio/pin.go", "", notMeaning + "characters that name their revision are held by the scripts pin_*.txtar"},
}

// explanations are the faults that the comparison cannot notice, each with why: by a part of its place.
var explanations = []struct{ place, why string }{
	{"add: m.int > 0", "a sum with 0 does not overflow, which is asked besides"},
	{"AddOverflows: signs < 0: < excludes or includes its bound wrongly", asSlow},
	{"addTable: t.cells", forecasts},
	{"alignLayouts: if sameLayout(x.Type, y.Type) {: this end never comes", "two equal layouts are joined to the same"},
	{"askOutputs: w.addRoot(&w.graph.When): this comes after", "in which order roots are noted says nothing"},
	{"bodyNodes: !c.Needed[id] || c.Nodes[id].Op == plan.OpConst: the right", "a constant is copied twice"},
	{"boundValue: s.inPart(s.part, s.formula, func() {: this call is made twice", sameAgain},
	{"buildAtLevel: build(): this call is made twice", sameAgain},
	{"carryInPlace: slot >= 0", "a slot that is none stays none"},
	{"chargeTable: ", forecasts},
	{"classesOf: e.ins = ins", memory},
	{"comparedValue: !known || guard != 1: the left", "what is not known is 0, and so not 1"},
	{"comparedValues: dice < 3", "how few or many dice are compared at once: " + asSlow},
	{"compiler/lower/cover.go", coverage},
	{"computeOrRecall: ", memory},
	{"Constant: slot >= c.FirstConst", asSlow},
	{"convolveEqual: float64(", forecasts},
	{"convolveFaces: v > 1<<40: > is", asSlow},
	{"costOf: ", "how much a table of values saves: " + asSlow},
	{"countReads: f.countRead(id): this call is made twice", sameAgain},
	{"decideFields: ", notMeaning + "the comparison asks for no strategy; golden and markov hold these"},
	{"decodeJSON: if isJSONNumber", asSlow},
	{"Dense: len(d) >= 8", "both columns are of one length"},
	{"dieTotals: d.AddsShown()", forecasts},
	{"DivHalfUp: 0", unread},
	{"DivTrunc: 0", unread},
	{"domainSize: n >= 0 && n < maxDomain: the left", "which nodes are tabulated: " + asSlow},
	{"drawCount: if left == 0", "no dice show no face: " + asSlow},
	{"drawsRead: len(masks)-len(out)", memory},
	{"dropConstantFaults: 0", asSlow},
	{"Elements: at < 0", notMeaning + "only damaged plans have such lists; planfile's tests forge them"},
	{"emitCode: e.placeDice()", "neither call reads what the other writes"},
	{"emitInitial: e.appendInstruction(loop, Instruction{Op: OpMove", sameAgain},
	{"emitRoll: e.appendInstruction(id, Instruction{Op: OpDieFault, A: e.slotOf(n.Args[0]), B: e.slotOf(n.Args[3])}): " +
		"this call is made twice", sameAgain},
	{"entryBits: if value, ok", needs},
	{"findSources: n.Op == plan.OpLoop && b.rollsDice", "a loop without dice is a source of one class"},
	{"finishError: err.Line", wording},
	{"fitLayout: if sameLayout", "a value that has the layout is copied into it"},
	{"fitOperand: n < 0", notMeaning + "no ruleset of the comparison is as large; schedule_test.go is about these"},
	{"foldBounds: w.walkNodes(0, func(id plan.ID) {: this call is made twice", sameAgain},
	{"foldFirst: w.replaceNode(id, n.Args[1]): this call is made twice", sameAgain},
	{"foldSelect: w.replaceNode(id, n.Args[1]): this call is made twice", sameAgain},
	{"foldSideFaults: w.makeConstant(id, 0): this call is made twice", sameAgain},
	{"foldSides: w.makeConstant(id, deciding): this call is made twice", sameAgain},
	{"foreseeFold: ", "a forecast of work, which chooses among ways of the same answer"},
	{"formulaText: ", terms},
	{"greatestElement: b > a", "of equal ints any is the greatest"},
	{"inlineOnce: inner.countLets(): this call is made twice", sameAgain},
	{"inlineOnce: s.trace.begin(): this call is made twice", sameAgain},
	{"inPart: s.part, s.formula, s.reach", terms},
	{"internEnums: p.internEnums(s.Elem): this call is made twice", sameAgain},
	{"isAdditive: !grows", asSlow},
	{"isComputed: t.live", asSlow},
	{"isEmpty: len(v.ids)", asSlow},
	{"isOutsideLoops: 0: 0 + 1", terms},
	{"isShareable: ", "what is not shared is computed again: " + asSlow},
	{"isTabular: ", "what is not tabulated is computed: " + asSlow},
	{"joinComparisons: 1", asSlow},
	{"judgeSize: ", forecasts},
	{"keptFaces: if t.Keep", "all dice, sorted, come to what they came to"},
	{"keyOf: if k != 0", needs},
	{"leavesOutNext: ", "an instruction stands behind every one of which this is asked"},
	{"lineOf: hi-lo", "a longer line, with weights of 0: " + asSlow},
	{"lookUpRolls: out[i].lookUp(): this call is made twice", sameAgain},
	{"lowerBody: s.lowerRequires(b, false): this call is made twice", sameAgain},
	{"lowerCall: s.parts[", "a list of parts is walked as a whole: " + asSlow},
	{"lowerDie: s.trace.begin(): this call is made twice", sameAgain},
	{"lowerEvent: p.internEnums(e.Book.Input): this call is made twice", sameAgain},
	{"lowerExpr: s.putTerm", terms},
	{"lowerGroup: t.Count > 1: > excludes", "a list of one die comes to what the die comes to"},
	{"lowerLet: if x, ok := s.memo", "what is lowered again is the same"},
	{"lowerLet: s.buildAtLevel(s.level, func() {: this call is made twice", sameAgain},
	{"lowerLogic: if x.Fault", "the fault of two sides without a fault is folded to none"},
	{"lowerNext: s.countLets(): this call is made twice", sameAgain},
	{"lowerNext: s.inPart(\"next \"+name, formulaText(n.Let.Formula.Book), func() {: this call is made twice", sameAgain},
	{"lowerPool: s.requireNoFault(pool.Fault, d.Pool.Place): this call is made twice", sameAgain},
	{"lowerRequire: s.trace.begin(): this call is made twice", sameAgain},
	{"lowerRule: s.bindRoot(r.Input, plan.InputRoot, r.Book.Input): this call is made twice", sameAgain},
	{"lowerSeries: s.requireNoFault(s.firstFault(n.Fault, negative), d.Series.Place): this call is made twice", sameAgain},
	{"lowerTrait: inner.inPart(\"\", formulaText(t.Formula.Book), func() {: this call is made twice", sameAgain},
	{"lowerWhen: s.markBranch(u.When.Place, \"not used\", s.reachedUnless(s.guard, v.ID)): " +
		"this call is made twice", sameAgain},
	{"magnitude: a < 0: < excludes or includes its bound wrongly", "0 is its own negative"},
	{"makeOrRecall: !e.recalls || s.kind != regionSource", memory},
	{"makeOrRecall: s.kind != streamSource: !=", memory},
	{"markAllUnread: ", "what nothing reads is read all the same: " + asSlow},
	{"markMissingRows: signs >= 0: >= excludes or includes its bound wrongly", "no record is found to be marked: " + asSlow},
	{"markOverflows: if !any", asSlow},
	{"MarkUnread: ", "what nothing reads is read all the same: " + asSlow},
	{"multiplyReciprocals: w.walkNodes(0, func(id plan.ID) {: this call is made twice", sameAgain},
	{"nameAdvice: ", wording},
	{"nameTerm: ", terms},
	{"newBreakpoints: 0: 0 + 1 for 0", asSlow},
	{"newBreakpoints: b.low, b.scale = low", "all limits are in one bucket: " + asSlow},
	{"newFastRange: low <= high", asSlow},
	{"newJoint: len(t.rows) < leastTaken", "rows are copied or taken: " + asSlow},
	{"newReading: v.Type.Kind == plan.Int", "scalars are read as other values are: " + asSlow},
	{"NewSymbolTable: 1", memory},
	{"nextAbove: 1", "any positive number stands for the infinite one above"},
	{"noteField: r.By", needs},
	{"noteField: r.Whole", needs},
	{"noteLookup: ", needs},
	{"numbers: 2", forecasts},
	{"OneOf: ", wording},
	{"outputLines: ", terms},
	{"overlaysOf: o.addFormula(f): this call is made twice", sameAgain},
	{"parseShortInt: n == 0 || size", asSlow},
	{"Passes: w.live != nil && len(w.loop) == 1: the left", asSlow},
	{"placeLoops: e.placeCarried(int32(e.nodes[e.operandOf(n, 0)].Imm), n.Imm): this call is made twice", sameAgain},
	{"PlaceString: ", wording},
	{"putPath: ", terms},
	{"putReference: ", terms},
	{"raiseTo: ", "a wider interval: " + asSlow},
	{"readAll: n.readGivenDice(): this call is left out", needs},
	{"readAll: n.walkNodes(0", needs},
	{"readAll: n.walkNodes(0, func(id plan.ID) {: this call is made twice", sameAgain},
	{"readDouble: if v, end, ok", asSlow},
	{"readField: n.readFields(v, s, at): this call is made twice", sameAgain},
	{"readFields: next = i + 1: this statement is left out", "the next name is looked up: " + asSlow},
	{"readFrom: s.addNeeded(id): this call is made twice", sameAgain},
	{"readGivenDice: n.walkNodes", needs},
	{"readHex: 0", unread},
	{"readMap: next = i + 1: this statement is left out", "the next name is looked up: " + asSlow},
	{"readRequire: by = Reader", needs},
	{"readRequire: n.readFrom(by, x.Args...): this call is made twice", sameAgain},
	{"readValue: n.readFrom(by, id): this call is made twice", sameAgain},
	{"rearrange: put = out.appendRow", "different rows are looked up all the same: " + asSlow},
	{"replaceByTable: !t.isComputed(id) || from == id: the left", "which nodes are tabulated: " + asSlow},
	{"ResetTo: f.ForgetFaults", "the faults of the next evaluation have other numbers"},
	{"rollSource: s.ranks = ", "a hand is followed card by card: " + asSlow},
	{"rowOf: if row, ok := s.foundRows[found]; ok {: this end never comes", terms},
	{"rowOrder: 1: 1 + 1", "only the sign of an order counts"},
	{"Ruleset: p.addEntries(r): this call is made twice", sameAgain},
	{"runLoop: count-i: ", "a forecast of work: no budget is as tight"},
	{"runStep: rows = 0", forecasts},
	{"sameLayout: if t == u {: this comes after the statement that follows it", "equal types pass what follows too"},
	{"sameLayout: t.Elem != nil && u.Elem != nil: the left", "types of one kind both have elements or none"},
	{"scaleWeight: ", "a weight times 1"},
	{"selectValue: x == y || b.isTrue(c): the left of || is left out", "a choice between a value and itself"},
	{"setCode: f.covered", coverage},
	{"shareBlock: w.same[id] != id: != is the opposite", "what is not shared is computed again: " + asSlow},
	{"shareBlock: w.shareBlock(n.Imm, in): this call is made twice", sameAgain},
	{"size: n += bits", "in which order sets are tried: " + asSlow},
	{"skipPlain: 0", "the caller goes on where it stops"},
	{"skipPlain: 8", "the places of the eight highest bits, divided by 8 and by 9, are the same"},
	{"smaller: if c := ", "in which order sets are tried: " + asSlow},
	{"spansOf: at++", "in a graph with loops no slot is given away"},
	{"splitRegions: sets[on]", "what is no region is followed with the rest: " + asSlow},
	{"standIn: face < faces", "a die that is thrown on whatever it shows is refused before"},
	{"SubOverflows: signs < 0: < excludes or includes its bound wrongly", asSlow},
	{"takeByte: if d.pos", asSlow},
	{"TextListMember: e.Text(text): this call", needs},
	{"tryFusion: m.Op != x.with", "no node reads itself"},
	{"tryFusion: n.Op == plan.OpCell && n.Imm>>32 != m.Imm: the left", "two instructions for one: " + asSlow},
	{"typeError: ", wording},
	{"typeWithWords: t == words", "equal types have equal words"},
	{"unknownField: ", wording},
	{"upperLimit: bits == math", asSlow},
	{"walkEachPart: if b.walksParts", asSlow},
	{"withEntry: out == nil", notMeaning + "only damaged plans have such maps; planfile's tests forge them"},
}

// explain returns why nobody can notice a fault; "" of any other.
func explain(place string) string {
	for _, x := range explanations {
		k := strings.Index(place, x.place)
		if k == 0 || k > 0 && !unicode.IsLetter(rune(place[k-1])) { // a whole name
			return x.why
		}
	}
	for _, x := range classes {
		if strings.HasPrefix(place, x.files) && strings.Contains(place, x.change) {
			return x.why
		}
	}
	return ""
}
