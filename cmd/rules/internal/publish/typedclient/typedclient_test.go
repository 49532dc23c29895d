package typedclient_test

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/typedclient"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A request is one use of a rule or of a procedure by a client.
type request struct {
	Way       string         `json:"way"`
	Procedure bool           `json:"procedure"`
	ID        string         `json:"id"`
	Request   map[string]any `json:"request"`
	Events    []happening    `json:"events,omitempty"`

	called string
	want   any // the sheet, or the code of the problem
}

type happening struct {
	Event string          `json:"event"`
	Input json.RawMessage `json:"input,omitempty"`
	Dice  *dice.Faces     `json:"dice,omitempty"`
}

// clientRuleset is one in go test ./..., which shows that a client asks and reads as it should.
var clientRuleset = flag.String("ruleset", "haze", "play the cases of a ruleset by each client, or of all")

// playedPlans returns the plans whose cases clients play.
func playedPlans(t *testing.T) []*plan.Plan {
	if *clientRuleset == "all" {
		return gametest.ShippedPlans(t)
	}
	return []*plan.Plan{gametest.ShippedPlan(t, *clientRuleset)}
}

// TestCasesByTypeScript plays every golden case of a ruleset with the client in TypeScript, over HTTP and, where no option
// is chosen, by generated modules. Each answer is that of the interpreter, or a problem of the same code.
func TestCasesByTypeScript(t *testing.T) {
	node := jstest.Node(t)
	for _, p := range playedPlans(t) {
		t.Run(p.Ruleset, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeClient(t, filepath.Join(dir, "client"), typedclient.TypeScript(p))
			writeModules(t, filepath.Join(dir, "modules"), p)
			driver, err := filepath.Abs("testdata/driver.mjs")
			if err != nil {
				t.Fatal(err)
			}
			requests := requestsOf(t, p, "server", "modules")
			answer(t, exec.Command(node, driver, dir, serve(t, p), p.Ruleset), requests)
		})
	}
}

