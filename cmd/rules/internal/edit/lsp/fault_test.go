package lsp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// TestFaultCostsOneRequest lets the server, which has no project here, fail on a message: it answers with an error that
// says where.
func TestFaultCostsOneRequest(t *testing.T) {
	params := json.RawMessage(`{"textDocument":{"uri":"file:///a.cue","text":"x"}}`)
	_, err := (&server{}).handle(t.Context(), nil, &jsonrpc2.Request{Method: "textDocument/didOpen", Params: &params})
	var told *jsonrpc2.Error
	if !errors.As(err, &told) || told.Code != jsonrpc2.CodeInternalError || !strings.Contains(told.Message, "lsp/") ||
		!strings.Contains(told.Message, "report") {
		t.Errorf("it is told as %v", err)
	}
}
