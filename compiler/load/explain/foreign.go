package explain

import (
	"slices"
	"strings"
	"sync"
)

// foreignFields are what other tools and other places of a ruleset call a field, with what it may be called where it
// stands. They are tried before words that are only spelt alike: set is nearer to let, and means next.
var foreignFields = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"roll": {"dice", "die"}, "rolls": {"dice"}, "result": {"output"}, "results": {"output"}, "effect": {"output", "next"},
		"effects": {"output", "next"}, "returns": {"output", "gives", "expr"}, "return": {"output", "gives", "expr"},
		"if": {"when", "require"}, "condition": {"when", "require"}, "requirement": {"require"}, "prerequisite": {"require"},
		"args": {"params"}, "arguments": {"params"}, "parameters": {"params"}, "body": {"expr"}, "formula": {"expr"},
		"expression": {"expr"}, "set": {"next"}, "update": {"next"}, "description": {"doc"}, "desc": {"doc"}, "text": {"doc"},
		"notes": {"doc"}, "page": {"cite"}, "reference": {"cite"}, "citation": {"cite"}, "name": {"title", "id"},
		"vars": {"let"}, "variables": {"let"}, "where": {"let"}, "initial": {"start"}, "init": {"start"}, "end": {"ends"},
		"until": {"ends"}, "over": {"ends"}, "actions": {"events"}, "moves": {"events"}, "turns": {"events"},
		"entries": {"keyed"}, "items": {"keyed"}, "ranges": {"bands"}, "thresholds": {"steps"}, "else": {"otherwise"},
		"cols": {"columns"}, "col": {"columns"}, "header": {"columns"}, "headers": {"columns"}, "heading": {"columns"},
		"headings": {"columns"}, "across": {"columns"}, "row": {"rows", "keyed"}, "records": {"keyed"}, "map": {"keyed"},
		"levels": {"steps"}, "intervals": {"bands"}, "brackets": {"bands"}, "tiers": {"steps"}, "column": {"gives", "columns"},
		"range": {"over", "bands"}, "keys": {"over"}, "deck": {"die"}, "cards": {"die"}, "draw": {"count"}, "hand": {"count"},
		"unique": {"distinct"}, "different": {"distinct"}, "without_replacement": {"distinct"},
		"sides": {"die"}, "number": {"count"}, "amount": {"count"}, "reroll": {"again"}, "rerolls": {"again"},
		"times": {"each"}, "repeat": {"each"}, "is": {"expr"}, "value": {"expr"},
		"then": {"next", "otherwise"}, "change": {"replace"}, "changes": {"replace"}, "modify": {"replace"},
		"override": {"replace"}, "remove": {"disable"}, "delete": {"disable"}, "old": {"expect"}, "from": {"expect"},
		"was": {"expect"}, "new": {"with", "add"}, "to": {"with"}, "now": {"with"},
		"max": {"most"}, "maximum": {"most"}, "min": {"least"}, "minimum": {"least"},
		"fallback": {"otherwise"}, "version": {"revision"}, "book": {"source"},
	}
})

// ForeignField returns our name of a field that has another name elsewhere, of the names that the schema has in its place;
// "" if there is none.
func ForeignField(name string, known []string) string {
	for _, meant := range foreignFields()[strings.ToLower(name)] {
		if slices.Contains(known, meant) {
			return meant
		}
	}
	return ""
}

