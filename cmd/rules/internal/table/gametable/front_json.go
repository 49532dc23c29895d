package gametable

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds a line that is read, in bytes.
const maxLine = 1 << 20

// RunJSON plays by lines of JSON: each prompt and each notice is an object in a line of out, each line of in a Command.
// The end of the input is an error only while a question is open.
//
// A line that is no command is answered with an error and the same prompt, so that a program under
// development sees its mistake in the stream, in order, and need not be started again. Unknown
// members are refused: a misspelled "roll_al" must not pass for an empty command.
func (s *Session) RunJSON(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for {
		p, said, err := s.Prompt()
		if err := errors.Join(writeNotices(out, said), err); err != nil {
			return err
		}
		if err := writeLine(out, p); err != nil {
			return err
		}
		if !lines.Scan() {
			return endOfInput(p, lines.Err())
		}
		var c Command
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			said = []Notice{{Error: fmt.Sprintf("this is no command: %v", err)}}
		} else if c.Quit {
			return nil
		} else if said, err = s.Do(p, &c); err != nil {
			return err
		}
		if err := writeNotices(out, said); err != nil {
			return err
		}
	}
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
