package toolserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxKept bounds the texts that are kept: the oldest go first.
const maxKept = 512

// An archive holds receipts and the sheets of procedures by their digests, so that an assistant names them instead of
// repeating them. A digest is found by nobody who was not told it, and stands for the same text for ever.
type archive struct {
	mu    sync.Mutex
	texts map[string][]byte
	order []string
}

// put keeps a text, and returns its digest.
func (k *archive) put(text []byte) string {
	sum := sha256.Sum256(text)
	digest := hex.EncodeToString(sum[:16])
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.texts[digest]; ok {
		return digest
	}
	if k.texts == nil {
		k.texts = map[string][]byte{}
	}
	if len(k.order) == maxKept {
		delete(k.texts, k.order[0])
		k.order = k.order[1:]
	}
	k.texts[digest], k.order = text, append(k.order, digest)
	return digest
}

// find returns the text of a digest, nil for none.
func (k *archive) find(digest string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.texts[digest]
}

const receiptURI = "rules-receipt:///"

// readReceipt returns a receipt as "rules verify" reads it.
func (s *server) readReceipt(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	text := s.kept.find(strings.TrimPrefix(r.Params.URI, receiptURI))
	if text == nil {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "application/json",
		Text: string(text)}}}, nil
}
