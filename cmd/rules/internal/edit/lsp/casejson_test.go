package lsp

import (
	"slices"
	"strings"
	"testing"
)

func TestCompletionOfWhatACaseSays(t *testing.T) {
	for _, x := range []struct {
		old, typed string
		want, not  []string // labels
		insert     string   // of the first wanted
	}{
		{`{"level": 5, "skills": {}}`, `{"level": 5, |`, []string{"skills"}, []string{"level", "load", "peak"}, `"skills": `},
		{`{"level": 5, "skills": {}}`, `{"|`, []string{"level", "skills"}, nil, `level`},
		{`{"load": "heavy"}`, `{"load": "heavy", |`, []string{"kind"}, []string{"load", "level"}, `"kind": `},
		{`{"load": "heavy"}`, `{"load": "|`, []string{"heavy", "light"}, []string{"kind", "rough"}, `heavy`},
		{`{"load": "heavy"}`, `{"kind": |`, []string{"rough", "plain"}, []string{"heavy"}, `"rough"`},
		{`{"output": {"value": 20, "near": true}}`, `{|`, []string{"output", "dice"}, []string{"value"}, `"output": `},
		{`{"output": {"value": 20, "near": true}}`, `{"output": {"value": 20, |`, []string{"near"}, []string{"value"},
			`"near": `},
		{`{"output": {"value": 20, "near": true}}`, `{"output": {"value": 20}, |`, []string{"dice"}, []string{"near", "output"},
			`"dice": `},
	} {
		t.Run(x.typed, func(t *testing.T) {
			c := startWith(t, map[string]string{roughFile: rough})
			text := c.open(roughFile, x.old, strings.Replace(x.typed, "|", "", 1))
			var items []completionItem
			c.call("textDocument/completion", c.at(roughFile, text, "\n"+x.typed+"\n"), &items)
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
