package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// longestAnswer bounds a line of an implementation, in bytes.
const longestAnswer = 16 << 20

// An Implementation answers a line of JSON with a line of JSON.
type Implementation struct {
	In       io.Writer     // takes the questions
	Out      io.Reader     // gives the answers
	Patience time.Duration // how long an answer may take
}

// A line is one answer, or why there are no more.
type line struct {
	text []byte
	err  error
}

// Play asks an implementation every question of a document, the next one when the last one is answered, and judges the
// answers. An error means that no more answers came; the report is of those before. Whoever started the implementation
// ends it after that.
//
// Questions and answers alternate, one line each, so that an implementation needs no queue and a
// wrong answer is found at its question. The reader of answers is a goroutine because a read cannot
// be given a deadline.
func Play(d *Document, peer *Implementation) (*Report, error) {
	r := &Report{Ruleset: d.Ruleset, Revision: d.Revision, Failed: []*Verdict{}, Unsupported: []*Verdict{}}
	answers := make(chan line)
	done := make(chan struct{})
	defer close(done)
	go readAnswers(peer.Out, answers, done)
	for i := range d.Vectors {
		v := &d.Vectors[i]
		answer, err := peer.ask(d, &v.Question, answers)
		if err != nil {
			return r, fmt.Errorf("vector %s (%s): %w", v.ID, v.Case, err)
		}
		r.add(v.Judge(answer))
	}
	return r, nil
}

// ask writes a question and waits for its answer.
func (p *Implementation) ask(d *Document, q *Question, answers <-chan line) ([]byte, error) {
	asked, err := writeQuestion(d, q)
	if err != nil {
		return nil, err
	}
	if _, err := p.In.Write(asked); err != nil {
		return nil, fmt.Errorf("the question cannot be written: %w", err)
	}
	select {
	case l := <-answers:
		return l.text, l.err
	case <-time.After(p.Patience):
		return nil, fmt.Errorf("no answer within %v", p.Patience)
	}
}

// writeQuestion returns a line that asks: the vector without its expectation, with its ruleset and its revision.
func writeQuestion(d *Document, q *Question) ([]byte, error) {
	return writeLine(struct {
		Ruleset  string `json:"ruleset"`
		Revision string `json:"revision"`
		*Question
	}{d.Ruleset, d.Revision, q})
}

// readAnswers passes lines on until there are none, or nobody wants them.
func readAnswers(from io.Reader, to chan<- line, done <-chan struct{}) {
	s := bufio.NewScanner(from)
	s.Buffer(nil, longestAnswer)
	for s.Scan() {
		select {
		case to <- line{text: bytes.Clone(s.Bytes())}:
		case <-done:
			return
		}
	}
	err := s.Err()
	if err == nil {
		err = errors.New("the implementation ended without an answer")
	}
	select {
	case to <- line{err: err}:
	case <-done:
	}
}