// writeClient writes the files of a client, as a package of ES modules.
func writeClient(t *testing.T, dir string, files []typedclient.File) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	files = append(files, typedclient.File{Name: "package.json", Text: `{"type": "module"}`})
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// writeModules writes the rules of a plan as JavaScript.
func writeModules(t *testing.T, dir string, p *plan.Plan) {
	t.Helper()
	values, err := p.OptionValues(plan.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	jstest.Write(t, dir, append(js.GenerateAll(p, values), js.File{Name: "package.json",
		Text: `{"type": "module"}`}))
}

// serve serves a plan.
func serve(t *testing.T, p *plan.Plan) string {
	t.Helper()
	lib, err := library.Open(func() (*library.Shelf, error) {
		return library.NewShelf([]*library.Edition{library.NewEdition(p, nil)}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(api.Handler(lib, api.Options{Budget: 200_000, Evaluating: 4, Counting: 2, Waiting: 8,
		Intake: webguard.NewIntake(api.WriteProblem)}))
	t.Cleanup(s.Close)
	return s.URL
}

// requestsOf returns the cases of a ruleset as requests by ways to be answered, of which only the first plays options.
// Where a case has no faces they are drawn from a seed.
func requestsOf(t *testing.T, p *plan.Plan, ways ...string) (out []request) {
	program := runtime.New(p)
	for _, c := range gametest.Cases(t, p.Ruleset) {
		if c.Kind != golden.RuleCase && c.Kind != golden.ProcedureCase {
			continue
		}
		q, steps := c.Request(), c.Steps()
		x := request{Procedure: c.Kind == golden.ProcedureCase, ID: c.Subject, called: c.Name,
			Request: map[string]any{"character": json.RawMessage(q.Character)}}
		if len(q.Input) > 0 {
			x.Request["input"] = json.RawMessage(q.Input)
		}
		if q.Throw.IsZero() || q.Dice.IsZero() {
			q.Throw = dice.DrawnFrom(1)
			x.Request["seed"] = 1
		} else {
			x.Request["dice"] = q.Dice
		}
		if len(c.Options) > 0 {
			x.Request["options"] = c.Options
		}
		for _, s := range steps {
			h := happening{Event: s.Event, Input: s.Input}
			if !s.Dice.IsZero() {
				h.Dice = &s.Dice
			}
			x.Events = append(x.Events, h)
		}
		x.want = wanted(t, program, c, q, steps)
		for i, way := range ways {
			if x.Way = way; i == 0 || len(c.Options) == 0 {
				out = append(out, x)
			}
		}
	}
	return out
}

// wanted returns the answer of the interpreter.
func wanted(t *testing.T, program *runtime.Program, c *golden.Case, q runtime.Request, steps []runtime.Step) any {
	choice := runtime.Choice{Options: c.Options}
	var text []byte
	if c.Kind == golden.ProcedureCase {
		d, err := program.Procedure(c.Subject, choice)
		if err != nil {
			t.Fatal(err)
		}
		play, err := d.Play(q, steps...)
		if err != nil {
			return map[string]any{"code": api.ProblemOf(err).Code}
		}
		text = play.AppendJSON(nil)
	} else {
		r, err := program.Rule(c.Subject, choice)
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := r.Eval(q)
		if err != nil {
			return map[string]any{"code": api.ProblemOf(err).Code}
		}
		text = sheet.AppendJSON(nil)
	}
	return valueOf(t, text)
}

func valueOf(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// longNumber matches a number that JavaScript may round, which the client refuses.
var longNumber = regexp.MustCompile(`[1-9]\d{14}`)

// answer lets a program answer requests, a line for each, and compares.
func answer(t *testing.T, c *exec.Cmd, requests []request) {
	t.Helper()
	var in, out, errs bytes.Buffer
	for i := range requests {
		line, err := json.Marshal(&requests[i])
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	if len(requests) < 200 {
		t.Errorf("%d requests are few", len(requests))
	}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<24)
	bad, problems := 0, 0
	for i := range requests {
		x := &requests[i]
		if !lines.Scan() {
			t.Fatalf("%d answers to %d requests: %s", i, len(requests), errs.String())
		}
		got := valueOf(t, lines.Bytes())
		if _, ok := got.(map[string]any)["code"]; ok {
			problems++
		}
		asked, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		isBeyond := reflect.DeepEqual(got, map[string]any{"code": "beyond"}) && longNumber.Match(asked)
		if isBeyond || isRefusedByTypes(got, x.want) || reflect.DeepEqual(got, x.want) {
			continue
		}
		if bad++; bad <= 10 {
			t.Errorf("%s by %s:\n got %v\nwant %v", x.called, x.Way, got, x.want)
		}
	}
	t.Logf("%d requests, %d of them problems, %d differ", len(requests), problems, bad)
}

// isRefusedByTypes reports whether the types of a client do not admit a request that is refused when it is asked, too.
func isRefusedByTypes(got, want any) bool {
	g, w := got.(map[string]any), want.(map[string]any)
	return g["code"] == "inexpressible" && w["code"] != nil
}

// goDriver is the program that answers requests by a client in Go; the answers of rules and procedures are added to it.
//
//go:embed testdata/driver.go.txt
var goDriver string

// TestCasesByGo plays every golden case of a ruleset with the client in Go, over HTTP.
func TestCasesByGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a client for each ruleset")
	}
	for _, p := range playedPlans(t) {
		t.Run(p.Ruleset, func(t *testing.T) {
			dir := t.TempDir()
			files := typedclient.Go(p, "client")
			writeClient(t, filepath.Join(dir, "client"), files)
			writeClient(t, dir, []typedclient.File{{Name: "go.mod", Text: "module driver\n\ngo 1.26\n"},
				{Name: "main.go", Text: goDriver + typedclient.GoAnswers(p)}})
			build := exec.Command("go", "build", "-o", "driver", ".")
			build.Dir = dir
			build.Env = append(os.Environ(), "GOWORK=off") // all else as here, so that packages that are compiled already serve
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v: %.2000s", err, out)
			}
			answer(t, exec.Command(filepath.Join(dir, "driver"), serve(t, p)), requestsOf(t, p, "server"))
		})
	}
}

// TestMisusesInGo compiles a program that uses a client well, with lines that misuse it: each of these is an error, and no
// other line is.
func TestMisusesInGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a client")
	}
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/misuse.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	writeClient(t, filepath.Join(dir, "client"), typedclient.Go(gametest.ShippedPlan(t, "tempestas"), "client"))
	writeClient(t, dir, []typedclient.File{{Name: "go.mod", Text: "module driver\n\ngo 1.26\n"},
		{Name: "main.go", Text: string(text)}})
	build := exec.Command("go", "build", "-gcflags=-e", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	said, _ := build.CombinedOutput() // it fails, and says where
	misuses := 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		want := bytes.HasSuffix(line, []byte("// error"))
		if want {
			misuses++
		}
		if got := bytes.Contains(said, fmt.Appendf(nil, "./main.go:%d:", i+1)); got != want {
			t.Errorf("line %d is an error: %t, and should be: %t: %s", i+1, got, want, line)
		}
	}
	if misuses < 60 {
		t.Errorf("%d misuses are few", misuses)
	}
}

