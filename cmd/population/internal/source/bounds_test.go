package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// crowd is a batch with numbers, strings and a record.
func crowd(t *testing.T) arrow.RecordBatch {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "strength", Type: arrow.PrimitiveTypes.Int64},
		{Name: "name", Type: arrow.BinaryTypes.String, Metadata: arrow.MetadataFrom(map[string]string{"a": "b"})},
		{Name: "skills", Type: arrow.StructOf(arrow.Field{Name: "climb", Type: arrow.PrimitiveTypes.Int64})},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range 300 {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		b.Field(1).(*array.StringBuilder).Append(strings.Repeat("Ann", 20))
		b.Field(2).(*array.StructBuilder).Append(true)
		b.Field(2).(*array.StructBuilder).FieldBuilder(0).(*array.Int64Builder).Append(3)
	}
	return b.NewRecordBatch()
}

// readAll reads all batches of a file.
func readAll(name string, format Format) error {
	r, err := Open(name, format, 0, nil, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		p, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = p.Each(func(*Records) error { return nil })
		}
		if err != nil {
			return err
		}
	}
}

// TestClaimsOfColumns writes a large number over each place of Arrow files and streams: whatever they say that they have,
// no more is allocated than a batch may have.
func TestClaimsOfColumns(t *testing.T) {
	batch := crowd(t)
	defer batch.Release()
	dir := t.TempDir()
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(batch.Schema()), ipc.WithZstd())
	if err := errors.Join(w.Write(batch), w.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "whole.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	fw, err := ipc.NewFileWriter(f, ipc.WithSchema(batch.Schema()), ipc.WithLZ4())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(fw.Write(batch), fw.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	for format, text := range map[Format][]byte{Arrow: file, Stream: stream.Bytes()} {
		name := filepath.Join(dir, "claims."+string(format))
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := readAll(name, format); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		for at := 0; at+8 <= len(text); at += 4 {
			for _, claim := range []uint64{0x0800_0000, 100 << 30} {
				damaged := bytes.Clone(text)
				if claim < 1<<32 {
					binary.LittleEndian.PutUint32(damaged[at:], uint32(claim))
				} else {
					binary.LittleEndian.PutUint64(damaged[at:], claim)
				}
				if err := os.WriteFile(name, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := readAll(name, format)
				runtime.ReadMemStats(&after)
				if took := after.TotalAlloc - before.TotalAlloc; took > maxBatch+64<<20 {
					t.Errorf("%s: %d at byte %d takes %d MiB: %v", format, claim, at, took>>20, err)
				}
			}
		}
	}
}

// TestLargeCells reads a cell that is larger than a batch may be, and small as it lies in the file.
func TestLargeCells(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a gigabyte")
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "name", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).Append(strings.Repeat("x", maxBatch+1))
	batch := b.NewRecordBatch()
	defer batch.Release()
	f, err := os.Create(filepath.Join(t.TempDir(), "large.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, f, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithDictionaryDefault(false), parquet.WithStats(false)), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(batch), w.Close()); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = readAll(f.Name(), Parquet)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Error("it is read")
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > maxBatch/2 {
		t.Errorf("it takes %d MiB", took>>20)
	}
}
