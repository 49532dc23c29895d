package evaluate

// # How a block is answered
//
//	Clear ─ Number ─ Fill each column ─ Omit nulls ─ Run ─ AddBlock
//
// A block of the runtime has as many rows as fit its caches (BlockSize). Columns are filled one
// after the other, so that checking bounds is a loop over one array. A value that does not fit
// marks its row, the block is run all the same, and the rows without a mark are the answers. So one
// bad record costs its own answer and no other's time.
//
// Nulls are taken out after filling: Arrow keeps an undefined value in the place of a null, and
// skipping it while copying would cost every row a look.

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Answers collects what records come to. It is called by one goroutine, in the order of the records.
type Answers interface {
	// AddBlock adds the records of a block that has been run. numbers has the number of each row; sound tells the rows
	// without an error, nil when that is all of them.
	AddBlock(b *runtime.Block, numbers []uint64, sound []int) error
	// AddSheet adds the sheet of one record.
	AddSheet(number uint64, s *runtime.Sheet) error
	// AddLetter adds a record that has no answer.
	AddLetter(Letter)
}

// A Worker answers records, in its own memory: it serves one goroutine at a time.
type Worker struct {
	q       *Question
	binding *columns.Binding
	block   *runtime.Block // nil when the rule is evaluated record by record
	to      Answers
	numbers []uint64
	sound   []int
	letters []Letter // of the records of the block that never got a row, in order

	ints      []int64
	doubles   []float64
	truths    []bool
	symbols   []runtime.Symbol
	words     []word // of the dictionary that was looked up last
	wordsOf   arrow.Array
	character []byte
	input     []byte
}

// A word is an entry of a dictionary as the program knows it.
type word struct {
	symbol runtime.Symbol
	known  bool // it stands in the plan; otherwise each block has a symbol of its own for it
}

// NewWorker makes a worker. binding is nil for texts; sheets tells that the answers need whole sheets rather than blocks.
// A common input that does not fit is an error here, so that it is told once and not for every record.
func (q *Question) NewWorker(binding *columns.Binding, to Answers, sheets bool) (*Worker, error) {
	w := &Worker{q: q, binding: binding, to: to}
	if len(q.Input) > 0 {
		if err := q.Rule.Frame().Read(nil, q.Input); err != nil {
			return nil, err
		}
	}
	if sheets {
		return w, nil
	}
	block, err := q.Rule.Block(q.Seed)
	if errors.Is(err, runtime.ErrRecordByRecord) {
		return w, nil
	}
	w.block = block
	return w, err
}

// clearBlock empties the block. The common input is read anew, because its lists go with those of the records.
func (w *Worker) clearBlock() error {
	w.block.Clear()
	w.numbers = w.numbers[:0]
	if len(w.q.Input) == 0 {
		return nil
	}
	return w.block.Frame().Read(nil, w.q.Input)
}

// Answer answers records and adds what they come to.
func (w *Worker) Answer(r *source.Records) error {
	switch {
	case w.block == nil:
		return w.answerOneByOne(r)
	case w.binding != nil && !w.binding.Whole:
		return w.answerColumns(r)
	}
	return w.answerTexts(r)
}

// answerColumns fills blocks with the columns.
func (w *Worker) answerColumns(r *source.Records) error {
	for from := 0; from < r.Len(); from += runtime.BlockSize {
		n := min(runtime.BlockSize, r.Len()-from)
		if err := w.clearBlock(); err != nil {
			return err
		}
		// The number keys the seeded faces of the first row; the rows behind it count on.
		w.block.Number(r.First + uint64(from))
		for i := range n {
			w.numbers = append(w.numbers, r.First+uint64(from+i))
		}
		for i := range w.binding.Scalars {
			s := &w.binding.Scalars[i]
			if err := w.fill(s, r.Batch, from, n); err != nil {
				return fmt.Errorf("column %s, record %d: %w", s.Name, r.First+uint64(from), err)
			}
		}
		w.block.Run()
		if err := w.addBlock(); err != nil {
			return err
		}
	}
	return nil
}

