package load

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/diag"
)

func TestLimits(t *testing.T) {
	deep := func(n int) string { return "_a: " + strings.Repeat("[", n) + "1" + strings.Repeat("]", n) + "\n" }
	large := func(n int) string { return "// " + strings.Repeat("x", n) + "\n" }
	for _, c := range []struct{ name, body, want string }{
		{"nested", deep(maxNesting), ""},
		{"nested too deep", deep(maxNesting + 1), "brackets are nested more than 100 deep"},
		{"never closed", "_a: " + strings.Repeat("{", 1_000_000), "brackets are nested more than 100 deep"},
		{"in strings", "_a: \"" + strings.Repeat("(", 1000) + "\"\n", ""},
		{"between values", `_b: "\("x")` + strings.Repeat("(", 200) + "\"\n", ""},
		{"large", large(maxFile - 100), ""},
		{"too large", large(maxFile), "the file is larger than 2 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, d := range read(t, c.body) {
				got += d.Message
				if d.Code != "cue-syntax" || d.Place.File != "game/body.cue" || d.Place.Line == 0 {
					t.Errorf("%s", d.String())
				}
			}
			if got != c.want {
				t.Errorf("reported %q, want %q", got, c.want)
			}
		})
	}
}

// TestModuleLimit reads files that are each small enough and together too much.
func TestModuleLimit(t *testing.T) {
	files := fstest.MapFS{"cue.mod/module.cue": {Data: []byte(
		"module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")}}
	filler := strings.Repeat("// "+strings.Repeat("x", 1000)+"\n", maxFile/1004-1)
	for i := range maxModule/maxFile + 1 {
		files[fmt.Sprintf("part%d.cue", i)] = &fstest.MapFile{Data: []byte("package house\n" + filler)}
	}
	var diags diag.List
	if h := Homebrew(Source{FS: files}, &diags); h != nil {
		t.Fatal("it was read")
	}
	if said := diags.Sorted(); len(said) == 0 || said[0].Message != "the files of the module are larger than 16 MiB" {
		t.Errorf("reported %v", said)
	}
}
