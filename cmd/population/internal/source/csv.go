package source

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A csvReader gives parts of rows. Its first row names the columns, each by the path of a field.
//
// A row becomes the JSON of a character, so that it is judged as JSON is: a cell of a string is a string, any other cell
// is what it says in JSON, and an empty cell is a member that is not there. A cell that is no JSON stands as a string,
// which the field then refuses.
type csvReader struct {
	in      io.Reader
	bytes   *boundedRows
	rows    *csv.Reader
	columns []csvColumn
	inputs  bool // whether a column is of the input
	first   uint64
}

// A csvColumn is where the cells of a column belong.
type csvColumn struct {
	input bool // in the input rather than in the character
	path  []string
	text  bool // whether cells are strings
}

func openCSV(in io.Reader, first uint64, kinds columns.Kinds) (Reader, error) {
	r := &csvReader{in: in, bytes: &boundedRows{in: in}, first: first}
	r.rows = csv.NewReader(bufio.NewReaderSize(r.bytes, csvBuffer))
	header, err := r.readRow()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty: its first row must name the columns")
	}
	if err != nil {
		return nil, err
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // some programs mark UTF-8 so
	if len(header) > maxColumns {
		return nil, fmt.Errorf("the file has %d columns, and may have %d", len(header), maxColumns)
	}
	seen := map[string]bool{}
	for _, name := range header {
		// A column that the rule does not know is refused, as a member of JSON that it does not
		// know is.
		kind, err := kinds(name)
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, fmt.Errorf("column %s stands in the file twice", name)
		}
		seen[name] = true
		rest, input := strings.CutPrefix(name, columns.InputColumn+".")
		r.columns = append(r.columns, csvColumn{input, strings.Split(rest, "."), kind == plan.String})
		r.inputs = r.inputs || input
	}
	return r, nil
}

func (r *csvReader) Schema() *arrow.Schema { return nil }

func (r *csvReader) HasInputs() bool { return r.inputs }

func (r *csvReader) Close() error { return closeInput(r.in) }

// Next only splits rows. Making JSON of them is left to the worker of the part, because it takes
// longer.
func (r *csvReader) Next() (Part, error) {
	p := &csvPart{of: r, first: r.first}
	for size := 0; len(p.rows) < partLines && size < partBytes; {
		row, err := r.readRow()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("after record %d: %w", r.first+uint64(len(p.rows)), err)
		}
		p.rows = append(p.rows, row)
		for _, cell := range row {
			size += len(cell) + cellSize
		}
	}
	if len(p.rows) == 0 {
		return nil, io.EOF
	}
	r.first += uint64(len(p.rows))
	return p, nil
}

// readRow reads a row of at most maxRow bytes.
func (r *csvReader) readRow() ([]string, error) {
	r.bytes.left = maxRow + csvBuffer
	return r.rows.Read()
}

// The bounds of rows, in bytes and in columns. A row has the bound of a record, and what quotes add to it; a column that
// the rule reads is a field, of which no rule has so many.
const (
	maxRow     = 2 * runtime.MaxRecord
	maxColumns = 10_000
	csvBuffer  = 1 << 20
	cellSize   = 16 // of a cell beside its text, in memory
)

// boundedRows ends with an error when a row does not end. What was read ahead counts for the row before.
type boundedRows struct {
	in   io.Reader
	left int // bytes that may still be read for this row
}

// Read implements io.Reader.
func (b *boundedRows) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a row has more than %d bytes", maxRow)
	}
	n, err := b.in.Read(into)
	b.left -= n
	return n, err
}

// A csvPart is rows that become JSON by the worker that answers them.
type csvPart struct {
	of    *csvReader
	first uint64
	rows  [][]string
}

// Each makes JSON of all rows of the part. json.Marshal sorts members, so the columns may stand in
// any order.
func (p *csvPart) Each(yield func(*Records) error) error {
	out := &Records{First: p.first, Characters: make([][]byte, len(p.rows))}
	if p.of.inputs {
		out.Inputs = make([][]byte, len(p.rows))
	}
	for i, row := range p.rows {
		character, input := map[string]any{}, map[string]any{}
		for k, cell := range row {
			c := &p.of.columns[k]
			if cell == "" {
				continue
			}
			of := character
			if c.input {
				of = input
			}
			putCell(of, c.path, c.valueOf(cell))
		}
		var err error
		if out.Characters[i], err = json.Marshal(character); err != nil {
			return err
		}
		if p.of.inputs {
			if out.Inputs[i], err = json.Marshal(input); err != nil {
				return err
			}
		}
	}
	return yield(out)
}

// valueOf returns a cell as JSON would have it. A cell of a string column is a string even when it
// reads 7 or true.
func (c *csvColumn) valueOf(cell string) any {
	if !c.text && json.Valid([]byte(cell)) {
		return json.RawMessage(cell)
	}
	return cell
}

// putCell puts a value into an object, in the objects of its path.
func putCell(of map[string]any, path []string, value any) {
	for _, step := range path[:len(path)-1] {
		inner, ok := of[step].(map[string]any)
		if !ok {
			inner = map[string]any{}
			of[step] = inner
		}
		of = inner
	}
	of[path[len(path)-1]] = value
}
