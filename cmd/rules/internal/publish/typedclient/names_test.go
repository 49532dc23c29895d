package typedclient_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/typedclient"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// Clients of a ruleset whose names are those that clients have for things of their own ask for every rule.

func TestTakenNamesInGo(t *testing.T) {
	texts := map[string]string{}
	for _, f := range typedclient.Go(gametest.TakenNames(t), "client") {
		if texts[f.Name] != "" {
			t.Errorf("there are two files %s", f.Name)
		}
		texts[f.Name] = f.Text
	}
	gametest.CheckNames(t, texts)
	declared := regexp.MustCompile(`(?m)^(?:type|func|const|var) ([A-Z]\w*)`)
	for _, m := range declared.FindAllStringSubmatch(texts["client.go"], -1) {
		if !slices.Contains(typedclient.GoKernelNames, m[1]) {
			t.Errorf("a type of a ruleset may be called %s, as one of all clients is", m[1])
		}
	}
}

const takenInPython = `
import collections.abc, sys, typing, ask
client = ask.Client(ask.OverHTTP(sys.argv[1]))
record = {"asked": {"distribution": 3}, "b": {"c": {"d": 4}}, "b_c": {"d": 5}, "row": "A", "last": "d"}
asked = set()
for name in dir(client):
    if not name.startswith("_"):
        method = getattr(client, name)
        hints = typing.get_type_hints(method)
        answer = hints["return"]
        if "dice" in hints and "rule" in typing.get_type_hints(typing.get_origin(answer) or dict):
            sheet = method(input=record, seed=1)
            assert sheet["output"]["way"] == 3 + 1 + 4 + 2 * 5, sheet
            asked.add(sheet["rule"])
        elif "joint" in hints:
            odds = method(input=record, exact=True, joint=True)
            assert odds["joint"][0]["output"]["way"] == 18 and odds["joint"][0]["exact"] == "1", odds
        elif "policy" in hints:
            assert method(policy=["roll"], most=2, exact=True)["exact_open"] == "1"
        else:
            play = method(seed=1)
            for event in ("roll", "sheet_", "play", "a1", "class_"):
                play = getattr(play, event)({"asked": {"by": 2}}).play
            assert play.output["sheet"] == 10, play.sheet
assert ask.Sequence is collections.abc.Sequence and ask.Any is typing.Any and issubclass(ask.Problem, Exception)
print(len(asked))
`

func TestTakenNamesInPython(t *testing.T) {
	p := gametest.TakenNames(t)
	dir := t.TempDir()
	writeClient(t, filepath.Join(dir, "ask"), typedclient.Python(p))
	c := exec.Command(pythonPath(t), "-c", takenInPython, serve(t, p))
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || string(out) != "50\n" {
		t.Errorf("%v: %s", err, out)
	}
}

const takenInTypeScript = `
import { connect, labels, overHTTP } from "./client_.js";
const client = await connect(overHTTP(process.argv[2]));
const input = { asked: { distribution: 3 }, b: { c: { d: 4 } }, b_c: { d: 5 }, row: "A", last: "d" };
const asked = new Set();
for (const [name, subject] of Object.entries(client)) {
  if (subject.start) {
    let play = await subject.start({ seed: 1 });
    for (const event of ["roll", "do", "sheet", "a1"]) ({ play } = await play.do(event, { asked: { by: 2 } }));
    if (play.output.sheet !== 8) throw new Error(play.sheet);
    continue;
  }
  const sheet = await subject({ input, seed: 1 });
  if (sheet.output.way !== 3 + 1 + 4 + 2 * 5) throw new Error(name);
  asked.add(sheet.rule);
}
if (Object.values(labels).filter((words) => Object.keys(words).includes("__proto__")).length !== 1) throw new Error("__proto__");
console.log(asked.size);
`

func TestTakenNamesInTypeScript(t *testing.T) {
	p := gametest.TakenNames(t)
	dir := t.TempDir()
	writeClient(t, dir, append(typedclient.TypeScript(p), typedclient.File{Name: "ask.mjs", Text: takenInTypeScript}))
	c := exec.Command(jstest.Node(t), "ask.mjs", serve(t, p))
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || string(out) != "50\n" {
		t.Errorf("%v: %s", err, out)
	}
}
