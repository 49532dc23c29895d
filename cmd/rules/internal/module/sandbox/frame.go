package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

var errTooLarge = errors.New("a frame is longer than it may be")

// writeFrame writes the length of data and data.
func writeFrame(w io.Writer, data []byte) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	_, err := w.Write(append(head, data...))
	return err
}

// readFrame returns one frame that writeFrame wrote, of at most longest bytes, or io.EOF at the end of the input.
//
// The length is compared with the bound before anything is allocated for it. The buffer then grows with the bytes that
// come, so that four bytes from a broken worker cannot claim half a gigabyte.
func readFrame(r io.Reader, longest int) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	length := int64(binary.BigEndian.Uint32(head[:]))
	if length > int64(longest) {
		return nil, errTooLarge
	}
	var data bytes.Buffer // grows with what comes: the length is the word of whoever wrote it
	if n, err := io.CopyN(&data, r, length); err != nil {
		return nil, fmt.Errorf("%d of %d bytes: %w", n, length, err)
	}
	return data.Bytes(), nil
}
