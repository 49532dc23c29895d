package load

import (
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A module may keep the schema anywhere that CUE finds it, and import it under another name.
func TestSchemaOfAModule(t *testing.T) {
	text := `package game

import s "` + schemaPath + `"

s.#Ruleset

id:    "game"
title: "Game"
source: book: "Game"
#Character: {}
readings: {[s.#ID]: s.#Reading}
readings: one: {cite: "1", question: "?", ruled: "a", rejected: "b", why: "c"}
`
	tree := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte(
			"module: \"example.com/game@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"cue.mod/pkg/" + schemaPath + "/schema.cue": {Data: []byte(
			"package schema\n#Ruleset: {...}\n#ID: string\n#Reading: {...}\n")},
		"game.cue": {Data: []byte(text)},
	}
	var diags diag.List
	rs := Directory(Source{FS: tree}, ".", &diags)
	if rs == nil || !diags.Empty() {
		t.Fatalf("%v", diags.Sorted())
	}
	if len(rs.Readings) != 1 || rs.Readings[0].Place.Line != 12 {
		t.Errorf("readings: %+v", rs.Readings)
	}
}
