package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"flag"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

var chance = flag.Int("chance", 1, "number of the `chance` by which dice of the scripts fall that have neither faces nor a seed")

var everyHostileFile = flag.Bool("hostile", false, "try every hostile file with every flag, and not only one of them")

// TestMain lets the test program be the command, and also the worker that the command executes again.
func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		os.Exit(sandbox.Serve(os.Stdin, os.Stdout))
	}
	if strings.HasSuffix(os.Args[0], ".test") { // the commands collect their garbage as users' do
		debug.SetGCPercent(400)
	}
	if number := os.Getenv(chanceVariable); number != "" {
		rand.Reader = chanceOf(number, os.Args)
	}
	testscript.Main(keptPlans{m}, map[string]func(){"rules": main, "status": withStatus, "fixed": answerFixed, "measured": measure})
}

// chanceVariable is the variable of the environment that hands the number of the chance to the commands of the scripts: a
// script that fails fails again, and another number tells whether what a script expects holds however its dice fall.
const chanceVariable = "RULES_TEST_CHANCE"

// chanceOf returns the chance of a command, another one for each number and command line.
func chanceOf(number string, args []string) *mathrand.ChaCha8 {
	return mathrand.NewChaCha8(sha256.Sum256([]byte(strings.Join(append(args[1:], number), "\x00"))))
}

// keptPlans are the tests with a user's cache of their own, so that not every one of them compiles what ships.
type keptPlans struct{ tests *testing.M }

// Run runs the tests, in the programs that they execute too with that cache.
func (k keptPlans) Run() int {
	dir, err := os.MkdirTemp("", "rules-cache")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, name := range cacheHomes {
		os.Setenv(name, dir)
	}
	return k.tests.Run()
}

// cacheHomes are the variables of the environment that say where a user's cache is, of systems where the home does not.
var cacheHomes = []string{"XDG_CACHE_HOME", "LocalAppData"}

// withStatus is a program of the scripts: "exec status 2 rules ..." is rules, expected to end with status 2.
func withStatus() {
	if got := Main(os.Args[3:], os.Stdin, os.Stdout, os.Stderr); strconv.Itoa(got) != os.Args[1] {
		fmt.Fprintf(os.Stderr, "the exit status is %d, not %s\n", got, os.Args[1])
		os.Exit(1)
	}
}

// answerFixed is a program of the scripts: "fixed ANSWER" answers every line with the same one. It is an implementation
// that is wrong about most vectors.
func answerFixed() {
	for s := bufio.NewScanner(os.Stdin); s.Scan(); {
		fmt.Println(os.Args[1])
	}
}

// measure is a program of the tests: "measured FILE rules ..." is rules, and writes to a file how many KiB of memory it
// took at most. Linux counts the peak of the process that starts another as the other's, so one with little memory starts
// it.
func measure() {
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = c.Run() // how it ended is its status
	if err := os.WriteFile(os.Args[1], []byte(strconv.FormatInt(peakMemory(c.ProcessState), 10)), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(c.ProcessState.ExitCode())
}

// TestScripts plays testdata/script/<command>_<topic>.txtar. TESTSCRIPT_UPDATE=1 rewrites the outputs that they expect.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("every script runs the command as a process of its own")
	}
	kept := keepShipped(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(e *testscript.Env) error { return setUpScript(e, kept) },
		UpdateScripts:       os.Getenv("TESTSCRIPT_UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"damage": damage, "trust": trustKey, "untrust": untrustKey, "registry": commandRegistry,
			"type": typeAtTerminal, "shipped": shippedReleases(kept, t.TempDir()),
		},
	})
}

// keepShipped returns a home in whose cache the command of the scripts has kept what ships, and the problems of that, which
// everybody asks for who checks a homebrew. It runs there, and not in this checkout, which is a module of its own.
func keepShipped(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	commands := [][]string{{"list"}, {"version"}}
	for _, homebrew := range []string{"haze_frontier", "hybrid_melee", "supermen_league", "tempestas_brawl", "zones_armoury"} {
		dir, err := filepath.Abs("../../golden/homebrew/" + homebrew)
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, []string{"vet", dir})
	}
	for _, command := range commands {
		if err := runAtHome(home, command...); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// runAtHome runs the command in a home, with the cache there.
func runAtHome(home string, args ...string) error {
	c := exec.Command("rules", args...)
	c.Dir = home
	c.Env = append(os.Environ(), "HOME="+home)
	for _, name := range cacheHomes {
		c.Env = append(c.Env, name+"="+home)
	}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("rules %q: %w: %s", args, err, out)
	}
	return nil
}

