package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// printStart prints the answer to "rules" alone, which newcomers type first. It fits a small terminal, so it leaves
// every command that nobody begins with to "rules help".
//
// The commands name an existing ruleset, so that each can be typed as it stands: below a module of one's own, that is
// one of the module. A module whose list of rulesets is empty or cannot be read gets the same screen with a word to be
// replaced, and the command that names the problem.
func printStart(w io.Writer, ids []string) error {
	ruleset := "RULESET"
	list := "none that can be read here: \"rules vet\" says why"
	if len(ids) > 0 {
		ruleset, list = ids[0], strings.Join(ids, ", ")
	}
	if slices.Contains(ids, "tempestas") {
		ruleset = "tempestas"
	}
	_, err := fmt.Fprintf(w, `Rules answers for tabletop games what their books say: with the dice that fell,
with dice that it draws, or exactly, over every way in which the dice can fall.

Rulesets: %[1]s

Type one of these first:
  rules play %[2]s
      sit down and play: it asks for what it needs, question by question; "?" helps
  rules list %[2]s
      what there is to play, each with what it is about
  rules eval %[2]s NAME
      what the rule or procedure NAME needs, with an example to copy
  rules odds 4d6kh3
      the exact odds of dice; "rules odds %[2]s NAME" are those of a rule
  rules serve
      the rules as pages in a browser that compute and play

"rules help" lists all commands and topics, "rules help eval" says more about eval.
`, list, ruleset)
	return err
}
