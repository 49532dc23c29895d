package toolserver

import (
	"encoding/json"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
)

// The list of tools is read before every conversation, so that it is short: what a rule takes is for needs to tell, and
// schemas say of an answer which members it has. Property names that several tools share mean the same in all.

// argumentSchema returns the schema of an argument.
func argumentSchema(name string) string {
	switch name {
	case "ruleset":
		return `{"type":"string","description":"id or id@revision; may be left out when there is one"}`
	case "rule":
		return `{"type":"string","description":"id"}`
	case "character":
		return `{"type":["string","object"],"description":"a name that find lists, or the character"}`
	case "input":
		return `{"type":"object","description":"fields as needs lists them"}`
	case "options":
		return `{"type":"object","description":"other rulings, by option"}`
	case "outputs", "formulas", "rules":
		return `{"type":"array","items":{"type":"string"}}`
	case "dice":
		return `{"type":["array","object"],"description":"faces that fell: [43] or {\"roll\":[43]}"}`
	case "plays":
		return `{"type":"integer","description":"of a fight: plays to draw, 0 where exact odds take too much"}`
	case "seed":
		return `{"type":"integer","minimum":0}`
	case "after", "most":
		return `{"type":"integer","minimum":1}`
	case "exact", "joint":
		return `{"type":"boolean"}`
	case "state":
		return `{"type":["string","object"],"description":"of a procedure, as play returned it"}`
	case "events":
		return `{"type":"array","items":{"type":"object"},"description":"[{event, input, dice}]"}`
	case "policy":
		return `{"type":"array","items":{"type":"string"},` +
			`"description":"of a procedure: EVENT or EVENT: CONDITION in turn"}`
	case "given":
		return `{"type":"string","description":"condition over outputs, CEL"}`
	case "vary":
		return `{"type":"array","items":{"type":"string"},"description":"NAME=1..20 or NAME=a,b"}`
	case "best":
		return `{"type":"string","description":"formula that decisions are made for"}`
	case "notation":
		return `{"type":"string","description":"dice without a rule: 4d6kh3"}`
	case "of":
		return `{"type":"array","items":{"type":"string"},"description":"of variants P(success), E(damage); else damage"}`
	case "variants":
		return `{"type":"array","items":{"type":"object"},` +
			`"description":"[{label, character, input, options}], over the others"}`
	case "receipt":
		return `{"type":"string","description":"of an earlier evaluate, instead of the rest"}`
	}
	return `{"type":"string"}`
}

// inputSchema returns the schema of the arguments of a tool, of which the first ones are required.
func inputSchema(required int, names ...string) json.RawMessage {
	var members []jsontext.Member
	for _, name := range names {
		members = append(members, jsontext.Member{Name: name, Value: json.RawMessage(argumentSchema(name))})
	}
	return jsontext.Join([]jsontext.Member{
		{Name: "type", Value: jsontext.Quote("object")}, {Name: "properties", Value: jsontext.Join(members)},
		{Name: "required", Value: jsontext.StringArray(names[:required])},
		{Name: "additionalProperties", Value: json.RawMessage("false")},
	})
}

// outputSchema returns the schema of the answer of a tool: it has these members, or a problem. A member in brackets is a
// list, one with a sign of quotation a text.
func outputSchema(names ...string) json.RawMessage {
	var members []jsontext.Member
	var required []string
	for _, name := range append(names, "problem") {
		kind := "object"
		if bare, ok := strings.CutSuffix(name, "[]"); ok {
			name, kind = bare, "array"
		} else if bare, ok := strings.CutSuffix(name, "\""); ok {
			name, kind = bare, "string"
		}
		optional := strings.HasSuffix(name, "?")
		name = strings.TrimSuffix(name, "?")
		members = append(members, jsontext.Member{Name: name, Value: json.RawMessage(`{"type":"` + kind + `"}`)})
		if !optional && name != "problem" {
			required = append(required, name)
		}
	}
	either := func(names []string) json.RawMessage {
		return jsontext.Join([]jsontext.Member{{Name: "required", Value: jsontext.StringArray(names)}})
	}
	return jsontext.Join([]jsontext.Member{
		{Name: "type", Value: jsontext.Quote("object")}, {Name: "properties", Value: jsontext.Join(members)},
		{Name: "anyOf", Value: jsontext.Array([]json.RawMessage{either(required), either([]string{"problem"})})},
	})
}

// listTools returns the tools, in the order in which an assistant needs them.
func (s *server) listTools() []*tool {
	return []*tool{
		{"find", "Find", "Search the rules by words; without words list rulesets and characters.",
			inputSchema(0, "words", "ruleset", "kind"),
			outputSchema("rulesets[]", "characters[]", "matches[]"), s.findDefinitions},
		{"show", "Show", "A definition as the book has it: sentence, table, options and rulings, worked example.",
			inputSchema(1, "name", "ruleset"), outputSchema("source", "definitions[]"), s.showDefinitions},
		{"needs", "Needs", "What a rule or procedure takes: fields, words, dice, options, events.",
			inputSchema(1, "rule", "ruleset"), outputSchema("source", "needs", "characters[]"), s.listNeeds},
		{"evaluate", "Evaluate or roll", "Carry out a rule, with given dice or rolled ones.",
			inputSchema(1, "rule", "ruleset", "character", "input", "options", "outputs", "dice", "seed"),
			outputSchema("source", "sheet", `receipt"`), s.evaluateRule},
		{"odds", "Odds", "Exact odds of a rule's outputs, of a procedure's end under a policy, or of dice.",
			inputSchema(0, "rule", "ruleset", "character", "input", "options", "outputs", "formulas", "given", "vary",
				"exact", "joint", "best", "policy", "state", "after", "most", "plays", "seed", "notation"),
			outputSchema("source?", "odds"), s.answerOdds},
		{"why", "Why", "What decided an output of a roll, and the nearest change that turns it.",
			inputSchema(1, "output", "receipt", "rule", "ruleset", "character", "input", "options", "dice", "seed", "state",
				"events"), outputSchema("source", "why"), s.explainOutput},
		{"check", "Check a character", "Whether a character fits a ruleset, and what does not.",
			inputSchema(1, "character", "ruleset"), outputSchema("checked[]"), s.checkCharacter},
		{"play", "Play a procedure",
			"Begin a procedure, or go on from a state with events; lists the events that may follow.",
			inputSchema(1, "rule", "ruleset", "character", "input", "options", "dice", "seed", "state", "events"),
			outputSchema("source", "sheet", `state"`, "offers[]", `receipt"`), s.playProcedure},
		{"compare", "Compare",
			"Variants of a question side by side; or rules, formulas, the values of vary by their distributions.",
			inputSchema(2, "rule", "of", "variants", "rules", "vary", "ruleset", "character", "input", "options", "policy"),
			outputSchema("source", "rows?[]", "odds?", `best?"`), s.compareVariants},
	}
}
