package transforms

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/runtime"
)

// A Question is what is asked of every record. Its fields travel to the workers as JSON.
type Question struct {
	Digest  string // of the plan file, by DigestOf
	Rule    string
	Options map[string]string
	Outputs []string // nil for all
	Input   []byte   // JSON that is common to all records; empty when files have columns of the input
	Seed    uint64
	Format  string // in which Eval gives sheets: "parquet", "arrow", "csv", and "" for lines of JSON
}

// DigestOf is the digest by which workers know a plan file.
func DigestOf(planFile []byte) string {
	sum := sha256.Sum256(planFile)
	return hex.EncodeToString(sum[:])
}

// prepare readies the question with the plan that a worker was given.
//
// The digest is compared first: a plan that was replaced while the pipeline ran must not answer a
// single record. The instructions in the file are made again of its rules, since whoever altered the
// file may have altered them.
func (q *Question) prepare(planFile []byte) (*evaluate.Question, error) {
	if got := DigestOf(planFile); got != q.Digest {
		return nil, fmt.Errorf("this worker has the plan %.12s, and the question is of the plan %.12s: it refuses to "+
			"answer", got, q.Digest)
	}
	program, err := runtime.Load(planFile, q.Rule)
	if err != nil {
		return nil, err
	}
	return evaluate.NewQuestion(runtime.New(program.Plan()), evaluate.Options{
		Rule: q.Rule, Options: q.Options, Outputs: q.Outputs, Seed: q.Seed, Input: q.Input,
	})
}

// bind finds the fields among the columns of a slice, and settles where the input comes from.
func bind(q *evaluate.Question, s *arrow.Schema) (*columns.Binding, error) {
	binding, err := q.Bind(s, nil)
	if err != nil {
		return nil, err
	}
	if len(q.Input) == 0 && (binding == nil || !binding.Inputs) {
		q.Input = []byte("{}")
	}
	return binding, nil
}
