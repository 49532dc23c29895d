package planfile

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plan/plantest"
)

// formats has for the version of the format what tells it from others: digests of a file that has all parts, fields and
// operations, and of the names of the operations in the order of their numbers.
var formats = map[uint32][2]string{
	5: {"321a2fce64a1cc94", "f5e93ee3d37a222d"},
}

// TestFormatHasVersion wants another Version wherever the bytes of a file come to mean something else. Nothing else would
// say so: what a program writes it also reads, and a file that was written before would be taken for malformed, or for
// another plan. When this fails, and it is not only plantest that has changed, a program that has been given to others
// needs the next Version; the digests of a version that nobody has yet may be replaced.
func TestFormatHasVersion(t *testing.T) {
	var names []string
	for op := range plan.Op(plan.NumOps) {
		names = append(names, op.Operation().Name)
	}
	digest := func(b []byte) string {
		d := sha256.Sum256(b)
		return hex.EncodeToString(d[:8])
	}
	file := Write(plantest.Everything(), nil)
	file = append(file, WriteRelease(sampleRelease(), nil)...)
	want, got := formats[Version], [2]string{digest(file), digest([]byte(strings.Join(names, "\n")))}
	if got != want {
		t.Errorf("format %d: files and operations have the digests %q, and had %q: planfile.Version must rise", Version, got, want)
	}
}
