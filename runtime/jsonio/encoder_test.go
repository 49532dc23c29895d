package jsonio

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Ints are written as strconv writes them, whatever room there is.
func TestIntsAreWrittenAsStrconvDoes(t *testing.T) {
	ints := []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64}
	for limit := int64(1); limit < 1e18; limit *= 10 {
		ints = append(ints, limit-1, limit, limit+1, -limit+1, -limit, -limit-1)
	}
	for room := range 8 {
		for _, v := range ints {
			buf := make([]byte, 3, 3+room)
			if got, want := string(appendInt(buf, v)[3:]), strconv.FormatInt(v, 10); got != want {
				t.Errorf("%d, %d bytes of room: %q", v, room, got)
			}
		}
	}
}

// shortest is what appendDouble promises, by strconv alone.
func shortest(v float64) string {
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	text := strconv.FormatFloat(v, format, -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func TestDoublesAreWrittenShortest(t *testing.T) {
	check := func(v float64) {
		t.Helper()
		for _, v := range []float64{v, -v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1))} {
			if got := string(appendDouble(nil, v)); got != shortest(v) {
				t.Errorf("%s, want %s", got, shortest(v))
			}
		}
	}
	for _, v := range []float64{0, 0.001, 0.0005, 0.0015, 1e-6, 1e11, 1e12, 1e15, 1e18, 1e21, 999999999999.999, 1e12 - 1,
		1 << 53} {
		check(v)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200_000 {
		check(float64(r.Int64N(1e16)) / math.Pow10(r.IntN(18)))
	}
}
