package load

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func (r *reader) addf(code diag.Code, at plan.Place, subject, format string, args ...any) *diag.Diagnostic {
	return r.diags.Addf(code, at, subject, format, args...)
}

// cueErrors reports what CUE found: syntax, imports, conflicts. Of the alternatives that a value fits none of, the first
// stands for all.
func (r *reader) cueErrors(err error) {
	told := map[string]bool{}
	for _, e := range errors.Errors(err) {
		path := strings.Join(e.Path(), ".")
		if alternatives.MatchString(messageOf(e)) || path != "" && told[path] {
			continue
		}
		told[path] = true
		r.cueError(e)
	}
}

var alternatives = regexp.MustCompile(`^\d+ errors in empty disjunction`)

func (r *reader) cueError(e errors.Error) {
	if cause, ok := errors.Unwrap(e).(errors.Error); ok && messageOf(e) == "import failed" {
		r.importError(e, cause)
		return
	}
	code, text := classifyError(e)
	places := r.placesOf(e)
	at := places[0]
	if code == "cue-conflict" && r.said[line{at.File, at.Line}] {
		return
	}
	d := r.addf(code, at, subjectOf(e.Path()), "%s", text)
	for _, p := range places[1:] {
		d.Related = append(d.Related, diag.Related{Place: p, Message: "see also"})
	}
}

// importError reports why a package that is imported cannot be read: where that is, or else where it is imported.
func (r *reader) importError(e, cause errors.Error) {
	if cause.Position().IsValid() && cause.Position() != e.Position() {
		r.cueErrors(cause)
		return
	}
	r.addf("no-package", r.placesOf(e)[0], "", "%s", messageOf(cause))
}

// placesOf are where an error comes from, each once, at least one.
func (r *reader) placesOf(e errors.Error) []plan.Place {
	var out []plan.Place
	for _, p := range append([]token.Pos{e.Position()}, e.InputPositions()...) {
		if at := r.placeOf(p); p.IsValid() && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		out = append(out, plan.Place{File: r.fileName(r.dir)})
	}
	return out
}

// messageOf is what an error says itself; one that says nothing only carries another.
func messageOf(e errors.Error) string {
	format, args := e.Msg()
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	if cause := errors.Unwrap(e); text == "" && cause != nil {
		return cause.Error()
	}
	return text
}

// classifyError gives the code of one of CUE's errors, and its text as a diagnostic words it.
func classifyError(e errors.Error) (diag.Code, string) {
	text, path := messageOf(e), e.Path()
	var limit *limitError
	switch {
	case errors.As(e, &limit):
		return limitCode, text
	case strings.HasSuffix(text, "field not allowed") && len(path) > 0:
		return "unknown-field", fmt.Sprintf("there is no field %s here", path[len(path)-1])
	case missing.MatchString(text), isUnreadable(e):
		return "no-package", text
	case len(path) == 0:
		return "cue-syntax", text
	}
	return "cue-conflict", text
}

var missing = regexp.MustCompile(
	`cannot find (package|module)|found packages|no package|no files|no CUE files|import cycle`)

// isUnreadable reports whether an error is that of a file that cannot be read.
func isUnreadable(e errors.Error) bool {
	var cause *fs.PathError
	return errors.As(e, &cause)
}

// kinds are the names of the definitions in CUE's paths.
var kinds = map[string]string{
	"options": "option", "tables": "table", "traits": "trait", "functions": "function", "rules": "rule",
	"procedures": "procedure", "readings": "reading", "errata": "erratum", "events": "event", "rulesets": "release",
}

// subjectOf names what a path of CUE's leads to: "procedure climb, event fall, let"
func subjectOf(path []string) string {
	var out []string
	for i := 0; i < len(path); i++ {
		kind, ok := kinds[path[i]]
		if ok && i+1 < len(path) {
			i++
			out = append(out, kind+" "+path[i])
			continue
		}
		out = append(out, path[i])
	}
	return strings.Join(out, ", ")
}

// standardPackage reports whether a name is that of a package of CUE which rulesets use.
func standardPackage(name string) bool {
	return name == "list" || name == "math" || name == "strings" || name == "struct"
}

// reportReferences reports names that CUE does not know, with those that may be meant, and whether there are any.
func (r *reader) reportReferences() bool {
	found := false
	for _, inst := range r.insts {
		names := r.packageScope(inst).index
		for _, f := range inst.Files {
			for _, id := range f.Unresolved {
				if id.Name == f.PackageName() || names[id.Name] != nil || r.isPredeclared(id) {
					continue
				}
				found = true
				d := r.addf("unknown-reference", r.placeOf(id.Pos()), "", "there is no %s", id.Name)
				d.Repair = diag.DidYouMean(id.Name, slices.Collect(maps.Keys(names)))
				if standardPackage(id.Name) {
					d.Repair = fmt.Sprintf("write import %q", id.Name)
				}
			}
		}
	}
	return found
}

// isPredeclared reports whether a name is one of CUE's own.
func (r *reader) isPredeclared(id *ast.Ident) bool {
	return r.ctx.BuildExpr(ast.NewIdent(id.Name)).Err() == nil
}

// reportConflicts reports the errors of a value that reading it did not meet.
func (r *reader) reportConflicts(v cue.Value) {
	if err := v.Validate(); err != nil {
		r.cueErrors(err)
	}
}
