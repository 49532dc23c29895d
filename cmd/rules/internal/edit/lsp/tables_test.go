package lsp

import (
	"slices"
	"strings"
	"testing"
)

// apply gives a text with edits, as a client makes them.
func apply(text string, edits []textEdit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b textEdit) int {
		if isBefore(a.Range.Start, b.Range.Start) {
			return 1
		}
		return -1
	})
	for _, e := range edits {
		lines := strings.SplitAfter(text, "\n")
		offset := func(p position) int {
			n := 0
			for _, l := range lines[:p.Line] {
				n += len(l)
			}
			return n + p.Character // the texts here are ASCII
		}
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	return text
}

// actionsAt are the actions at a part of a text.
func (c *client) actionsAt(name, text, part string) []codeAction {
	c.t.Helper()
	at := c.at(name, text, part).Position
	var list []codeAction
	c.call("textDocument/codeAction", codeActionParams{TextDocument: textDocument{c.uri(name)}, Range: span{at, at}}, &list)
	return list
}

const bands = `tables: place: {
	cite:  "Places"
	over:  "d6"
	gives: "name"
	bands: [
		{on: [1, 2], name: "head", harm: 2},
		{on: [5, 6], name: "body", harm: 1},
	]
}
tables: burden:`

func TestTablesAreMendedByActions(t *testing.T) {
	for _, x := range []struct {
		name             string
		old, new         string // of the data, before the table burden
		at               string
		title            string
		wrote            string // what the text has afterwards
		code, codeBehind string // what is wrong before and afterwards
	}{
		{name: "a column in braces", old: `{on: [5, 6], name: "body", harm: 1}`, new: `{on: [5, 6], name: "body"}`,
			at: `|{on: [5`, title: "add harm: int", wrote: `{on: [5, 6], name: "body", harm: int}`,
			code: "table-column", codeBehind: "not-concrete"},
		{name: "a gap", at: `|{on: [5`, title: "add the row on: [3, 4]",
			wrote: "\t\t{on: [3, 4], name: string, harm: int},\n\t\t{on: [5, 6]", code: "table-gap", codeBehind: "not-concrete"},
		{name: "a gap at the end", old: "[5, 6]", new: "[3, 5]", at: `|{on: [3`, title: "add the row on: 6",
			wrote: "harm: 1},\n\t\t{on: 6, name: string, harm: int},\n\t]", code: "table-gap", codeBehind: "not-concrete"},
		{name: "an overlap, the later row", old: "[1, 2]", new: "[1, 5]", at: `|{on: [5`, title: "begin this row at 6",
			wrote: `{on: 6, name: "body"`, code: "table-overlap"},
		{name: "an overlap, the earlier row", old: "[1, 2]", new: "[1, 5]", at: `|{on: [5`, title: "end the other row at 4",
			wrote: `{on: [1, 4], name: "head"`, code: "table-overlap"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := start(t)
			text := c.open(data, "tables: burden:", strings.Replace(bands, x.old, x.new, 1))
			list := c.until(data, func(l []diagnostic) bool {
				return slices.ContainsFunc(l, func(d diagnostic) bool { return d.Code == x.code })
			})
			actions := c.actionsAt(data, text, x.at)
			i := slices.IndexFunc(actions, func(a codeAction) bool { return a.Title == x.title })
			if i < 0 {
				t.Fatalf("%v offers %+v", list, actions)
			}
			text = apply(text, actions[i].Edit.Changes[c.uri(data)])
			if !strings.Contains(text, x.wrote) {
				t.Fatalf("it writes\n%s", text)
			}
			c.send(data, text)
			c.until(data, func(l []diagnostic) bool {
				has := func(code string) bool {
					return slices.ContainsFunc(l, func(d diagnostic) bool { return d.Code == code })
				}
				return !has(x.code) && (x.codeBehind == "" || has(x.codeBehind))
			})
		})
	}
}

func TestColumnsOfKeyedRowsAreAdded(t *testing.T) {
	for written, want := range map[string]string{
		"heavy: points: 30":                 "heavy: {points: 30, days: int}",
		"heavy: {points: 30}":               "heavy: {points: 30, days: int}",
		"heavy: {\n\t\t\tpoints: 30\n\t\t}": "heavy: {\n\t\t\tpoints: 30\n\t\t\tdays: int\n\t\t}",
	} {
		c := start(t)
		text := strings.Replace(string(c.files[data].Data), "heavy: points: 30", written, 1)
		text = strings.Replace(text, "light: points: 0", "light: {points: 0, days: 1}\n\t\tnone: {points: 0, days: 2}", 1)
		c.send(data, text)
		c.until(data, func(l []diagnostic) bool { return len(l) > 0 && l[0].Code == "table-column" })
		actions := c.actionsAt(data, text, "|heavy: ")
		if len(actions) == 0 || actions[0].Edit == nil {
			t.Fatalf("%s: it offers %+v", written, actions)
		}
		if got := apply(text, actions[0].Edit.Changes[c.uri(data)]); !strings.Contains(got, want) {
			t.Errorf("it writes\n%s", got)
		}
	}
}

