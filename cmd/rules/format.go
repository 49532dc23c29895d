package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A format is the value of --format: text for people, the others for tools and pages.
type format string

const (
	asText     format = "text"
	asJSON     format = "json"
	asMarkdown format = "markdown"
	asSARIF    format = "sarif"
)

// addTo makes the flag of a command, which writes text, JSON, and the others named.
func (f *format) addTo(c *cobra.Command, others ...format) {
	of := append([]format{asText, asJSON}, others...)
	c.Flags().Var(newOneOf(f, "FORMAT", of...), "format", "how the answer is written: "+alternatives(of))
	must(c.RegisterFlagCompletionFunc("format", among(of...)))
}

// A oneOf is the value of a flag that takes one of a few words, of which the first is the default.
type oneOf[T ~string] struct {
	value       *T
	of          []T
	placeholder string
}

func newOneOf[T ~string](value *T, placeholder string, of ...T) *oneOf[T] {
	*value = of[0]
	return &oneOf[T]{value, of, placeholder}
}

// String implements pflag.Value.
func (x *oneOf[T]) String() string {
	if x.value == nil {
		return ""
	}
	return string(*x.value)
}

// Set implements pflag.Value.
func (x *oneOf[T]) Set(s string) error {
	if !slices.Contains(x.of, T(s)) {
		return errors.New("it is " + alternatives(x.of))
	}
	*x.value = T(s)
	return nil
}

// Type implements pflag.Value.
func (x *oneOf[T]) Type() string { return x.placeholder }

// alternatives lists words: "text, json or sarif".
func alternatives[T ~string](of []T) string {
	var list []string
	for _, v := range of[:len(of)-1] {
		list = append(list, string(v))
	}
	return strings.Join(list, ", ") + " or " + string(of[len(of)-1])
}

// must holds for what only a mistake of this program can break.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// quote is a string as JSON, with < > & as they are.
func quote(s string) json.RawMessage {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	must(e.Encode(s))
	return bytes.TrimSpace(out.Bytes())
}

// printJSON writes a value as JSON for tools: indented, a line break at the end.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printIndented writes JSON as printJSON does, its members in their order.
func printIndented(w io.Writer, text []byte) error {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := out.WriteTo(w)
	return err
}
