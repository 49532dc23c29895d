package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/runtime"
)

// The records of a part of text: it is large enough to be a row group of the answers, and has a bound in bytes.
const (
	partLines = 1 << 16
	partBytes = 64 << 20
)

// An ndjsonReader gives parts of lines, each of which is a character.
type ndjsonReader struct {
	in    io.Reader
	lines *bufio.Reader
	first uint64
}

func openNDJSON(in io.Reader, first uint64) Reader {
	return &ndjsonReader{in, bufio.NewReaderSize(in, 1<<20), first}
}

func (r *ndjsonReader) Schema() *arrow.Schema { return nil }

func (r *ndjsonReader) HasInputs() bool { return false }

func (r *ndjsonReader) Close() error { return closeInput(r.in) }

// Next reads whole lines until the part has enough of them, or enough bytes: a part of long lines
// is shorter, so that memory has a bound.
func (r *ndjsonReader) Next() (Part, error) {
	p := &textPart{Records{First: r.first}}
	for size := 0; len(p.records.Characters) < partLines && size < partBytes; {
		line, err := r.readLine()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("after record %d: %w", r.first+uint64(len(p.records.Characters)), err)
		}
		p.records.Characters = append(p.records.Characters, line)
		size += len(line)
	}
	if len(p.records.Characters) == 0 {
		return nil, io.EOF
	}
	r.first += uint64(len(p.records.Characters))
	return p, nil
}

// readLine is the next line without its end. Of one that is longer than a record may be, it gives just enough to be
// noticed.
func (r *ndjsonReader) readLine() ([]byte, error) {
	var line []byte
	for {
		piece, err := r.lines.ReadSlice('\n')
		if room := runtime.MaxRecord + 1 - len(line); room > 0 {
			line = append(line, piece[:min(len(piece), room)]...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(line) > 0, err == nil:
			return bytes.TrimSuffix(line, []byte{'\n'}), nil
		default:
			return nil, err
		}
	}
}

// A textPart is a part whose records are texts.
type textPart struct{ records Records }

func (p *textPart) Each(yield func(*Records) error) error { return yield(&p.records) }
