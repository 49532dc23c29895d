package judge_test

import (
	"strings"
	"unicode"
)

const (
	asSlow     = "the answer is found in the way that takes longer"
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
	{"runtime/internal/vector/", "[:len(d)]: this statement is left out", "all columns are of one length"},
	{"compiler/lower/terms.go", "", terms},
	{"compiler/lower/recorder.go", "", terms},
	{"compiler/lower/entries.go", "", notMeaning + "what lists of definitions show is held by the scripts of cmd/rules"},
	{"compiler/lower/die_text.go", "", notMeaning + "how a die is shown is held by golden/trace_test.go"},
	{"compiler/lower/overlays.go", "", notMeaning + "who has a part in a value is held by TestOverlays"},
	{"", "markBranch(", coverage},
	{"compiler/lower/", "s.reach", coverage},
	{"compiler/lower/", "Terms[", terms},
	{"compiler/lower/", "eachTerm(", terms},
	{"", "CountBranches: ", coverage},
	{"runtime/odds/eliminate/work.go", "", forecasts},
	{"runtime/odds/eliminate/turns.go", "", "which form of a rule is tried first: " + asSlow},
	{"runtime/jsonio/pin.go", "", notMeaning + "characters that name their revision are held by the scripts pin_*.txtar"},
}

// explanations are the faults that the comparison cannot notice, each with why: by a part of its place.
var explanations = []struct{ place, why string }{
	{"add: m.int > 0", "a sum with 0 does not overflow, which is asked besides"},
	{"addName: n.Option", terms},
	{"AddOverflows: signs < 0: < excludes or includes its bound wrongly", asSlow},
	{"addTable: t.cells", forecasts},
	{"alignGroups: next < len(groups) && !isRolledAlike(groups[next].term, t): the right", "no roll is shared: " + asSlow},
	{"alignLayouts: if sameLayout(x.Type, y.Type) {: this end never comes", "two equal layouts are joined to the same"},
	{"appendThousandths: n <= -1e15", notMeaning + "the same number, with an exponent or without"},
	{"askOutputs: w.addRoot(&w.graph.When): this comes after", "in which order roots are noted says nothing"},
	{"bindRoot: v != nil && shape", "nobody looks up a name that is none"},
	{"bodyNodes: !c.Needed[id] || c.Nodes[id].Op == plan.OpConst: the right", "a constant is copied twice"},
	{"bodyNodes: !c.Needed[id] || c.Nodes[id].Op == plan.OpConst || c.Nodes[id].Op == plan.OpCover: the right", coverage},
	{"carryInPlace: slot >= 0", "a slot that is none stays none"},
	{"chargeTable: ", forecasts},
	{"classesOf: e.ins = ins", memory},
	{"comparedValue: !known || guard != 1: the left", "what is not known is 0, and so not 1"},
	{"comparedValues: dice < 3", "how few or many dice are compared at once: " + asSlow},
	{"compiler/lower/cover.go", coverage},
	{"Constant: slot >= c.FirstConst", asSlow},
	{"convolveEqual: 1", forecasts},
	{"convolveEqual: float64(", forecasts},
	{"convolveFaces: v > 1<<40: > is", asSlow},
	{"costOf: ", "how much a table of values saves: " + asSlow},
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
	{"dropConstantFaults: dropConstantFaults(", "a fault that is none is looked at: " + asSlow},
	{"Elements: at < 0", notMeaning + "only damaged plans have such lists; planfile's tests forge them"},
	{"emitCode: e.placeDice()", "neither call reads what the other writes"},
	{"entryBits: if value, ok", needs},
	{"find: at + 1: - for +", "rows are looked for downwards and not upwards"},
	{"findSources: n.Op == plan.OpLoop && b.rollsDice", "a loop without dice is a source of one class"},
	{"findRow: if len(b.fours) > maxCompared", "rows are searched in two ways, which find the same: " + asSlow},
	{"findRow: len(b.fours) > maxCompared", "rows are searched in two ways, which find the same: " + asSlow},
	{"finishError: err.Line", wording},
	{"fitLayout: if sameLayout", "a value that has the layout is copied into it"},
	{"fitOperand: n < 0", notMeaning + "no ruleset of the comparison is as large; schedule_test.go is about these"},
	{"fitsBetter: ", memory},
	{"foldScalar: w.makeConstant(id, result): this call is left out", asSlow},
	{"foldSorted: from, to := s.fold.takenRange(count): this call is made once more", "the call changes nothing"},
	{"foreseeFold: ", "a forecast of work, which chooses among ways of the same answer"},
	{"foreseeMoves: ", forecasts},
	{"formulaText: ", terms},
	{"greatestElement: b > a", "of equal ints any is the greatest"},
	{"hash: ", "it decides only where a row is looked for: " + asSlow},
	{"inPart: s.part, s.formula, s.reach", terms},
	{"internBuffer: f.buf = text", memory},
	{"isAdditive: !grows", asSlow},
	{"isComputed: t.live", asSlow},
	{"isEmpty: len(v.ids)", asSlow},
	{"isOutsideLoops: 0: 0 + 1", terms},
	{"isShareable: ", "what is not shared is computed again: " + asSlow},
	{"isTabular: ", "what is not tabulated is computed: " + asSlow},
	{"IsTooMuch: ", "no answer of the comparison takes as much memory"},
	{"judgeSize: ", forecasts},
	{"keptFaces: if t.Keep", "all dice, sorted, come to what they came to"},
	{"keyOf: if k != 0", needs},
	{"lastRead: n.Op == plan.OpParam && n.Imm == k+1: the left", "a slot is taken for longer: " + memory},
	{"layOutRoots: n.Op == plan.OpConst && e.isNeeded(plan.ID(id)): the right", memory},
	{"leavesOutNext: ", "an instruction stands behind every one of which this is asked"},
	{"lineOf: hi-lo", "a longer line, with weights of 0: " + asSlow},
	{"lowerCall: s.parts[", "a list of parts is walked as a whole: " + asSlow},
	{"lowerExpr: s.putTerm", terms},
	{"lowerGroup: t.Count > 1: > excludes", "a list of one die comes to what the die comes to"},
	{"lowerLet: if x, ok := s.memo", "what is lowered again is the same"},
	{"lowerLogic: if x.Fault", "the fault of two sides without a fault is folded to none"},
	{"magnitude: a < 0: < excludes or includes its bound wrongly", "0 is its own negative"},
	{"makeOrRecall: !e.recalls || s.kind != regionSource", memory},
	{"makeOrRecall: s.kind != streamSource: !=", memory},
	{"markAllUnread: ", "what nothing reads is read all the same: " + asSlow},
	{"markMissingRows: 0: 0 + 1", "no record is found to be marked: " + asSlow},
	{"markMissingRows: signs >= 0: >= excludes or includes its bound wrongly", "no record is found to be marked: " + asSlow},
	{"markOverflows: if !any", asSlow},
	{"MarkUnread: ", "what nothing reads is read all the same: " + asSlow},
	{"nameAdvice: ", wording},
	{"nameTerm: ", terms},
	{"newBreakpoints: 0: 0 + 1 for 0", asSlow},
	{"newBreakpoints: b.low, b.scale = low", "all limits are in one bucket: " + asSlow},
	{"newFastRange: low <= high", asSlow},
	{"newFastRange: s.Kind == plan.Double: == is the opposite", "the range stays empty: " + asSlow},
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
	{"outsideList: shape.MinItems > 0: > excludes", "no list has fewer elements than none"},
	{"parseShortInt: n == 0 || size", asSlow},
	{"Passes: w.live != nil && len(w.loop) == 1: the left", asSlow},
	{"PlaceString: ", wording},
	{"plainDefault: err != nil || !whole: the left", "a text that is no number is not whole either"},
	{"putPath: ", terms},
	{"putReference: ", terms},
	{"raiseTo: ", "a wider interval: " + asSlow},
	{"readAll: n.readGivenDice(): this call is left out", needs},
	{"readAll: n.walkNodes(0", needs},
	{"readDouble: if v, end, ok", asSlow},
	{"readFieldName: 0: 0 + 1 for 0", unread},
	{"readFields: next = i + 1: this statement is left out", "the next name is looked up: " + asSlow},
	{"readGivenDice: n.walkNodes", needs},
	{"readHex: 0", unread},
	{"readList: if n > 0 && !d.takeByte(',') {: this comes after", wording},
	{"readMap: next = i + 1: this statement is left out", "the next name is looked up: " + asSlow},
	{"readRequire: by = Reader", needs},
	{"readShortDouble: n > 1: > excludes", asSlow},
	{"readShortDouble: pos++: this statement is left out", "a sign is no digit, and the way that takes longer reads it"},
	{"rearrange: put = out.appendRow", "different rows are looked up all the same: " + asSlow},
	{"replaceByTable: !t.isComputed(id) || from == id: the left", "which nodes are tabulated: " + asSlow},
	{"ResetTo: f.ForgetFaults", "the faults of the next evaluation have other numbers"},
	{"rollSource: d.Again == (plan.Band{}): ", "a hand is followed card by card: " + asSlow},
	{"rollSource: d.Explode == (plan.Band{}): ", "a hand is followed card by card: " + asSlow},
	{"rollSource: d.Again == (plan.Band{}) && d.Explode == (plan.Band{}): ", "dice that all differ are never rolled again or on: the checker refuses them"},
	{"rollSource: s.ranks = ", "a hand is followed card by card: " + asSlow},
	{"rowOf: if row, ok := s.foundRows[found]; ok {: this end never comes", terms},
	{"rowOrder: 1: 1 + 1", "only the sign of an order counts"},
	{"runLoop: count-i: ", "a forecast of work: no budget is as tight"},
	{"runStep: rows = 0", forecasts},
	{"sameLayout: if t == u {: this comes after the statement that follows it", "equal types pass what follows too"},
	{"sameLayout: t.Elem == nil && u.Elem == nil: the left", "types of one kind both have elements or none"},
	{"sameLayout: t.Elem != nil && u.Elem != nil: the left", "types of one kind both have elements or none"},
	{"scaleWeight: ", "a weight times 1"},
	{"selectValue: x == y || b.isTrue(c): the left of || is left out", "a choice between a value and itself"},
	{"setCode: f.covered", coverage},
	{"shareBlock: w.same[id] != id: != is the opposite", "what is not shared is computed again: " + asSlow},
	{"siteAt: ", wording},
	{"size: n += bits", "in which order sets are tried: " + asSlow},
	{"skipPlain: 0", "the caller goes on where it stops"},
	{"skipPlain: 8", "the places of the eight highest bits, divided by 8 and by 9, are the same"},
	{"smaller: if c := ", "in which order sets are tried: " + asSlow},
	{"spansOf: at++", "in a graph with loops no slot is given away"},
	{"splitRegions: sets[on]", "what is no region is followed with the rest: " + asSlow},
	{"standIn: face < faces", "a die that is thrown on whatever it shows is refused before"},
	{"SubOverflows: signs < 0: < excludes or includes its bound wrongly", asSlow},
	{"tabulateNodes: t.walkNodes(0, func(id plan.ID) {: this call is left out", asSlow},
	{"takeByte: if d.pos", asSlow},
	{"takenRange: f.order.from <= f.order.to: <= excludes", "a range without dice is as empty wherever it begins"},
	{"TextListMember: e.Text(text): this call", needs},
	{"toLine: 1", forecasts},
	{"tryFusion: m.Op != x.with", "no node reads itself"},
	{"tryFusion: n.Op == plan.OpCell && n.Imm>>32 != m.Imm: the left", "two instructions for one: " + asSlow},
	{"typeError: ", wording},
	{"typeWithWords: t == words", "equal types have equal words"},
	{"unknownField: ", wording},
	{"upperLimit: bits == math", asSlow},
	{"walkEachPart: if b.walksParts", asSlow},
	{"withoutFaults: if sameLayout(", "the type that is made is as good as the one that it is equal to"},
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
