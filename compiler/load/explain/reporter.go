package explain

import (
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Reporter reports what CUE refuses in a module.
type Reporter struct {
	*site.Module
	Dir            string               // of the package that is read
	Contradictions shape.Contradictions // of inputs: reported already, and CUE may find them too

	diags  *diag.List
	broken []string // the field of a character, an input or a state that the reported error leaves without a type
	paths  site.PathIndex
	marks  *marks // collected when the first error is reported
}

// NewReporter gives a reporter of one module; its packages may be read later.
func NewReporter(m *site.Module, diags *diag.List) *Reporter {
	return &Reporter{Module: m, diags: diags, Contradictions: shape.Contradictions{}, paths: site.NewPathIndex(m)}
}

func (r *Reporter) addf(code diag.Code, at plan.Place, subject, format string, args ...any) *diag.Diagnostic {
	d := r.diags.Addf(code, at, subject, format, args...)
	d.Breaks = r.broken
	return d
}

// markedSyntax are the marks of all files that are read, collected once: a file may have thousands of errors.
func (r *Reporter) markedSyntax() *marks {
	if r.marks == nil || r.marks.packages != len(r.Packages) {
		r.marks = collectMarks(r.Packages)
	}
	return r.marks
}
