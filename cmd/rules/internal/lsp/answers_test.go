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
	for part, want := range map[string][]string{
		`hard:   "hind|rance(`:  {"hindrance", "burden(load) + way", "The load, and the way.", "*Loads, second page*"},
		`beyond: "ro|ll - peak`: {"roll", "die of 100 faces"},
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

func TestRenameRefusesWhatPlayersUse(t *testing.T) {
	c := start(t)
	text := c.open(play, "", "")
	err := c.conn.Call(t.Context(), "textDocument/rename",
		renameParams{c.at(play, text, `hard:   "hindrance(input.lo|ad`), "degree"}, nil)
	if err == nil || !strings.Contains(err.Error(), "a field is not renamed") {
		t.Errorf("got %v", err)
	}
}

func TestRepairsAreOfferedAsActions(t *testing.T) {
	c := start(t)
	text := c.open(play, `"10 * character.level - hard"`, `"10 * character.level - hart"`)
	c.until(play, func(l []diagnostic) bool { return len(l) == 1 })
	here := c.at(play, text, `level - ha|rt`).Position
	var list []codeAction
	c.call("textDocument/codeAction", codeActionParams{textDocument{c.uri(play)}, span{here, here}}, &list)
	if len(list) != 1 || len(list[0].Edit.Changes[c.uri(play)]) != 1 {
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
			if got := f.position(1, col+1, e); got.Character != units {
				t.Errorf("%s: column %d is character %d, want %d", e, col+1, got.Character, units)
			}
			if got := f.place("", position{0, units}, e); got.Col != col+1 {
				t.Errorf("%s: character %d is column %d, want %d", e, units, got.Col, col+1)
			}
		}
	}
	if got := agree([]string{"utf-8", "utf-16"}); got != utf8Encoding {
		t.Errorf("agreed on %s", got)
	}
	if got := agree(nil); got != utf16Encoding {
		t.Errorf("agreed on %s", got)
	}
}
