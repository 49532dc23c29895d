package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// oddlyWritten has three misspelt names, of which two stand on one line, written as no formatter would.
const oddlyWritten = `// Größe zählt: a comment that stays.
package   odd // and this one

id: "odd",   title:   "Öd"
ruleset:   "tempestas"
replace: {tables: difficulty:
  rows: {extrem: points: {expect: 50, with: 60},  hrad: points: {expect: 30, with: 35}}} // extrem hrad
    // indented as the author likes it
    add: rules: peek: {cite: "Öde", #Input: {n!: int & >=0 & <=9}, output: twice: "2 * inptu.n"   } // inptu, no line end`

// TestFixKeepsTheRest wants nothing of a file to change but the names: not the comments, in which they stand too, nor
// blanks, the ends of lines, or who may read it.
func TestFixKeepsTheRest(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	for name, end := range map[string]string{"lines": "\n", "lines of Windows": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "odd")
			written := strings.ReplaceAll(oddlyWritten, "\n", end)
			module := "module: \"example.com/odd@v0\"\nlanguage: version: \"v0.16.0\"\n"
			if err := scaffold.WriteBelow(dir, "cue.mod/module.cue", []byte(module)); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "odd.cue")
			if err := os.WriteFile(file, []byte(written), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if status := Main([]string{"vet", "--fix", dir}, strings.NewReader(""), &out, &errs); status != exit.Done ||
				out.Len() > 0 {
				t.Fatalf("status %d: %s%s", status, out.String(), errs.String())
			}
			want := strings.NewReplacer("{extrem:", "{extreme:", " hrad:", " hard:", "* inptu.n", "* input.n").Replace(written)
			if got, err := os.ReadFile(file); err != nil || string(got) != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the file has the mode %v, %v", info.Mode(), err)
			}
		})
	}
}
