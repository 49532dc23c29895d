package lsp

import (
	"slices"
	"strings"
	"testing"
)

func TestCompletionOfWhatACaseSays(t *testing.T) {
	for _, x := range []struct {
		file       string
		old, typed string
		want, not  []string // labels
		insert     string   // of the first wanted
	}{
		{roughFile, `{"level": 5, "skills": {}}`, `{"level": 5, |`, []string{"skills"},
			[]string{"level", "load", "peak"}, `"skills": `},
		{roughFile, `{"level": 5, "skills": {}}`, `{"|`, []string{"level", "skills"}, nil, `level`},
		{roughFile, `{"load": "heavy"}`, `{"load": "heavy", |`, []string{"kind"}, []string{"load", "level"}, `"kind": `},
		{roughFile, `{"load": "heavy"}`, `{"load": "|`, []string{"heavy", "light"}, []string{"kind", "rough"}, `heavy`},
		{roughFile, `{"load": "heavy"}`, `{"kind": |`, []string{"rough", "plain"}, []string{"heavy"}, `"rough"`},
		{roughFile, `{"output": {"value": 20, "near": true}}`, `{|`, []string{"output", "dice"}, []string{"value"}, `"output": `},
		{roughFile, `{"output": {"value": 20, "near": true}}`, `{"output": {"value": 20, |`, []string{"near"}, []string{"value"},
			`"near": `},
		{roughFile, `{"output": {"value": 20, "near": true}}`, `{"output": {"value": 20}, |`, []string{"dice"},
			[]string{"near", "output"},
			`"dice": `},
		{hinderedFile, `{"load": "heavy", "way": 5}`, `{"load": "heavy", |`, []string{"way"}, []string{"load", "kind"}, `"way": `},
		{hinderedFile, `{"load": "heavy", "way": 5}`, `{"load": "|`, []string{"heavy", "light"}, []string{"way"}, `heavy`},
		{hinderedFile, `{"value": 35}`, `{|`, []string{"value"}, []string{"output", "dice"}, `"value": `},
	} {
		t.Run(x.typed, func(t *testing.T) {
			c := startWith(t, map[string]string{roughFile: rough, hinderedFile: hindered})
			text := c.open(x.file, x.old, strings.Replace(x.typed, "|", "", 1))
			var items []completionItem
			c.call("textDocument/completion", c.at(x.file, text, "\n"+x.typed+"\n"), &items)
			got := labels(items)
			for _, w := range x.want {
				if !slices.Contains(got, w) {
					t.Fatalf("%q is missing in %q", w, got)
				}
			}
			for _, n := range x.not {
				if slices.Contains(got, n) {
					t.Errorf("%q is offered", n)
				}
			}
			if i := slices.Index(got, x.want[0]); items[i].InsertText != x.insert {
				t.Errorf("%s writes %s", x.want[0], items[i].InsertText)
			}
		})
	}
}
