package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// many is as many arguments as anybody writes.
const many = math.MaxInt

// between asks for so many arguments: the first least of those that the use of the command names, and not more than most.
func between(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing: %s", strings.Trim(strings.Fields(c.Use)[1+len(args)], "[]"), c.UseLine())
		case len(args) > most:
			return fmt.Errorf("%q is one word too many: %s", args[most], c.UseLine())
		}
		return nil
	}
}

// refuseOthers makes the command completion refuse the shells that it does not know.
func refuseOthers(root *cobra.Command) {
	c, _, err := root.Find([]string{"completion"})
	must(err)
	c.Args = between(0, 0)
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// unknownCommand is the error of the first word of a command line that is no command.
func unknownCommand(root *cobra.Command, word string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if near := spell.Nearest(word, names); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %q", word, near)
	}
	return fmt.Errorf("there is no command %q; \"rules help\" lists them", word)
}

// flagError says what is wrong with a flag in the words of this program.
func flagError(c *cobra.Command, err error) error {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(c, e)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("%s: %s is missing", dashed(e.GetSpecifiedName()), placeholder(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s %s: %w", e.GetFlag().Name, e.GetValue(), badValue(e))
	}
	return err
}

func unknownFlag(c *cobra.Command, e *pflag.NotExistError) error {
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	name := e.GetSpecifiedName()
	if near := spell.Nearest(name, known); near != "" {
		return fmt.Errorf("there is no flag %s; did you mean --%s", dashed(name), near)
	}
	return fmt.Errorf("there is no flag %s; \"%s --help\" lists them", dashed(name), c.CommandPath())
}

// dashed is a flag as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// placeholder is what the help calls the value of a flag.
func placeholder(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// badValue is why a flag does not take a value.
func badValue(e *pflag.InvalidValueError) error {
	switch e.GetFlag().Value.Type() {
	case "uint64":
		return errors.New("it is a whole number from 0")
	case "int", "int64":
		return errors.New("it is a whole number")
	case "bool":
		return errors.New("it is true or false")
	}
	return e.Unwrap()
}

// judgeFlags looks for flags that are missing and for flags that do not go together.
func judgeFlags(c *cobra.Command) (err error) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if err != nil {
			return
		}
		if len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 && !f.Changed {
			err = fmt.Errorf("--%s %s is missing: %s", f.Name, placeholder(f), c.UseLine())
			return
		}
		err = judgePairs(c, f)
	})
	return err
}

// exclusiveKey is where cobra notes the groups of flags of which one may be given.
const exclusiveKey = "cobra_annotation_mutually_exclusive"

func judgePairs(c *cobra.Command, f *pflag.Flag) error {
	for _, group := range f.Annotations[exclusiveKey] {
		names := slices.DeleteFunc(strings.Fields(group), func(name string) bool { return !c.Flags().Changed(name) })
		if len(names) > 1 {
			return fmt.Errorf("--%s and --%s do not go together: leave one out", names[0], names[1])
		}
	}
	return nil
}
