// Package sink writes answers as Parquet, Arrow IPC, CSV or NDJSON. Each worker encodes the answers of its parts; one
// goroutine puts what was encoded into the file, part by part, in order. So encoding, which costs more than anything else,
// is shared out as well.
package sink

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// A Piece is the answers of a part, encoded.
type Piece struct {
	Rows    int
	Letters []evaluate.Letter
	bytes   []byte            // of text formats and of Parquet, where it is a file of its own
	batch   arrow.RecordBatch // of Arrow
}

// A Collector takes the answers of a part, and then gives them encoded. It serves one goroutine.
type Collector interface {
	evaluate.Answers
	// Keep adds the columns that are kept, of the records that have answers.
	Keep(*source.Records) error
	// Finish gives the answers since the last Finish.
	Finish() (*Piece, error)
}

// A Sink is a file that is written. Write and Close are called by one goroutine.
type Sink interface {
	NewCollector() (Collector, error)
	// NeedsSheets tells that answers are taken from sheets, for outputs that are no columns of a block.
	NeedsSheets() bool
	Write(*Piece) error
	Close() error
}

// letters are those of the part that is collected.
type letters struct{ list []evaluate.Letter }

func (l *letters) AddLetter(x evaluate.Letter) { l.list = append(l.list, x) }

func (l *letters) take() []evaluate.Letter {
	out := l.list
	l.list = nil
	return out
}
