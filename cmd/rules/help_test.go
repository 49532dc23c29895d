package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/manual"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/schema"
)

// TestExamplesRun runs every example of the help, in the module that ships, beside files of the names that the examples
// use. None may fail for want of anything; what needs the history of a repository is left out, and a corpus of 1,000 generated
// rulesets has 20.
func TestExamplesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it vets and releases whole rulesets")
	}
	openData, err := txtar.ParseFile("testdata/script/import_open_data.txtar")
	if err != nil {
		t.Fatal(err)
	}
	models, err := txtar.ParseFile("testdata/script/import_models.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const brawl = "golden/homebrew/tempestas_brawl" // which is not part of what ships
	files := copyOf(t, rules.Files)
	if err := os.CopyFS(filepath.Join(files, brawl), os.DirFS("../../"+brawl)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Chdir(files)
	for name, from := range map[string]string{
		"ada.json": "golden/tempestas/ada.json", "crew.ndjson": "golden/tempestas/ada.json",
		"party/ada.json": "golden/tempestas/ada.json", "party/bran.json": "golden/tempestas/ada.json",
		"warrior.json": "golden/haze/warrior.json", "my/cases/bomb.txtar": "golden/tempestas/bomb.txtar",
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, string(data))
	}
	write(t, "difficulty.csv", "key,points\nhard,35\n")
	write(t, "streets.tsv", "key\tname\nold\tOld Street\n")
	for _, file := range openData.Files {
		if strings.HasPrefix(file.Name, "Creature") || file.Name == "equipment.json" {
			write(t, strings.Replace(file.Name, "equipment", "5e-SRD-Equipment", 1), string(file.Data))
			write(t, "srd-2024/"+file.Name, string(file.Data))
		}
	}
	for _, file := range models.Files {
		if file.Name == "fare.dmn" {
			write(t, "loan.dmn", string(file.Data))
		}
	}
	write(t, "test.json", `{"name": "navigation", "difficulty": "hard"}`)
	write(t, "task.json", `{"name": "navigation", "target_value": 30}`)
	write(t, "day1.json", `[{"event": "roll", "dice": [35]}]`)
	write(t, "day2.json", `[{"event": "roll", "dice": [41]}]`)
	for _, line := range []string{
		"trust add .", "init my/rules", "init myhomebrew --homebrew tempestas", "build tempestas -o tempestas.plan",
		"release tempestas", "export zones ranged_weapon category --format xlsx -o weapons.xlsx",
		"eval tempestas test --character ada.json --input test.json --seed 7 --receipt roll.json",
	} {
		if status := Main(strings.Fields(line), nil, io.Discard, os.Stderr); status != exit.Done {
			t.Fatalf("%s: status %d", line, status)
		}
	}
	released, err := os.ReadFile("tempestas-0.2.0.rules")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "tempestas-0.3.0.rules", string(released))
	write(t, "releases/tempestas-0.2.0.rules", string(released))
	for _, revision := range []string{"0.2.0", "0.3.0"} { // alike; bisect goes by the names
		write(t, "revisions/tempestas-"+revision+".rules", string(released))
	}
	var odds bytes.Buffer
	compressed := gzip.NewWriter(&odds)
	if _, err := compressed.Write([]byte("\x00asm")); err != nil { // its first bytes; .ci/odds builds it
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, "odds.wasm.gz", odds.String())
	runExample(t, "rules key new games.example -o games.key > games.pub")
	local := registryOf(t)
	small := moduleOfHaze(t)
	visit(newRoot(), func(c *cobra.Command) {
		for line := range strings.Lines(local(c.Example)) {
			if strings.Contains(line, "git:") || strings.Contains(line, " --run ") || servesOn(line) {
				continue
			}
			here := files
			if takesTheModule.MatchString(line) {
				here = small
			}
			t.Chdir(here)
			runExample(t, strings.TrimSpace(strings.Replace(line, "--generated 1000 ", "--generated 20 ", 1)))
		}
	})
}

// takesTheModule matches examples that vet or test all that a module ships, not what they name.
var takesTheModule = regexp.MustCompile(`^\s*rules (vet|test)( --(complete|format \w+))*( [|>].*)?\n?$`)

