package emit

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Written marks an operation that a back end writes itself, because its text depends on more than its operands.
const Written = "="

// A Spelling says how an operation is written in the languages of the back ends. A cell is a template, in which $a to $d
// stand for the operands and $s for the site of a fault, or Written. A template names each operand at most once, so that an
// operand in place is computed once; the functions that it calls are those of the back end's kernel.
type Spelling struct {
	JS, Go string
	// MayLeaveSafe says that the operation, of ints within 2^53, may give one beyond, or is the fault that it does: a language
	// whose numbers are doubles must check the result unless its bounds are known.
	MayLeaveSafe bool
	// MayBeMinusZero says that the operation, of doubles that are whole, gives -0 where one of them is negative and another
	// 0.
	MayBeMinusZero bool
}

// SpellingOf returns the row of an operation.
func SpellingOf(op plan.Op) Spelling { return spellings[op] }

// Expand returns a template with the texts of its operands and of its site.
func Expand(template string, operands []string, site string) string {
	pairs := []string{"$s", site}
	for k, text := range operands {
		pairs = append(pairs, "$"+string(rune('a'+k)), text)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// IsAtomic reports whether an expression in a language like C needs no parentheses as an operand: a name, a literal, a
// call.
func IsAtomic(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(" -!", c) >= 0:
			return false
		}
	}
	return true
}

