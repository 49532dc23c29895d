package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// TestMain lets the test program be a worker too, as the command is.
func TestMain(m *testing.M) {
	if IsWorker(os.Args) {
		os.Exit(Serve(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// everyDirectory trusts all.
func everyDirectory(string) bool { return true }

// writeHouse makes the module of a homebrew of one file.
func writeHouse(t testing.TB, text string) Module {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "house")
	for name, text := range map[string]string{
		"cue.mod/module.cue": "module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n",
		"house.cue":          text,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return Module{Dir: dir, Name: "house"}
}

const honest = `// Package house is honest.
package house

import ("list", "math", "strings")

id:      "house"
title:   "House"
ruleset: "haze"

#row: {weight: int, name: *"thing" | string}
_names: ["one", "two", "three"]
add: tables: thing: {
	cite: "House"
	keyed: {
		for i, n in _names {(n): #row & {weight: i + math.Abs(-1), name: strings.ToUpper(n)}}
		last: {#row, weight: list.Max([1, 2])}
	}
}
add: rules: hoist: {
	cite: "House"
	#Input: what!: string @key(thing)
	output: {for k in ["weight", "name"] {(k): "thing(input.what).\(k)"}}
}
`

// TestSameAnswers holds that a worker answers as this process does: plans to the byte, and diagnostics.
func TestSameAnswers(t *testing.T) {
	house, wrong := writeHouse(t, honest), writeHouse(t, honest+"add: rules: fall: {output: x: \"nothing\"}\n")
	shipped := Module{Dir: "../../../../..", Name: "up"}
	here, worker := &Compiler{Trusts: everyDirectory}, &Compiler{}
	for name, do := range map[string]func(t *testing.T, c *Compiler) (any, []diag.Diagnostic){
		"homebrew": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			p, diags := c.Homebrew(Module{}, "haze", []Module{house}, compiler.Options{Analyse: true, Cover: true})
			if p == nil {
				t.Fatal(diags)
			}
			return string(planfile.Write(p, schedule.Stored(p))), diags
		},
		"a wrong homebrew": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			p, diags := c.Homebrew(Module{}, "haze", []Module{wrong}, compiler.Options{})
			if p != nil || len(diags) == 0 {
				t.Error("it compiles")
			}
			return nil, diags
		},
		"a patched homebrew": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			patched := wrong
			patched.Patched = map[string][]byte{"house.cue": []byte(honest)}
			p, diags := c.Homebrew(Module{}, "haze", []Module{patched}, compiler.Options{})
			if p == nil {
				t.Fatal(diags)
			}
			return string(planfile.Write(p, schedule.Stored(p))), diags
		},
		"release": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			plans, diags := c.Release(shipped, compiler.Options{}, "haze")
			if len(plans) != 1 {
				t.Fatal(diags)
			}
			return string(planfile.Write(plans[0], schedule.Stored(plans[0]))), diags
		},
		"directory": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			p, diags := c.Directory(shipped, "tables/haze", compiler.Options{})
			if p == nil {
				t.Fatal(diags)
			}
			return string(planfile.Write(p, schedule.Stored(p))), diags
		},
		"drafts": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			list := c.Drafts(shipped, "haze")
			if len(list) != 1 || list[0].Rules.ID != "haze" || list[0].Revision == "" {
				t.Fatalf("there are %d drafts", len(list))
			}
			return textOf(list[0]), nil
		},
		"a homebrew's draft": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			d := c.HomebrewDraft(Module{}, "haze", house)
			if d == nil || d.Homebrew.ID != "house" {
				t.Fatal("there is no draft")
			}
			return textOf(d), nil
		},
		"names": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) { return c.Names(shipped), nil },
		"of": func(t *testing.T, c *Compiler) (any, []diag.Diagnostic) {
			id, ok, diags := c.HomebrewOf(house)
			if !ok || id != "haze" {
				t.Errorf("the homebrew is of %q", id)
			}
			return id, diags
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, wantDiags := do(t, here)
			got, gotDiags := do(t, worker)
			if !reflect.DeepEqual(got, want) {
				t.Error("the worker answers otherwise")
			}
			if len(gotDiags) != len(wantDiags) {
				t.Fatalf("the worker says %v, and this process %v", gotDiags, wantDiags)
			}
			for i := range gotDiags {
				if gotDiags[i].String() != wantDiags[i].String() {
					t.Errorf("the worker says %s, and this process %s", gotDiags[i].String(), wantDiags[i].String())
				}
			}
		})
	}
}

