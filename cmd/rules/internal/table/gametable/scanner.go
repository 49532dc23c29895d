package gametable

import (
	"bufio"
	"fmt"
	"io"
)

// A Scanner reads lines where no terminal can be edited: from a pipe, or from a file.
//
// It is what --text uses, for tests and for pipes that imitate a person: no history, no completion,
// the same words as on a terminal.
type Scanner struct {
	lines *bufio.Scanner
	out   io.Writer
}

// NewScanner makes a Scanner that reads in, and writes its prompts to out.
func NewScanner(in io.Reader, out io.Writer) *Scanner {
	s := &Scanner{lines: bufio.NewScanner(in), out: out}
	s.lines.Buffer(nil, maxLine)
	return s
}

// ReadLine implements Lines.
func (s *Scanner) ReadLine(func(string) []Word) (string, error) {
	fmt.Fprint(s.out, "> ")
	if s.lines.Scan() {
		return s.lines.Text(), nil
	}
	if err := s.lines.Err(); err != nil {
		return "", err
	}
	return "", io.EOF
}
