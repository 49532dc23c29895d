package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// A format is the value of --format: text for people, JSON for tools.
type format string

const (
	asText format = "text"
	asJSON format = "json"
)

// String implements pflag.Value.
func (f *format) String() string {
	if *f == "" {
		return string(asText)
	}
	return string(*f)
}

// Set implements pflag.Value.
func (f *format) Set(s string) error {
	switch format(s) {
	case asText, asJSON:
		*f = format(s)
		return nil
	}
	return errors.New("it is text or json")
}

// Type implements pflag.Value.
func (f *format) Type() string { return "FORMAT" }

// addTo makes the flag of a command.
func (f *format) addTo(c *cobra.Command) {
	c.Flags().Var(f, "format", "how the answer is written: text or json")
	must(c.RegisterFlagCompletionFunc("format", among("text", "json")))
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
