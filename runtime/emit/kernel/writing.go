package kernel

import (
	"reflect"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// An Encoder writes JSON.
type Encoder = jsonio.Encoder

// CheckNumber returns the failure of an output that is no number.
func CheckNumber(output string, v float64) error {
	if v-v == 0 {
		return nil
	}
	return CheckNumbers(output, v)
}

// CheckNumbers returns the failure of an output in which a double is no number.
func CheckNumbers(output string, v any) error {
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer && value.IsNil() { // it is absent
		return nil
	}
	e := jsonio.NewEncoder(nil)
	newCodec(value.Type(), nil).write(e, value)
	if e.NotANumber() != "" {
		return &Failure{Site: Site{Name: "output " + output}, Msg: "the value is " + e.NotANumber() + ", not a number"}
	}
	return nil
}

// NewWriter returns an encoder that has written nothing.
func NewWriter() *Encoder { return jsonio.NewEncoder(nil) }
