package load

import "testing"

// TestSharedCite holds that a definition without a cite has that of the innermost @cite around it, and its own before any
// other.
func TestSharedCite(t *testing.T) {
	rs := game(t, `
		@cite("Chapter 1, Fights")
		#Character: {}
		tables: {
			@cite(Charts)
			weapon: {gives: "n", keyed: sword: n: 1}
			armor: {cite: "Armor", gives: "n", keyed: mail: n: 1}
		}
		options: tie: {doc: "Ties.", values: {lost: "they lose", won: "they win"}}
		_shared: output: y: "1"
		rules: strike: {_shared, output: x: "1"}
		errata: typo: {cite: "Errata", printed: "a", ruled: "b", why: "c"}`)
	for name, got := range map[string][2]string{
		"weapon": {rs.Tables[0].Cite.S, "Charts"},
		"armor":  {rs.Tables[1].Cite.S, "Armor"},
		"tie":    {rs.Options[0].Cite.S, "Chapter 1, Fights"},
		"strike": {rs.Rules[0].Cite.S, "Chapter 1, Fights"},
		"typo":   {rs.Errata[0].Cite.S, "Errata"},
	} {
		if got[0] != got[1] {
			t.Errorf("%s cites %q, and %q is what its file says", name, got[0], got[1])
		}
	}
}

// TestCiteAtTheHead holds that an @cite at the head of a definition or an event is its own: before that of the struct around
// it, not for what embeds it, and an erratum's before that of its option.
func TestCiteAtTheHead(t *testing.T) {
	rs := game(t, `
		#Character: {}
		options: tie: {@cite("Ties"), doc: "Ties.", values: {lost: "they lose", won: "they win"}}
		errata: tie: {@cite("Errata"), printed: "a", ruled: "b", why: "c"}
		_step: output: x: "1"
		_shared: {doc: "Shared."}
		rules: {
			@cite("Chapter 2")
			strike: {@cite("Blows")
				_step
			}
			parry: _step & {@cite("Parries"), doc: "A parry."}
			dodge: {_step, _shared}
		}
		procedures: fight: {@cite("Fights")
			#State: over: *false | bool
			events: {
				blow: {@cite("Blows, each"), next: over: true}
				pass: next: over: true
			}
			ends: over: "state.over"
		}`)
	for name, got := range map[string][2]string{
		"option tie":  {rs.Options[0].Cite.S, "Ties"},
		"erratum tie": {rs.Errata[0].Cite.S, "Errata"},
		"strike":      {rs.Rules[0].Cite.S, "Blows"},
		"parry":       {rs.Rules[1].Cite.S, "Parries"},
		"dodge":       {rs.Rules[2].Cite.S, "Chapter 2"},
		"fight":       {rs.Procedures[0].Cite.S, "Fights"},
		"event blow":  {rs.Procedures[0].Events[0].Cite.S, "Blows, each"},
		"event pass":  {rs.Procedures[0].Events[1].Cite.S, ""}, // it is lowered with that of its procedure
	} {
		if got[0] != got[1] {
			t.Errorf("%s cites %q, and %q is what its head says", name, got[0], got[1])
		}
	}
}

// TestErratumStandsWhereItsOptionDoes holds that an erratum without a cite has that of its option, which by default is the
// one of its own name.
func TestErratumStandsWhereItsOptionDoes(t *testing.T) {
	rs := game(t, `
		@cite("Chapter 1")
		#Character: {}
		options: [string]: {doc: "A ruling.", values: {as_ruled: "as ruled", as_printed: "as printed"}}
		options: {tie: cite: "Ties", cap: cite: "Caps"}
		errata: [string]: {printed: "a", ruled: "b", why: "c"}
		errata: {tie: {}, peak: option: "cap", both: {cite: "Both", option: "cap"}, slip: {}}`)
	for i, want := range [][3]string{{"tie", "tie", "Ties"}, {"peak", "cap", "Caps"}, {"both", "cap", "Both"}, {"slip", "", "Chapter 1"}} {
		e := rs.Errata[i]
		if got := [3]string{e.ID, e.Option.S, e.Cite.S}; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestFirstValueIsDefault holds that an option without a default has its first value, wherever CUE sorts it.
func TestFirstValueIsDefault(t *testing.T) {
	rs := game(t, `
		#Character: {}
		options: tie: {cite: "Ties", values: {won: "they win", lost: "they lose"}}
		options: cap: {cite: "Caps", default: "none", values: {hundred: "a hundred", none: "no cap"}}`)
	if got := rs.Options[0].Default.S + " " + rs.Options[1].Default.S; got != "won none" {
		t.Errorf("the defaults are %s, not won none", got)
	}
}

// TestFieldsAreHandedOn holds that a list in the input of a use, and under next, stands for a formula for each of its
// names.
func TestFieldsAreHandedOn(t *testing.T) {
	rs := game(t, `
		#Character: {}
		rules: r: {
			cite: "R"
			use: u: {rule: "s", input: {input: ["skill", "general"], other: ["margin"], "input.weapon": ["reach"], df: "1"}}
			output: x: "u.x"
		}
		procedures: p: {
			cite: "P"
			events: e: next: {event: ["kind"], "character.hits": "0"}
			ends: over: "state.kind == ''"
		}`)
	want := map[string]string{"skill": "input.skill", "general": "input.general", "margin": "other.margin",
		"reach": "input.weapon.reach", "df": "1", "kind": "event.kind", "character.hits": "0"}
	for _, f := range append(rs.Rules[0].Body.Sources[0].Use.Inputs, rs.Procedures[0].Events[0].Next...) {
		if want[f.Name] != f.Formula.Expr.S {
			t.Errorf("%s is %q, not %q", f.Name, f.Formula.Expr.S, want[f.Name])
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("these are lost: %v", want)
	}
}