// moduleOfHaze returns the directory of a module that ships one of the rulesets, so that a command that takes all of a
// module ends soon.
func moduleOfHaze(t *testing.T) string {
	files := copyOf(t, rules.Files)
	t.Chdir(files)
	write(t, "rules.cue", "package rules\n\nimport \"github.com/tabletop-rules/rules/tables/haze\"\n\n"+
		"rulesets: \"haze\": {rules: haze, revision: \"0.2.0\"}\n")
	for _, others := range []string{"golden", "tables"} {
		entries, err := os.ReadDir(others)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "haze" {
				os.RemoveAll(filepath.Join(others, e.Name()))
			}
		}
	}
	if status := Main([]string{"trust", "add", "."}, nil, io.Discard, os.Stderr); status != exit.Done {
		t.Fatalf("trust add: status %d", status)
	}
	return files
}

// servesOn reports whether an example answers until somebody stops it. TestServe is about these.
func servesOn(line string) bool {
	return strings.Contains(line, "--listen") || strings.Contains(line, "rules serve") && !strings.Contains(line, "--openapi")
}

// copyOf writes files to a new directory.
func copyOf(t *testing.T, files fs.FS) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		if err := os.MkdirAll(name[:i], 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runExample runs a command line; none may be refused as one that cannot be asked.
func runExample(t *testing.T, line string) {
	if status, said := runAsShell(t, line); status == exit.Unasked {
		t.Errorf("%s: status %d: %s", line, status, said)
	}
}

// runAsShell runs a command line as a shell would: with quoted words, < FILE, > FILE, and what echo puts into the pipe
// before it; what it is piped to is not run. It gives what the terminal shows.
func runAsShell(t *testing.T, line string) (status int, said string) {
	var in, out, errs bytes.Buffer
	if before, after, piped := strings.Cut(line, "| rules"); piped && strings.HasPrefix(before, "echo ") {
		in.WriteString(strings.Join(shellWords(t, strings.TrimSpace(before))[1:], " "))
		line = "rules" + after
	}
	words := shellWords(t, line)
	if words[0] != "rules" {
		t.Errorf("%s: this is no command of ours", line)
	}
	var args []string
	to := ""
	for i := 1; i < len(words) && words[i] != "|"; i++ {
		switch words[i] {
		case "<":
			i++
			data, err := os.ReadFile(words[i])
			if err != nil {
				t.Error(err)
			}
			in.Write(data)
		case ">":
			i++
			to = words[i]
		default:
			args = append(args, words[i])
		}
	}
	status = Main(args, &in, &out, &errs)
	if to != "" {
		write(t, to, out.String())
	}
	return status, out.String() + errs.String()
}

// TestReadme runs the commands of the README in the module that ships: where it shows what they print, that must be it;
// "..." stands for lines that it leaves out.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	homebrew := os.DirFS("../../golden/homebrew")
	dir := copyOf(t, rules.Files)
	if err := os.CopyFS(filepath.Join(dir, "golden", "homebrew"), homebrew); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Chdir(dir)
	write(t, "difficulty.csv", "key,points\nstandard,0\nmoderate,10\nhard,35\nextreme,50\nmonstrous,80\n")
	ran := 0
	for i, block := range strings.Split(string(text), "```") {
		if i%2 == 0 {
			continue // between blocks
		}
		first, rest, _ := strings.Cut(block, "\n")
		switch first {
		case "sh":
			ran += runAll(t, rest)
		case "js":
			t.Run("package", func(t *testing.T) { runScript(t, rest) })
		case "ts":
			t.Run("client", func(t *testing.T) {
				runExample(t, "rules generate client ts tempestas -o web")
				server, stop := startServer(t, "tempestas")
				defer stop()
				runScript(t, strings.ReplaceAll(rest, "http://127.0.0.1:7777/", server))
			})
		case "json":
			runToolServer(t, rest)
		}
		if line, want, _ := strings.Cut(rest, "\n"); strings.HasPrefix(line, "$ ") {
			_, said := runAsShell(t, strings.TrimPrefix(line, "$ "))
			showsAll(t, line, said, want)
			ran++
		}
	}
	if ran < 6 {
		t.Errorf("the README has %d commands", ran)
	}
}

// printed matches what a line of a script prints, behind it.
var printed = regexp.MustCompile(`(?m)^console\.log\(.*\); // (.*)$`)

// runScript runs a script by Node, where there is one: it prints what stands behind its lines.
func runScript(t *testing.T, script string) {
	write(t, "script.mjs", script)
	out, err := exec.Command(jstest.Node(t), "script.mjs").CombinedOutput()
	var want strings.Builder
	for _, line := range printed.FindAllStringSubmatch(script, -1) {
		want.WriteString(line[1] + "\n")
	}
	if err != nil || string(out) != want.String() {
		t.Errorf("%s\nprints %s, %v", script, out, err)
	}
}

