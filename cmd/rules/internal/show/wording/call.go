package wording

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// roundings are the functions that round a quotient or a number, with what they say.
var roundings = builtin.RoundingWords()

// wordCall tells a call: the functions that every ruleset has and macros in words, those of the ruleset by their names.
func wordCall(n *node) phrase {
	if n.kind == memberNode {
		return wordMember(n)
	}
	args := n.args
	// An argument binds at least like a sum, so that "the sum of a + b" has no brackets and a
	// choice has.
	one := func() phrase { return phraseOf(args[0]).within(bindSum) }
	switch name := n.text; {
	case roundings[name] != "" && len(args) == 2:
		return buildPhrase(bindPhrase, phraseOf(args[0]).within(bindProduct), " / ", phraseOf(args[1]).within(bindName),
			" "+roundings[name])
	case roundings[name] != "" && len(args) == 1:
		return buildPhrase(bindPhrase, one(), " "+roundings[name])
	case name == "double" && len(args) == 1: // the same number
		return phraseOf(args[0])
	case name == "int" && len(args) == 1:
		return buildPhrase(bindPhrase, one(), " rounded towards 0")
	case (name == "min" || name == "max") && len(args) > 0:
		return wordExtreme(name, args)
	case name == "sum" && len(args) == 1:
		return buildPhrase(bindPhrase, "the sum of ", one())
	case name == "size" && len(args) == 1:
		return buildPhrase(bindPhrase, "how many ", one())
	case name == "has" && len(args) == 1:
		return buildPhrase(bindCompare, one(), " is given")
	case name == "get" && len(args) == 3:
		return buildPhrase(bindPhrase, phraseOf(args[0]).within(bindName), "[", phraseOf(args[1]), "], or ",
			phraseOf(args[2]).within(bindSum), " without one")
	case name == "with" && len(args) == 3:
		return buildPhrase(bindPhrase, phraseOf(args[0]).within(bindName), " with ", phraseOf(args[1]).within(bindSum),
			" set to ",
			phraseOf(args[2]).within(bindSum))
	}
	return buildPhrase(bindName, Word{spellName(n.text), n.text + "("}, "(", joinPhrases(args, ", ", bindChoice), ")")
}

// wordExtreme tells min and max: "smaller" of two, "smallest" of a list or of more.
func wordExtreme(name string, args []*node) phrase {
	words := map[string][2]string{"min": {"the smaller of ", "the smallest of "},
		"max": {"the greater of ", "the greatest of "}}
	switch len(args) {
	case 1:
		return buildPhrase(bindPhrase, words[name][1], phraseOf(args[0]).within(bindSum))
	case 2:
		return buildPhrase(bindPhrase, words[name][0], phraseOf(args[0]).within(bindSum), " and ",
			phraseOf(args[1]).within(bindSum))
	}
	return buildPhrase(bindPhrase, words[name][1], joinPhrases(args, ", ", bindSum))
}

// wordMember returns the words for a call on a value: a macro, which runs through a list, or a function.
//
// Macros become the sentence that they stand for. The name of the variable stays in it, because the body speaks of it.
func wordMember(n *node) phrase {
	list := phraseOf(n.args[0]).within(bindName)
	if len(n.args) == 3 && n.args[1].kind == nameNode {
		each, body := n.args[1].text, n.args[2]
		holds := phraseOf(body).within(bindOr)
		switch n.text {
		case "all":
			return buildPhrase(bindOr, "for every "+each+" of ", list, ", ", holds)
		case "exists":
			if body.kind == nameNode && body.text == each {
				return buildPhrase(bindCompare, "one of ", list, " holds")
			}
			return buildPhrase(bindOr, "for some "+each+" of ", list, ", ", holds)
		case "exists_one":
			return buildPhrase(bindOr, "for exactly one "+each+" of ", list, ", ", holds)
		case "filter":
			return buildPhrase(bindPhrase, "those "+each+" of ", list, " where ", phraseOf(body).within(bindCompare))
		case "count":
			return buildPhrase(bindPhrase, "how many "+each+" of ", list, " where ", phraseOf(body).within(bindCompare))
		case "map":
			return buildPhrase(bindPhrase, phraseOf(body).within(bindSum), " for each "+each+" of ", list)
		}
	}
	name := spellName(n.text)
	if slices.Contains([]string{"size", "sum"}, n.text) && len(n.args) == 1 {
		return wordCall(&node{kind: callNode, text: n.text, args: n.args})
	}
	return buildPhrase(bindName, list, "."+name+"(", joinPhrases(n.args[1:], ", ", bindChoice), ")")
}
