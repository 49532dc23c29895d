package lsp

import (
	"slices"
	"strings"
	"testing"
)

// TestRunningACase has two cases in a file, of which the second wants what does not come out: 9 times 5 less 30 is 15.
func TestRunningACase(t *testing.T) {
	second := strings.Replace(rough[strings.Index(rough, "-- character.json"):], `"value": 20, "near": true`,
		`"near": true, "value": 25`, 1)
	text := rough + "-- case --\n\nThe same again.\n" + second
	c := startWith(t, map[string]string{roughFile: text})
	c.open(roughFile, "", "")
	c.waitForCases()
	var lenses []codeLens
	c.call("textDocument/codeLens", documentParams{textDocument{c.uri(roughFile)}}, &lenses)
	next := strings.Count(text[:strings.Index(text, "-- case --")], "\n") + 1
	if len(lenses) != 2 || lenses[0].Command.Title != "passed: run again" || lenses[1].Command.Title != "failed: run again" ||
		lenses[0].Range.Start.Line != 0 || lenses[1].Range.Start.Line != next {
		t.Fatalf("got %+v", lenses)
	}

	// What is there instead stands behind the value, and the diagnostic under it.
	last := strings.Count(text, "\n") - 1
	from := strings.Index(text[strings.LastIndex(text, `{"output"`):], "25")
	var hints []inlayHint
	c.call("textDocument/inlayHint", inlayHintParams{textDocument{c.uri(roughFile)}, span{End: position{Line: 99}}}, &hints)
	if len(hints) != 1 || hints[0].Label != "got 20" || hints[0].Position != (position{last, from + 2}) {
		t.Errorf("the hints are %+v", hints)
	}
	list := c.until(roughFile, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Range != (span{position{last, from}, position{last, from + 2}}) {
		t.Errorf("the diagnostic stands at %+v", list[0].Range)
	}

	run := func(n string) showMessageParams {
		t.Helper()
		c.call("workspace/executeCommand", executeCommandParams{runCase, []string{roughFile, n}}, nil)
		return c.message()
	}
	if m := run("1"); m.Type != infoMessage || m.Message != "rough passed" {
		t.Errorf("the first: %+v", m)
	}
	if m := run("2"); m.Type != errorMessage || !strings.Contains(m.Message, "want 25, got 20") {
		t.Errorf("the second: %+v", m)
	}
	c.send(roughFile, strings.Replace(text, `"value": 25`, `"value": 20`, 1))
	if m := run("2"); m.Type != infoMessage { // as it stands on the screen, whether diagnostics have come or not
		t.Errorf("the second, mended: %+v", m)
	}
}

// walk is a procedure of two events, and walkCase a case of it that is half written.
const (
	walkFile = "tables/game/walk.cue"
	walk     = `package game

procedures: walk: {
	cite: "Walks"
	#Input: pace!: int & >=1 & <=4
	#State: {
		gone: *0 | int
		tired: *false | bool
	}
	events: {
		step: {
			doc: "Everybody goes on."
			#Event: far!: *"near" | "far"
			next: gone: "state.gone + input.pace"
			output: here: "state.gone"
		}
		rest: {next: tired: "false", output: slept: "true"}
	}
	ends: "arrived": "state.gone > 10"
	output: total: "state.gone"
}
`
	walkedFile = "golden/game/walked.txtar"
	walked     = `procedure: walk
cite: Walks

Two steps.
-- character.json --
{"level": 5, "skills": {}}
-- input.json --
INPUT
-- events.json --
EVENTS
-- want.json --
WANT
`
)

func TestCompletionOfProceduresInCases(t *testing.T) {
	const events = `[{"event": "step", "input": {"far": "far"}}, {"event": "rest"}]`
	for _, x := range []struct {
		input, events, want string // one with the cursor
		offered             []string
	}{
		{`{|`, events, "{}", []string{"pace"}},
		{"{}", `[{"|`, "{}", []string{"dice", "event", "input"}},
		{"{}", `[{"event": |`, "{}", []string{"rest", "step"}},
		{"{}", `[{"event": "rest"}, {"event": "step", "input": {"|`, "{}", []string{"far"}},
		{"{}", `[{"event": "rest", "input": {"|`, "{}", nil},
		{"{}", `[{"event": "step", "input": {"far": "|`, "{}", []string{"far", "near"}},
		{"{}", events, `{|`, []string{"dice", "events", "output", "state", "status"}},
		{"{}", events, `{"output": {"|`, []string{"total"}},
		{"{}", events, `{"state": {"gone": 1, "|`, []string{"tired"}},
		{"{}", events, `{"events": [{|`, []string{"dice", "output"}},
		{"{}", events, `{"events": [{"output": {"|`, []string{"here"}},
		{"{}", events, `{"events": [{}, {"output": {|`, []string{"slept"}},
	} {
		t.Run(x.input+x.events+x.want, func(t *testing.T) {
			text := strings.NewReplacer("INPUT", x.input, "EVENTS", x.events, "WANT", x.want).Replace(walked)
			bar := strings.Index(text, "|")
			part := text[strings.LastIndex(text[:bar], "\n-- ") : bar+strings.Index(text[bar:], "\n")+1]
			text = strings.Replace(text, "|", "", 1)
			c := startWith(t, map[string]string{walkFile: walk, walkedFile: text})
			c.open(walkedFile, "", "")
			got := c.complete(walkedFile, text, part)
			if slices.Sort(got); !slices.Equal(got, x.offered) {
				t.Errorf("%q are offered, not %q", got, x.offered)
			}
		})
	}
}