// runToolServer starts the server that a setting of an assistant names, and asks for its tools.
func runToolServer(t *testing.T, setting string) {
	var read struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(setting), &read); err != nil {
		t.Fatal(err)
	}
	const requests = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"readme","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`
	for name, server := range read.Servers {
		var out, errs bytes.Buffer
		status := Main(server.Args, strings.NewReader(requests), &out, &errs)
		if server.Command != "rules" || status != exit.Done || !strings.Contains(out.String(), `"name":"evaluate"`) {
			t.Errorf("%s: status %d: %s%s", name, status, out.String(), errs.String())
		}
	}
}

// runAll runs the lines of a script that are ours, and counts them. A line goes on behind a \ or a |.
func runAll(t *testing.T, script string) int {
	n := 0
	script = strings.NewReplacer("\\\n", "", "|\n", "| ", "go run ./cmd/rules", "rules").Replace(script)
	for line := range strings.Lines(script) {
		if line = strings.Join(strings.Fields(line), " "); strings.Contains(line, "rules ") {
			runExample(t, line)
			n++
		}
	}
	return n
}

// showsAll wants the parts of a text that are shown to stand in it in their order, and without "..." nothing else.
func showsAll(t *testing.T, line, said, shown string) {
	if !strings.Contains(shown, "...\n") {
		if strings.TrimSpace(said) != strings.TrimSpace(shown) {
			t.Errorf("%s\nprints\n%s\nnot\n%s", line, said, shown)
		}
		return
	}
	for part := range strings.SplitSeq(shown, "...\n") {
		_, after, found := strings.Cut(said, part)
		if !found {
			t.Errorf("%s\ndoes not print\n%s", line, part)
			return
		}
		said = after
	}
}

// TestTopicsAreToldApart fails for two topics, or a topic and a command, of one name.
func TestTopicsAreToldApart(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range newRoot().Commands() {
		seen[c.Name()] = true
	}
	for _, x := range manual.Topics() {
		if seen[x.Name] {
			t.Errorf("%s is there twice", x.Name)
		}
		seen[x.Name] = true
	}
}

// TestHelpFits fails for a line of help that a window of 124 columns breaks. Examples may be longer.
func TestHelpFits(t *testing.T) {
	texts := map[string]string{}
	visit(newRoot(), func(c *cobra.Command) { texts[c.CommandPath()] = c.Long })
	for _, x := range manual.Topics() {
		texts["rules help "+x.Name] = x.Text()
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 124 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

// TestChapters prints the chapters of the reference one by one: together they are the topic.
func TestChapters(t *testing.T) {
	whole := topicOf(languageName).Text()
	for _, x := range manual.Chapters() {
		var out bytes.Buffer
		if status := Main([]string{"help", languageName, x.Name}, nil, &out, os.Stderr); status != exit.Done {
			t.Errorf("rules help language %s: status %d", x.Name, status)
		}
		if out.Len() == 0 || !strings.Contains(whole, out.String()) {
			t.Errorf("chapter %s is no part of the topic:\n%s", x.Name, out.String())
		}
		if !strings.Contains(whole, "    "+x.Name+" ") {
			t.Errorf("the topic does not list chapter %s", x.Name)
		}
	}
	var errs bytes.Buffer
	want := `the language has no chapter "dise"; did you mean "dice"`
	if status := Main([]string{"help", languageName, "dise"}, nil, io.Discard, &errs); status != exit.Unasked ||
		!strings.Contains(errs.String(), want) {
		t.Errorf("an unknown chapter: status %d, %s", status, errs.String())
	}
}

// TestLanguageNamesEveryPart holds that the help of the language names every field with which the schema says what dice and
// uses are.
func TestLanguageNamesEveryPart(t *testing.T) {
	file, err := parser.ParseFile("schema.cue", schema.Text)
	if err != nil {
		t.Fatal(err)
	}
	help := topicOf("language").Text()
	for _, d := range file.Decls {
		f, ok := d.(*ast.Field)
		if !ok {
			continue
		}
		name, _, _ := ast.LabelName(f.Label)
		body, ok := f.Value.(*ast.StructLit)
		if !ok || !slices.Contains([]string{"#Dice", "#Roll", "#Use"}, name) {
			continue
		}
		for _, x := range body.Elts {
			part, _, err := ast.LabelName(x.(*ast.Field).Label)
			if err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile(`\b` + part + `\b`).MatchString(help) {
				t.Errorf("rules help language does not name %s of %s", part, name)
			}
		}
	}
}