// addBlock hands over the answers of the block.
//
// Letters have two sources: rows of the block that failed, and records that never became a row
// because their text did not fit. Both must come out in the order of the records.
func (w *Worker) addBlock() error {
	if w.block.AllFit() && len(w.letters) == 0 {
		return w.to.AddBlock(w.block, w.numbers, nil)
	}
	w.sound = w.sound[:0]
	late := w.letters // merged with those of rows, by number
	for row, number := range w.numbers {
		for len(late) > 0 && late[0].Record < number {
			w.to.AddLetter(late[0])
			late = late[1:]
		}
		if err := w.block.Err(row); err != nil {
			w.to.AddLetter(letterOf(number, err))
			continue
		}
		w.sound = append(w.sound, row)
	}
	for _, l := range late {
		w.to.AddLetter(l)
	}
	w.letters = w.letters[:0]
	return w.to.AddBlock(w.block, w.numbers, w.sound)
}

// fill fills a field with rows of its column.
func (w *Worker) fill(s *columns.Scalar, batch arrow.RecordBatch, from, n int) error {
	column := columns.ColumnAt(batch, s.Path)
	switch s.Field.Kind() {
	case plan.Int:
		w.fillInts(s.Field, column, from, n)
	case plan.Double:
		w.fillDoubles(s.Field, column, from, n)
	case plan.Bool:
		a := column.(*array.Boolean)
		w.truths = w.truths[:0]
		for i := from; i < from+n; i++ {
			w.truths = append(w.truths, a.Value(i))
		}
		w.block.FillBools(s.Field, w.truths)
	default:
		w.fillTexts(s.Field, column, from, n)
	}
	w.omitNulls(s, batch, from, n)
	return nil
}

// omitNulls takes out what is null, in the column or in a struct that it stands in. Such a struct is an object that JSON
// does not have, which is the same as one whose members are all absent only when none of them must be there.
func (w *Worker) omitNulls(s *columns.Scalar, batch arrow.RecordBatch, from, n int) {
	for depth := 1; depth <= len(s.Path); depth++ {
		column := columns.ColumnAt(batch, s.Path[:depth])
		if column.NullN() == 0 {
			continue
		}
		for i := range n {
			if column.IsNull(from + i) {
				w.block.Omit(s.Field, i)
			}
		}
	}
}

// fillInts fills a field with whole numbers. 64-bit columns are handed over as they lie in memory.
// An unsigned number beyond int64 is refused afterwards, row by row, for it has wrapped in the
// copy.
func (w *Worker) fillInts(x *runtime.Field, column arrow.Array, from, n int) {
	if a, ok := column.(*array.Int64); ok {
		w.block.FillInts(x, a.Int64Values()[from:from+n])
		return
	}
	w.ints = w.ints[:0]
	large := false
	for i := from; i < from+n; i++ {
		v, ok := columns.IntAt(column, i)
		w.ints, large = append(w.ints, v), large || !ok
	}
	w.block.FillInts(x, w.ints)
	for i := 0; large && i < n; i++ {
		if _, ok := columns.IntAt(column, from+i); !ok && column.IsValid(from+i) {
			w.block.Refuse(x, i, "is too large a number")
		}
	}
}

// fillDoubles fills a field with doubles; a column of ints serves as well, as a whole number does
// in JSON.
func (w *Worker) fillDoubles(x *runtime.Field, column arrow.Array, from, n int) {
	switch a := column.(type) {
	case *array.Float64:
		w.block.FillDoubles(x, a.Float64Values()[from:from+n])
	case *array.Float32:
		w.doubles = w.doubles[:0]
		for _, v := range a.Float32Values()[from : from+n] {
			w.doubles = append(w.doubles, float64(v))
		}
		w.block.FillDoubles(x, w.doubles)
	default:
		w.fillInts(x, column, from, n)
	}
}

// fillTexts fills a field with strings. A dictionary is looked up once, so that its rows cost no more than numbers.
func (w *Worker) fillTexts(x *runtime.Field, column arrow.Array, from, n int) {
	w.symbols = w.symbols[:0]
	invalid := false
	add := func(text string) {
		// A word of the plan has the same symbol in every block. Any other gets one of this block,
		// which must be asked for anew after each Clear: this is why only known words are kept in
		// words.
		symbol, known := w.q.Program.Symbol(text)
		if !known {
			symbol, invalid = w.block.Symbol(text), invalid || !utf8.ValidString(text)
		}
		w.symbols = append(w.symbols, symbol)
	}
	switch a := column.(type) {
	case *array.Dictionary:
		w.lookUpWords(a.Dictionary())
		for i := from; i < from+n; i++ {
			switch {
			// Omit takes the row out later; the zero symbol only keeps the rows in line.
			case a.IsNull(i):
				w.symbols = append(w.symbols, runtime.Symbol{})
			case w.words[a.GetValueIndex(i)].known:
				w.symbols = append(w.symbols, w.words[a.GetValueIndex(i)].symbol)
			default:
				text, _ := columns.TextAt(a, i)
				add(text)
			}
		}
	default:
		for i := from; i < from+n; i++ {
			if column.IsNull(i) {
				w.symbols = append(w.symbols, runtime.Symbol{})
				continue
			}
			text, _ := columns.TextAt(column, i)
			add(text)
		}
	}
	w.block.FillSymbols(x, w.symbols)
	for i := 0; invalid && i < n; i++ {
		if text, _ := columns.TextAt(column, from+i); column.IsValid(from+i) && !utf8.ValidString(text) {
			w.block.Refuse(x, i, "is no UTF-8")
		}
	}
}

