package lsp

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestDiagnosticsFollowWhatIsTyped(t *testing.T) {
	c := start(t)
	c.open(play, `"10 * character.level - hard"`, `"10 * character.level - hart"`)
	list := c.until(play, func(l []diagnostic) bool { return len(l) > 0 })
	if !strings.Contains(list[0].Message, `hart`) || !strings.Contains(list[0].Message, "did you mean hard") ||
		list[0].Severity != 1 {
		t.Errorf("got %+v", list[0])
	}
	// The range is the name, which begins behind `		value: "10 * character.level - `.
	if r := list[0].Range; r.Start.Character != 33 || r.End.Character != 33+len("hart") {
		t.Errorf("the range is %+v", r)
	}
	c.open(play, "", "")
	c.until(play, func(l []diagnostic) bool { return len(l) == 0 })
}

func TestDiagnosticsOfBrokenCUE(t *testing.T) {
	c := start(t)
	c.open(play, `dice: roll: die: 100`, `dice: roll: die: 100 }`)
	list := c.until(play, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Code != "cue-syntax" {
		t.Errorf("got %+v", list[0])
	}
}

func TestCompletionKnowsWhatMayStandInAFormula(t *testing.T) {
	for _, x := range []struct {
		old, typed string
		want, not  []string
	}{
		{`"roll - peak"`, `"roll - |"`, []string{"peak", "roll", "input", "character", "burden", "hindrance", "div_floor"},
			[]string{"way"}},
		{`"roll - peak"`, `"roll - input.|"`, []string{"kind", "load"}, []string{"peak"}},
		{`"roll - peak"`, `"character.|"`, []string{"skills", "level"}, []string{"load"}},
		{`"roll - peak"`, `"option.cap == '|'"`, []string{"none", "hundred"}, []string{"heavy"}},
		{`"roll - peak"`, `"burden('|')"`, []string{"light", "heavy"}, []string{"none"}},
		{`"roll - peak"`, `"input.kind == '|'"`, []string{"plain", "rough"}, []string{"heavy"}},
		// Plain CUE is the business of CUE's own server.
		{`"roll - peak"`, `|"roll - peak"`, nil, []string{"roll"}},
	} {
		t.Run(x.typed, func(t *testing.T) {
			c := start(t)
			text := c.open(play, x.old, strings.Replace(x.typed, "|", "", 1))
			var items []completionItem
			c.call("textDocument/completion", c.at(play, text, x.typed), &items)
			got := labels(items)
			for _, w := range x.want {
				if !slices.Contains(got, w) {
					t.Errorf("%q is missing in %q", w, got)
				}
			}
			for _, n := range x.not {
				if slices.Contains(got, n) {
					t.Errorf("%q is offered", n)
				}
			}
		})
	}
}

func TestHoverTellsDocFormulaAndCitation(t *testing.T) {
	c := start(t)
	text := c.open(play, "", "")
	c.waitForCases()
	for part, want := range map[string][]string{
		`hard:   "hind|rance(`:  {"hindrance", "burden(load) + way", "The load, and the way.", "*Loads, second page*"},
		`beyond: "ro|ll - peak`: {"roll", "die of 100 faces"},
		`va|lue: "10 *`:         {"value", "`int`, -30 to 90"}, // 10 to 90, less 0 to 40
		`bey|ond: "roll`:        {"`int`, -8 to 99"},
		`option.c|ap ==`:        {"cap", "option", "default none"},
		`: m|in(character`:      {"min", "builtin"},
	} {
		var h hover
		c.call("textDocument/hover", c.at(play, text, part), &h)
		for _, w := range want {
			if !strings.Contains(h.Contents.Value, w) {
				t.Errorf("%s: %q is not in\n%s", part, w, h.Contents.Value)
			}
		}
	}
}

func TestDefinitionAndReferencesCrossFiles(t *testing.T) {
	c := start(t)
	text := c.open(play, "", "")
	here := c.at(play, text, `hard:   "hind|rance(input.load`)
	var to []location
	c.call("textDocument/definition", here, &to)
	if len(to) != 1 || to[0].URI != c.uri(data) || to[0].Range.Start.Line != 30 {
		t.Errorf("the definition is at %+v, want line 31 of %s", to, data)
	}
	var all []location
	c.call("textDocument/references", here, &all)
	if !slices.Contains(all, to[0]) || !slices.Contains(all, location{c.uri(play), span{
		position{here.Position.Line, here.Position.Character - 4}, position{here.Position.Line, here.Position.Character + 5},
	}}) {
		t.Errorf("the references are %+v", all)
	}
}

// edited counts the edits of a rename by file.
func edited(c *client, e workspaceEdit) map[string]int {
	out := map[string]int{}
	for uri, list := range e.Changes {
		out[strings.TrimPrefix(uri, c.uri(""))] = len(list)
	}
	return out
}

func TestRenameReachesFormulasAttributesAndCases(t *testing.T) {
	c := start(t)
	text := c.open(play, "", "")
	c.open(data, "", "")
	var e workspaceEdit
	c.call("textDocument/rename", renameParams{c.at(play, text, `hard:   "hind|rance(input.load`), "load_of"}, &e)
	if got, want := edited(c, e), map[string]int{play: 1, data: 1}; !maps.Equal(got, want) {
		t.Errorf("a function: %v, want %v", got, want)
	}
	table := c.open(data, "", "")
	e = workspaceEdit{}
	c.call("textDocument/rename", renameParams{c.at(data, table, `expr: "bur|den(load)`), "weight"}, &e)
	// The declaration and a formula; the attribute of the input; the header of the case that holds the table.
	if got, want := edited(c, e), map[string]int{data: 2, play: 1, "golden/game/burden.txtar": 1}; !maps.Equal(got, want) {
		t.Errorf("a table: %v, want %v", got, want)
	}
}

func TestRepairsAreOfferedAsActions(t *testing.T) {
	c := start(t)
	text := c.open(play, `"10 * character.level - hard"`, `"10 * character.level - hart"`)
	c.until(play, func(l []diagnostic) bool { return len(l) == 1 })
	here := c.at(play, text, `level - ha|rt`).Position
	var list []codeAction
	c.call("textDocument/codeAction",
		codeActionParams{TextDocument: textDocument{c.uri(play)}, Range: span{here, here}}, &list)
	if len(list) != 2 || list[1].Title != "explain "+list[0].Diagnostics[0].Code ||
		len(list[0].Edit.Changes[c.uri(play)]) != 1 {
		t.Fatalf("got %+v", list)
	}
	e := list[0].Edit.Changes[c.uri(play)][0]
	if e.NewText != "hard" || e.Range.Start.Character != 33 || e.Range.End.Character != 37 {
		t.Errorf("got %+v", e)
	}
}

func TestSymbolsAndTokensOfAFile(t *testing.T) {
	c := start(t)
	c.open(data, "", "")
	var list []documentSymbol
	c.call("textDocument/documentSymbol", documentParams{textDocument{c.uri(data)}}, &list)
	var names []string
	for _, s := range list {
		names = append(names, s.Detail+" "+s.Name)
	}
	if want := []string{"option cap", "table burden", "function hindrance"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	var tokens semanticTokens
	c.call("textDocument/semanticTokens/full", documentParams{textDocument{c.uri(data)}}, &tokens)
	// expr: "burden(load) + way" on line 35: the call begins at character 8, its argument at 15.
	if n := len(tokens.Data); n < 15 || n%5 != 0 || !slices.Equal(tokens.Data[:10], []int{34, 8, 6, 2, 0, 0, 7, 4, 0, 0}) {
		t.Errorf("got %v", tokens.Data)
	}
}

func TestPositionsInUnitsOfTheClient(t *testing.T) {
	const line = "ä😀b"
	for e, want := range map[encoding][]int{utf8Encoding: {0, 2, 6, 7}, utf16Encoding: {0, 1, 3, 4},
		utf32Encoding: {0, 1, 2, 3}} {
		f := newTextFile(line)
		for col, units := range want {
			if got := f.positionOf(1, col+1, e); got.Character != units {
				t.Errorf("%s: column %d is character %d, want %d", e, col+1, got.Character, units)
			}
			if got := f.placeOf("", position{0, units}, e); got.Col != col+1 {
				t.Errorf("%s: character %d is column %d, want %d", e, units, got.Col, col+1)
			}
		}
	}
	if got := chooseEncoding([]string{"utf-8", "utf-16"}); got != utf8Encoding {
		t.Errorf("agreed on %s", got)
	}
	if got := chooseEncoding(nil); got != utf16Encoding {
		t.Errorf("agreed on %s", got)
	}
}

// complete are the labels of the items at a place.
func (c *client) complete(name, text, part string) []string {
	c.t.Helper()
	var items []completionItem
	c.call("textDocument/completion", c.at(name, text, part), &items)
	return labels(items)
}

func TestSignatureOfTheInnermostCall(t *testing.T) {
	for _, x := range []struct {
		typed    string
		label    string
		params   []string
		argument int
	}{
		{`"hindrance(|"`, "hindrance(load string, way int)", []string{"load string", "way int"}, 0},
		{`"hindrance(input.load, |"`, "hindrance(load string, way int)", []string{"load string", "way int"}, 1},
		{`"hindrance('a, b', min(1, 2), |"`, "hindrance(load string, way int)", []string{"load string", "way int"}, 2},
		{`"hindrance('x', burden(|)"`, "burden(key), keyed: gives points of points", []string{"key"}, 0},
		{`"1 + div_floor(7, |"`, "div_floor(int, int) -> int", []string{"int", "int"}, 1},
		{`"(roll - |"`, "", nil, 0},
	} {
		t.Run(x.typed, func(t *testing.T) {
			c := start(t)
			text := c.open(play, `"roll - peak"`, strings.Replace(x.typed, "|", "", 1))
			var got *signatureHelp
			c.call("textDocument/signatureHelp", c.at(play, text, x.typed), &got)
			if x.label == "" {
				if got != nil {
					t.Errorf("got %+v", got)
				}
				return
			}
			if got == nil || got.ActiveParameter != x.argument {
				t.Fatalf("got %+v", got)
			}
			shown := got.Signatures[got.ActiveSignature]
			var params []string
			for _, p := range shown.Parameters {
				params = append(params, p.Label)
			}
			if shown.Label != x.label || !slices.Equal(params, x.params) {
				t.Errorf("got %q %q", shown.Label, params)
			}
		})
	}
}

func TestHighlightsOfBracketsAndNames(t *testing.T) {
	c := start(t)
	text := c.open(play, `"roll - peak"`, `"(roll - (peak))"`)
	columns := func(part string) (out []int) {
		t.Helper()
		var list []highlight
		at := c.at(play, text, part)
		c.call("textDocument/documentHighlight", at, &list)
		for _, h := range list {
			if h.Range.Start.Line == at.Position.Line {
				out = append(out, h.Range.Start.Character-at.Position.Character)
			}
		}
		return out
	}
	if got := columns(`"|(roll - (peak))"`); !slices.Equal(got, []int{0, 14}) {
		t.Errorf("the outer brackets stand %v from the cursor", got)
	}
	if got := columns(`"(roll - (peak)|)"`); !slices.Equal(got, []int{0, -14}) && !slices.Equal(got, []int{-1, -6}) {
		t.Errorf("the brackets stand %v from the cursor", got)
	}
	if got := columns(`"(ro|ll - (peak))"`); !slices.Equal(got, []int{-2}) {
		t.Errorf("the name stands %v from the cursor", got)
	}
}

func TestFoldingOfFormulasOnSeveralLines(t *testing.T) {
	c := start(t)
	text := c.open(play, `"roll - peak"`, "\"\"\"\n\t\t\troll -\n\t\t\tpeak\n\t\t\t\"\"\"")
	var got []foldingRange
	c.call("textDocument/foldingRange", documentParams{textDocument{c.uri(play)}}, &got)
	first := strings.Count(text[:strings.Index(text, "roll -\n")], "\n")
	if !slices.Equal(got, []foldingRange{{first, first + 1}}) {
		t.Errorf("got %v, want lines %d and the next", got, first)
	}
}

// rough is a case of the rule test: level 5 is 50, and a heavy load takes 30; of a hundred faces five are at most 5.
const rough = `rule: test
cite: Tests

Level 5 is 50, and a heavy load takes 30.
-- character.json --
{"level": 5, "skills": {}}
-- input.json --
{"load": "heavy"}
-- dice --
roll=5
-- want.json --
{"output": {"value": 20, "near": true}}
`

// hindered is a case of the function hindrance: a heavy load takes 30, and the way 5.
const hindered = `function: hindrance
cite: Loads

A heavy load takes 30, and the way 5.
-- input.json --
{"load": "heavy", "way": 5}
-- want.json --
{"value": 35}
`

const hinderedFile = "golden/game/hindered.txtar"

const roughFile = "golden/game/rough.txtar"

func TestCasesAreShownWhereTheyHoldAndWhereTheyFail(t *testing.T) {
	c := startWith(t, map[string]string{roughFile: rough, hinderedFile: hindered})
	text := c.open(play, "", "")
	c.waitForCases()
	titles := func(file string) (out []string) {
		t.Helper()
		var list []codeLens
		c.call("textDocument/codeLens", documentParams{textDocument{c.uri(file)}}, &list)
		for _, l := range list {
			out = append(out, l.Command.Title)
		}
		return out
	}
	if got := titles(play); !slices.Equal(got, []string{"1 case passed"}) {
		t.Errorf("the rule has %q", got)
	}
	if got := titles(data); !slices.Equal(got, []string{"1 case passed", "1 case passed"}) {
		t.Errorf("the table and the function have %q", got)
	}

	// value is the same whatever is rolled, and has no hint; near comes out with five of a hundred faces.
	var hints []inlayHint
	whole := inlayHintParams{textDocument{c.uri(play)}, span{position{}, position{Line: 99}}}
	c.call("textDocument/inlayHint", whole, &hints)
	near := strings.Count(text[:strings.Index(text, "near:")], "\n")
	if len(hints) != 1 || hints[0].Label != "5.0 %" || hints[0].Position.Line != near {
		t.Errorf("got %+v", hints)
	}

	c.open(play, `"10 * character.level - hard"`, `"9 * character.level - hard"`)
	list := c.until(roughFile, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Range.Start.Line != 11 || !strings.Contains(list[0].Message, "want 20, got 15") {
		t.Errorf("got %+v", list[0])
	}
	c.waitForCases()
	if got := titles(play); !slices.Equal(got, []string{"1 of 1 case failed"}) {
		t.Errorf("the rule has %q", got)
	}
	c.call("workspace/executeCommand", executeCommandParams{showCases, []string{"game", "rule", "test"}}, nil)
	if m := c.message(); m.Type != 1 || !strings.Contains(m.Message, "\nrough failed: 12: output.value: want 20, got 15") {
		t.Errorf("got %+v", m)
	}

	// Statements count where a case that names them passes.
	c.open(play, "", "")
	c.send(roughFile, strings.Replace(rough, "cite: Tests", "cite: Tests\ncovers: game.one.rule game.two.rule", 1))
	for !slices.Equal(titles(play), []string{"1 case passed, 2 statements"}) {
		c.waitForCases() // they may have been played between the two texts
	}
	c.open(play, `"10 * character.level - hard"`, `"9 * character.level - hard"`)
	c.waitForCases()

	// The case alone changes: it is played again.
	c.send(roughFile, strings.Replace(rough, `"value": 20`, `"value": 15`, 1))
	c.until(roughFile, func(l []diagnostic) bool { return len(l) == 0 })
	c.send(roughFile, "role: test\n")
	list = c.until(roughFile, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Range.Start.Line != 0 || !strings.Contains(list[0].Message, `there is no header "role"`) {
		t.Errorf("got %+v", list[0])
	}
}

func TestCompletionInCases(t *testing.T) {
	files := map[string]string{roughFile: rough,
		"golden/game/statements.txt": "game.first.rule | One\ngame.second.rule | Two\n"}
	for _, x := range []struct {
		line string
		want []string
	}{
		{"ru|", []string{"rule", "odds", "covers", "option", "recorded", "character"}},
		{"rule: test\n\n-- case --\nru|", []string{"rule", "refused"}},
		{"rule: |", []string{"test"}},
		{"table: |", []string{"burden"}},
		{"option: |", []string{"cap"}},
		{"option: cap=|", []string{"none", "hundred"}},
		{"covers: game.first.rule |", []string{"game.second.rule"}},
		{"\n--|", []string{"-- want.json --", "-- character.json --", "-- dice --", "-- case --"}},
	} {
		t.Run(x.line, func(t *testing.T) {
			c := startWith(t, files)
			text := c.open(roughFile, "rule: test", strings.Replace(x.line, "|", "", 1))
			got := c.complete(roughFile, text, x.line+"\ncite")
			for _, w := range x.want {
				if !slices.Contains(got, w) {
					t.Errorf("%q is missing in %q", w, got)
				}
			}
			if slices.Contains(got, "game.first.rule") {
				t.Error("what stands there already is offered")
			}
		})
	}
}

func TestSymbolsOfAllRulesets(t *testing.T) {
	c := start(t)
	names := func(query string) (out []string) {
		var list []symbolInformation
		c.call("workspace/symbol", symbolParams{query}, &list)
		for _, s := range list {
			out = append(out, s.ContainerName+" "+s.Name)
		}
		return out
	}
	if got := names("bu"); !slices.Equal(got, []string{"game burden"}) {
		t.Errorf("got %q", got)
	}
	if got := names("HDC"); !slices.Equal(got, []string{"game hindrance"}) {
		t.Errorf("the letters in their order: got %q", got)
	}
	if got := names("nothing of that name"); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

func TestSelectionGrowsFromTheWordToTheFile(t *testing.T) {
	c := start(t)
	text := c.open(data, "", "")
	at := c.at(data, text, `"burden(lo|ad) + way"`)
	var list []selectionRange
	c.call("textDocument/selectionRange", selectionParams{at.TextDocument, []position{at.Position}}, &list)
	lines := strings.Split(text, "\n")
	var got []string
	for r := &list[0]; r != nil; r = r.Parent {
		if a, b := r.Range.Start, r.Range.End; a.Line == b.Line {
			got = append(got, lines[a.Line][a.Character:b.Character])
		} else {
			got = append(got, strings.TrimSpace(lines[a.Line][a.Character:])+" ... "+lines[b.Line][:b.Character])
		}
	}
	for i, want := range []string{"load", "(load)", "burden(load)", "burden(load) + way"} {
		if i >= len(got) || got[i] != want {
			t.Fatalf("got %q, want %q at %d", got, want, i)
		}
	}
	if last := list[0].Range; len(got) < 6 || last.Start.Line != at.Position.Line {
		t.Errorf("got %q", got)
	}
}

func TestFormatting(t *testing.T) {
	c := start(t)
	text := c.open(data, `expr: "burden(load) + way"`, `expr:   "burden( load )+way"`)
	var edits []textEdit
	c.call("textDocument/formatting", documentParams{textDocument{c.uri(data)}}, &edits)
	if len(edits) != 1 || !strings.Contains(edits[0].NewText, `expr: "burden( load )+way"`) {
		t.Fatalf("got %+v", edits)
	}
	c.send(data, edits[0].NewText)
	edits = nil
	c.call("textDocument/formatting", documentParams{textDocument{c.uri(data)}}, &edits)
	if len(edits) > 0 {
		t.Errorf("what is formatted is formatted again: %+v", edits)
	}
	c.send(data, text+"\n}")
	c.call("textDocument/formatting", documentParams{textDocument{c.uri(data)}}, &edits)
	if len(edits) > 0 {
		t.Errorf("what cannot be parsed is formatted: %+v", edits)
	}
}
