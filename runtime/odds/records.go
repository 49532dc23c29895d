package odds

import "github.com/tabletop-rules/rules/runtime/plan"

// Records are what an evaluation reads: JSON by root, nil for {}.
type Records [plan.NumRoots][]byte
