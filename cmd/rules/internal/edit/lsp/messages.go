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

// refusal returns the answer to a request for something that is not there.
func refusal(format string, args ...any) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
