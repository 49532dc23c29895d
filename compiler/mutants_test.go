package compiler_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mutants     = flag.Int("mutants", 0, "run the tests that must find the mutants in testdata, of so many of them")
	mutantsSeed = flag.Uint64("mutants-seed", 1, "choose them by the `SEED`")
)

// leastMutants is how many there are at least.
const leastMutants = 30

// A mutant is a small wrong change of the sources, and the tests that must fail on it.
type mutant struct {
	name     string
	what     string   // is wrong
	test     []string // arguments of go test
	file     string   // from the root of the module
	old, new string   // the lines that are changed, with those around them
}

// TestMutants applies every mutant, and with -mutants runs the tests of some: they must fail.
func TestMutants(t *testing.T) {
	patches, err := filepath.Glob("testdata/mutants/*.patch")
	if err != nil {
		t.Fatal(err)
	}
	if len(patches) < leastMutants {
		t.Errorf("there are %d mutants, but were %d", len(patches), leastMutants)
	}
	sound := map[string]bool{} // tests that pass as long as nothing is changed
	order := rand.New(rand.NewPCG(*mutantsSeed, 0)).Perm(len(patches))
	for i, patch := range patches {
		m, err := readMutant(patch)
		if err != nil {
			t.Errorf("%s: %v", patch, err)
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			mutated, err := m.apply("..")
			if err != nil {
				t.Fatal(err)
			}
			if order[i] >= *mutants {
				return
			}
			if test := strings.Join(m.test, " "); !sound[test] {
				if out, err := goTest(m.test...); err != nil {
					t.Fatalf("its tests fail without it:\n%s", out)
				}
				sound[test] = true
			}
			t.Parallel()
			m.mustDie(t, mutated)
		})
	}
}

// hunk is the header of a part of a patch.
var hunk = regexp.MustCompile(`^@@ .* @@`)

// readMutant reads a patch: lines "what:" and "test:", then the change of one place of one file as diff -u writes it.
func readMutant(path string) (*mutant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &mutant{name: strings.TrimSuffix(filepath.Base(path), ".patch")}
	head, body, ok := strings.Cut(string(text), "\n@@ ")
	if !ok || hunk.MatchString(body) {
		return nil, fmt.Errorf("there is no part that begins with @@")
	}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "what:":
			m.what = value
		case "test:":
			m.test = strings.Fields(value)
		case "+++":
			m.file = strings.TrimPrefix(value, "b/")
		}
	}
	if m.what == "" || m.test == nil || m.file == "" {
		return nil, fmt.Errorf("it does not say what is wrong, what tests it or which file it is")
	}
	_, body, _ = strings.Cut(body, "\n")
	return m, m.change(body)
}

// change reads the changed lines and those around them.
func (m *mutant) change(body string) error {
	for line := range strings.Lines(body) {
		rest := line[1:]
		switch line[0] {
		case ' ':
			m.old, m.new = m.old+rest, m.new+rest
		case '-':
			m.old += rest
		case '+':
			m.new += rest
		default:
			return fmt.Errorf("a line begins neither with a sign nor with a space: %q", line)
		}
	}
	return nil
}

// apply gives the mutated file. The lines are found wherever they stand, if they stand there once.
func (m *mutant) apply(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("the lines that it changes stand %d times in %s", n, m.file)
	}
	return strings.Replace(string(text), m.old, m.new, 1), nil
}

// mustDie runs the mutant's tests.
func (m *mutant) mustDie(t *testing.T, mutated string) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, m.file): file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{file: mutated, overlay: string(replace)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := goTest(append([]string{"-overlay=" + overlay}, m.test...)...)
	switch {
	case err == nil:
		t.Errorf("it survives %s: %s", strings.Join(m.test, " "), m.what)
	case !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "panic: "):
		t.Errorf("it does not run:\n%s", out)
	}
}

// goTest runs go test in the root of the module.
func goTest(args ...string) ([]byte, error) {
	run := exec.Command("go", append([]string{"test", "-vet=off", "-failfast", "-timeout=100s"}, args...)...)
	run.Dir = ".."
	return run.CombinedOutput()
}
