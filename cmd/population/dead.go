package main

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
func (d *deadLetters) status(file string) error {
	if d.letters == 0 {
		return nil
	}
	all := d.rows + d.letters
	return &statusError{d.highest, fmt.Sprintf("%d of %d records have no answer: %s tells why", d.letters, all, file)}
}

// deadName is the file of the dead letters; standard error when the answers go to standard output.
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
