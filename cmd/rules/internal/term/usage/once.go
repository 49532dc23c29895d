package usage

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A onceValue is the value of a flag that takes one: of two, one would be lost without a word.
type onceValue struct {
	pflag.Value
	isGiven bool
}

// A twiceError is the second value of such a flag.
type twiceError struct{ first string }

// Error returns a message with the value that was given before.
func (e *twiceError) Error() string {
	return fmt.Sprintf("it is given twice, and was %q before", e.first)
}

// Set implements pflag.Value.
func (v *onceValue) Set(s string) error {
	if v.isGiven {
		return &twiceError{v.String()}
	}
	v.isGiven = true
	return v.Value.Set(s)
}

// TakeValuesOnce makes every flag of a command, and of those below it, that is one text or number refuse a second value. A
// flag that is only there or not may be there twice, and a value of a type of its own knows whether it takes several.
func TakeValuesOnce(c *cobra.Command) {
	takeOnce := func(f *pflag.Flag) {
		_, isDone := f.Value.(*onceValue)
		if !isDone && f.NoOptDefVal == "" && slices.Contains([]string{"string", "int", "int64", "uint64"}, f.Value.Type()) {
			f.Value = &onceValue{Value: f.Value}
		}
	}
	c.PersistentFlags().VisitAll(takeOnce)
	c.Flags().VisitAll(takeOnce)
	for _, below := range c.Commands() {
		TakeValuesOnce(below)
	}
}

// judgeEmpty refuses a flag with an empty value: it comes from a variable that is not set, and would be taken for a flag
// that is not given.
func judgeEmpty(f *pflag.Flag) error {
	values := []string{f.Value.String()}
	if several, ok := f.Value.(pflag.SliceValue); ok {
		values = several.GetSlice()
	}
	if f.Changed && slices.Contains(values, "") {
		return fmt.Errorf("--%s \"\": the value is empty; leave --%s out, or give one", f.Name, f.Name)
	}
	return nil
}
