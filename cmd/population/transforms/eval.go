package transforms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/sink"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
)

// Register makes the functions known to Beam. Every program that runs or works for a pipeline calls it once, before
// beam.Init.
//
// Beam sends a function to a worker by its name, with its exported fields as JSON. What is
// registered is found there by that name, and called without reflection. A function that is added
// to a pipeline is added here.
func Register() {
	register.DoFn3x1[context.Context, cutRequest, func(source.Slice), error](&cutFn{})
	register.DoFn5x1[context.Context, source.Slice, []byte, func(Page), func(DeadLetter), error](&evalFn{})
	register.DoFn5x1[context.Context, source.Slice, []byte, func(Page), func(DeadLetter), error](&oddsFn{})
	register.DoFn5x1[context.Context, source.Slice, []byte, func(int64, Partial), func(DeadLetter), error](&summaryFn{})
	register.DoFn5x1[context.Context, int64, func(*Partial) bool, []byte, func([]byte), error](&mergeFn{})
	register.DoFn3x1[context.Context, int64, func(*Page) bool, error](&writeFn{})
	register.DoFn3x1[context.Context, int64, func(*DeadLetter) bool, error](&lettersFn{})
	register.DoFn2x1[context.Context, []byte, error](&fileFn{})
	register.Function1x2(keyPage)
	register.Function1x2(keyLetter)
	register.Emitter1[source.Slice]()
	register.Emitter1[Page]()
	register.Emitter1[DeadLetter]()
	register.Emitter1[[]byte]()
	register.Emitter2[int64, Partial]()
	register.Iter1[Page]()
	register.Iter1[DeadLetter]()
	register.Iter1[Partial]()
}

// A cutRequest is a file that is cut into slices, and the number of its first record.
type cutRequest struct {
	File  string
	First int64
}

// Files are slices of files whose records are numbered one file after the other, beginning with 0. It reads no more than
// where records are, but of NDJSON all bytes, to count lines.
func Files(s beam.Scope, names ...string) (beam.PCollection, error) {
	s = s.Scope("Files")
	first := int64(0)
	var all []any
	for _, name := range names {
		all = append(all, cutRequest{name, first})
		slices, err := source.Slices(name, first)
		if err != nil {
			return beam.PCollection{}, err
		}
		for _, x := range slices {
			first += x.Rows
		}
	}
	// The files are cut again by a worker, so that the pipeline carries some names and not
	// thousands of slices. The reshuffle keeps the engine from fusing the cutting with the
	// answering, which would leave all slices of a file to one worker.
	cut := beam.ParDo(s, &cutFn{}, beam.Create(s, all...))
	return beam.Reshuffle(s, cut), nil
}

// cutFn cuts a file.
type cutFn struct{}

func (*cutFn) ProcessElement(_ context.Context, c cutRequest, emit func(source.Slice)) error {
	slices, err := source.Slices(c.File, c.First)
	for _, s := range slices {
		emit(s)
	}
	return err
}

// A Page is consecutive sheets: lines of JSON or, when columns are asked for, a file of all sheets of a slice.
type Page struct {
	Slice int64 // number of the first record of the slice
	First int64 // number of the first record of the page
	Text  []byte
}

// A DeadLetter is a record that has no answer.
type DeadLetter struct {
	Record int64
	Path   string
	Reason string
	Status int64
}

func letterFor(emit func(DeadLetter)) func(evaluate.Letter) {
	return func(l evaluate.Letter) { emit(DeadLetter{int64(l.Record), l.Path, l.Reason, int64(l.Status)}) }
}

// Eval carries out a rule for the records of slices, and gives pages of sheets and dead letters. plan has one element, the
// plan file.
func Eval(s beam.Scope, q Question, plan, slices beam.PCollection) (pages, dead beam.PCollection) {
	return beam.ParDo2(s.Scope("Eval"), &evalFn{Question: q}, slices, beam.SideInput{Input: plan})
}

// evalFn answers slices. Whoever runs it may run it again: a slice always gives the same pages.
//
// The unexported field is not sent: each worker prepares the question for itself, once, from the
// plan of the side input.
type evalFn struct {
	Question Question
	question *evaluate.Question
}

func (f *evalFn) ProcessElement(
	_ context.Context, slice source.Slice, plan []byte, emit func(Page), dead func(DeadLetter),
) (err error) {
	if f.question == nil {
		if f.question, err = f.Question.prepare(plan); err != nil {
			return err
		}
	}
	if f.Question.Format != "" {
		return f.answerInColumns(slice, emit, dead)
	}
	p := &pages{slice: slice.First, emit: emit, dead: letterFor(dead)}
	if err := answerSlice(slice, f.question, sheetsTo(f.question, p, false)); err != nil {
		return err
	}
	p.flush()
	return nil
}

// An answering is what is done with the records of a slice, once it is known where their fields are.
type answering func(*columns.Binding) (func(*source.Records) error, error)

// sheetsTo gives the sheets of records to a collector.
func sheetsTo(q *evaluate.Question, to evaluate.Answers, needsSheets bool) answering {
	return func(b *columns.Binding) (func(*source.Records) error, error) {
		w, err := q.NewWorker(b, to, needsSheets)
		if err != nil {
			return nil, err
		}
		return w.Answer, nil
	}
}

