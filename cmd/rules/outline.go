package main

import (
	"encoding/hex"
	"encoding/json"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// An outline is what version and the overview of list say of a ruleset. It is small and kept by itself, so that neither
// reads a plan.
type outline struct {
	shippedRevision
	Names []describe.KindNames `json:"names"`
}

// readOutlines returns the outlines of all rulesets of the module.
func readOutlines(s *settings) (outlines []outline, err error) {
	data, err := s.Derive("outlines", func(plans []*plan.Plan) ([]byte, error) {
		return json.Marshal(outlinesOf(plans))
	})
	if err != nil {
		return nil, err
	}
	return outlines, json.Unmarshal(data, &outlines)
}

func outlinesOf(plans []*plan.Plan) (outlines []outline) {
	for _, p := range plans {
		digest := planfile.Digest(p)
		outlines = append(outlines, outline{
			shippedRevision{p.Ruleset, p.Revision, "sha256:" + hex.EncodeToString(digest[:])}, describe.NamesByKind(p),
		})
	}
	return outlines
}