// shippedReleases returns a command of the scripts: "shipped RULESET DIR" writes to a directory the file that "rules
// release RULESET" makes. It is made in dir, once for all scripts that are about something else.
func shippedReleases(home, dir string) func(*testscript.TestScript, bool, []string) {
	var one sync.Mutex
	return func(ts *testscript.TestScript, _ bool, args []string) {
		one.Lock()
		defer one.Unlock()
		made, err := filepath.Glob(filepath.Join(dir, args[0]+"-*.rules"))
		ts.Check(err)
		if len(made) == 0 {
			ts.Check(runAtHome(home, "release", args[0], "-o", dir))
			made, err = filepath.Glob(filepath.Join(dir, args[0]+"-*.rules"))
			ts.Check(err)
		}
		data, err := os.ReadFile(made[0])
		ts.Check(err)
		ts.Check(os.MkdirAll(ts.MkAbs(args[1]), 0o777))
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[1]), filepath.Base(made[0])), data, 0o666))
	}
}

// setUpScript gives each script a home of its own, with what is kept, a registry that it may start, and the directory of
// the games.
func setUpScript(e *testscript.Env, kept string) error {
	e.Values[registryKey{}] = &testRegistry{}
	e.Setenv(chanceVariable, strconv.Itoa(*chance))
	home := filepath.Join(e.WorkDir, "home")
	for _, name := range append([]string{"HOME", "XDG_CONFIG_HOME", "AppData"}, cacheHomes...) {
		e.Setenv(name, home)
	}
	games, err := filepath.Abs("../../golden/games")
	if err != nil {
		return err
	}
	e.Setenv("GAMES", games)
	return os.CopyFS(home, os.DirFS(kept))
}

// trustKey is a command of the scripts: "trust FILE" is rules trust add with the key in a file.
func trustKey(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec("rules", "trust", "add", strings.TrimSpace(ts.ReadFile(args[0]))))
}

// untrustKey is a command of the scripts: "untrust FILE" is rules trust remove with the name of the key in a file.
func untrustKey(ts *testscript.TestScript, _ bool, args []string) {
	parts := strings.SplitN(ts.ReadFile(args[0]), "+", 3)
	ts.Check(ts.Exec("rules", "trust", "remove", parts[0]+"+"+parts[1]))
}

// damage is a command of the scripts: "damage cut FILE NEW" writes a plan file anew without its last byte, "flip" with
// its last bit changed, "part" with a bit of the part NAME changed that follows NEW, "first" with a bit of its first byte
// changed, "newer" with 255 as the version of its format, which follows the first line; of a release "bare" without its
// sources, and "lie" with a 6 in their tables where there is a 5, and with right digests.
func damage(ts *testscript.TestScript, _ bool, args []string) {
	data := []byte(ts.ReadFile(args[1]))
	switch args[0] {
	case "part":
		a, err := planfile.Open(bytes.NewReader(data), int64(len(data)))
		ts.Check(err)
		at := len(data)
		for _, p := range slices.Backward(a.Parts()) {
			if at -= p.Size; p.Name == args[3] {
				data[at] ^= 1
			}
		}
	case "cut":
		data = data[:len(data)-1]
	case "flip":
		data[len(data)-1] ^= 1
	case "first":
		data[0] ^= 1
	case "newer":
		data[len("rules plan\n")] = 255
	case "bare", "lie":
		r, err := planfile.ReadRelease(data)
		ts.Check(err)
		for i := range r.Sources {
			r.Sources[i].Data = strings.ReplaceAll(r.Sources[i].Data, "damage: 5", "damage: 6")
		}
		if args[0] == "bare" {
			r.Sources = nil
		}
		data = planfile.WriteRelease(r, schedule.Stored(r.Plan))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), data, 0o666))
}

// TestEveryCommandHasAScript fails for a command that no script is named after, and for a script that is named after none.
func TestEveryCommandHasAScript(t *testing.T) {
	commands := []string{"root"}
	for _, c := range newRoot().Commands() {
		commands = append(commands, c.Name())
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, s := range scripts {
		command, _, _ := strings.Cut(filepath.Base(s), "_")
		if !slices.Contains(commands, command) {
			t.Errorf("%s: there is no command %s", s, command)
		}
		shown = append(shown, command)
	}
	for _, c := range commands {
		if !slices.Contains(shown, c) {
			t.Errorf("command %s has no testdata/script/%s_<topic>.txtar", c, c)
		}
	}
}
