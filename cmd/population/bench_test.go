//go:build unix

package main

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/ordered"
	"github.com/tabletop-rules/rules/cmd/population/internal/sink"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// The population that is measured: the reference record of runtime/bench, 12 columns in and 12 out.
const (
	benchGroup = 122_880 // rows of a row group, as DuckDB writes them
	benchRows  = 16 * benchGroup
)

// writeReference writes characters and inputs of the reference record.
func writeReference(t testing.TB, name string, rows, group int) {
	t.Helper()
	program, err := loadPlan(need(t).plan("reference"), "blow")
	if err != nil {
		t.Fatal(err)
	}
	rule := &program.Plan().Rules[0]
	s := columns.InputSchema(program.Plan(), rule)
	fields := s.Fields()
	fields[len(fields)-1].Nullable = false
	s = arrow.NewSchema(fields, nil)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(s, f, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Uncompressed)),
		pqarrow.NewArrowWriterProperties())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 42))
	for at := 0; at < rows; at += group {
		if err := w.Write(referenceBatch(s, program.Plan().Character.Fields[9].Shape.Enum, r, min(group, rows-at))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// referenceBatch draws records as runtime/bench/record does.
func referenceBatch(s *arrow.Schema, armors []string, r *rand.Rand, n int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	input := b.Field(10).(*array.StructBuilder)
	for range n {
		for i, from := range [8][2]int64{{20, 80}, {20, 80}, {20, 80}, {130, 110}, {0, 12}, {5, 20}, {-6, 12}, {0, 100}} {
			b.Field(i).(*array.Int64Builder).Append(from[0] + r.Int64N(from[1]))
		}
		b.Field(8).(*array.Float64Builder).Append(float64(r.IntN(900)) / 10)
		b.Field(9).(*array.StringBuilder).Append(armors[r.IntN(len(armors))])
		input.Append(true)
		input.FieldBuilder(0).(*array.Int64Builder).Append(1 + r.Int64N(100))
		input.FieldBuilder(1).(*array.Int64Builder).Append(1 + r.Int64N(100))
	}
	return b.NewRecordBatch()
}

var duckcopy = flag.String("duckcopy", "", "the built `program` of the module duckcopy: DuckDB is measured too")

// BenchmarkEval is the reference record from Parquet to Parquet, beside what reading these columns and writing those
// takes without computing anything: the limit, and beside DuckDB reading and writing as many columns. Run it with
// -cpu 1,2.
func BenchmarkEval(b *testing.B) {
	in := filepath.Join(b.TempDir(), "in.parquet")
	writeReference(b, in, benchRows, benchGroup)
	out := filepath.Join(b.TempDir(), "out.parquet")
	answers := firstAnswers(b, in)
	for _, compression := range []string{"none", "zstd"} {
		b.Run("eval/"+compression, func(b *testing.B) {
			measure(b, func() {
				if status, _, said := population(b, nil, "eval", need(b).plan("reference"), "blow", in, "-o", out,
					"--compression", compression); status != done {
					b.Fatal(said)
				}
			})
		})
		b.Run("copy/"+compression, func(b *testing.B) {
			measure(b, func() { copyColumns(b, in, out, compression, answers) })
		})
		if *duckcopy == "" {
			continue
		}
		b.Run("duckdb/"+compression, func(b *testing.B) {
			measure(b, func() {
				c := exec.Command(*duckcopy, in, out, compression, strconv.Itoa(runtime.GOMAXPROCS(0)))
				if said, err := c.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, said)
				}
			})
		})
	}
	b.Run("read", func(b *testing.B) { measure(b, func() { readColumns(b, in) }) })
}

// readColumns decodes all columns.
func readColumns(b *testing.B, in string) {
	r, err := source.Open(in, source.Parquet, 0, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for p, err := r.Next(); err == nil; p, err = r.Next() {
		if err := p.Each(func(*source.Records) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// measure runs a benchmark and reports its records, by the clock and by what the processors worked for it and the programs
// that it started: the second does not depend on what else the machine does.
func measure(b *testing.B, run func()) {
	before := processorTime(b)
	for b.Loop() {
		run()
	}
	worked := processorTime(b) - before
	b.ReportMetric(float64(worked)/float64(b.N)/benchRows, "cpu-ns/record")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/record")
	b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds()/1e6, "Mrecords/s")
}

// processorTime is what the processors have worked so far, in nanoseconds.
func processorTime(b *testing.B) int64 {
	sum := int64(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			b.Fatal(err)
		}
		sum += usage.Utime.Nano() + usage.Stime.Nano()
	}
	return sum
}

// copyColumns reads every row group, and writes the answers to the first one in its place.
func copyColumns(b *testing.B, in, out, compression string, answers arrow.RecordBatch) {
	q := referenceQuestion(b)
	r, err := source.Open(in, source.Parquet, 0, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	err = writeFile(out, io.Discard, func(w io.Writer) error {
		s, err := sink.NewParquet(w, compression, q, nil)
		if err != nil {
			return err
		}
		copyPart := func(p source.Part) (*sink.Piece, error) {
			if err := p.Each(func(*source.Records) error { return nil }); err != nil {
				return nil, err
			}
			return s.Encode(answers)
		}
		workers := slices.Repeat([]func(source.Part) (*sink.Piece, error){copyPart}, runtime.GOMAXPROCS(0))
		if err := ordered.Run(r.Next, workers, s.Write); err != nil {
			return err
		}
		return s.Close()
	})
	if err != nil {
		b.Fatal(err)
	}
}

func referenceQuestion(t testing.TB) *evaluate.Question {
	t.Helper()
	program, err := loadPlan(need(t).plan("reference"), "blow")
	if err != nil {
		t.Fatal(err)
	}
	q, err := evaluate.NewQuestion(program, evaluate.Options{Rule: "blow"})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// firstAnswers are the answers to the first row group, as they are collected.
func firstAnswers(b *testing.B, in string) arrow.RecordBatch {
	q := referenceQuestion(b)
	r, err := source.Open(in, source.Parquet, 0, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	binding, err := q.Bind(r.Schema(), nil)
	if err != nil {
		b.Fatal(err)
	}
	s, err := sink.NewParquet(io.Discard, "none", q, nil)
	if err != nil {
		b.Fatal(err)
	}
	c := s.NewBatches()
	w, err := q.NewWorker(binding, c, false)
	if err != nil {
		b.Fatal(err)
	}
	p, err := r.Next()
	if err != nil {
		b.Fatal(err)
	}
	if err := p.Each(w.Answer); err != nil {
		b.Fatal(err)
	}
	batch, err := c.Batch()
	if err != nil {
		b.Fatal(err)
	}
	return batch
}
