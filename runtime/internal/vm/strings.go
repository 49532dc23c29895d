package vm

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// bytesOfWork is how many bytes of a string count as one instruction.
const bytesOfWork = 16

// executeString executes an instruction on strings, and reports whether it was one.
func executeString(f *Frame, w *schedule.Instruction) bool {
	s := f.slots
	switch w.Op {
	case plan.OpConcatString:
		s[w.D] = concatStrings(f, s[w.A], s[w.B])
	case plan.OpLtString:
		s[w.D] = builtin.Bool(readString(f, s[w.A]) < readString(f, s[w.B]))
	case plan.OpLeString:
		s[w.D] = builtin.Bool(readString(f, s[w.A]) <= readString(f, s[w.B]))
	case plan.OpSizeString:
		s[w.D] = int64(utf8.RuneCountInString(readString(f, s[w.A])))
	case plan.OpContains:
		s[w.D] = builtin.Bool(strings.Contains(readString(f, s[w.A]), readString(f, s[w.B])))
	case plan.OpStartsWith:
		s[w.D] = builtin.Bool(strings.HasPrefix(f.Text(s[w.A]), f.Text(s[w.B])))
	case plan.OpEndsWith:
		s[w.D] = builtin.Bool(strings.HasSuffix(f.Text(s[w.A]), f.Text(s[w.B])))
	case plan.OpIntToString:
		s[w.D] = internBuffer(f, strconv.AppendInt(f.buf[:0], s[w.A], 10))
	case plan.OpDoubleToString:
		s[w.D] = internBuffer(f, builtin.AppendDouble(f.buf[:0], builtin.Double(s[w.A])))
	case plan.OpBoolToString:
		s[w.D] = internBuffer(f, strconv.AppendBool(f.buf[:0], s[w.A] != 0))
	case plan.OpStringToInt:
		s[w.D], _ = builtin.ParseInt(readString(f, s[w.A]))
	case plan.OpStringToIntFault:
		_, ok := builtin.ParseInt(readString(f, s[w.A]))
		s[w.D] = FaultUnless(f, ok, w.Imm, notAnIntText, s[w.A])
	case plan.OpStringToDouble:
		v, _ := builtin.ParseDouble(readString(f, s[w.A]))
		s[w.D] = builtin.Bits(v)
	case plan.OpStringToDoubleFault:
		_, ok := builtin.ParseDouble(readString(f, s[w.A]))
		s[w.D] = FaultUnless(f, ok, w.Imm, notADoubleText, s[w.A])
	case plan.OpIndexOf:
		s[w.D] = builtin.IndexOf(readString(f, s[w.A]), readString(f, s[w.B]))
	case plan.OpLower:
		s[w.D] = internBuffer(f, builtin.AppendLower(f.buf[:0], readString(f, s[w.A])))
	case plan.OpUpper:
		s[w.D] = internBuffer(f, builtin.AppendUpper(f.buf[:0], readString(f, s[w.A])))
	default:
		return false
	}
	return true
}

// readString returns the string of a symbol, whose length is work.
func readString(f *Frame, symbol int64) string {
	text := f.Text(symbol)
	f.chargeWork(int64(len(text) / bytesOfWork))
	return text
}

// internBuffer returns the symbol of a string that was made in the frame's buffer.
func internBuffer(f *Frame, text []byte) int64 {
	f.buf = text
	return f.Intern(text)
}

// concatStrings joins two strings, unless that is more than may be done.
func concatStrings(f *Frame, a, b int64) int64 {
	x, y := readString(f, a), readString(f, b)
	if f.work < 0 {
		return 0
	}
	return internBuffer(f, append(append(f.buf[:0], x...), y...))
}
