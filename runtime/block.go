package runtime

import (
	"errors"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Block evaluates a rule for up to BlockSize records at once, column by column, for programs that have their records
// in memory: set the fields of a record in Frame, Add it, and so on; Run; read the results of each record. It serves one
// goroutine at a time; several blocks, one for each goroutine, share nothing.
type Block struct {
	rule    *Rule
	columns *vector.Columns
	sheets  *jsonio.Template
	seed    uint64
	before  uint64 // records in earlier blocks
	rows    int
	frame   *Frame         // the fields of the record that Add adds
	empty   vm.Mark        // of the frame, when no record has been added
	encoder jsonio.Encoder // of lists in sheets
	given   []int64        // what the fields of frame held before Run
	fills   filling

	checks    []outputCheck // what is judged of the outputs
	unchecked bool          // there are outputs that checks do not judge
	isJudged  bool          // allFit is known of the last Run
	allFit    bool          // it is known that no record of the last Run has an error
}

// BlockSize is how many records a Block holds.
const BlockSize = vector.Size

// ErrRecordByRecord says that a rule does not run by columns: one that has loops or lists runs in a Frame, record by
// record.
var ErrRecordByRecord = errors.New("the rule has loops or lists: its records are evaluated one by one")

// Block is a block of no records, whose faces are drawn from a seed as those of a Batch are. The error is
// ErrRecordByRecord, or that of a rule too large to schedule.
func (r *Rule) Block(seed uint64) (*Block, error) {
	code, err := r.columnCode()
	switch {
	case err != nil:
		return nil, err
	case !vector.CanRun(code):
		return nil, ErrRecordByRecord
	}
	b := &Block{isJudged: true, rule: r, columns: vector.NewColumns(r.program.image, code), sheets: r.newTemplate(code),
		seed: seed}
	b.frame = r.frameOn(b.columns.Frame)
	b.empty = b.frame.given.WithoutTexts()
	b.prepareChecks()
	return b, nil
}

// Frame holds the fields of the record that Add adds. Fields keep their values until they are set again. It is not to be
// Run.
func (b *Block) Frame() *Frame { return b.frame }

// Len is how many records the block holds, at most BlockSize.
func (b *Block) Len() int { return b.rows }

// Add adds the record that is set in Frame, unless a field does not fit or is missing. There must be room for it.
func (b *Block) Add() error {
	f := b.frame
	if !f.isReady() {
		return f.Err()
	}
	b.columns.Put(b.rows, 0, f.slots[:b.columns.Code.FirstConst])
	b.columns.SetSeed(b.rows, b.seed, b.before+uint64(b.rows), 0)
	b.rows++
	b.fills.rows = true
	return nil
}

// Number numbers the next record that is added, or the first one that is filled; those after it count on from there.
// Without it records are numbered in their order from 0. The faces of a record are drawn by its number.
func (b *Block) Number(next uint64) { b.before = next - uint64(b.rows) }

// Run carries the rule out for all records of the block. Err and the results of each tell the outcome.
func (b *Block) Run() {
	b.columns.Frame.ForgetFaults()
	fields := b.frame.slots[:b.columns.Code.FirstConst]
	b.given = append(b.given[:0], fields...)
	defer copy(fields, b.given) // instructions without a kernel run in the frame, record by record
	ran := b.completeRows()
	if ran {
		b.columns.Run(b.rows)
	}
	b.isJudged, b.allFit = !ran, false // which is found out when somebody asks
}

// Clear empties the block, for the records that follow.
func (b *Block) Clear() {
	texts := b.frame.ownTexts() // which stay set, while those of the records may go
	b.columns.Frame.ResetTo(b.empty)
	b.frame.putTexts(texts)
	b.before += uint64(b.rows)
	b.rows = 0
	b.clearFilling()
}

// Err is why a record has no sheet after Run: a *Refused or a *Failure, or of one that was filled an *InputError.
func (b *Block) Err(row int) error {
	if b.AllFit() {
		return nil
	}
	if why := b.fills.unfit[row]; why != nil {
		return why
	}
	if err := b.columns.Err(row); err != nil {
		return err
	}
	return b.sheets.Check(&b.encoder, b.columns.Frame, b.columns.View(row))
}

// AppendJSON appends the sheet of a record as JSON.
func (b *Block) AppendJSON(buf []byte, row int) ([]byte, error) {
	return b.sheets.Append(buf, &b.encoder, b.columns.Frame, b.columns.View(row), b.columns.Faces(row), &b.seed)
}

// Result finds a result by its path among the outputs, to be read from this block.
func (b *Block) Result(path string) (*Result, error) { return b.rule.resultIn(b.columns.Code, path) }

// Int is a record's result of kind int.
func (b *Block) Int(x *Result, row int) int64 { return b.columns.Column(uint16(x.slot))[row] }

// Double is a record's result of kind double.
func (b *Block) Double(x *Result, row int) float64 { return builtin.Double(b.Int(x, row)) }

// Bool is a record's result of kind bool.
func (b *Block) Bool(x *Result, row int) bool { return b.Int(x, row) != 0 }

// Text is a record's result of kind string.
func (b *Block) Text(x *Result, row int) string { return b.columns.Frame.Text(b.Int(x, row)) }

// columnCode is the rule's code for columns, which keep no named values.
func (r *Rule) columnCode() (*schedule.Code, error) { return r.scheduleFor(withoutNames(r.choice)) }
