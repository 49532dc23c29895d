// Package wording tells a formula of a ruleset in words, for people who play and do not program: "a >= 1 && !b ? max(a, c)
// : 0" is "the greater of a and c if a ≥ 1 and not b, else 0".
//
// It is for reading alone: whoever must know exactly reads the formula itself, which a page has beside it. The wording
// keeps the structure of the formula (what binds stronger, or in brackets) and every name in it, so that names can lead
// to what they mean. It knows the grammar of formulas and neither types nor definitions. A text that is no formula, as
// the notation of dice, has no wording.
//
// # One formula
//
// For "a >= 1 && !b ? max(a, c) : 0" the parser gives a tree with a choice at its root. phraseOf
// walks it and gives for each node a phrase: words, and how tightly they bind. The condition's two
// sides are phrases that bind as comparisons; "and" takes them without brackets. The choice puts
// the value first, as people say it: "... if ..., else ...". Where a phrase binds less than its
// surroundings, within puts brackets around it, and only there.
//
// Why a parser of its own: a plan keeps formulas as text, and this package is used where neither
// CEL nor the compiler may be linked. It knows less than CEL, and a formula that it cannot read is
// shown as it is written.
//
// call.go has functions and macros, parse.go the grammar, wording.go everything else.
//
// Invariant: every name of the formula is in its wording, with the name that it stands for.
package wording

import (
	"slices"
	"strings"
)

// A Word is a stretch of the wording.
type Word struct {
	Text string
	Name string // the name in the formula that the text stands for, "option.heroic_band"; "" for none
}

// Join returns the text of words, for where no links can be shown.
func Join(words []Word) string {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.Text)
	}
	return text.String()
}

// Of tells a formula in words; nil for a text that is no formula. A choice by a key ("by input.kind", then a line "skill:
// ..." for each) has a line for each key.
func Of(text string) []Word {
	if key, cases, isChoice := cutChoice(text); isChoice {
		return wordChoice(key, cases)
	}
	tree, ok := parseFormula(text)
	if !ok {
		return nil
	}
	return mergeWords(phraseOf(tree).words)
}

// cutChoice takes a choice by a key apart.
//
// Plans write a choice as lines. A line that begins with a blank belongs to a formula of several
// lines, which is not taken apart: its text is shown.
func cutChoice(text string) (key string, cases [][2]string, isChoice bool) {
	first, rest, several := strings.Cut(text, "\n")
	key, isChoice = strings.CutPrefix(first, "by ")
	if !isChoice || !several {
		return "", nil, false
	}
	for line := range strings.SplitSeq(rest, "\n") {
		name, formula, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			return "", nil, false // a formula of several lines
		}
		cases = append(cases, [2]string{name, formula})
	}
	return key, cases, true
}

// wordChoice tells a choice; a formula in it that is none stands as it is written.
func wordChoice(key string, cases [][2]string) []Word {
	out := append([]Word{{Text: "by "}}, wordsOrText(key)...)
	out = append(out, Word{Text: ":"})
	for _, c := range cases {
		out = append(out, Word{Text: "\n" + spellName(c[0]) + ": "})
		out = append(out, wordsOrText(c[1])...)
	}
	return mergeWords(out)
}

// wordsOrText tells a formula in words, or gives the text as it is written when it is none.
func wordsOrText(text string) []Word {
	if tree, ok := parseFormula(text); ok {
		return phraseOf(tree).words
	}
	return []Word{{Text: text}}
}

// mergeWords puts words without a name together with those before them.
func mergeWords(list []Word) []Word {
	var out []Word
	for _, w := range list {
		if n := len(out); w.Name == "" && n > 0 && out[n-1].Name == "" {
			out[n-1].Text += w.Text
			continue
		}
		out = append(out, w)
	}
	return out
}

// spellName is a name as words.
func spellName(name string) string { return strings.ReplaceAll(name, "_", " ") }

// How tightly phrases bind: one that binds less than its surroundings stands in brackets.
const (
	bindChoice  = iota // x if y, else z
	bindOr             // x or y
	bindAnd            // x and y
	bindCompare        // x ≥ y
	bindPhrase         // the greater of x and y
	bindSum            // x + y
	bindProduct        // x × y
	bindName
)

// A phrase is words that belong together.
type phrase struct {
	words []Word
	binds int
}

// buildPhrase puts texts and phrases together.
func buildPhrase(binds int, parts ...any) phrase {
	out := phrase{binds: binds}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out.words = append(out.words, Word{Text: p})
		case Word:
			out.words = append(out.words, p)
		case phrase:
			out.words = append(out.words, p.words...)
		}
	}
	return out
}

