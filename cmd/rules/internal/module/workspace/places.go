package workspace

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func PlaceUnder(dir string, at plan.Place) plan.Place {
	if at.File != "" {
		at.File = path.Join(filepath.ToSlash(dir), at.File)
	}
	return at
}

// PlacesUnder names the files of diagnostics as they are found from here, when those of the module are named from dir.
// Plans keep the names from the root of their module, so that the same files make the same plan wherever they lie.
func PlacesUnder(dir string, diags []diag.Diagnostic) []diag.Diagnostic {
	out := slices.Clone(diags)
	for i := range out {
		out[i].Place = PlaceUnder(dir, out[i].Place)
		out[i].Related = slices.Clone(out[i].Related)
		for k := range out[i].Related {
			out[i].Related[k].Place = PlaceUnder(dir, out[i].Related[k].Place)
		}
	}
	return out
}