// structForms say how a field is written that is a struct because each thing in it has a name of the author's.
var structForms = map[string]string{
	"dice": `name the roll: dice: roll: "2d6"`, "output": `name what comes of it: output: result: "..."`,
	"let": `name the value: let: bonus: "..."`, "next": `name what changes: next: rounds: "state.rounds + 1"`,
	"require": `say what is told when it does not hold: require: "too weak": "character.strength > 1"`,
	"ends":    `name each end: ends: won: "..."`, "params": `name each parameter: params: x: "int"`,
	"use": `name the use: use: attack: rule: "strike"`, "keyed": "write keyed: NAME: {...}, a row for each name",
	"each": `name the element: each: foe: "input.foes"`, "events": `name each event: events: roll: {...}`,
	"start":      `say what the state begins with: start: next: left: "input.height"`,
	"rules":      `name the rule: rules: strike: {cite: "...", dice: roll: "2d6", output: total: "sum(roll)"}`,
	"tables":     `name the table: tables: weapon: {cite: "...", keyed: axe: harm: 3}`,
	"traits":     `name the trait: traits: load: {cite: "...", expr: "..."}`,
	"functions":  `name the function: functions: half: {cite: "...", params: x: "int", expr: "div_floor(x, 2)"}`,
	"procedures": `name the procedure: procedures: fight: {cite: "...", #State: {...}, start: ..., events: ..., ends: ...}`,
	"explode":    `say on which faces: explode: on: "max", or explode: on: ">=5"`,
	"again":      "say on which faces: again: on: 1, or again: {on: 1, once: true}",
	"decide":     `name the field of #Input: decide: spend: {after: ["roll"], most: "..."}`,
	"otherwise":  `name each output: otherwise: harm: "0"`,
	"rows":       `name each row: rows: NAME: ...`,
	"values":     `write values: {made: "it succeeds", missed: "it fails"}, with the meaning of each`,
	"source":     `write source: book: "..."`,
	"allow":      `write {code: "table-unread", at: "table weapon", why: "..."}`,
	"options":    `name the option: options: tie: {cite: "...", default: "made", values: made: "..."}`,
}

// listForms say how a field is written that is a list.
var listForms = map[string]string{
	"bands": "write bands: [{on: [1, 3], ...}, {on: 4, ...}]", "steps": "write steps: [{from: 1, ...}, {from: 5, ...}]",
	"columns": `write columns: ["light", "heavy"], the second keys of a table of two`,
	"after":   `write after: ["roll"], the dice and uses that have fallen by then`,
	"rising":  `write rising: ["column"]`, "falling": `write falling: ["column"]`,
	"covers": `write covers: ["..."]`, "allow": `write allow: [{code: "table-unread", at: "table weapon", why: "..."}]`,
	"faces": "how many faces a die has is die: 6; faces: [1, 1, 2, 3] lists what they show",
	"weights": "weights are numbers that do not change; of a pack that gets smaller a card is " +
		`die: "sum(state.left)", its kind range(10).count(k, sum(state.left.slice(0, k + 1)) < card)`,
}

// missingForms say what a field is for that is not there.
var missingForms = map[string]string{
	"expect": "expect: says what stands there now, so that nothing else is replaced",
	"with":   "with: says what stands there then",
	"book":   `write source: book: "..."`, "source": `write source: book: "..."`,
	"id": `write id: "..."`, "title": `write title: "..."`, "expr": `write expr: "..."`,
	"rule": `name the rule: rule: "..."`, "output": `name what comes of it: output: result: "..."`,
	"ruleset": `name the ruleset that is changed: ruleset: "..."`,
	"keyed":   structForms["keyed"], "values": structForms["values"], "params": structForms["params"],
	"next": structForms["next"], "ends": `name each end: ends: over: "state.left == 0"`,
	"events": structForms["events"], "start": structForms["start"], "default": `write default: "..."`,
	"cite": `write cite: "..."`, "#State": `write #State: left: *0 | int & >=0 & <=9`,
}

// MissingForm returns how a field is written that is not there; "" when there is no more to say.
func MissingForm(name string) string { return missingForms[name] }

// ListForm returns how a list is written in whose place something else stands; "" when there is no more to say.
func ListForm(name string) string { return listForms[name] }

// definitionForms say how a definition is written, by its kind.
var definitionForms = map[string]string{
	"table": "its rows stand in keyed: NAME: {...}, bands: [{on: [1, 3], ...}] or steps: [{from: 5, ...}]",
	"trait": `write {cite: "...", expr: "..."}`, "function": `write {cite: "...", params: x: "int", expr: "..."}`,
	"rule":   `write {cite: "...", output: result: "..."}`,
	"option": `write {cite: "...", default: "made", values: {made: "...", missed: "..."}}`,
}

// StructForm returns how a struct is written in whose place something else stands: a field of a definition, or the
// definition itself, which its subject ends in; "" when there is no more to say than that it is one.
func StructForm(subject, name string) string {
	kind, id, _ := strings.Cut(subject, " ")
	switch {
	case kind == "replace" && strings.HasPrefix(id, "tables.") && (name == "expect" || name == "with"):
		return "a table is replaced with all rows; a cell is rows: ROW: COLUMN: {expect: 1, with: 2}"
	case kind == "disable":
		return `name each with the reason: ` + name + `: NAME: "nobody plays it"`
	case id == name && structForms[name] == "":
		return definitionForms[kind]
	}
	return structForms[name]
}
