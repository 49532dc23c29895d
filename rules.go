// Package rules embeds the release: what ships, the schema, the rulesets, and the cases that hold them.
package rules

import "embed"

// Files is the CUE module of the release, and the golden cases. It holds no Go.
//
//go:embed rules.cue cue.mod schema/*.cue tables golden/*/*.txtar golden/*/*.json
//go:embed golden/*/statements.txt golden/*/survivors.txt
var Files embed.FS
