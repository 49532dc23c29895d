package lsp

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
)

// FuzzEdits types at random into a ruleset, so that it is broken and whole by turns: the server lives, and after every edit
// it shows what the compiler says of the same text.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{0, 1, 44, 1, 1, 44})             // a letter is deleted and another one typed
	f.Add([]byte{2, 0, 200, 0, 0, 90, 5, 0, 90})  // a line twice, a letter away, a quote
	f.Add([]byte{9, 1, 0, 13, 1, 0, 17, 1, 0, 3}) // brackets
	f.Fuzz(func(t *testing.T, edits []byte) {
		if len(edits) > 24 {
			return
		}
		c := start(t)
		file := []string{play, data}[len(edits)/3%2]
		text := string(c.files[file].Data)
		for ; len(edits) >= 3; edits = edits[3:] {
			at := int(edits[1])<<8 | int(edits[2])
			text = typed(text, edits[0], at)
			c.send(file, text)
			c.waitForCases()
			if got, want := c.shownIn(".cue"), compilerSays(c.files, file, text); !slices.Equal(got, want) {
				t.Fatalf("the server shows %q\nthe compiler says %q\nof %s", got, want, text)
			}
			c.askEverything(file, position{at % 40, at / 40 % 80})
		}
	})
}

// askEverything sends every request about a position or a file that is answered with something to show.
func (c *client) askEverything(file string, p position) {
	c.t.Helper()
	here := documentPosition{textDocument{c.uri(file)}, p}
	whole := documentParams{here.TextDocument}
	for method, params := range map[string]any{
		"textDocument/completion": here, "textDocument/hover": here, "textDocument/definition": here,
		"textDocument/references": here, "textDocument/signatureHelp": here, "textDocument/documentHighlight": here,
		"textDocument/documentSymbol": whole, "textDocument/semanticTokens/full": whole, "textDocument/foldingRange": whole,
		"textDocument/codeLens": whole, "textDocument/formatting": whole, "workspace/symbol": symbolParams{"a"},
		"textDocument/selectionRange": selectionParams{here.TextDocument, []position{p}},
		"textDocument/inlayHint":      inlayHintParams{here.TextDocument, span{End: position{Line: 99}}},
		"textDocument/codeAction":     codeActionParams{TextDocument: here.TextDocument, Range: span{p, p}},
	} {
		c.call(method, params, nil)
	}
}

// typed is a text after one edit at one of its code points: one is deleted, the line stands twice, or something is typed.
func typed(text string, how byte, at int) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return "x"
	}
	at %= len(runes)
	switch how % 8 {
	case 0:
		return string(slices.Delete(runes, at, at+1))
	case 1:
		lines := strings.SplitAfter(text, "\n")
		return strings.Join(slices.Insert(lines, at%len(lines), lines[at%len(lines)]), "")
	}
	const keys = "a0\"'(){}[],.:+-<= \n\tä"
	palette := []rune(keys)
	return string(slices.Insert(runes, at, palette[int(how)/8%len(palette)]))
}

// shownIn are the diagnostics that the client was told last, of files of an extension.
func (c *client) shownIn(extension string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []string{}
	for _, uri := range slices.Sorted(maps.Keys(c.found)) {
		for _, d := range c.found[uri] {
			if path.Ext(uri) == extension {
				out = append(out, fmt.Sprint(strings.TrimPrefix(uri, c.uri("")), ":", d.Range.Start.Line+1, " ", d.Code))
			}
		}
	}
	slices.Sort(out)
	return out
}

// compilerSays are the diagnostics of a module in which one file, which is open, has another text. What is in no file is
// shown in that.
func compilerSays(files fstest.MapFS, file, text string) []string {
	files = maps.Clone(files)
	files[file] = &fstest.MapFile{Data: []byte(text)}
	_, diags := compiler.Release(load.Source{FS: files}, compiler.Options{Analyse: true})
	out := []string{}
	for _, d := range diags {
		out = append(out, fmt.Sprint(cmp.Or(d.Place.File, file), ":", max(d.Place.Line, 1), " ", d.Code))
	}
	slices.Sort(out)
	return out
}
