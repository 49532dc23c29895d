package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Encoder writes JSON.
type Encoder = jsonio.Encoder

// WriteList writes a list.
func WriteList[T any](e *Encoder, list []T, write func(*Encoder, T)) {
	e.BeginList()
	for _, x := range list {
		write(e, x)
	}
	e.EndList()
}

// WriteMap writes a map in the order of its keys.
func WriteMap[K comparable, T any](e *Encoder, m map[K]T, write func(*Encoder, T)) {
	e.BeginObject(plan.Map)
	for _, key := range slices.SortedFunc(maps.Keys(m), comparison[K]()) {
		e.Name(keyText(key))
		write(e, m[key])
	}
	e.EndObject()
}

// keyText returns a key of a map as the name of a member.
func keyText(key any) string {
	switch key := key.(type) {
	case string:
		return key
	case int64:
		return strconv.FormatInt(key, 10)
	}
	return fmt.Sprint(key)
}

// CheckNumber returns the failure of an output in which a double is no number.
func CheckNumber(output string, v float64) error {
	if v-v == 0 {
		return nil
	}
	return CheckNumbers(output, func(e *Encoder) { e.Double(v) })
}

// CheckNumbers returns the failure of an output, as it is written, in which a double is no number.
func CheckNumbers(output string, write func(*Encoder)) error {
	e := jsonio.NewEncoder(nil)
	if write(e); e.NotANumber() != "" {
		return &Failure{Site: Site{Name: "output " + output}, Msg: "the value is " + e.NotANumber() + ", not a number"}
	}
	return nil
}

// NewWriter returns an encoder that has written nothing.
func NewWriter() *Encoder { return jsonio.NewEncoder(nil) }