// within returns a phrase inside of one that binds so tightly: in brackets when it binds less.
func (p phrase) within(binds int) phrase {
	if p.binds < binds {
		return buildPhrase(bindName, "(", p, ")")
	}
	return p
}

// operatorWords are the operators, with how tightly they bind.
var operatorWords = map[string]struct {
	text  string
	binds int
}{
	"||": {"or", bindOr}, "&&": {"and", bindAnd}, "==": {"is", bindCompare}, "!=": {"is not", bindCompare},
	"<": {"<", bindCompare}, "<=": {"≤", bindCompare}, ">": {">", bindCompare}, ">=": {"≥", bindCompare},
	"in": {"is in", bindCompare}, "+": {"+", bindSum}, "-": {"−", bindSum}, "*": {"×", bindProduct},
	"/": {"/", bindProduct}, "%": {"modulo", bindProduct},
}

// phraseOf tells a part of a formula.
func phraseOf(n *node) phrase {
	switch n.kind {
	case textNode:
		return buildPhrase(bindName, spellName(n.text))
	case numberNode:
		return buildPhrase(bindName, n.text)
	case nameNode:
		return buildPhrase(bindName, Word{spellName(n.text), n.text})
	case selectNode:
		return wordSelection(n)
	case indexNode:
		return buildPhrase(bindName, phraseOf(n.args[0]).within(bindName), "[", phraseOf(n.args[1]), "]")
	case listNode, recordNode:
		return wordList(n)
	case unaryNode:
		if n.text == "!" {
			return buildPhrase(bindCompare, "not ", phraseOf(n.args[0]).within(bindPhrase))
		}
		return buildPhrase(bindProduct, "−", phraseOf(n.args[0]).within(bindProduct))
	case ternaryNode:
		return buildPhrase(bindChoice, phraseOf(n.args[1]).within(bindOr), " if ", phraseOf(n.args[0]).within(bindOr),
			", else ",
			phraseOf(n.args[2]))
	case binaryNode:
		return wordOperation(n)
	}
	return wordCall(n)
}

// wordOperation tells an operator with its two sides. The right side of - / and % must bind tighter
// than the operator itself, for a - (b - c) is not a - b - c. Operators that are associative take
// equals on both sides.
func wordOperation(n *node) phrase {
	op := operatorWords[n.text]
	x, y := phraseOf(n.args[0]), phraseOf(n.args[1])
	if n.text == "in" && n.args[1].kind == listNode {
		return buildPhrase(bindCompare, x.within(bindPhrase), " is one of ", joinPhrases(n.args[1].args, ", ", bindOr))
	}
	if n.text == "-" || n.text == "/" || n.text == "%" {
		return buildPhrase(op.binds, x.within(op.binds), " "+op.text+" ", y.within(op.binds+1))
	}
	return buildPhrase(op.binds, x.within(op.binds), " "+op.text+" ", y.within(op.binds))
}

// wordSelection returns the words for a field of something. A field of the player's or the game's own has its bare
// name.
//
// Players know their character and the question; "input" and "state" are words of the program and are left out. The
// path stays in Name, by which pages link it.
func wordSelection(n *node) phrase {
	path, isPath := n.path()
	root, rest, _ := strings.Cut(path, ".")
	switch {
	case !isPath:
		return buildPhrase(bindName, phraseOf(n.args[0]).within(bindName), "’s "+spellName(n.text))
	case root == "character":
		return buildPhrase(bindName, Word{"the character’s " + spellPath(rest), path})
	case slices.Contains([]string{"input", "state", "event", "option"}, root):
		return buildPhrase(bindName, Word{spellPath(rest), path})
	}
	return buildPhrase(bindName, Word{spellPath(path), path})
}

// spellPath returns a path as words: "spend.ep" is "spend’s ep".
func spellPath(path string) string { return spellName(strings.ReplaceAll(path, ".", "’s ")) }

func wordList(n *node) phrase {
	open, end := "[", "]"
	if n.kind == recordNode {
		open, end = "{", "}"
	}
	return buildPhrase(bindName, open, joinPhrases(n.args, ", ", bindChoice), end)
}

// joinPhrases puts phrases together with a text between them. Where between separates them well, as
// a comma does, binds may be low: then few brackets are needed.
func joinPhrases(list []*node, between string, binds int) phrase {
	var out phrase
	for i, x := range list {
		if i > 0 {
			out.words = append(out.words, Word{Text: between})
		}
		out.words = append(out.words, phraseOf(x).within(binds).words...)
	}
	return out
}