// spellings has a row for every operation.
//
// In JavaScript ints and doubles are numbers, a fault is null or an object, a list is an array of elements (of more
// than one slot: of arrays of slots) and a map an array of entries in the order of their keys, each an array that
// begins with the key. What leaves 2^53 is 0 beside a fault, as what overflows 64 bits in a plan is what has wrapped; a
// negative int never does. In Go a slot has a type of its own, as package kernel says.
var spellings = [plan.NumOps]Spelling{
	plan.OpConst:  {JS: Written, Go: Written},
	plan.OpLeaf:   {JS: Written, Go: Written},
	plan.OpOption: {JS: Written, Go: Written},
	plan.OpParam:  {JS: Written, Go: Written},
	plan.OpResult: {JS: Written, Go: Written},

	plan.OpAddInt:      {JS: "$a + $b", Go: "$a + $b", MayLeaveSafe: true},
	plan.OpSubInt:      {JS: "$a - $b", Go: "$a - $b", MayLeaveSafe: true},
	plan.OpMulInt:      {JS: "$a * $b", Go: "$a * $b", MayLeaveSafe: true, MayBeMinusZero: true},
	plan.OpNegInt:      {JS: "0 - $a", Go: "-$a"},
	plan.OpAbsInt:      {JS: "Math.abs($a)", Go: "builtin.AbsInt($a)"},
	plan.OpMinInt:      {JS: "Math.min($a, $b)", Go: "min($a, $b)"},
	plan.OpMaxInt:      {JS: "Math.max($a, $b)", Go: "max($a, $b)"},
	plan.OpDivTrunc:    {JS: Written, Go: Written},
	plan.OpDivFloor:    {JS: Written, Go: Written},
	plan.OpDivCeil:     {JS: Written, Go: "builtin.DivCeil($a, $b)"},
	plan.OpDivHalfUp:   {JS: "divHalfUp($a, $b)", Go: "builtin.DivHalfUp($a, $b)"},
	plan.OpDivAway:     {JS: "divAway($a, $b)", Go: "builtin.DivAway($a, $b)"},
	plan.OpModInt:      {JS: "modulo($a, $b)", Go: Written},
	plan.OpPowInt:      {JS: "powInt($a, $b)", Go: "builtin.PowInt($a, $b)"},
	plan.OpAddIntFault: {JS: "beyondFault($a + $b)", Go: "kernel.AddFault($a, $b, $s)", MayLeaveSafe: true},
	plan.OpSubIntFault: {JS: "beyondFault($a - $b)", Go: "kernel.SubFault($a, $b, $s)", MayLeaveSafe: true},
	plan.OpMulIntFault: {JS: "beyondFault($a * $b)", Go: "kernel.MulFault($a, $b, $s)", MayLeaveSafe: true},
	plan.OpNegIntFault: {JS: "null", Go: "kernel.NegFault($a, $s)"},
	plan.OpAbsIntFault: {JS: "null", Go: "kernel.NegFault($a, $s)"},
	plan.OpDivFault:    {JS: "divFault($a, $b, $s)", Go: "kernel.DivFault($a, $b, $s)"},
	plan.OpModFault:    {JS: "modFault($a, $b, $s)", Go: "kernel.ModFault($a, $b, $s)"},
	plan.OpPowIntFault: {JS: "powFault($a, $b, $s)", Go: "kernel.PowFault($a, $b, $s)"},
	plan.OpEqInt:       {JS: "$a === $b", Go: "$a == $b"},
	plan.OpLtInt:       {JS: Written, Go: Written},
	plan.OpLeInt:       {JS: Written, Go: Written},

	plan.OpAddDouble:   {JS: "$a + $b", Go: "$a + $b"},
	plan.OpSubDouble:   {JS: "$a - $b", Go: "$a - $b"},
	plan.OpMulDouble:   {JS: "$a * $b", Go: "float64($a * $b)"},
	plan.OpDivDouble:   {JS: "$a / $b", Go: "$a / $b"},
	plan.OpNegDouble:   {JS: "-$a", Go: "-$a"},
	plan.OpAbsDouble:   {JS: "Math.abs($a)", Go: "math.Abs($a)"},
	plan.OpMinDouble:   {JS: "minDouble($a, $b)", Go: "builtin.MinDouble($a, $b)"},
	plan.OpMaxDouble:   {JS: "maxDouble($a, $b)", Go: "builtin.MaxDouble($a, $b)"},
	plan.OpPowDouble:   {JS: "powDouble($a, $b)", Go: "builtin.PowDouble($a, $b)"},
	plan.OpEqDouble:    {JS: "$a === $b", Go: "$a == $b"},
	plan.OpLtDouble:    {JS: "$a < $b", Go: "$a < $b"},
	plan.OpLeDouble:    {JS: "$a <= $b", Go: "$a <= $b"},
	plan.OpFloor:       {JS: Written, Go: Written},
	plan.OpCeil:        {JS: Written, Go: Written},
	plan.OpRound:       {JS: Written, Go: Written},
	plan.OpTrunc:       {JS: Written, Go: Written},
	plan.OpToIntFault:  {JS: "toIntFault($a, $s)", Go: "kernel.ToIntFault($a, $s)"},
	plan.OpToDouble:    {JS: "$a", Go: "float64($a)"},
	plan.OpLtIntDouble: {JS: "$a < $b", Go: "float64($a) < $b"},
	plan.OpLeIntDouble: {JS: "$a <= $b", Go: "float64($a) <= $b"},
	plan.OpLtDoubleInt: {JS: "$a < $b", Go: "$a < float64($b)"},
	plan.OpLeDoubleInt: {JS: "$a <= $b", Go: "$a <= float64($b)"},

	plan.OpAnd:        {JS: "$a && $b", Go: "$a && $b"},
	plan.OpOr:         {JS: "$a || $b", Go: "$a || $b"},
	plan.OpNot:        {JS: "!$a", Go: "!$a"},
	plan.OpSelect:     {JS: "$a ? $b : $c", Go: Written},
	plan.OpAndFault:   {JS: "andFault($a, $b, $c, $d)", Go: "kernel.AndFault($a, $b, $c, $d)"},
	plan.OpOrFault:    {JS: "orFault($a, $b, $c, $d)", Go: "kernel.OrFault($a, $b, $c, $d)"},
	plan.OpFirstFault: {JS: "$a || $b", Go: "kernel.FirstFault($a, $b)"},
	plan.OpNoFault:    {JS: "noFault($a)", Go: "$a == nil"},
	plan.OpFail:       {JS: Written, Go: Written},

	plan.OpConcatString:        {JS: "joinTexts(r, $a, $b)", Go: "e.Join($a, $b)"},
	plan.OpLtString:            {JS: "compareText($a, $b) < 0", Go: "$a < $b"},
	plan.OpLeString:            {JS: "compareText($a, $b) <= 0", Go: "$a <= $b"},
	plan.OpSizeString:          {JS: "sizeText($a)", Go: "int64(utf8.RuneCountInString($a))"},
	plan.OpContains:            {JS: "$a.includes($b)", Go: "strings.Contains($a, $b)"},
	plan.OpStartsWith:          {JS: "$a.startsWith($b)", Go: "strings.HasPrefix($a, $b)"},
	plan.OpEndsWith:            {JS: "$a.endsWith($b)", Go: "strings.HasSuffix($a, $b)"},
	plan.OpIntToString:         {JS: "String($a)", Go: "strconv.FormatInt($a, 10)"},
	plan.OpDoubleToString:      {JS: "doubleText($a)", Go: "string(builtin.AppendDouble(nil, $a))"},
	plan.OpBoolToString:        {JS: "String($a)", Go: "strconv.FormatBool($a)"},
	plan.OpStringToInt:         {JS: "parseInteger($a)", Go: "kernel.IntOf($a)"},
	plan.OpStringToIntFault:    {JS: "integerFault($a, $s)", Go: "kernel.IntTextFault($a, $s)"},
	plan.OpStringToDouble:      {JS: "parseDouble($a)", Go: "kernel.DoubleOf($a)"},
	plan.OpStringToDoubleFault: {JS: "doubleFault($a, $s)", Go: "kernel.DoubleTextFault($a, $s)"},
	plan.OpIndexOf:             {JS: "indexOfText($a, $b)", Go: "builtin.IndexOf($a, $b)"},
	plan.OpLower:               {JS: "lower($a)", Go: "string(builtin.AppendLower(nil, $a))"},
	plan.OpUpper:               {JS: "upper($a)", Go: "string(builtin.AppendUpper(nil, $a))"},

	plan.OpNewSpan:     {JS: "[]", Go: Written},
	plan.OpPush:        {JS: Written, Go: Written},
	plan.OpSize:        {JS: "$a.length", Go: "int64(len($a))"},
	plan.OpElem:        {JS: Written, Go: Written},
	plan.OpElemFault:   {JS: "elementFault($a, $b, $s)", Go: "kernel.ElementFault(len($a), $b, $s)"},
	plan.OpConcat:      {JS: "joinLists(r, $a, $b)", Go: "kernel.Concat(e, $a, $b)"},
	plan.OpSlice:       {JS: "slice($a, $b, $c)", Go: "kernel.Slice($a, $b, $c)"},
	plan.OpSliceFault:  {JS: "sliceFault($a, $b, $c, $s)", Go: "kernel.SliceFault(len($a), $b, $c, $s)"},
	plan.OpRange:       {JS: "range($a, $b)", Go: "kernel.Range($a, $b)"},
	plan.OpRangeFault:  {JS: "rangeFault($a, $b, $s)", Go: "kernel.RangeFault($a, $b, $s)"},
	plan.OpSort:        {JS: "sort($a)", Go: "kernel.Sort(e, $a)"},
	plan.OpSortBy:      {JS: "sortBy($a, $b)", Go: "kernel.SortBy(e, $a, $b)"},
	plan.OpSumInt:      {JS: "sumInts($a)", Go: "kernel.Sum($a)"},
	plan.OpSumIntFault: {JS: "sumFault($a)", Go: "kernel.SumFault($a, $s)"},
	plan.OpSumDouble:   {JS: "sumDoubles($a)", Go: "kernel.Sum($a)"},
	plan.OpLeast:       {JS: "least($a)", Go: "kernel.Least($a)"},
	plan.OpGreatest:    {JS: "greatest($a)", Go: "kernel.Greatest($a)"},
	plan.OpEmptyFault:  {JS: "emptyFault($a, $s)", Go: "kernel.EmptyFault(len($a), $s)"},
	plan.OpHas:         {JS: "$a.indexOf($b) >= 0", Go: "slices.Contains($a, $b)"},
	plan.OpEqual:       {JS: Written, Go: Written},
	plan.OpFind:        {JS: "find($a, $b)", Go: "kernel.Find($a, $b)"},
	plan.OpFindFault:   {JS: "findFault($a, $b, $s)", Go: "kernel.FindFault($a, $b, $s)"},
	plan.OpWith:        {JS: Written, Go: Written},
	plan.OpKeys:        {JS: "keys($a)", Go: "kernel.Keys($a)"},
	plan.OpPour:        {JS: "pour($a, $b)", Go: "kernel.Pour($a, $b)"},
	plan.OpPourFault:   {JS: "pourFault($a, $b, $s)", Go: "kernel.PourFault($a, $b, $s)"},
	plan.OpCounts:      {JS: "counts($a, $b, $c)", Go: "kernel.Counts($a, $b, $c)"},
	plan.OpCountsFault: {JS: "countsFault($b, $c, $s)", Go: "kernel.CountsFault($b, $c, $s)"},

	plan.OpRow:       {JS: Written, Go: Written},
	plan.OpRowDouble: {JS: Written, Go: Written},
	plan.OpRowFault:  {JS: Written, Go: "kernel.RowFault($a, $b, $s)"},
	plan.OpCell:      {JS: Written, Go: Written},

	plan.OpLoop:    {JS: Written, Go: Written},
	plan.OpRoll:    {JS: Written, Go: Written},
	plan.OpRequire: {JS: Written, Go: Written},
	plan.OpCover:   {JS: "null", Go: "true"}, // branches are counted by the interpreter
}
