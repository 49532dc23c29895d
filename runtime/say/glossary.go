package say

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A glossary finds the word of a name.
type glossary map[string]*plan.Word

// find returns the word of a path within definitions, the inner one first; nil when there is none. The longest entry that
// fits counts: for the value failure of the output outcome of the rule test "test.outcome.failure", "outcome.failure",
// "test.failure", "failure".
func (g glossary) find(within, path []string) *plan.Word {
	for _, name := range Candidates(within, path) {
		if w := g[name]; w != nil {
			return w
		}
	}
	return nil
}

// Candidates lists the names by which a glossary may call a path within definitions, the most special first.
func Candidates(within, path []string) []string {
	var out []string
	for i := range path {
		name := strings.Join(path[i:], ".")
		for _, w := range within {
			out = append(out, w+"."+name)
		}
		out = append(out, name)
	}
	return out
}

// Within lists the definitions in which a name of a definition stands: "task.roll" of an event, and "task".
func Within(id string) []string {
	out := []string{id}
	if procedure, _, isEvent := strings.Cut(id, "."); isEvent {
		out = append(out, procedure)
	}
	return out
}

// indices are the places of elements in a path: "[3]", "[*]".
var indices = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*\]`) })

// PathOf splits the name of a value as formulas have it, without the record in which it stands: "state.pool" is pool.
func PathOf(name string) []string {
	var path []string
	for more := true; more; {
		var step string
		step, _, name, more = plan.CutStep(name)
		path = append(path, step)
	}
	if slices.Contains(roots[:], path[0]) && len(path) > 1 {
		return path[1:]
	}
	return path
}

// roots are the records that a name of a value begins with.
var roots = [...]string{"input", "event", "state", "character"}

// identifier is how names are written; a text of this form is read as a name.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`) })

// spellName returns a name with blanks: "active value" of active_value.
func spellName(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Capitalise makes the first letter of a sentence, a heading or a cell a capital.
func Capitalise(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// formFor returns the form of a word: the first for one or a truth, else the last.
func formFor(forms []string, isFirst bool) string {
	if isFirst || len(forms) == 1 {
		return forms[0]
	}
	return forms[len(forms)-1]
}
