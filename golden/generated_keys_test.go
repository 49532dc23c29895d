package golden_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// TestKeysInJavaScript looks up keys that objects of JavaScript have otherwise, of which a table has one.
func TestKeysInJavaScript(t *testing.T) {
	jstest.Node(t)
	p := gametest.CompileParts(t, `#Character: {}
tables: words: {cite: "x", keyed: {
	axe: n: 3
	"__proto__": n: 5
}}
rules: look: {
	cite: "x"
	#Input: key!: string
	output: out: "words(input.key).n"
}
`)
	c := newCorpus(javaScript{t.TempDir()}, p)
	r, err := c.program.Rule("look", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	module, export := c.moduleOf(t, runtime.Choice{}, "look")
	for i, x := range []struct{ key, want string }{
		{"axe", `"output":{"out":3}}`}, {"__proto__", `"output":{"out":5}}`},
		{"toString", "no such key: toString (x)"}, {"constructor", "no such key: constructor (x)"},
	} {
		c.add(x.key, module, export, r, runtime.Request{Input: []byte(`{"key":"` + x.key + `"}`)})
		if !strings.HasSuffix(c.want[i], x.want) {
			t.Errorf("the interpreter answers %s, want %s", c.want[i], x.want)
		}
	}
	c.compare(t)
}
