package sink

import (
	"io"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
)

// A textSink writes sheets as lines of JSON.
type textSink struct{ w io.Writer }

func (s *textSink) NewCollector() (Collector, error) { return &sheets{}, nil }

func (s *textSink) NeedsSheets() bool { return false }

func (s *textSink) Write(p *Piece) error {
	_, err := s.w.Write(p.bytes)
	return err
}

func (s *textSink) Close() error { return nil }

// sheets collects lines.
type sheets struct {
	letters
	text []byte
	rows int
}

var _ evaluate.Answers = (*sheets)(nil)

// AddBlock writes the sheets of a block. AppendJSON gives the very bytes that Rule.Eval's sheet
// would have.
func (s *sheets) AddBlock(b *runtime.Block, numbers []uint64, sound []int) error {
	if sound == nil {
		for row := range numbers {
			if err := s.addRow(b, row); err != nil {
				return err
			}
		}
		return nil
	}
	for _, row := range sound {
		if err := s.addRow(b, row); err != nil {
			return err
		}
	}
	return nil
}

func (s *sheets) addRow(b *runtime.Block, row int) (err error) {
	s.rows++
	s.text, err = b.AppendJSON(s.text, row)
	s.text = append(s.text, '\n')
	return err
}

func (s *sheets) AddSheet(_ uint64, sheet *runtime.Sheet) error {
	s.rows++
	s.text = append(sheet.AppendJSON(s.text), '\n')
	return nil
}

func (s *sheets) Keep(*source.Records) error { return nil }

func (s *sheets) Finish() (*Piece, error) {
	p := &Piece{Rows: s.rows, Letters: s.take(), bytes: s.text}
	// The next part is probably as long: an eighth more saves growing.
	s.text, s.rows = make([]byte, 0, len(s.text)+len(s.text)/8), 0
	return p, nil
}
