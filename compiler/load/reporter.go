package load

import (
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A reporter reports what CUE refuses in a module.
type reporter struct {
	*cueModule
	diags          *diag.List
	dir            string         // of the package that is read
	contradictions contradictions // that CUE need not report again
	paths          pathIndex
	marks          *marks // collected when the first error is reported
}

func newReporter(m *cueModule, diags *diag.List) *reporter {
	return &reporter{cueModule: m, diags: diags, contradictions: contradictions{}, paths: newPathIndex(m)}
}

func (r *reporter) addf(code diag.Code, at plan.Place, subject, format string, args ...any) *diag.Diagnostic {
	return r.diags.Addf(code, at, subject, format, args...)
}

// markedSyntax are the marks of all files that are read, collected once: a file may have thousands of errors.
func (r *reporter) markedSyntax() *marks {
	if r.marks == nil || r.marks.packages != len(r.packages) {
		r.marks = collectMarks(r.packages)
	}
	return r.marks
}
