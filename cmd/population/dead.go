package main

// A record without an answer must not stop a run of millions, and must not get lost. So it becomes
// a line of a second file, a dead letter, with its number and the reason; whoever mends the records
// can run just these again with the same numbers. The exit status is the highest of all letters, as
// with the lines of "rules eval --ndjson".

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tabletop-rules/rules/cmd/population/internal/sink"
)

// deadLetters writes records that have no answer, a line of JSON for each, and counts them.
type deadLetters struct {
	w       io.Writer
	rows    uint64 // that have an answer
	letters uint64
	highest int // status
}

// add writes the letters of a piece.
func (d *deadLetters) add(p *sink.Piece) error {
	d.rows += uint64(p.Rows)
	for _, l := range p.Letters {
		d.letters++
		d.highest = max(d.highest, l.Status)
		text, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if _, err := d.w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// status ends the command by what became of the records.
//
// It is an error also when most records have an answer: a script that does not look at the dead
// letters should stop.
func (d *deadLetters) status(file string) error {
	if d.letters == 0 {
		return nil
	}
	all := d.rows + d.letters
	return &statusError{d.highest, fmt.Sprintf("%d of %d records have no answer: %s tells why", d.letters, all, file)}
}

// deadName returns the name of the file of the dead letters; they go to standard error when the
// answers go to standard output, which must hold nothing else.
func (r *evalRun) deadName() string {
	switch {
	case r.dead != "":
		return r.dead
	case r.out == "-":
		return "standard error"
	}
	return r.out + ".dead.ndjson"
}

// writeDead lets records be answered with a file of dead letters open.
//
// The file is made even when no letter comes: an old one of the same name would tell of another
// run.
func (r *evalRun) writeDead(d *deadLetters, answer func() error) error {
	if r.dead == "" && r.out == "-" {
		d.w = r.c.ErrOrStderr()
		return answer()
	}
	return writeFile(r.deadName(), r.c.OutOrStdout(), func(w io.Writer) error {
		d.w = w
		return answer()
	})
}