func TestKeysThatFormulasReachGetARow(t *testing.T) {
	c := start(t)
	c.open(data, "tables: burden:", strings.Replace(bands, "	over:  \"d6\"\n", "", 1))
	text := c.open(play, `"beyond <= 0"`, `"beyond <= 0 && place(min(roll, 6)) == 'head'"`)
	list := c.until(play, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Code != "table-hole" {
		t.Fatalf("got %+v", list)
	}
	actions := c.actionsAt(play, text, "pl|ace(min(roll")
	if len(actions) == 0 || actions[0].Title != "add the row on: [3, 4]" || len(actions[0].Edit.Changes[c.uri(data)]) != 1 {
		t.Fatalf("it offers %+v", actions)
	}
}

func TestColumnsAreCompleted(t *testing.T) {
	for part, want := range map[string][]string{
		"{on: [5, 6], name: \"body\", |": {"harm"},
		"{on: [5, 6], |":                 {"name", "harm"},
	} {
		c := start(t)
		text := c.open(data, "tables: burden:", strings.Replace(bands, `{on: [5, 6], name: "body", harm: 1}`,
			strings.Replace(part, "|", "", 1)+"}", 1))
		if got := c.complete(data, text, part); !slices.Equal(got, want) {
			t.Errorf("%s: got %q", part, got)
		}
	}
	c := start(t)
	text := c.open(data, "heavy: points: 30", "heavy: {}")
	if got := c.complete(data, text, "heavy: {|}"); !slices.Equal(got, []string{"points"}) {
		t.Errorf("a keyed row: got %q", got)
	}
	if got := c.complete(data, text, "\tkeyed: {|"); len(got) != 0 {
		t.Errorf("outside of rows: got %q", got)
	}
}

func TestRowsThatNothingReachesAreFaded(t *testing.T) {
	c := start(t)
	c.open(data, "tables: burden:", strings.Replace(bands, "	over:  \"d6\"\n", "", 1))
	c.open(play, `"beyond <= 0"`, `"beyond <= 0 && place(min(roll, 2)) == 'head'"`)
	list := c.until(data, func(l []diagnostic) bool { return len(l) > 0 })
	i := slices.IndexFunc(list, func(d diagnostic) bool { return d.Code == "table-unreached" })
	if i < 0 || !slices.Equal(list[i].Tags, []int{1}) {
		t.Fatalf("got %+v", list)
	}
	// The row is `		{on: [5, 6], name: "body", harm: 1},`: from the third character to behind the brace.
	if r := list[i].Range; r.Start.Character != 2 || r.End.Character != 37 || r.Start.Line != r.End.Line {
		t.Errorf("the range is %+v", r)
	}
}

func TestCodesAreExplained(t *testing.T) {
	c := start(t)
	text := c.open(play, `"10 * character.level - hard"`, `"10 * character.level - hart"`)
	c.until(play, func(l []diagnostic) bool { return len(l) == 1 })
	var h hover
	c.call("textDocument/hover", c.at(play, text, "level - ha|rt"), &h)
	if !strings.Contains(h.Contents.Value, "**unknown-name**: ") || !strings.Contains(h.Contents.Value, "// right:") {
		t.Errorf("hover says %q", h.Contents.Value)
	}
	actions := c.actionsAt(play, text, "level - ha|rt")
	last := actions[len(actions)-1]
	if last.Command == nil || last.Command.Command != explainCode {
		t.Fatalf("got %+v", actions)
	}
	c.call("workspace/executeCommand", last.Command, nil)
	if m := c.message(); m.Type != 3 || !strings.HasPrefix(m.Message, "unknown-name: ") ||
		!strings.Contains(m.Message, "\n\nright:\n") {
		t.Errorf("got %+v", m)
	}
}

func TestSureRepairsAreMadeOnSave(t *testing.T) {
	c := start(t)
	text := c.open(play, `"10 * character.level - hard"`, `"10 * character.level - hart"`)
	c.until(play, func(l []diagnostic) bool { return len(l) == 1 })
	var p codeActionParams
	p.TextDocument.URI, p.Context.Only = c.uri(play), []string{"source.fixAll"}
	var list []codeAction
	c.call("textDocument/codeAction", p, &list)
	if len(list) != 1 || list[0].Kind != "source.fixAll" ||
		!strings.Contains(apply(text, list[0].Edit.Changes[c.uri(play)]), "level - hard") {
		t.Errorf("got %+v", list)
	}
}

const chart = `tables: soak: {
	cite:    "Armor"
	columns: ["cut", "thrust"]
	rows: {
		mail:  [1, 3]
		plate: [0, 2]
	}
}
tables: burden:`

// TestOtherFilesAskForRowsAndColumns mends the table in one file by an action on the error in another one.
func TestOtherFilesAskForRowsAndColumns(t *testing.T) {
	for _, x := range []struct {
		name     string
		old, new string // of the file that asks
		at       string
		title    string
		wrote    string // what the table has afterwards
	}{
		{"the key of a look-up", `burden(load)`, `burden('huge')`, "burden(|'huge')",
			"add the row huge to the table burden", "heavy: points: 30\n\t\thuge: {points: int}\n"},
		{"the default of a field", `*"light" | string @key(burden)`, `*"huge" | string @key(burden)`, "lo|ad: *",
			"add the row huge to the table burden", "\t\thuge: {points: int}\n"},
		{"the row of a chart", `"beyond <= 0"`, `"beyond <= soak('hide', 'cut')"`, "soak(|'hide'",
			"add the row hide to the table soak", "plate: [0, 2]\n\t\thide: [int, int]\n"},
		{"a word that is compared", `input.kind == 'rough'`, `input.load == 'huge'`, "load == |'huge'",
			"add the row huge to the table burden", "\t\thuge: {points: int}\n"},
		{"a column", `"beyond <= 0"`, `"beyond <= place(1).reach"`, ".rea|ch",
			"add the column reach to the table place", `{on: [3, 6], name: "body", harm: 1, reach: _},`},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := start(t)
			place := strings.Replace(strings.Replace(bands, "\tgives: \"name\"\n", "", 1), "[5, 6]", "[3, 6]", 1)
			texts := map[string]string{play: string(c.files[play].Data), data: strings.Replace(strings.Replace(
				string(c.files[data].Data), "tables: burden:", chart, 1), "tables: burden:", place, 1)}
			name := play
			if strings.Contains(texts[data], x.old) {
				name = data
			}
			texts[name] = strings.Replace(texts[name], x.old, x.new, 1)
			c.send(data, texts[data])
			c.send(play, texts[play])
			c.until(name, func(l []diagnostic) bool {
				return slices.ContainsFunc(l, func(d diagnostic) bool { return d.Code == "enum-value" || d.Code == "unknown-member" })
			})
			actions := c.actionsAt(name, texts[name], x.at)
			i := slices.IndexFunc(actions, func(a codeAction) bool { return a.Title == x.title })
			if i < 0 {
				t.Fatalf("it offers %+v", actions)
			}
			if got := apply(texts[data], actions[i].Edit.Changes[c.uri(data)]); !strings.Contains(got, x.wrote) {
				t.Errorf("it writes\n%s", got)
			}
		})
	}
}

