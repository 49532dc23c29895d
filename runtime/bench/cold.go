package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	rules "github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// An asked rule is one that is carried out from the start of a process to its end.
type asked struct{ ruleset, rule, character, input string }

// coldRules are a small and the largest of the plans that ship, each with one of its larger rules.
var coldRules = []asked{
	{"tempestas", "test", "ada.json", "ada_test.json"},
	{"hybrid", "blow", "mara.json", "mara_blow.json"},
}

// coldRuns is how often each command is run. They take turns, so that whatever slows the machine down slows all of them.
const coldRuns = 100

// A command is a process that is timed from its start to its end.
type command struct {
	args  []string
	stdin []byte
	env   []string
	dir   string // in which it runs
	took  []time.Duration
}

func (c *command) run() error {
	x := exec.Command(c.args[0], c.args[1:]...)
	var errs bytes.Buffer
	x.Dir, x.Stdin, x.Stderr, x.Env = c.dir, bytes.NewReader(c.stdin), &errs, append(os.Environ(), c.env...)
	start := time.Now()
	err := x.Run()
	c.took = append(c.took, time.Since(start))
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(c.args, " "), err, errs.String())
	}
	return nil
}

func (c *command) least() time.Duration { return slices.Min(c.took) }

func (c *command) median() time.Duration {
	slices.Sort(c.took)
	return c.took[len(c.took)/2]
}

// A workshop is a directory with the programs that are started, and their plans.
type workshop struct{ dir, module string }

// newWorkshop builds the programs; done removes them.
func newWorkshop() (w *workshop, done func(), err error) {
	dir, err := os.MkdirTemp("", "cold")
	if err != nil {
		return nil, nil, err
	}
	w, done = &workshop{dir: dir}, func() { os.RemoveAll(dir) }
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tabletop-rules/rules").Output()
	if err != nil {
		return nil, done, err
	}
	w.module = strings.TrimSpace(string(module))
	if err := os.WriteFile(w.file("empty.go"), []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		return nil, done, err
	}
	for name, from := range map[string]string{"empty": w.file("empty.go"), "sheet": "./cmd/sheet", "rules": "./cmd/rules"} {
		build := exec.Command("go", "build", "-o", w.file(name), from)
		build.Dir = w.module
		if text, err := build.CombinedOutput(); err != nil {
			return nil, done, fmt.Errorf("%w: %s", err, text)
		}
	}
	return w, done, nil
}

func (w *workshop) file(name string) string { return filepath.Join(w.dir, name) }

// cold is what a process takes that answers one question, and what it would take if it did nothing.
func cold([]record.Input) ([]row, error) {
	w, done, err := newWorkshop()
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := w.sheets()
	if err != nil {
		return nil, err
	}
	cached, err := w.cached(coldRules[0])
	return append(out, cached...), err
}

// sheets times cmd/sheet beside an empty program.
func (w *workshop) sheets() ([]row, error) {
	empty := &command{args: []string{w.file("empty")}}
	commands := []*command{empty}
	for _, a := range coldRules {
		c, err := w.sheet(a)
		if err != nil {
			return nil, err
		}
		commands = append(commands, c)
	}
	for range coldRuns {
		for _, c := range commands {
			if err := c.run(); err != nil {
				return nil, err
			}
		}
	}
	out := []row{{"cold_empty", "starting and ending an empty Go program, median", "ms", milli(empty.median())}}
	for i, a := range coldRules {
		c, name, title := commands[i+1], "cold_"+a.ruleset, "cmd/sheet, "+a.ruleset+" "+a.rule+", beyond an empty program, "
		out = append(out,
			row{name + "_least", title + "least", "ms", milli(c.least() - empty.least())},
			row{name, title + "median", "ms", milli(c.median() - empty.median())})
	}
	return out, nil
}

// sheet is the command that answers a question from a plan file.
func (w *workshop) sheet(a asked) (*command, error) {
	file := w.file(a.ruleset + ".plan")
	if text, err := exec.Command(w.file("rules"), "build", a.ruleset, "-o", file).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	character, input, err := a.given()
	return &command{args: []string{w.file("sheet"), "-input", string(input), "-seed", "7", file, a.rule}, stdin: character},
		err
}

// given are the character and the input, which ship.
func (a asked) given() (character, input []byte, err error) {
	if character, err = fs.ReadFile(rules.Files, path.Join("golden", a.ruleset, a.character)); err != nil {
		return nil, nil, err
	}
	input, err = fs.ReadFile(rules.Files, path.Join("golden", a.ruleset, a.input))
	return character, input, err
}

// cached times "rules eval" with no plan kept and with one, and a command of the same program that does nothing.
func (w *workshop) cached(a asked) ([]row, error) {
	character, input, err := a.given()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(w.file("input"), input, 0o666); err != nil {
		return nil, err
	}
	args := []string{w.file("rules"), "eval", a.ruleset, a.rule, "--seed", "7", "--character", "-", "--input",
		w.file("input")}
	home := func(dir string) []string {
		return []string{"XDG_CACHE_HOME=" + dir, "HOME=" + dir, "LocalAppData=" + dir}
	}
	first := &command{args: args, stdin: character, dir: w.dir}
	second := &command{args: args, stdin: character, dir: w.dir, env: home(w.file("kept"))}
	idle := &command{args: []string{w.file("rules"), "help"}, dir: w.dir}
	for i := range coldRuns / 5 {
		first.env = home(w.file(fmt.Sprint("first", i)))
		for _, c := range []*command{first, second, idle} {
			if err := c.run(); err != nil {
				return nil, err
			}
		}
	}
	title := "rules eval " + a.ruleset + " " + a.rule
	return []row{
		{"eval_first", title + ", the first run, median", "ms", milli(first.median())},
		{"eval_second", title + ", the second run, median", "ms", milli(second.median())},
		{"eval_idle", "rules help, which does nothing, median", "ms", milli(idle.median())},
	}, nil
}

func milli(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// edits are the times to compile the release anew in one process, after one file of one ruleset has changed.
func edits([]record.Input) (out []row, err error) {
	for _, of := range []struct{ ruleset, file string }{
		{"tempestas", "tables/tempestas/heroic.cue"},
		{"hybrid", "tables/hybrid/ch5_combat.cue"},
		{"supermen", "tables/supermen/combat.cue"},
	} {
		edited, err := newEdited(of.file)
		if err != nil {
			return nil, err
		}
		session := compiler.NewSession(load.Source{FS: edited}, compiler.Options{})
		compile := func() error {
			edited.text = append(edited.text, "// One more line.\n"...)
			if plans, diags, _ := session.Release(context.Background()); plans == nil {
				return fmt.Errorf("the rulesets that ship do not compile: %v", diags)
			}
			return nil
		}
		if err := compile(); err != nil {
			return nil, err
		}
		took, err := best(8, compile)
		if err != nil {
			return nil, err
		}
		out = append(out, row{"build_edit_" + of.ruleset,
			"compiling all rulesets that ship anew, after an edit of " + of.ruleset, "ms", milli(took)})
	}
	return out, nil
}

// edited are the files that ship, one of them with another text.
type edited struct {
	fs.FS
	name string
	text []byte
}

func newEdited(name string) (*edited, error) {
	text, err := fs.ReadFile(rules.Files, name)
	return &edited{rules.Files, name, text}, err
}

// Open opens a file.
func (e *edited) Open(name string) (fs.File, error) {
	if name != e.name {
		return e.FS.Open(name)
	}
	return fstest.MapFS{name: {Data: e.text}}.Open(name)
}
