package generated

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An edit is a change of a generated ruleset, said twice: as a person would make it in the text, which the judge reads, and
// as a homebrew, which the program applies.
type edit struct {
	from, to int    // in the text of the ruleset
	text     string // what stands there then
	brew     string // a declaration of the homebrew
}

// editNext offers to replace what is written next, which the homebrew names by a path.
func (g *Generator) editNext(path, old, new string) {
	g.edits = append(g.edits, edit{g.b.Len(), g.b.Len() + len(old), new,
		fmt.Sprintf("replace: %s: {expect: %s, with: %s}", path, old, new)})
}

// addHere offers to add a line to what is being written.
func (g *Generator) addHere(path, line string) {
	g.edits = append(g.edits, edit{g.b.Len(), g.b.Len(), line + "\n", "extend: " + path + ": " + line})
}

// printFormula writes a formula that a homebrew may replace by one of the same kind.
func (g *Generator) printFormula(path, kind string, depth int) {
	old := g.makeFormula(kind, depth)
	if g.isOneIn(3) {
		g.editNext(path, old, g.makeFormula(kind, depth))
	}
	g.writef("%s", old)
}

// Homebrew chooses some edits, and returns the changed text and the homebrew.
func (g *Generator) Homebrew(text string) (changed, homebrew string) {
	chosen := slices.Clone(g.edits)
	g.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	chosen = chosen[:min(len(chosen), 1+g.IntN(4))]
	var b strings.Builder
	b.WriteString("package house\n\nimport \"github.com/tabletop-rules/rules/schema\"\n\nschema.#Homebrew\n")
	b.WriteString("id: \"house\"\ntitle: \"House rules\"\nruleset: \"game\"\n")
	slices.SortFunc(chosen, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	for _, e := range chosen {
		text = text[:e.from] + e.text + text[e.to:]
		b.WriteString(e.brew + "\n")
	}
	return text, b.String()
}
