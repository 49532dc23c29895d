// Package schema embeds the schema of rulesets, so that what reads a ruleset knows the fields of its definitions from the
// same file that editors and cue vet read. It must not import anything of ours.
package schema

import _ "embed"

// Text is schema.cue.
//
//go:embed schema.cue
var Text string
