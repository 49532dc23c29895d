package judge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/judge"
)

// overlayProblems are the problems of homebrews that do not go with a ruleset or with each other. What they leave may have
// others.
var overlayProblems = []diag.Code{"overlay-conflict", "overlay-moved", "overlay-silent", "overlay-unknown"}

// compareRefusals returns how the program's diagnostics of homebrews differ from the judge's error. The judge stops at the
// first conflict, of which the program must tell among others.
func compareRefusals(diags []diag.Diagnostic, err error) (diff string, isRefused bool) {
	isOverlayProblem := func(d diag.Diagnostic) bool { return slices.Contains(overlayProblems, d.Code) }
	isRefused = slices.ContainsFunc(diags, isOverlayProblem)
	conflict, conflicts := errors.AsType[*judge.Conflict](err)
	if conflicts != isRefused || conflicts && !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return isOverlayProblem(d) && isAbout(d, conflict.Path)
	}) {
		diff = fmt.Sprintf("refused %v (%v), the judge %v", isRefused, diags, err)
	}
	return diff, isRefused
}

// isAbout reports whether a diagnostic of a homebrew is about a path, or about a part above or below it.
func isAbout(d diag.Diagnostic, path string) bool {
	if d.Code == "overlay-silent" { // "out0 of rule strike is there already"
		parts := strings.Split(path, ".")
		isNamed := func(name string) bool {
			return name == "#Character" || slices.Contains(strings.FieldsFunc(d.Message, func(r rune) bool {
				return r == ' ' || r == ','
			}), name)
		}
		return isNamed(parts[len(parts)-1]) && (parts[0] == "#Character" || isNamed(parts[1]))
	}
	_, theirs, isUnknown := strings.Cut(d.Message, ": ") // "there is no harn in game.rules.strike: rules.strike.harn"
	if d.Code != "overlay-unknown" || !isUnknown {
		theirs, _, _ = strings.Cut(d.Message, " is ")
	}
	return strings.HasPrefix(path+".", theirs+".") || strings.HasPrefix(theirs+".", path+".")
}

// TestRefusedHomebrews applies two homebrews in both orders, to the program and to the judge.
func TestRefusedHomebrews(t *testing.T) {
	const game = gametest.Head + `
tables: {
	gap: {cite: "x", gives: "wide", keyed: {ditch: wide: 2, river: wide: 9}}
	zone: {cite: "x", gives: "cost", bands: [{on: [1, 3], cost: 5}, {on: 4, cost: 6}]}
}
rules: a: {cite: "x", output: n: 1}
procedures: pr: {cite: "x", #State: n: *0 | int, output: n: "state.n", ends: over: "state.n > 3"
	events: {e: {doc: "x", next: n: "state.n + 1"}, f: {doc: "x", next: n: "state.n + 2"}}
}
`
	for _, c := range []struct{ one, two, then, turned string }{
		{`disable: procedures: pr: events: e: "x"`, `extend: procedures: pr: events: e: output: q: "1"`,
			"procedures.pr.events.e", "procedures.pr.events.e"},
		{`disable: tables: gap: rows: ditch: "x"`, `extend: tables: gap: keyed: ditch: wide: 3`,
			"tables.gap.rows.ditch", "tables.gap.keyed.ditch"},
		{`disable: tables: zone: rows: "4": "x"`, `extend: tables: zone: bands: [{on: 4, cost: 7}]`,
			"tables.zone.rows.4", "tables.zone.bands.4"},
		{`disable: procedures: pr: "x"`, `extend: procedures: pr: events: e: output: q: "1"`, "procedures.pr", "procedures.pr"},
		{`disable: rules: a: "x"`, `extend: rules: a: output: m: "1"`, "rules.a", "rules.a"},
		{`disable: rules: a: "x"`, `add: rules: a: {cite: "y", output: n: 2}`, "rules.a", "rules.a"},
		{`disable: tables: gap: "x"`, `add: tables: gap: {cite: "y", keyed: ditch: wide: 1}`, "tables.gap", "tables.gap"},
		{`disable: procedures: pr: "x"`, `add: procedures: pr: {cite: "y", #State: n: *0 | int, output: n: "state.n"
			ends: over: "state.n > 3", events: e: {doc: "x", next: n: "state.n + 1"}}`, "procedures.pr", "procedures.pr"},
		{`disable: rules: a: "x"`, `add: rules: b: {cite: "y", output: n: 2}`, "", ""},
		{`disable: procedures: pr: events: f: "x"`, `extend: procedures: pr: events: e: output: q: "1"`, "", ""},
		{`disable: tables: gap: rows: river: "x"`, `extend: tables: gap: keyed: lake: wide: 3`, "", ""},
	} {
		for _, order := range []struct{ first, second, path string }{{c.one, c.two, c.then}, {c.two, c.one, c.turned}} {
			homebrews := []string{houseOf("one", order.first), houseOf("two", order.second)}
			o, err := judge.NewOverlay(game)
			for _, text := range homebrews {
				if err == nil {
					err = o.Apply(text)
				}
			}
			path := ""
			if conflict, conflicts := errors.AsType[*judge.Conflict](err); conflicts {
				path = conflict.Path
			} else if err != nil {
				t.Fatal(err)
			}
			if path != order.path {
				t.Errorf("%s\n%s\nthe judge: %v, want a conflict at %q", order.first, order.second, err, order.path)
			}
			_, diags := compileBrewed(game, homebrews)
			if diff, _ := compareRefusals(diags, err); diff != "" {
				t.Errorf("%s\n%s\n%s", order.first, order.second, diff)
			}
		}
	}
}

func houseOf(id, changes string) string {
	return fmt.Sprintf("package house\n\nimport \"github.com/tabletop-rules/rules/schema\"\n\nschema.#Homebrew\n"+
		"id: %q\ntitle: \"x\"\nruleset: \"game\"\n%s\n", id, changes)
}