// TestRowsOfOneLineGetAnother holds that a row is added on the line of the others where they share one.
func TestRowsOfOneLineGetAnother(t *testing.T) {
	for _, x := range []struct{ name, rows, wrote string }{
		{"cells", "light: points: 0, heavy: points: 30", "heavy: points: 30, huge: {points: int}\n"},
		{"rows in braces", "light: {points: 0}, heavy: {points: 30} // by weight",
			"heavy: {points: 30}, huge: {points: int} // by weight\n"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := start(t)
			const rows = "light: points: 0\n\t\theavy: points: 30"
			text := strings.NewReplacer(rows, x.rows, "burden(load)", "burden('huge')").Replace(string(c.files[data].Data))
			if !strings.Contains(text, x.rows) {
				t.Fatal("the table has other rows")
			}
			c.send(data, text)
			c.until(data, func(l []diagnostic) bool {
				return slices.ContainsFunc(l, func(d diagnostic) bool { return d.Code == "enum-value" })
			})
			actions := c.actionsAt(data, text, "burden(|'huge')")
			i := slices.IndexFunc(actions, func(a codeAction) bool { return a.Title == "add the row huge to the table burden" })
			if i < 0 {
				t.Fatalf("it offers %+v", actions)
			}
			if got := apply(text, actions[i].Edit.Changes[c.uri(data)]); !strings.Contains(got, x.wrote) {
				t.Errorf("it writes\n%s", got)
			}
		})
	}
}