// textOf is all formulas, tables and definitions of a draft: what editors read of it.
func textOf(d *compiler.Draft) string {
	var out strings.Builder
	for _, p := range d.Rules.Parts() {
		fmt.Fprintf(&out, "%s %s %q %v %v\n", p.Scope, p.Name, p.S, p.Place, p.Runs)
	}
	for _, t := range d.Rules.Tables {
		fmt.Fprintf(&out, "%s %v %v\n", t.ID, t.Place, t.Rows)
	}
	for _, r := range d.Rules.Rules {
		fmt.Fprintf(&out, "%s %s %v %s\n", r.ID, r.Cite.S, r.Place, r.Input.Type())
	}
	return out.String()
}

// TestProblemsOfShippedAreKept asks twice for the problems of what ships: they are those of Release, and the second answer is
// the one that was kept. Those of a module in a directory are found anew.
func TestProblemsOfShippedAreKept(t *testing.T) {
	kept := cache.Cache{Dir: t.TempDir()}
	o := compiler.Options{Analyse: true, Bounds: true}
	_, want := (&Compiler{}).Release(Module{}, o, "haze")
	for range 2 {
		got := (&Compiler{Cache: kept}).Problems(Module{}, o, "haze")
		if len(got) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("the problems are %v, not %v", got, want)
		}
	}
	trusted := &Compiler{Cache: kept, Trusts: func(string) bool { return true }}
	if got := trusted.Problems(Module{Dir: t.TempDir()}, o); len(got) == 0 {
		t.Error("an empty module has no problem")
	}
	entries, err := os.ReadDir(kept.Dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d replies are kept, %v", len(entries), err)
	}
	if err := os.WriteFile(filepath.Join(kept.Dir, entries[0].Name()), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := (&Compiler{Cache: kept}).Problems(Module{}, o, "haze"); !reflect.DeepEqual(got, want) {
		t.Errorf("from a damaged entry the problems are %v, not %v", got, want)
	}
}