// lookUpWords finds the words of a dictionary among those of the program. Batches of one row group
// share a dictionary, so the pointer tells whether it was looked up already.
func (w *Worker) lookUpWords(dictionary arrow.Array) {
	if w.wordsOf == dictionary {
		return
	}
	w.words = w.words[:0]
	for i := range dictionary.Len() {
		var entry word
		if text, ok := columns.TextAt(dictionary, i); ok {
			entry.symbol, entry.known = w.q.Program.Symbol(text)
		}
		w.words = append(w.words, entry)
	}
	w.wordsOf = dictionary
}

// answerTexts adds records to blocks one by one, from their JSON.
//
// A record that does not fit gets no row, so rows and records part here: numbers has the number of
// each row.
func (w *Worker) answerTexts(r *source.Records) error {
	for from := 0; from < r.Len(); from += runtime.BlockSize {
		if err := w.clearBlock(); err != nil {
			return err
		}
		for i := from; i < min(from+runtime.BlockSize, r.Len()); i++ {
			number := r.First + uint64(i)
			if err := w.addText(r, i, number); err != nil {
				w.letters = append(w.letters, letterOf(number, err))
				continue
			}
			w.numbers = append(w.numbers, number)
		}
		w.block.Run()
		if err := w.addBlock(); err != nil {
			return err
		}
	}
	return nil
}

// addText adds one record to the block.
func (w *Worker) addText(r *source.Records, i int, number uint64) error {
	character, input, err := w.texts(r, i)
	if err != nil {
		return err
	}
	if err := w.block.Frame().Read(character, input); err != nil {
		return err
	}
	w.block.Number(number)
	return w.block.Add()
}

// texts returns a record as JSON, in buffers that the next call reuses. The input is nil when it is
// common to all.
func (w *Worker) texts(r *source.Records, i int) (character, input []byte, err error) {
	if r.Batch == nil {
		character = r.Characters[i]
		if r.Inputs != nil {
			input = r.Inputs[i]
		}
	} else {
		w.character, err = w.binding.AppendCharacter(w.character[:0], r.Batch, i)
		if err != nil {
			return nil, nil, err
		}
		character = w.character
		if w.binding.Inputs {
			w.input, err = w.binding.AppendInput(w.input[:0], r.Batch, i)
			input = w.input
		}
	}
	switch {
	case len(character) > runtime.MaxRecord:
		err = &runtime.InputError{Root: "character",
			Msg: fmt.Sprintf("has %d bytes or more, but may have %d", len(character), runtime.MaxRecord)}
	case len(character) == 0:
		character = []byte(" ") // an empty line, which the runtime would take for "as it was"
	}
	return character, input, err
}

// answerOneByOne evaluates records one after the other.
func (w *Worker) answerOneByOne(r *source.Records) error {
	for i := range r.Len() {
		number := r.First + uint64(i)
		sheet, err := w.evaluate(r, i, number)
		if err != nil {
			w.to.AddLetter(letterOf(number, err))
			continue
		}
		if err := w.to.AddSheet(number, sheet); err != nil {
			return err
		}
	}
	return nil
}

// evaluate carries out the rule for one record, with the faces that a block would have drawn for
// it: the stream's key is the same.
func (w *Worker) evaluate(r *source.Records, i int, number uint64) (*runtime.Sheet, error) {
	character, input, err := w.texts(r, i)
	if err != nil {
		return nil, err
	}
	if input == nil {
		input = w.q.Input
	}
	return w.q.Rule.Eval(runtime.Request{
		Character: character, Input: input, Throw: dice.DrawnFrom(w.q.Seed), Record: number,
	})
}
