package runtime

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// # Filling a block by columns
//
// Whoever has records as columns need not set them value by value. FillInts and its likes copy a whole column into the
// block and judge it by its least and its greatest value. Only when these do not fit, or when more is asked of a value
// than to lie between two bounds, is every value judged by itself, by what judges the fields of a Frame: there is one set
// of bounds and of messages.
//
// A record that does not fit keeps its row, so that rows and records stay in step. It is computed as a copy of the first
// record that fits, because instructions may rely on the bounds that were declared, and what comes of it is not given:
// Err says why.

// A filling is what a block knows of the columns that were filled.
type filling struct {
	filled []bool                     // of each slot of the fields, whether this block's records have a column of their own
	common []bool                     // of each slot, whether its column holds the value of Frame in all rows
	unfit  map[int]*jsonio.InputError // by row: the first field that does not fit
	rows   bool                       // whether records were added one by one
}

// FillInts gives a field of kind int its values, one for each record of the block; of kind double, as whole numbers. All
// columns of a block are equally long, at most BlockSize. A value that does not fit is told by Err of its row. The fields
// that are not filled have the value that is set in Frame.
func (b *Block) FillInts(x *Field, values []int64) {
	column := b.beginColumn(x, len(values))
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for i, v := range values {
		column[i] = v
		low, high = min(low, v), max(high, v)
	}
	if x.shape.Kind != plan.Int || !fitsAll(x.shape, float64(low), float64(high)) {
		b.fillSlowly(x, len(values), func(row int) { b.frame.SetInt(x, values[row]) })
	}
}

// FillDoubles gives a field of kind double its values, as FillInts does.
func (b *Block) FillDoubles(x *Field, values []float64) {
	column := b.beginColumn(x, len(values))
	low, high := math.MaxFloat64, -math.MaxFloat64
	for i, v := range values {
		column[i] = builtin.Bits(v)
		low, high = min(low, v), max(high, v) // no number, as soon as one value is none
	}
	if x.shape.Kind != plan.Double || !(low >= -math.MaxFloat64 && high <= math.MaxFloat64) ||
		!fitsAll(x.shape, low, high) {
		b.fillSlowly(x, len(values), func(row int) { b.frame.SetDouble(x, values[row]) })
	}
}

// fitsAll reports whether the numbers from low to high all fit a shape.
func fitsAll(s *plan.Shape, low, high float64) bool {
	return s.Not == nil && (s.Min == nil || low > s.Min.Value || low == s.Min.Value && !s.Min.Open) &&
		(s.Max == nil || high < s.Max.Value || high == s.Max.Value && !s.Max.Open)
}

// FillBools gives a field of kind bool its values, as FillInts does.
func (b *Block) FillBools(x *Field, values []bool) {
	column := b.beginColumn(x, len(values))
	for i, v := range values {
		column[i] = builtin.Bool(v)
	}
	if x.shape.Kind != plan.Bool {
		b.fillSlowly(x, len(values), func(row int) { b.frame.SetBool(x, values[row]) })
	}
}

// FillSymbols gives a field of kind string its values, as FillInts does. The symbols are those of the program, or of this
// block by Symbol.
func (b *Block) FillSymbols(x *Field, values []Symbol) {
	column := b.beginColumn(x, len(values))
	far := uint64(0)
	for i, v := range values {
		column[i] = v.number
		far = max(far, uint64(v.number)-x.first)
	}
	if x.shape.Kind != plan.String || x.enum != nil && far >= x.words {
		b.fillSlowly(x, len(values), func(row int) { b.frame.SetSymbol(x, values[row]) })
	}
}

// Symbol is the symbol of a string, which this block knows until it is cleared when the plan has none.
func (b *Block) Symbol(text string) Symbol {
	number := b.frame.frame.Image().SymbolOf(text)
	if number < 0 {
		number = b.frame.frame.Intern([]byte(text))
	}
	return Symbol{number}
}

// Omit takes the value of a row out of a field that was filled, as when JSON has no such member: the record has the
// value that is set in Frame, which is absence or the default unless it was set, and the field is missing where there is
// neither.
func (b *Block) Omit(x *Field, row int) {
	slots := b.frame.slots
	if x.present < 0 && slots[x.at] == unset {
		b.refuseRow(row, b.frame.errorOf(x, jsonio.MissingMsg))
		return
	}
	for _, slot := range x.slots() {
		b.columns.Input(slot)[row] = slots[slot]
	}
}

// Refuse says that a record does not fit, because of the value of a field that could not even be given to Fill.
func (b *Block) Refuse(x *Field, row int, why string) { b.refuseRow(row, b.frame.errorOf(x, why)) }

// slots are those that the field takes.
func (x *Field) slots() []int {
	if x.present < 0 {
		return []int{x.at}
	}
	return []int{x.present, x.at}
}

// beginColumn begins a column of n values.
func (b *Block) beginColumn(x *Field, n int) []int64 {
	if b.fills.filled == nil {
		b.fills.filled, b.fills.common = make([]bool, len(b.frame.slots)), make([]bool, len(b.frame.slots))
		b.fills.unfit = map[int]*jsonio.InputError{}
	}
	for _, slot := range x.slots() {
		b.fills.filled[slot], b.fills.common[slot] = true, false
	}
	if b.rows = n; x.present >= 0 {
		for row, present := 0, b.columns.Input(x.present); row < n; row++ {
			present[row] = 1
		}
	}
	return b.columns.Input(x.at)[:n]
}

