package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

// The library of Arrow allocates as much as a file says that it has, before it looks whether the file has it: a few bytes
// can ask for a hundred gigabytes. So the description of the columns is checked before the library sees it, and what the
// library allocates for their contents is counted.

// The bounds of files of columns.
const (
	maxMetadata = 16 << 20  // bytes of the description of columns, or of a batch
	maxBatch    = 256 << 20 // bytes of a batch, and of a buffer that is unpacked
	maxHeld     = 2 << 30   // bytes that a file holds at once, for all workers
	maxFields   = 100_000   // columns, and fields of columns
	maxNesting  = 64
)

// A boundedAllocator panics when a file asks for more memory than it may have, which refuseDamage makes an error.
type boundedAllocator struct {
	memory.Allocator
	held *atomic.Int64
}

func newAllocator() boundedAllocator {
	return boundedAllocator{memory.DefaultAllocator, new(atomic.Int64)}
}

// count notes that more bytes are held, or fewer, of a buffer of a size.
func (b boundedAllocator) count(size, more int) {
	if size > maxBatch || size < 0 {
		panic(fmt.Errorf("it asks for %d bytes at once, and may have %d", size, maxBatch))
	}
	if held := b.held.Add(int64(more)); held > maxHeld {
		panic(fmt.Errorf("it asks for %d bytes together, and may have %d", held, maxHeld))
	}
}

// Allocate implements memory.Allocator.
func (b boundedAllocator) Allocate(size int) []byte {
	b.count(size, size)
	return b.Allocator.Allocate(size)
}

// Reallocate implements memory.Allocator.
func (b boundedAllocator) Reallocate(size int, old []byte) []byte {
	b.count(size, size-len(old))
	return b.Allocator.Reallocate(size, old)
}

// Free implements memory.Allocator.
func (b boundedAllocator) Free(old []byte) {
	b.held.Add(-int64(len(old)))
	b.Allocator.Free(old)
}

var errDescription = errors.New("the file is damaged: the description of its columns says more than it holds")

// checkFooter checks the footer of an Arrow file of a size. It is at the end: the footer, its length, and the mark ARROW1.
// What else is wrong with it the library says.
func checkFooter(in io.ReaderAt, size int64) error {
	var end [10]byte
	if _, err := in.ReadAt(end[:], max(size-int64(len(end)), 0)); err != nil {
		return nil
	}
	length := int64(int32(binary.LittleEndian.Uint32(end[:4])))
	if length <= 0 || length > min(size-int64(len(end)), maxMetadata) {
		return errDescription
	}
	footer := make([]byte, length)
	if _, err := in.ReadAt(footer, size-int64(len(end))-length); err != nil {
		return err
	}
	d := &description{}
	root := d.rootOf(footer)
	const schema, dictionaries, batches, block = 6, 8, 10, 24
	d.countOf(root, dictionaries, block)
	d.countOf(root, batches, block)
	return d.checkSchema(d.tableAt(root, schema))
}

// checkFirstMessage checks the message that begins an Arrow stream, and returns the stream from its beginning.
func checkFirstMessage(in io.Reader) (io.Reader, error) {
	var head [8]byte // a mark and the length, or in old streams the length alone
	n, err := io.ReadFull(in, head[:])
	whole := io.MultiReader(bytes.NewReader(head[:n]), in)
	if err != nil {
		return whole, nil
	}
	length, known := int64(int32(binary.LittleEndian.Uint32(head[4:]))), []byte(nil)
	if binary.LittleEndian.Uint32(head[:]) != 0xFFFFFFFF {
		length, known = int64(int32(binary.LittleEndian.Uint32(head[:]))), head[4:]
	}
	if length < int64(len(known)) || length > maxMetadata {
		return nil, errDescription
	}
	message := make([]byte, length)
	copied := copy(message, known)
	read, err := io.ReadFull(in, message[copied:])
	whole = io.MultiReader(bytes.NewReader(head[:]), bytes.NewReader(message[copied:copied+read]), in)
	if err != nil {
		return whole, nil
	}
	d := &description{}
	const header = 8
	return whole, d.checkSchema(d.tableAt(d.rootOf(message), header))
}

// A description is the tables in which a file says which columns it has, in the format of FlatBuffers. Reading what is
// outside of it panics, which refuseDamage makes an error.
type description struct {
	fields int
	err    error
}

func (d *description) rootOf(data []byte) *flatbuffers.Table {
	return &flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}
}

// tableAt is the table in a slot of another; nil when it has none.
func (d *description) tableAt(t *flatbuffers.Table, slot flatbuffers.VOffsetT) *flatbuffers.Table {
	o := t.Offset(slot)
	if o == 0 {
		return nil
	}
	at := flatbuffers.UOffsetT(o) + t.Pos
	return &flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at)}
}

// countOf is how many elements of a size a vector says it has, which must lie within the description.
func (d *description) countOf(t *flatbuffers.Table, slot flatbuffers.VOffsetT, size int) int {
	o := flatbuffers.UOffsetT(t.Offset(slot))
	if o == 0 {
		return 0
	}
	n := t.VectorLen(o)
	if n < 0 || n > (len(t.Bytes)-int(t.Vector(o)))/size {
		d.err = errDescription
		return 0
	}
	return n
}

// checkSchema checks the fields of a schema.
func (d *description) checkSchema(schema *flatbuffers.Table) error {
	if schema != nil {
		const fields, metadata, offset = 6, 8, 4
		d.countOf(schema, metadata, offset)
		d.checkFields(schema, fields, maxNesting)
	}
	return d.err
}

// checkFields checks the fields in a slot of a table, and theirs. A field may be part of several others: each time it
// counts.
func (d *description) checkFields(t *flatbuffers.Table, slot flatbuffers.VOffsetT, depth int) {
	const kind, children, metadata, union, typeIDs, offset = 10, 14, 16, 14, 6, 4
	n := d.countOf(t, slot, offset)
	if d.fields += n; d.fields > maxFields || n > 0 && depth == 0 {
		d.err = fmt.Errorf("the file has more than %d fields, or fields within fields more than %d deep", maxFields,
			maxNesting)
	}
	if d.err != nil || n == 0 {
		return
	}
	start := t.Vector(flatbuffers.UOffsetT(t.Offset(slot)))
	for i := range n {
		field := &flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(start + flatbuffers.UOffsetT(i*offset))}
		d.countOf(field, metadata, offset)
		if of := d.tableAt(field, kind); of != nil && field.GetByteSlot(8, 0) == union {
			d.countOf(of, typeIDs, offset)
		}
		d.checkFields(field, children, depth-1)
		if d.err != nil {
			return
		}
	}
}
