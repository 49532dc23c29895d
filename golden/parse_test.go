package golden

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const good = `rule: test
covers: g.ex.one g.test
covers: g.two
cite: Testing
erratum: sixty
option: band=none
printed: band=up
near: 1e-9

Half of 5 is 2.5.
The book rounds.
-- character.json --
{"strength": 5}
-- input.json --
{"name": "x"}
-- dice --
43, 7
-- want.json --
{"output": {"half": 2.5}}
-- printed.json --
{"output": {"half": 3}}
`

func TestParse(t *testing.T) {
	c, err := Parse("golden/g/half.txtar", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "half" || c.Kind != RuleCase || c.Subject != "test" || c.Cite != "Testing" || c.Erratum != "sixty" ||
		c.Near != 1e-9 {
		t.Errorf("the headers are %+v", c)
	}
	if want := []string{"g.ex.one", "g.test", "g.two"}; !slices.Equal(c.Covers, want) {
		t.Errorf("covers %v, want %v", c.Covers, want)
	}
	if !maps.Equal(c.Options, map[string]string{"band": "none"}) || !maps.Equal(c.Printed, map[string]string{"band": "up"}) {
		t.Errorf("options %v, printed %v", c.Options, c.Printed)
	}
	if c.Text != "Half of 5 is 2.5.\nThe book rounds." {
		t.Errorf("the sentences are %q", c.Text)
	}
	if string(c.Character) != "{\"strength\": 5}\n" || string(c.Input) != "{\"name\": \"x\"}\n" {
		t.Errorf("character %q, input %q", c.Character, c.Input)
	}
	if !slices.Equal(c.Dice.List, []int64{43, 7}) || c.Dice.ByID != nil {
		t.Errorf("dice %v", c.Dice)
	}
}

func TestParseEventsOfAProcedure(t *testing.T) {
	c, err := Parse("fight.txtar", []byte(`procedure: fight
cite: Fights
refused: event roll is not offered

Nobody rolls twice.
-- dice --
ours.roll=4 theirs[0].roll=5,6
-- events.json --
[{"event": "roll", "input": {"to": {"hit": "arm"}}, "dice": [43, 61]},
 {"event": "roll", "dice": {"ours.roll": [2]}}]
`))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Dice.ByID.ByID()["ours.roll"], []int64{4}) || !slices.Equal(c.Dice.ByID.ByID()["theirs[0].roll"], []int64{5, 6}) {
		t.Errorf("dice %v", c.Dice)
	}
	if len(c.Events) != 2 {
		t.Fatalf("%d events", len(c.Events))
	}
	first, second := c.Events[0], c.Events[1]
	if first.Event != "roll" || string(first.Input) != `{"to": {"hit": "arm"}}` ||
		!slices.Equal(first.Dice.List, []int64{43, 61}) {
		t.Errorf("the first event is %+v", first)
	}
	if second.Input != nil || !slices.Equal(second.Dice.ByID.ByID()["ours.roll"], []int64{2}) {
		t.Errorf("the second event is %+v", second)
	}
}

