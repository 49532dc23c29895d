package runtime

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// bytesOfWork is how many bytes of a string count as one word.
const bytesOfWork = 16

// strings executes a word on strings.
func (f *vmFrame) strings(w *schedule.Word) {
	s := f.slots
	switch w.Op {
	case plan.OpConcatString:
		s[w.D] = f.concatString(s[w.A], s[w.B])
	case plan.OpLtString:
		s[w.D] = builtin.Bool(f.read(s[w.A]) < f.read(s[w.B]))
	case plan.OpLeString:
		s[w.D] = builtin.Bool(f.read(s[w.A]) <= f.read(s[w.B]))
	case plan.OpSizeString:
		s[w.D] = int64(utf8.RuneCountInString(f.read(s[w.A])))
	case plan.OpContains:
		s[w.D] = builtin.Bool(strings.Contains(f.read(s[w.A]), f.read(s[w.B])))
	case plan.OpStartsWith:
		s[w.D] = builtin.Bool(strings.HasPrefix(f.text(s[w.A]), f.text(s[w.B])))
	case plan.OpEndsWith:
		s[w.D] = builtin.Bool(strings.HasSuffix(f.text(s[w.A]), f.text(s[w.B])))
	case plan.OpIntToString:
		s[w.D] = f.made(strconv.AppendInt(f.buf[:0], s[w.A], 10))
	case plan.OpDoubleToString:
		s[w.D] = f.made(builtin.AppendDouble(f.buf[:0], builtin.Double(s[w.A])))
	case plan.OpBoolToString:
		s[w.D] = f.made(strconv.AppendBool(f.buf[:0], s[w.A] != 0))
	case plan.OpStringToInt:
		s[w.D], _ = builtin.ParseInt(f.read(s[w.A]))
	case plan.OpStringToIntFault:
		_, ok := builtin.ParseInt(f.read(s[w.A]))
		s[w.D] = f.unless(ok, w.Imm, notAnIntText, s[w.A])
	case plan.OpStringToDouble:
		v, _ := builtin.ParseDouble(f.read(s[w.A]))
		s[w.D] = builtin.Bits(v)
	case plan.OpStringToDoubleFault:
		_, ok := builtin.ParseDouble(f.read(s[w.A]))
		s[w.D] = f.unless(ok, w.Imm, notADoubleText, s[w.A])
	case plan.OpIndexOf:
		s[w.D] = builtin.IndexOf(f.read(s[w.A]), f.read(s[w.B]))
	case plan.OpLower:
		s[w.D] = f.made(builtin.AppendLower(f.buf[:0], f.read(s[w.A])))
	case plan.OpUpper:
		s[w.D] = f.made(builtin.AppendUpper(f.buf[:0], f.read(s[w.A])))
	default:
		panic(unknown(w.Op))
	}
}

// read is the string of a symbol, whose length is work.
func (f *vmFrame) read(symbol int64) string {
	text := f.text(symbol)
	f.charge(int64(len(text) / bytesOfWork))
	return text
}

// made is the symbol of a string that was made in the frame's buffer.
func (f *vmFrame) made(text []byte) int64 {
	f.buf = text
	return f.intern(text)
}

// concatString joins two strings, unless that is more than may be done.
func (f *vmFrame) concatString(a, b int64) int64 {
	x, y := f.read(a), f.read(b)
	if f.work < 0 {
		return 0
	}
	return f.made(append(append(f.buf[:0], x...), y...))
}

// unless records a fault about a value, if it happened.
func (f *vmFrame) unless(ok bool, site int32, kind faultKind, a int64) int64 {
	if ok {
		return 0
	}
	return f.fail(site, kind, a, 0)
}
