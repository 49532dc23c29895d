package golang

import (
	"slices"
	"strings"
	"testing"
)

// TestNoGo writes files that are no Go: that is an error, whoever formats them.
func TestNoGo(t *testing.T) {
	w := newPackage(Package{Name: "broken"})
	w.addFile("first.go", []string{"func {"})
	w.addFile("second.go", []string{"var x = 1"})
	w.addFile("third.go", []string{"var ="})
	_, err := w.finish()
	want := "first.go: what was generated is no Go: 5:6: expected 'IDENT', found '{'\n" +
		"third.go: what was generated is no Go: 5:5: expected 'IDENT', found '='"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestImportsOfText writes the names of packages into a comment and a string, as a description and a message may: only code
// imports.
func TestImportsOfText(t *testing.T) {
	for _, isStandalone := range []bool{false, true} {
		for code, want := range map[string][]string{"1": nil, "math.Pi": {"import", "(", `"math"`, ")"}} {
			w := newPackage(Package{Name: "harp", IsStandalone: isStandalone})
			w.addFile("harp.go", []string{"// Harp has no strings. Nor slices. Nor math. Nor strconv. Nor utf8.",
				"var harp = " + code, "const said = `a popcorn kernel.` + \"a builtin.\""})
			files, err := w.finish()
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := strings.Cut(files[0].Text, "// Harp")
			if imports := strings.Fields(strings.TrimPrefix(strings.TrimSpace(head), "package harp")); !slices.Equal(imports, want) {
				t.Errorf("%s, standalone %t: has imports %q", code, isStandalone, imports)
			}
		}
	}
}