// TestParseErrors changes the good case in one place: what becomes what, and what is said of it.
func TestParseErrors(t *testing.T) {
	for _, x := range []struct{ old, new, want string }{
		{"rule: test\n", "", "c.txtar:1: the case has none of the headers rule, procedure, table, function and odds"},
		{"rule: test\n", "rule: test\nprocedure: test\n", "c.txtar:2: the case is of rule test already"},
		{"covers: g.two", "covers: g.two, g.three", "c.txtar:3: covers: blanks stand between ids, and no commas: covers: g.two g.three"},
		{"cite: Testing", "dice: 43, 7", "c.txtar:4: dice: a part of its own has the faces that fall, below a line -- dice --"},
		{"rule: test\n", "rule: test\nrule: test\n", "c.txtar:2: rule stands twice"},
		{"rule: test", "trait: test", "c.txtar:1: a trait has no cases of its own: those of the rules that read it take its"},
		{"rule: test", "function: test", "c.txtar:1: a case of a function has no dice"},
		{"rule: test", "rules: test", `c.txtar:1: there is no header "rules"; did you mean rule`},
		{"rule: test", "rule test", `c.txtar:1: "rule test" is no header: write rule: test`},
		{"rule: test", "rule:", "c.txtar:1: rule says nothing"},
		{"cite: Testing\n", "", "c.txtar:1: the case has no cite"},
		{"erratum: sixty\n", "", "c.txtar:1: printed.json is of no erratum"},
		{"option: band=none", "option: band", `c.txtar:6: "band" is not option=value`},
		{"option: band=none", "option: band none", `c.txtar:6: "band none" is not option=value: write band=none`},
		{"rule: test", `{"rule": "test"}`, "c.txtar:1: headers are no JSON: each is a line, rule: strike"},
		{"option: band=none", "option: a=1\noption: a=2", "c.txtar:7: option a is set twice"},
		{"near: 1e-9", "near: -1", `c.txtar:8: near is "-1", not a number above 0`},
		{"near: 1e-9", "near: NaN", `c.txtar:8: near is "NaN", not a number above 0`},
		{"Half of 5 is 2.5.\nThe book rounds.\n", "", "c.txtar:1: the case has no sentence"},
		{"near: 1e-9\n", "refused: no\n", "c.txtar:1: the case has both want.json and refused"},
		{"-- want.json --\n{\"output\": {\"half\": 2.5}}\n", "", "c.txtar:1: the case expects nothing"},
		{"near: 1e-9\n", "failed: no\n", "c.txtar:1: the case has both want.json and failed"},
		{`{"half": 2.5}`, `{}`, "c.txtar:1: want.json names no value"},
		{`{"output": {"half": 2.5}}`, `{"odds": {"half": {"2.5": 1}}}`, "c.txtar:1: want.json has odds: the header of a case of them is odds: test"},
		{`{"output": {"half": 2.5}}`, `[1]`, "c.txtar:1: want.json names no value"},
		{`{"half": 3}`, `{}`, "c.txtar:1: printed.json names no value"},
		{"-- printed.json --\n{\"output\": {\"half\": 3}}\n", "",
			"c.txtar:1: the header printed is of no use without printed.json"},
		{`{"name": "x"}`, `{"name": x}`, "c.txtar:15: input.json: invalid character 'x'"},
		{`{"name": "x"}`, "{\n\"a\": 1,\n\"a\": 2}", `c.txtar:17: input.json: member "a" stands twice`},
		{`{"name": "x"}`, `{"name": "x"`, "c.txtar:16: input.json: unexpected end of JSON input"},
		{`{"name": "x"}`, `{} {}`, "c.txtar:15: input.json: there is more text after the value"},
		{`{"name": "x"}`, "{\n// a name\n\"name\": \"x\"}",
			"c.txtar:16: input.json: invalid character '/': JSON has no comments"},
		{`{"name": "x"}`, `{"name": "x"} # a name`, "c.txtar:15: input.json: there is more text after the value: JSON has no comments"},
		{`{"name": "x"}`, `{"name": "x",}`,
			"c.txtar:15: input.json: invalid character '}' looking for beginning of object key string: leave out the comma behind the last value"},
		{`{"name": "x"}`, `{name: "x"}`, "c.txtar:15: input.json: invalid character 'n': put the name in double quotes"},
		{`{"name": "x"}`, `{1: "x"}`, "c.txtar:15: input.json: invalid character '1': put the name in double quotes"},
		{`{"name": "x"}`, `{"name": 1/6}`,
			`c.txtar:15: input.json: invalid character '/' after object key:value pair: a fraction stands in quotes, "1/6"`},
		{`{"name": "x"}`, "{\"name\": \"x\"}\n---\n", "c.txtar:16: input.json: there is more text after the value: another case begins with -- case --, and headers stand at the head of theirs"},
		{`{"name": "x"}`, "{\"name\": \"x\"}\n\nrule: test\n",
			"c.txtar:17: input.json: there is more text after the value: another case begins with -- case --, and headers stand at the head"},
		{"-- dice --", "-- Case --", "c.txtar:16: Case: a case has no such file: the next case begins with -- case --, in small letters"},
		{"near: 1e-9\n", "near: 1e-9\nHalf of 5.\n", `c.txtar:9: "Half of 5." is no header: a blank line stands between the headers and the sentences`},
		{"43, 7", "43, 7\nrefused: the weak do not roll", "c.txtar:16: dice: refused is a header, and stands with the others at the head"},
		{"43, 7", "43,, 7", "c.txtar:16: dice: a face is missing beside a comma"},
		{`{"name": "x"}`, `{'name': 'x'}`, "c.txtar:15: input.json: invalid character '\\'': JSON has double quotes"},
		{"-- dice --", "--- dice ---", `c.txtar:16: "--- dice ---" begins no file: write -- dice --`},
		{"-- dice --", "-- dice--", `c.txtar:16: "-- dice--" begins no file: write -- dice --`},
		{"-- dice --", "## dice", `c.txtar:16: "## dice" begins no file: write -- dice --`},
		{`{"name": "x"}`, strings.Repeat("[", 100), "c.txtar:15: input.json: the value is nested too deeply"},
		{"43, 7", "43, six", `c.txtar:16: dice: "six" is no face`},
		{"43, 7", "a=1 2", `c.txtar:16: dice: "2" is not id=faces`},
		{"43, 7", "a=1\na=2", "c.txtar:16: dice: the faces of a stand twice"},
		{"-- dice --", "-- die --", "c.txtar:16: die: a case has no such file; did you mean dice"},
		{"-- dice --", "-- input.json --", "c.txtar:16: input.json stands twice"},
		{"-- dice --\n43, 7\n", "-- events.json --\n[]\n", "c.txtar:1: a case of a rule has no events.json"},
		{"-- dice --\n43, 7\n", "-- table.json --\n{}\n", "c.txtar:1: a case of a rule has no table.json"},
		{"-- dice --\n43, 7\n", "-- events.json --\n{}\n", "c.txtar:17: events.json: the events are a list, also one: [{...}]"},
		{"-- dice --\n43, 7\n", "-- events.json --\n[\n{\"name\": 1}]\n",
			`c.txtar:18: events.json: the member "event" says which event happens, and "name" is none`},
		{"-- dice --\n43, 7\n", "-- events.json --\n[\n{\"happens\": 1}]\n",
			"c.txtar:18: events.json: an event is {\"event\": NAME, "},
		{"-- dice --\n43, 7\n", "-- events.json --\n[{\"draw\": [2, 3]}]\n",
			`c.txtar:17: events.json: an event is {"event": NAME, "input": {...}, "dice": [...]}: write {"event": "draw", "dice": [2, 3]}`},
		{"-- dice --\n43, 7\n", "-- events.json --\n[{\"type\": \"draw\"}]\n",
			`c.txtar:17: events.json: an event is {"event": NAME, "input": {...}, "dice": [...]}: write {"event": "draw"}`},
		{"-- dice --\n43, 7\n", "-- events.json --\n[{\"event\": \"a\", \"die\": 1}]\n",
			`c.txtar:17: events.json: an event has no member "die"`},
		{"-- dice --\n43, 7\n", "-- events.json --\n[{\"event\": \"a\", \"dice\": [1.5]}]\n",
			"c.txtar:17: events.json: 1.5 is no face"},
		{"-- dice --\n43, 7\n", "-- events.json --\n[{\"event\": \"a\", \"dice\": 1}]\n",
			"c.txtar:17: events.json: dice are a list of faces"},
		{"rule: test", "table: test", "c.txtar:1: a case of a table has table.json"},
		{"near: 1e-9", "policy: roll", "c.txtar:8: a case of a rule has no policy: only odds are asked under one"},
		{"near: 1e-9", "policy: roll: state.x > 1", "c.txtar:8: policy roll: a case takes no condition after the event"},
		{"near: 1e-9", `policy: roll {"x": 1}: true`, "c.txtar:8: policy roll: a case takes no condition after the event"},
		{"near: 1e-9", `policy: roll {"x": 1`, "c.txtar:8: policy roll: the input of the event is no JSON: unexpected EOF"},
		{"near: 1e-9", `policy: roll {"x": 1, "x": 2}`,
			`c.txtar:8: policy roll: the input of the event: member "x" stands twice`},
		{"near: 1e-9", `policy: roll {} more`, `c.txtar:8: policy roll: after the input stands "more"`},
		{"near: 1e-9", `policy: roll more`, `c.txtar:8: policy "roll more": it is EVENT or EVENT INPUT, an object`},
		{"near: 1e-9", `policy: {"x": 1}`, `c.txtar:8: policy "{\"x\": 1}": it is EVENT or EVENT INPUT, an object`},
	} {
		text := strings.Replace(good, x.old, x.new, 1)
		if text == good {
			t.Fatalf("%q is not in the case", x.old)
		}
		_, err := Parse("c.txtar", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%q for %q:\n got %v\nwant %s", x.new, x.old, err, x.want)
		}
	}
}

