package lsp

import (
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
)

// The protocol's numbers for messages to the user.
const (
	errorMessage = 1
	infoMessage  = 3
)

// newRefusal returns the error that answers a request for something that is not there.
func newRefusal(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
