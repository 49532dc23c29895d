package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// The largest message that is read, and the largest text of a file. Reading and compiling a text takes some thirty
// times its size. CUE is read up to 2 MiB; a case or a character may be larger.
const (
	maxMessage  = 24 << 20 // every character of a text may be escaped
	maxDocument = 4 << 20
)

// tooLargeMethod is the notification that stands for a message beyond maxMessage, of which nothing is known.
const tooLargeMethod = "$/messageTooLarge"

// A messageCodec writes messages as editors do, and reads them within bounds. What lies beyond is passed over, and the
// session goes on.
type messageCodec struct{ jsonrpc2.VSCodeObjectCodec }

// ReadObject implements jsonrpc2.ObjectCodec.
func (messageCodec) ReadObject(stream *bufio.Reader, v any) error {
	length, err := readHeaders(stream)
	if err != nil {
		return err
	}
	if length > maxMessage {
		if _, err := io.CopyN(io.Discard, stream, length); err != nil {
			return err
		}
		return json.Unmarshal([]byte(`{"jsonrpc":"2.0","method":"`+tooLargeMethod+`"}`), v)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(stream, data); err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// readHeaders reads the headers of a message, and returns its length. A line is no longer than the stream's buffer.
func readHeaders(stream *bufio.Reader) (length int64, err error) {
	const most = 32
	for range most {
		line, err := stream.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			if length == 0 {
				return 0, errors.New("a message has no Content-Length")
			}
			return length, nil
		}
		name, value, _ := strings.Cut(text, ":")
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length <= 0 {
				return 0, fmt.Errorf("a message has the Content-Length %.40q", value)
			}
		}
	}
	return 0, fmt.Errorf("a message has more than %d headers", most)
}