// TestLoad reads on after a bad case.
func TestLoad(t *testing.T) {
	files := fstest.MapFS{
		"g/b.txtar": {Data: []byte(good)}, "g/a.txtar": {Data: []byte("bad")}, "g/c.txtar": {Data: []byte(good)},
		"g/x.json": {Data: []byte("{}")},
	}
	cases, err := Load(files, "g", "at/home")
	if len(cases) != 2 || cases[0].Name != "b" || cases[1].Name != "c" {
		t.Errorf("got %v", cases)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "at/home/a.txtar:1: ") {
		t.Errorf("the error is %v", err)
	}
}

// TestCharacterElsewhere reads cases of a module whose character is in another one, and in none.
func TestCharacterElsewhere(t *testing.T) {
	for character, want := range map[string]string{
		"../../ada.json": "g/a.txtar:2: the character ../../ada.json stands outside of the directory of the cases: put it beside them",
		"ada.json":       "g/a.txtar:2: there is no file ada.json; it is looked for from the directory of the case",
	} {
		text := "rule: half\ncharacter: " + character + "\ncite: p. 1\n\nHalf.\n-- want.json --\n{\"output\": {\"half\": 2}}\n"
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "g"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "g", "a.txtar"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Load(os.DirFS(dir), "g", "g")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", character, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("procedure: p\ncite: c\nrefused: r\n\nx\n-- events.json --\n" +
		"[{\"event\": \"e\", \"input\": {}, \"dice\": {\"d\": [1]}}]\n"))
	f.Add([]byte("\n-- --"))
	f.Add([]byte("table: t\ncite: c\n\nx\n-- table.json --\n[{\"on\": [1, 2], \"a\": 1}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("f.txtar", data)
		if err == nil && (c.Kind == "" || c.Subject == "" || c.Text == "" || c.Cite == "") {
			t.Errorf("a case without the parts that it needs: %+v", c)
		}
	})
}

