package eliminate_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestImportersDoNotCompileTheEngine looks for the engine in the object file of a package that only mentions a Rule. The
// engine is generic: when a type that a Rule leads to names an instance of it, Go compiles all its methods again in every
// package that imports this one.
func TestImportersDoNotCompileTheEngine(t *testing.T) {
	list := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "./testdata/holder")
	list.Stderr = os.Stderr
	name, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	object, err := os.ReadFile(strings.TrimSpace(string(name)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(object, []byte("holder.Held")) {
		t.Error("the object file does not mention its own variable")
	}
	if bytes.Contains(object, []byte("engine[")) {
		t.Error("a package that mentions a Rule compiles the engine")
	}
}
