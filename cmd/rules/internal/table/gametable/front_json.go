package gametable

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// maxLine bounds a line that is read, in bytes.
const maxLine = 1 << 20

// RunJSON plays by lines of JSON: each prompt and each notice is an object in a line of out, each line of in a Command.
// The end of the input is an error only while a question is open.
//
// A line that is no command is answered with an error and the same prompt, so that a program under
// development sees its mistake in the stream, in order, and need not be started again. Unknown
// members are refused: a misspelled "roll_al" must not pass for an empty command. Blank lines between
// commands say nothing.
func (s *Session) RunJSON(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for {
		p, said, err := s.Prompt()
		if err := errors.Join(writeNotices(out, said), err); err != nil {
			return err
		}
		c, err := readCommand(lines, out, p)
		if err != nil || c == nil || c.Quit {
			return err
		}
		if said, err = s.Do(p, c); err != nil {
			return err
		}
		if err := writeNotices(out, said); err != nil {
			return err
		}
	}
}

// readCommand writes a prompt and reads lines until one is a command. There is none when the input ends where it may.
func readCommand(lines *bufio.Scanner, out io.Writer, p *Prompt) (*Command, error) {
	if err := writeLine(out, p); err != nil {
		return nil, err
	}
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		c := &Command{}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		err := d.Decode(c)
		if err == nil {
			return c, nil
		}
		wrong := writeNotices(out, []Notice{{Error: "this is no command: " + describeBadCommand(err)}})
		if err := errors.Join(wrong, writeLine(out, p)); err != nil {
			return nil, err
		}
	}
	return nil, endOfInput(p, lines.Err())
}

// describeBadCommand returns the part of a line that no command has, without the names of Go's types.
func describeBadCommand(err error) string {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	_, isSyntax := errors.AsType[*json.SyntaxError](err)
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case isSyntax || errors.Is(err, io.ErrUnexpectedEOF):
		return `it is no JSON: a line is {"answer": "navigation"}; with --text, words are read as they are typed`
	case isUnknown && spell.Nearest(strings.Trim(unknown, `"`), memberNames()) != "":
		return fmt.Sprintf("%s is no member of it; did you mean %q", unknown,
			spell.Nearest(strings.Trim(unknown, `"`), memberNames()))
	case isUnknown:
		return unknown + ` is no member of it: a question is answered by {"answer": 3}, {"accept": true} or {"roll": true}` +
			`, one after the other`
	case !ok:
		return err.Error()
	case wrong.Field == "":
		return fmt.Sprintf(`a %s, where an object must stand: {"answer": 3}, {"accept": true} or {"roll": true}`,
			wrong.Value)
	}
	return fmt.Sprintf("%s does not take a %s", wrong.Field, wrong.Value)
}

// memberNames returns the names of the members of a command.
func memberNames() (out []string) {
	t := reflect.TypeFor[Command]()
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}

func writeNotices(out io.Writer, said []Notice) error {
	for i := range said {
		if err := writeLine(out, &said[i]); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(out io.Writer, x any) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}