// fillSlowly judges every value of a column by setting it in the frame, whose own value of the field stays as it was.
func (b *Block) fillSlowly(x *Field, n int, set func(row int)) {
	f := b.frame
	before := [2]int64{f.slots[max(x.present, 0)], f.slots[x.at]}
	refused, missing := f.refused, slices.Clone(f.missing)
	for row := range n {
		f.refused = nil
		if set(row); f.refused != nil {
			b.refuseRow(row, f.refused)
			continue
		}
		for _, slot := range x.slots() {
			b.columns.Input(slot)[row] = f.slots[slot]
		}
	}
	f.refused, f.missing = refused, missing
	if f.slots[x.at] = before[1]; x.present >= 0 {
		f.slots[x.present] = before[0]
	}
}

// refuseRow notes why a record does not fit; the first reason is told.
func (b *Block) refuseRow(row int, why *jsonio.InputError) {
	if b.fills.unfit[row] == nil {
		b.fills.unfit[row] = why
	}
}

// completeRows gives the records of columns the fields that were not filled, and the number of each. It reports whether
// there is anything to run: not when no record fits.
func (b *Block) completeRows() bool {
	if b.fills.rows || b.fills.filled == nil {
		return true
	}
	slots := b.frame.slots
	for slot := range int(b.columns.Code.FirstConst) {
		if column := b.columns.Input(slot); !b.fills.filled[slot] && !(b.fills.common[slot] && column[0] == slots[slot]) {
			for i := range column {
				column[i] = slots[slot]
			}
			b.fills.common[slot] = true
		}
	}
	for _, m := range b.frame.missing {
		if slots[m.slot] == unset && !b.fills.filled[m.slot] {
			for row := range b.rows {
				b.refuseRow(row, &jsonio.InputError{Root: m.root, Path: m.path, Msg: jsonio.MissingMsg})
			}
		}
	}
	for i := range b.frame.limited {
		b.judgeLimits(&b.frame.limited[i])
	}
	for row := range b.rows {
		b.columns.SetSeed(row, b.seed, b.before+uint64(row), 0)
	}
	return b.replaceUnfit()
}

// judgeLimits refuses the records in which fields are outside of the bounds that others set.
func (b *Block) judgeLimits(root *rootReader) {
	slots := make([]int64, root.Slots)
	for row := range b.rows {
		for i := range slots {
			slots[i] = b.columns.Input(root.base + i)[row]
		}
		if err := root.JudgeLimits(b.columns.Frame, slots); err != nil {
			b.refuseRow(row, err)
		}
	}
}

// replaceUnfit makes records that do not fit copies of one that does. It reports whether there is one.
func (b *Block) replaceUnfit() bool {
	if len(b.fills.unfit) == 0 {
		return true
	}
	fit := 0
	for fit < b.rows && b.fills.unfit[fit] != nil {
		fit++
	}
	if fit == b.rows {
		return false
	}
	for slot := range int(b.columns.Code.FirstConst) {
		column := b.columns.Input(slot)
		for row := range b.fills.unfit {
			column[row] = column[fit]
		}
	}
	return true
}

// clearFilling makes the block ready for other records.
func (b *Block) clearFilling() {
	if b.fills.rows {
		clear(b.fills.common)
	}
	b.fills.rows = false
	clear(b.fills.filled)
	clear(b.fills.unfit)
}

// errorOf returns the error of a field.
func (f *Frame) errorOf(x *Field, msg string) *jsonio.InputError {
	before := f.refused
	f.refused = nil
	f.refuseField(x, "%s", msg)
	out := f.refused
	f.refused = before
	return out
}

// Column returns the result of all records as it lies in the block, until the block is cleared or run: an int is
// itself, a truth is 0 or 1, a double is its bits, and a string is a number, whose text SymbolText returns. The values
// in the row of a record with an Err mean nothing.
func (b *Block) Column(x *Result) []int64 { return b.columns.Column(uint16(x.slot)) }

// SymbolText is the text of a string in a Column. Numbers below those of Plan.Symbols are the same in all blocks.
func (b *Block) SymbolText(number int64) string { return b.columns.Frame.Text(number) }

// AllFit reports whether every record of the block has come to its end with all its outputs, so that no Err need be
// looked at.
func (b *Block) AllFit() bool { return b.allFit || !b.isJudged && b.judgeRows() }

// judgeRows finds out, column by column, that no record has an error, or that some may have one. It is the slow part of
// AllFit, apart so that the fast part is inlined, and waits until somebody asks: whoever reads whole columns of a rule
// that cannot fail never does.
func (b *Block) judgeRows() bool {
	b.isJudged = true
	b.allFit = len(b.fills.unfit) == 0 && !b.columns.AnyEnded() && !b.unchecked &&
		!slices.ContainsFunc(b.checks, b.anyFails)
	return b.allFit
}

// anyFails reports whether any record fails a check.
func (b *Block) anyFails(c outputCheck) bool {
	column := b.columns.Column(uint16(c.slot))
	if c.double {
		return vector.AnyNotFinite(column)
	}
	return !b.columns.IsZero(int(c.slot)) && vector.AnySet(column)
}

// prepareChecks lists the conditions under which the outputs can be given; those of lists and optional fields need a look
// at every record.
func (b *Block) prepareChecks() {
	g := &b.rule.rule.Graph
	of := Frame{rule: b.rule}
	for i := range g.Outputs.Fields {
		name := g.Outputs.Type.Fields[i].Name
		if code := b.columns.Code; code.Asked(name) && !of.addChecks(code, name, &g.Outputs.Fields[i]) {
			b.unchecked = true
		}
	}
	b.checks = of.checks
}

// Kind returns the kind of the field: an int, a double, a bool or a string.
func (x *Field) Kind() plan.Kind { return x.shape.Kind }