// TestRepliesAreKept compiles a stranger's homebrew twice: the second answer is the first one, and no worker ran for it. A
// changed file is compiled again.
func TestRepliesAreKept(t *testing.T) {
	kept := cache.Cache{Dir: t.TempDir()}
	house := writeHouse(t, honest)
	ask := func() string {
		t.Helper()
		c := &Compiler{Cache: kept}
		p, diags := c.Homebrew(Module{}, "haze", []Module{house}, compiler.Options{})
		if p == nil {
			t.Fatal(diags)
		}
		return string(planfile.Write(p, nil))
	}
	entries := func() []os.DirEntry {
		t.Helper()
		list, err := os.ReadDir(kept.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	first := ask()
	if n := len(entries()); n != 1 {
		t.Fatalf("%d replies are kept", n)
	}
	before, err := entries()[0].Info()
	if err != nil {
		t.Fatal(err)
	}
	if second := ask(); second != first {
		t.Error("the second answer is another one")
	}
	if after, err := entries()[0].Info(); err != nil || !os.SameFile(before, after) {
		t.Errorf("a worker has answered again, %v", err)
	}
	text := strings.Replace(honest, `"one"`, `"uno"`, 1)
	if err := os.WriteFile(filepath.Join(house.Dir, "house.cue"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if ask() == first || len(entries()) != 2 {
		t.Error("the homebrew was changed, and the answer stays")
	}
}

// TestWorkerAnswersAgain asks twice for one stranger, which one process answers, and then for another, which has one of its
// own. A worker that has ended meanwhile is replaced.
func TestWorkerAnswersAgain(t *testing.T) {
	c := &Compiler{}
	process := func(house Module) int {
		t.Helper()
		if id, ok, diags := c.HomebrewOf(house); !ok || id != "haze" {
			t.Fatal(id, ok, diags)
		}
		return c.worker.command.Process.Pid
	}
	house, other := writeHouse(t, honest), writeHouse(t, honest)
	first := process(house)
	if again := process(house); again != first {
		t.Error("the second answer comes from another process")
	}
	if process(other) == first {
		t.Error("two strangers are compiled in one process")
	}
	c.worker.stdin.Close() // now it ends
	process(other)
}

// TestRecompile changes a homebrew again and again, and wants of one worker, and of this process, what compiling it once
// gives: plans to the byte, and diagnostics. What has not changed is the plan of before.
func TestRecompile(t *testing.T) {
	house := writeHouse(t, honest)
	for name, c := range map[string]*Compiler{"worker": {}, "this process": {Trusts: everyDirectory}} {
		t.Run(name, func(t *testing.T) {
			defer c.Close()
			process := 0
			for i, text := range []string{honest, honest + "add: rules: fall: {output: x: \"nothing\"}\n", honest,
				strings.Replace(honest, `"one"`, `"uno"`, 1)} {
				patched := house
				patched.Patched = map[string][]byte{"house.cue": []byte(text)}
				x := &Subject{Ruleset: "haze", Homebrews: []Module{patched}, Options: compiler.Options{Analyse: true}}
				errors, err := c.Check(t.Context(), x)
				if err != nil || len(errors) > 0 != (i == 1) {
					t.Errorf("text %d has the errors %v, %v", i, errors, err)
				}
				got, said, err := c.Recompile(t.Context(), x)
				if err != nil {
					t.Fatal(err)
				}
				p, want := (&Compiler{Trusts: everyDirectory}).Homebrew(Module{}, "haze", x.Homebrews, x.Options)
				if fmt.Sprint(said) != fmt.Sprint(want) || len(got) == 0 != (p == nil) {
					t.Fatalf("text %d has %v, and not %v", i, said, want)
				}
				if p != nil && string(planfile.Write(got[0], nil)) != string(planfile.Write(p, nil)) {
					t.Errorf("text %d has another plan", i)
				}
				again, _, err := c.Recompile(t.Context(), x)
				if err != nil || len(got) > 0 && again[0] != got[0] {
					t.Errorf("text %d has another plan the second time, %v", i, err)
				}
				if c.worker != nil {
					if pid := c.worker.command.Process.Pid; process != 0 && pid != process {
						t.Error("another process answers")
					} else {
						process = pid
					}
				}
			}
		})
	}
}

// TestCancelledWorker gives up on a request that would take as long as a worker may. Another one is answered then.
func TestCancelledWorker(t *testing.T) {
	endless := "package house\n" + readHostile(t)["product_large"].text() + "\nid: \"house\"\ntitle: \"House\"\nruleset: \"haze\"\n"
	house := writeHouse(t, honest)
	x := &Subject{Ruleset: "haze", Homebrews: []Module{house}}
	c := &Compiler{}
	defer c.Close()
	if _, _, err := c.Recompile(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	x.Homebrews[0].Patched = map[string][]byte{"house.cue": []byte(endless)}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	worker := c.worker
	if _, list, err := c.Recompile(ctx, x); err == nil {
		t.Errorf("it is answered: %v", list)
	}
	if state := worker.command.ProcessState; state == nil || state.UserTime() > maxProcessorTime {
		t.Errorf("its worker is not ended in time: %v", state)
	}
	x.Homebrews[0].Patched = nil
	if plans, list, err := c.Recompile(t.Context(), x); len(plans) != 1 || err != nil {
		t.Errorf("the next one is refused: %v, %v", list, err)
	}
}

// TestRefusalsAreKept compiles what goes beyond the bounds twice: the second refusal says the same, and no worker ran.
func TestRefusalsAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes what a worker may take")
	}
	kept := cache.Cache{Dir: t.TempDir()}
	house := writeHouse(t, "package house\n"+readHostile(t)["product_large"].text()+
		"\nid: \"house\"\ntitle: \"House\"\nruleset: \"haze\"\n")
	ask := func() (said string, entry os.FileInfo) {
		t.Helper()
		c := &Compiler{Cache: kept}
		_, diags := c.Homebrew(Module{}, "haze", []Module{house}, compiler.Options{})
		if len(diags) != 1 || diags[0].Code != "evaluation-limit" {
			t.Fatal(diags)
		}
		entries, err := os.ReadDir(kept.Dir)
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		if entry, err = entries[0].Info(); err != nil {
			t.Fatal(err)
		}
		return diags[0].String(), entry
	}
	first, before := ask()
	second, after := ask()
	if second != first {
		t.Errorf("%s, and then %s", first, second)
	}
	if !os.SameFile(before, after) {
		t.Error("a worker has refused it again")
	}
}

// TestOneBoundForACommand holds that what a question about a stranger takes is missing when it is compiled.
func TestOneBoundForACommand(t *testing.T) {
	house := writeHouse(t, honest)
	question := &request{Task: homebrewOfTask, Module: house}
	c := &Compiler{}
	defer c.Close()
	asked, why := c.cachedReply(question, house.Dir)
	if why != nil || asked.Took <= 0 || asked.Took > maxProcessorTime {
		t.Fatalf("a question took %v: %v", asked.Took, why)
	}
	c.countQuestion(question, house.Dir, asked)
	if c.questionTimes[house.Dir] != 0 {
		t.Errorf("a question about an honest module counts %v", c.questionTimes[house.Dir])
	}
	for range 6 { // each of half a second
		c.countQuestion(question, house.Dir, &reply{Took: spentStep})
	}
	if _, diags := c.Homebrew(Module{}, "haze", []Module{house}, compiler.Options{}); len(diags) != 1 ||
		diags[0].Code != limitCode || diags[0].Message != tooLong.message {
		t.Errorf("the time of questions does not count: %v", diags)
	}
	c.Forget()
	if p, diags := c.Homebrew(Module{}, "haze", []Module{house}, compiler.Options{}); p == nil {
		t.Error(diags)
	}
}