// TestSeveralCases reads cases that stand in one file, with a character in another, and the same file with the character
// put into it.
func TestSeveralCases(t *testing.T) {
	const text = `rule: half
cite: p. 1
character: ../ada.json

Half of four.
-- want.json --
{"output": {"half": 2}}
-- case --
near: 1e-3

Half of five.
-- character.json --
{"score": 5}
-- want.json --
{"output": {"half": 2.5}}
-- case --
rule: twice
character: bob.json

Twice six.
-- want.json --
{"output": {"twice": 12}}
`
	files := map[string]string{"../ada.json": "{\"score\": 4}\n", "bob.json": "{\"score\": 6}\n"}
	read := func(name string) ([]byte, error) {
		if files[name] == "" {
			return nil, errors.New("it is not there")
		}
		return []byte(files[name]), nil
	}
	check := func(text string, read func(string) ([]byte, error)) {
		t.Helper()
		list, err := ParseAll("g/half.txtar", []byte(text), read)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range list {
			got = append(got, c.Name+" "+c.Subject+" "+c.Cite+" "+strings.TrimSpace(string(c.Character)))
		}
		want := []string{`half half p. 1 {"score": 4}`, `half/2 half p. 1 {"score": 5}`, `half/3 twice p. 1 {"score": 6}`}
		if !slices.Equal(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
	check(text, read)
	alone, err := Embed([]byte(text), read)
	if err != nil {
		t.Fatal(err)
	}
	check(string(alone), nil)
	if !strings.HasPrefix(string(alone), text) {
		t.Errorf("lines of the cases have moved:\n%s", alone)
	}
	if same, err := Embed([]byte(good), nil); err != nil || string(same) != good {
		t.Errorf("a case without the header becomes %q, %v", same, err)
	}
	for wrong, want := range map[string]string{
		strings.Replace(text, "bob.json", "eve.json",
			1): "half.txtar:18: the character eve.json cannot be read: it is not there",
		strings.Replace(text, "near: 1e-3", "nearly: 1e-3", 1):  `half.txtar:9: there is no header "nearly"`,
		strings.Replace(text, "near: 1e-3", "recorded: yes", 1): `half.txtar:9: recorded is true or is not there, not "yes"`,
		strings.Replace(text, `"half": 2.5`, `"half" 2.5`, 1):   "half.txtar:15: want.json: ",
	} {
		if _, err := ParseAll("half.txtar", []byte(wrong), read); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}
