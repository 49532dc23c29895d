// Package gotest compiles and runs generated packages for tests.
package gotest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit/golang"
	"github.com/tabletop-rules/rules/runtime/plan"
)

//go:embed main.go.txt
var mainText string

//go:embed requests.go.txt
var requestText string

//go:embed rules.go.txt
var answeringText string

//go:embed plays.go.txt
var playingText string

// home is the directory below the module in which the packages are for the compiler, and nowhere else.
const home = "runtime/emit/golang/gotest/generated"

// A Program answers requests of rules of generated packages.
type Program struct {
	dir      string
	packages []string
	overlay  map[string]string
	answers  []string
}

// kernelImports are those of the answers of a package, the last of one that does not stand alone.
var kernelImports = []string{"encoding/json", "errors", "fmt", "strconv", "strings",
	"github.com/tabletop-rules/rules/runtime/emit/kernel"}

// NewProgram returns a program without packages.
func NewProgram(t testing.TB) *Program {
	return &Program{dir: t.TempDir(), overlay: map[string]string{}}
}

// Add adds a package.
func (p *Program) Add(t testing.TB, name string, files []golang.File) {
	t.Helper()
	p.packages = append(p.packages, name)
	for _, f := range files {
		p.write(t, filepath.Join(name, f.Name), f.Text)
	}
}

// AddAnswering adds a package of a plan, with the Go names of its rules and procedures by their ids, which answers requests.
func (p *Program) AddAnswering(t testing.TB, of golang.Package, from *plan.Plan, files []golang.File,
	names map[string]string) {
	t.Helper()
	rules, plays := "", ""
	answers := []string{"// Answers are the functions that answer requests.", "var Answers = map[string]func([]byte) string{"}
	for _, id := range slices.Sorted(maps.Keys(names)) {
		if from.Procedure(id) != nil {
			answers, plays = append(answers, fmt.Sprintf("%q: playing(%s),", id, names[id])), playingText
		} else {
			answers, rules = append(answers, fmt.Sprintf("%q: answering(%sRule, %s),", id, names[id], names[id])), answeringText
		}
	}
	text := requestText + rules + plays + "\n" + strings.Join(append(answers, "}"), "\n") + "\n"
	if of.IsStandalone {
		text = strings.ReplaceAll(text, "kernel.", "")
	}
	imports := slices.DeleteFunc(slices.Clone(kernelImports), func(path string) bool {
		return !strings.Contains(text, filepath.Base(path)+".")
	})
	p.Add(t, of.Name, append(slices.Clone(files), golang.File{Name: "answers.go",
		Text: "package " + of.Name + "\n\nimport (\n\"" + strings.Join(imports, "\"\n\"") + "\"\n)\n\n" + text}))
	p.answers = append(p.answers, fmt.Sprintf("%q: %s.Answers,", of.Name, of.Name))
}

func (p *Program) write(t testing.TB, name, text string) {
	t.Helper()
	at := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p.overlay[name] = at
}

// Build compiles the program of packages that answer requests.
func (p *Program) Build(t testing.TB) {
	t.Helper()
	p.BuildMain(t, mainText+"\nvar answers = map[string]map[string]func([]byte) string{\n"+strings.Join(p.answers, "\n")+
		"\n}\n")
}

// BuildMain compiles the program with a text of its own for its package main.
func (p *Program) BuildMain(t testing.TB, text string) {
	t.Helper()
	var imports []string
	for _, name := range p.packages {
		imports = append(imports, fmt.Sprintf("import %s %q", name, "github.com/tabletop-rules/rules/"+home+"/"+name))
	}
	p.write(t, "main.go", strings.Replace(text, "package main\n", "package main\n\n"+strings.Join(imports, "\n")+"\n", 1))
	gomod, err := exec.CommandContext(t.Context(), "go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(strings.TrimSpace(string(gomod)))
	replaced := map[string]string{}
	for name, at := range p.overlay {
		replaced[filepath.Join(root, filepath.FromSlash(home), filepath.FromSlash(name))] = at
	}
	places, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(p.dir, "overlay.json")
	if err := os.WriteFile(overlay, places, 0o666); err != nil {
		t.Fatal(err)
	}
	// What the generator writes is tested here, not how well Go optimises it, which takes most of the time.
	c := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", filepath.Join(p.dir, "program"),
		"-gcflags=./"+home+"/...=-N -l", "./"+home)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Answers returns the answers to requests, which are written as JSON: sheets, or the kinds and the messages of errors.
func Answers[Q any](t testing.TB, p *Program, requests []Q) []string {
	t.Helper()
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	e.SetEscapeHTML(false)
	for _, q := range requests {
		if err := e.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	answers := p.run(t, &in)
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests", len(answers), len(requests))
	}
	return answers
}

// Lines returns the strings that the program writes as JSON, in one list.
func Lines(t testing.TB, p *Program) []string {
	t.Helper()
	return p.run(t, nil)
}

// run returns the strings that the program writes, one by one or in lists.
func (p *Program) run(t testing.TB, in io.Reader) (answers []string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), filepath.Join(p.dir, "program"))
	c.Stdin = in
	var problems bytes.Buffer
	c.Stderr = &problems
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var list []string
		if in == nil {
			err = d.Decode(&list)
		} else {
			list = []string{""}
			err = d.Decode(&list[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, list...)
	}
	return answers
}
