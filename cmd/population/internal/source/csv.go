package source

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A csvReader gives parts of rows. Its first row names the columns, each by the path of a field.
//
// A row becomes the JSON of a character, so that it is judged as JSON is: a cell of a string is a string, any other cell
// is what it says in JSON, and an empty cell is a member that is not there. A cell that is no JSON stands as a string,
// which the field then refuses.
type csvReader struct {
	in      io.Reader
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
	r := &csvReader{in: in, rows: csv.NewReader(bufio.NewReaderSize(in, 1<<20)), first: first}
	header, err := r.rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty: its first row must name the columns")
	}
	if err != nil {
		return nil, err
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // some programs mark UTF-8 so
	for i, name := range header {
		// A column that the rule does not know is refused, as a member of JSON that it does not
		// know is.
		kind, err := kinds(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(header[:i], name) {
			return nil, fmt.Errorf("column %s stands in the file twice", name)
		}
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
		row, err := r.rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("after record %d: %w", r.first+uint64(len(p.rows)), err)
		}
		p.rows = append(p.rows, row)
		for _, cell := range row {
			size += len(cell)
		}
	}
	if len(p.rows) == 0 {
		return nil, io.EOF
	}
	r.first += uint64(len(p.rows))
	return p, nil
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