// pythonPath returns the path of Python, or skips the test where there is none that clients can use.
func pythonPath(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	if exec.Command(python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Run() != nil {
		t.Skip("clients need Python 3.11")
	}
	return python
}

// oddsInPython asks for the odds of golden/tempestas/odds_navigation.txtar, which has the arithmetic, and for the first
// event of a task: of a value of 60, 51 faces have at least the 1 that is asked for, and 61 to 100 fail.
const oddsInPython = `
import sys
from ask import Client, OverHTTP
client = Client(OverHTTP(sys.argv[1]))
hard = {"name": "navigation", "difficulty": "hard"}
ada = {"statistics": {"int": 25}, "skills": {"navigation": 90}, "fatigue": 20}
odds = client.odds_of_test(character=ada, input=hard, outputs=["success"])
print([x["p"] for x in odds["odds"]["success"]["distribution"] if x["value"]])
course = client.course_of_task(character={"skills": {"navigation": 60}}, input={"name": "navigation", "target_value": 1},
    policy=["roll"], most=1, after=1)
print([x["p"] for x in course["ends"] if x["status"] in ("lost", "won")])
reached = course["after"]
print([round(sum(x["p"] for x in reached if x["status"] == status), 9) for status in ("lost", "won")])
print(round(sum(x["p"] for x in reached), 9), all("pool" in x["state"] for x in reached))
`

// TestOddsByPython asks for odds with the client in Python.
func TestOddsByPython(t *testing.T) {
	python := pythonPath(t)
	p := gametest.ShippedPlan(t, "tempestas")
	dir := t.TempDir()
	writeClient(t, filepath.Join(dir, "ask"), typedclient.Python(p))
	c := exec.Command(python, "-c", oddsInPython, serve(t, p))
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || string(out) != "[0.57]\n[0.4, 0.51]\n[0.4, 0.51]\n1.0 True\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestCasesByPython plays every golden case of a ruleset with the client in Python, over HTTP.
func TestCasesByPython(t *testing.T) {
	python := pythonPath(t)
	for _, p := range playedPlans(t) {
		t.Run(p.Ruleset, func(t *testing.T) {
			dir := t.TempDir()
			writeClient(t, filepath.Join(dir, "ask"), typedclient.Python(p))
			answer(t, exec.Command(python, "testdata/driver.py", dir, serve(t, p)), requestsOf(t, p, "server"))
		})
	}
}
