package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// TestSecondRunCompilesNothing puts another revision in the place of the plan that the first run has kept: the second run
// answers by it, a run without the cache does not.
func TestSecondRunCompilesNothing(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	revision := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		args = append([]string{"eval", "tempestas", "pace", "--set", "task=six_hours", "--character", "-", "--format", "json"},
			args...)
		if got := Main(args, strings.NewReader("{}"), &out, &errs); got != exit.Done {
			t.Fatalf("status %d: %s", got, errs.String())
		}
		var sheet struct{ Revision string }
		if err := json.Unmarshal(out.Bytes(), &sheet); err != nil {
			t.Fatal(err)
		}
		return sheet.Revision
	}
	first := revision()
	files, err := filepath.Glob(filepath.Join(cache.UserCache().Dir, "*.plan"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v is kept, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	head := len(data) - len(bytes.SplitN(data, []byte("\n"), 3)[2]) // the entry's two lines before the plan
	p, err := planfile.Read(data[head:])
	if err != nil {
		t.Fatal(err)
	}
	p.Revision = "kept"
	if err := os.WriteFile(files[0], append(data[:head:head], planfile.Write(p, nil)...), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := revision(); got != "kept" {
		t.Errorf("the second run answers by revision %s, not by the plan that is kept", got)
	}
	if got := revision("--no-cache"); got != first {
		t.Errorf("with --no-cache revision %s answers, not %s", got, first)
	}
}
