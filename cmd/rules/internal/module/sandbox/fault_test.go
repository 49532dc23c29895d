//go:build linux

package sandbox

import (
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// TestFaultCostsOneRequest lets the program fail on a request, here and in a worker: the request has a diagnostic that says
// where, and the next one is answered, by the same process.
func TestFaultCostsOneRequest(t *testing.T) {
	impossible := Module{Name: "house", Held: &txtar.Archive{Files: []txtar.File{{Name: "../x"}}}}
	mustBeFault := func(list []diag.Diagnostic) {
		t.Helper()
		if len(list) != 1 || list[0].Code != "internal" || !strings.Contains(list[0].Message, "must/must.go:") ||
			!strings.Contains(list[0].Repair, "report") {
			t.Errorf("it is told as %v", list)
		}
	}
	c := &Compiler{}
	defer c.Close()
	x := &Subject{Ruleset: "haze", Homebrews: []Module{impossible}}
	_, list, err := c.Recompile(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	mustBeFault(list)
	failed := c.worker
	house := writeHouse(t, honest)
	failed.dir = house.Dir
	if plans, list, err := c.Recompile(t.Context(), &Subject{Ruleset: "haze", Homebrews: []Module{house}}); len(plans) != 1 {
		t.Errorf("the next request has %v, %v", list, err)
	}
	if c.worker != failed {
		t.Error("another worker has answered the next request")
	}

	d := &sessionCache{}
	q := &request{Task: recompileTask, Only: []string{"haze"}, Homebrews: []Module{house}}
	if r := q.carryOut(t.Context(), d); len(r.plans) != 1 {
		t.Error(r.Diagnostics)
	}
	bad := *q
	bad.Homebrews = []Module{impossible}
	mustBeFault(bad.carryOut(t.Context(), d).Diagnostics)
	if r := q.carryOut(t.Context(), d); len(r.plans) != 1 {
		t.Error(r.Diagnostics)
	}
}

// TestEndings tells apart how a worker can end: by a limit, by whoever kills it, and by its own fault.
func TestEndings(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		silent bool
		want   problem
	}{
		"its bound of time":   {script: "exit 87", want: tooLong},
		"its bound of memory": {script: "exit 86", want: tooMuch},
		"the system's limit":  {script: "kill -XCPU $$", want: tooLong},
		"killed by somebody":  {script: "kill -KILL $$", want: workerKilled},
		"killed as too quiet": {script: "kill -KILL $$", silent: true, want: tooLate},
		"no memory":           {script: "echo 'fatal error: runtime: out of memory' >&2; exit 2", want: tooMuch},
		"too deep":            {script: "echo 'runtime: goroutine stack exceeds 67108864-byte limit' >&2; exit 2", want: tooDeep},
		"a nil pointer": {want: problem{code: "internal"},
			script: `printf 'panic: runtime error: invalid memory address\n[signal SIGSEGV: segmentation violation]\n' >&2; exit 2`},
		"a fault of the runtime": {script: "echo 'SIGSEGV: segmentation violation' >&2; exit 2", want: problem{code: "internal"}},
		"a panic about memory":   {script: "echo 'panic: cannot allocate' >&2; exit 2", want: problem{code: "internal"}},
	} {
		t.Run(name, func(t *testing.T) {
			complaint := &strings.Builder{}
			command := exec.Command("sh", "-c", c.script)
			command.Stderr = complaint
			got := problemOf(command.Run(), c.silent, complaint.String())
			if got.code != c.want.code || c.want.message != "" && got.message != c.want.message {
				t.Errorf("it is told as %s: %s", got.code, got.message)
			}
		})
	}
}
