package sink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A ParquetSink writes a row group for each part.
//
// Encoding a row group takes longer than computing it, and a Parquet writer encodes one group after the other. So each
// worker writes its part as a Parquet file of one row group, in memory, and the sink joins these files: it copies their
// bytes without magic and footer, moves the offsets in their footers by as much as the bytes have moved, and writes one
// footer for all. The format has been made for this: a footer lists row groups by where they are.
type ParquetSink struct {
	q      *evaluate.Question
	w      io.Writer
	schema *arrow.Schema
	kept   []arrow.Field
	props  *parquet.WriterProperties
	at     int64                  // bytes written so far
	footer *metadata.FileMetaData // of all groups so far; nil before the first
}

const magic = "PAR1"

// codecOf is a codec that every reader of Parquet knows.
//
// Others, such as LZ4, have two incompatible forms in the wild.
func codecOf(name string) (compress.Compression, error) {
	switch name {
	case "none":
		return compress.Codecs.Uncompressed, nil
	case "snappy":
		return compress.Codecs.Snappy, nil
	case "zstd":
		return compress.Codecs.Zstd, nil
	}
	return 0, fmt.Errorf("there is no compression %q; there is none, snappy, zstd", name)
}

// NewParquet is a sink of Parquet.
func NewParquet(w io.Writer, compression string, q *evaluate.Question, kept []arrow.Field) (*ParquetSink, error) {
	codec, err := codecOf(compression)
	if err != nil {
		return nil, err
	}
	// Strings are collected as a dictionary, which is written as it is, without looking up each of them again.
	texts := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	schema, err := schemaOf(q, texts, kept)
	if err != nil {
		return nil, err
	}
	s := &ParquetSink{q: q, w: w, schema: schema, kept: kept}
	options := []parquet.WriterProperty{parquet.WithCompression(codec), parquet.WithDictionaryDefault(true),
		parquet.WithCreatedBy("rules population")}
	// Record numbers rise by one mostly: their differences take a few bits.
	record := schema.Field(0).Name
	options = append(options, parquet.WithDictionaryFor(record, false),
		parquet.WithEncodingFor(record, parquet.Encodings.DeltaBinaryPacked))
	for _, f := range q.Outputs {
		if f.Type.Kind == plan.Int { // a difference costs a subtraction, a dictionary a hash
			options = append(options, parquet.WithDictionaryFor(f.Name, false),
				parquet.WithEncodingFor(f.Name, parquet.Encodings.DeltaBinaryPacked))
		}
	}
	s.props = parquet.NewWriterProperties(options...)
	return s, nil
}

func (s *ParquetSink) NeedsSheets() bool { return !columns.AreScalars(s.q.Outputs) }

func (s *ParquetSink) NewCollector() (Collector, error) { return s.NewBatches(), nil }

// NewBatches collects answers as the sink encodes them.
func (s *ParquetSink) NewBatches() *Batches {
	c := newBatches(s.q, s.schema, s.kept)
	c.finish = s.Encode
	return c
}

// Encode encodes the answers of a part. It may be called by several goroutines at once.
func (s *ParquetSink) Encode(batch arrow.RecordBatch) (*Piece, error) {
	rows := int(batch.NumRows())
	if rows == 0 {
		return &Piece{}, nil
	}
	file, err := s.encode(batch)
	return &Piece{Rows: rows, bytes: file}, err
}

// encode is a Parquet file of one row group, or of none for no batch.
func (s *ParquetSink) encode(batch arrow.RecordBatch) ([]byte, error) {
	var file bytes.Buffer
	w, err := pqarrow.NewFileWriter(s.schema, &file, s.props, pqarrow.NewArrowWriterProperties())
	if err != nil {
		return nil, err
	}
	if batch != nil {
		if err := w.Write(batch); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

func (s *ParquetSink) Write(p *Piece) error {
	if p.Rows == 0 {
		return nil
	}
	return s.appendFile(p.bytes)
}

// appendFile appends the row groups of a file.
func (s *ParquetSink) appendFile(file []byte) error {
	// A Parquet file ends with the footer, four bytes of its length in little-endian order, and the
	// magic.
	const tail = 4 + len(magic) // the footer's length, and the magic
	size := int(binary.LittleEndian.Uint32(file[len(file)-tail:]))
	end := len(file) - tail - size
	footer, err := metadata.NewFileMetaData(file[end:end+size], nil)
	if err != nil {
		return err
	}
	if s.footer == nil {
		if err := s.write([]byte(magic)); err != nil {
			return err
		}
	}
	// In its own file the group began right after the magic; here it begins at s.at.
	shiftOffsets(footer, s.at-int64(len(magic)))
	if err := s.write(file[len(magic):end]); err != nil {
		return err
	}
	if s.footer == nil {
		s.footer = footer
		return nil
	}
	return s.footer.AppendRowGroups(footer)
}

// shiftOffsets moves the places of all that a footer tells of.
func shiftOffsets(footer *metadata.FileMetaData, by int64) {
	move := func(at *int64) {
		if at != nil {
			*at += by
		}
	}
	for _, group := range footer.RowGroups {
		group.Ordinal = nil // which would have to be counted on, and may be left out
		move(group.FileOffset)
		for _, chunk := range group.Columns {
			if chunk.FileOffset != 0 { // 0 is what the format now wants to stand there
				chunk.FileOffset += by
			}
			if chunk.MetaData != nil {
				chunk.MetaData.DataPageOffset += by
				move(chunk.MetaData.IndexPageOffset)
				move(chunk.MetaData.DictionaryPageOffset)
			}
		}
	}
}

func (s *ParquetSink) write(b []byte) error {
	n, err := s.w.Write(b)
	s.at += int64(n)
	return err
}

// Close writes the footer of all groups, its length and the magic. Nothing before it is ever
// touched again, so that the sink can write to a pipe.
func (s *ParquetSink) Close() error {
	if s.footer == nil { // no row at all: a file without row groups still has the schema
		file, err := s.encode(nil)
		if err != nil {
			return err
		}
		return s.write(file)
	}
	size, err := s.footer.WriteTo(s.w, nil)
	if err != nil {
		return err
	}
	s.at += size
	return s.write(append(binary.LittleEndian.AppendUint32(nil, uint32(size)), magic...))
}