// oddsTo gives the odds of records to a collector.
func oddsTo(q *evaluate.Question, choice runtime.Choice, to evaluate.OddsAnswers) answering {
	return func(b *columns.Binding) (func(*source.Records) error, error) {
		w, err := q.NewOddsWorker(b, choice, to)
		if err != nil {
			return nil, err
		}
		return w.Answer, nil
	}
}

// answerSlice reads a slice and does what is to be done with its records.
func answerSlice(slice source.Slice, q *evaluate.Question, answers answering) error {
	var answer func(*source.Records) error
	begin := func(schema *arrow.Schema) error {
		binding, err := bind(q, schema)
		if err != nil {
			return err
		}
		answer, err = answers(binding)
		return err
	}
	return slice.Read(begin, func(r *source.Records) error { return answer(r) })
}

// answerInColumns answers a slice and emits the file of its sheets.
//
// The file is whole in memory, and of one slice: it becomes a file of its own, which needs no
// other.
func (f *evalFn) answerInColumns(slice source.Slice, emit func(Page), dead func(DeadLetter)) error {
	var file bytes.Buffer
	out, err := sink.New(&file, source.Format(f.Question.Format), "zstd", f.question, nil)
	if err != nil {
		return err
	}
	c, err := out.NewCollector()
	if err != nil {
		return err
	}
	if err := answerSlice(slice, f.question, sheetsTo(f.question, c, out.NeedsSheets())); err != nil {
		return err
	}
	piece, err := c.Finish()
	if err != nil {
		return err
	}
	// Close is called also when Write fails, as Go evaluates both; the first error is told.
	if err := cmp.Or(out.Write(piece), out.Close()); err != nil {
		return err
	}
	for _, l := range piece.Letters {
		letterFor(dead)(l)
	}
	emit(Page{slice.First, slice.First, file.Bytes()})
	return nil
}

// pages collects sheets and emits them page by page.
type pages struct {
	slice int64
	first int64 // number of the first record in text
	rows  int
	text  []byte
	emit  func(Page)
	dead  func(evaluate.Letter)
}

// begin begins a line of a record.
func (p *pages) begin(number uint64) {
	if p.rows == runtime.BlockSize {
		p.flush()
	}
	if p.rows == 0 {
		p.first = int64(number)
	}
	p.rows++
}

// flush emits what has been collected.
func (p *pages) flush() {
	if p.rows > 0 {
		p.emit(Page{p.slice, p.first, p.text})
		p.text, p.rows = make([]byte, 0, len(p.text)), 0
	}
}

// AddBlock adds the lines of a block: of all rows, or of those that are sound, which nil and a list
// tell apart.
func (p *pages) AddBlock(b *runtime.Block, numbers []uint64, sound []int) (err error) {
	add := func(row int) {
		p.begin(numbers[row])
		if err == nil {
			p.text, err = b.AppendJSON(p.text, row)
			p.text = append(p.text, '\n')
		}
	}
	if sound == nil {
		for row := range numbers {
			add(row)
		}
	}
	for _, row := range sound {
		add(row)
	}
	return err
}

func (p *pages) AddSheet(number uint64, s *runtime.Sheet) error {
	p.begin(number)
	p.text = append(s.AppendJSON(p.text), '\n')
	return nil
}

func (p *pages) AddLetter(l evaluate.Letter) { p.dead(l) }

// AddOdds adds the odds of a record as a line: of each output, its values and their probabilities.
func (p *pages) AddOdds(number uint64, o *evaluate.Odds) error {
	p.begin(number)
	type chance struct {
		Value runtime.Value `json:"value"`
		P     float64       `json:"p"`
	}
	line := struct {
		Record uint64              `json:"record"`
		Odds   map[string][]chance `json:"odds"`
	}{number, map[string][]chance{}}
	for _, name := range o.Joint.Names {
		m := o.Joint.Marginal(name)
		for i, v := range m.Values {
			line.Odds[name] = append(line.Odds[name], chance{v, m.P[i]})
		}
	}
	text, err := json.Marshal(line)
	p.text = append(append(p.text, text...), '\n')
	return err
}

// Odds gives, instead of sheets, the exact odds of every record: a line of JSON with the values of each output and their
// probabilities.
func Odds(s beam.Scope, q Question, plan, slices beam.PCollection) (pages, dead beam.PCollection) {
	return beam.ParDo2(s.Scope("Odds"), &oddsFn{Question: q}, slices, beam.SideInput{Input: plan})
}

// oddsFn asks for the odds of slices.
type oddsFn struct {
	Question Question
	question *evaluate.Question
}

func (f *oddsFn) ProcessElement(
	_ context.Context, slice source.Slice, plan []byte, emit func(Page), dead func(DeadLetter),
) (err error) {
	if f.question == nil {
		if f.question, err = f.Question.prepare(plan); err != nil {
			return err
		}
	}
	p := &pages{slice: slice.First, emit: emit, dead: letterFor(dead)}
	if err := answerSlice(slice, f.question, oddsTo(f.question, f.Question.choice(), p)); err != nil {
		return err
	}
	p.flush()
	return nil
}

// choice returns what package odds schedules the rule for. It is the same choice that prepare gives
// to the runtime.
func (q *Question) choice() runtime.Choice {
	return runtime.Choice{Options: q.Options, Outputs: q.Outputs}
}
