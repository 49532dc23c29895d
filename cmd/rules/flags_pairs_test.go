package main

import (
	"bytes"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// unseenFlags change how an answer is found and not the answer, or only what a terminal shows: by command and flag.
var unseenFlags = map[string]string{
	"eval labels":   "text has the words of the ruleset anyway; testdata/script/eval_tempestas.txtar asks for JSON",
	"eval no-cache": "a plan that is kept answers the same",
	"test complete": "the cases of the module leave nothing open; testdata/script/test_module.txtar has one that does",

	"play state": "a rule has none; testdata/script/play_sessions.txtar plays a procedure that does",
	"vet strict": "there are no notes; testdata/script/init_homebrews.txtar has one",

	"publish insecure": "a registry on this machine is spoken to in plain HTTP without it",
	"pull insecure":    "a registry on this machine is spoken to in plain HTTP without it",
	"pull downgrade":   "nothing newer has been pulled; testdata/script/sign_place.txtar has something",
	"pull update":      "there is nothing yet that it could replace; testdata/script/pull_registry.txtar has something",
}

// comparedCommands are those whose flags are tried in every pair with a working line: those of revisions, and what takes a
// release in the place of the module.
var comparedCommands = []string{
	"list game", "show game", "schema game", "test game", "build game -o made", "vectors game",
	"generate js game -o made", "generate go game -o made", "generate npm game -o made",
	"diff game-0.1.0.rules game-0.1.0.rules", "breaking --against game-0.1.0.rules game", "release game -o made",
	"release --read game-0.1.0.rules", "pin ada.json --to 0.1.0 --plan . --yes", "verify game-0.1.0.rules",
	"plan game", "odds 2d6", "book game -o made", "roll 1d6 --dice 3",
	"eval game leap --character ada.json --set over=brook --seed 5",
	"seek game leap --character ada.json --vary over=ditch,brook --until P(success)<0.7", "serve game --openapi",
	"play game leap --character ada.json --seed 5", "vet odd", "init made", "init character game -o made", "trust",
	"sign game-0.1.0.rules --key me.key", "publish REGISTRY/games/game game-0.1.0.rules",
	"pull REGISTRY/games/game:0.1.0 --untrusted -o made",
}

// typedAnswers are what is typed into commands that ask, by their first word.
var typedAnswers = map[string]string{"play": "{\"answer\": \"brook\"}\n{\"answer\": 3}\n"}

// TestEveryFlagCounts appends every flag of a command to lines that answer: the answer must be another one, or the flag is
// refused. A flag that is read by nobody answers the same.
func TestEveryFlagCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("it carries out each line once for every flag")
	}
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if status, said := runLine("init game"); status != exit.Done {
		t.Fatal(said)
	}
	t.Chdir("game")
	if status, said := runLine("release game"); status != exit.Done {
		t.Fatal(said)
	}
	registry := httptest.NewServer(newTestRegistry(""))
	defer registry.Close()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	for _, line := range []string{"init odd", "key new game.example -o me.key"} {
		if status, said := runLine(line); status != exit.Done {
			t.Fatal(said)
		}
	}
	for _, line := range comparedCommands {
		line = strings.ReplaceAll(line, "REGISTRY", strings.TrimPrefix(registry.URL, "http://"))
		without := answerOf(t, line)
		if strings.HasPrefix(without, "2") {
			t.Errorf("%s: %s", line, without)
		}
		command, _, err := newRoot().Find(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		for _, flag := range untriedFlags(command, line) {
			name := command.Name() + " " + strings.TrimPrefix(strings.Fields(flag)[0], "--")
			if with := answerOf(t, line+" "+flag); with == without && unseenFlags[name] == "" {
				t.Errorf("%s %s: the answer is the same without %s", line, flag, flag)
			}
		}
	}
}

// untriedFlags are the flags of a command that a line does not have, each with a value that no other part of the line has:
// its own, and those of every command.
func untriedFlags(c *cobra.Command, line string) []string {
	var out []string
	visit := func(f *pflag.Flag) {
		if strings.Contains(line, "--"+f.Name) || f.Shorthand != "" && strings.Contains(line, "-"+f.Shorthand+" ") ||
			f.Name == "help" || f.Name == "color" {
			return
		}
		value := " nowhere"
		switch f.Value.Type() {
		case "bool":
			value = ""
		case "FORMAT":
			value = " json"
		case "int", "uint64":
			value = " 3"
		}
		out = append(out, "--"+f.Name+value)
	}
	c.LocalFlags().VisitAll(visit)
	c.InheritedFlags().VisitAll(visit)
	return out
}

// answerOf is the status of a line, what it prints, and what it writes, which is gone afterwards.
func answerOf(t *testing.T, line string) string {
	t.Helper()
	if err := os.WriteFile("ada.json", []byte("{\"agility\": 4}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	odd, err := os.ReadFile("odd/tables/odd/ruleset.cue")
	if err != nil {
		t.Fatal(err)
	}
	odd = bytes.Replace(odd, []byte("gap(input.over)"), []byte("gapp(input.over)"), 1) // what vet repairs
	if err := os.WriteFile("odd/tables/odd/ruleset.cue", odd, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	words := strings.Fields(line)
	status := Main(words, strings.NewReader(typedAnswers[words[0]]), &out, &errs)
	answer := string(rune('0'+status)) + out.String() + errs.String()
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "game-0.1.0.rules" {
			return err
		}
		text, err := os.ReadFile(name)
		answer += name + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"made", "nowhere", "game-0.1.0.rules.sig"} {
		if err := os.RemoveAll(made); err != nil {
			t.Fatal(err)
		}
	}
	return answer
}
