package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addf adds a diagnostic and remembers its line: CUE's own words about the same line would only repeat it.
func (r *reader) addf(code diag.Code, at plan.Place, subject, format string, args ...any) *diag.Diagnostic {
	r.said[line{at.File, at.Line}] = true
	return r.diags.Addf(code, at, subject, format, args...)
}

// cueErrors reports what CUE found: syntax, imports, conflicts.
func (r *reader) cueErrors(err error) {
	for _, e := range errors.Errors(err) {
		r.cueError(e)
	}
}

func (r *reader) cueError(e errors.Error) {
	at := r.blame(e)
	if r.said[line{at.File, at.Line}] {
		return
	}
	code, message := classify(e)
	r.addf(code, at, subject(e.Path()), "%s", message)
}

// blame is the place that the author can do something about: the first that is not the schema's.
func (r *reader) blame(e errors.Error) plan.Place {
	positions := append([]token.Pos{e.Position()}, e.InputPositions()...)
	for _, p := range positions {
		if p.IsValid() && !r.schema[p.Filename()] {
			return r.place(p)
		}
	}
	return plan.Place{}
}

// subject names what an error's path leads to: "rules.test.dice" is "rule test, dice".
func subject(path []string) string { return strings.Join(path, ".") }

// classify gives the code of one of CUE's errors, and its message in the words of a diagnostic.
func classify(e errors.Error) (diag.Code, string) {
	format, args := e.Msg()
	message := strings.TrimSpace(fmt.Sprintf(format, args...))
	switch {
	case strings.HasSuffix(message, "field not allowed"):
		path := e.Path()
		if len(path) > 0 {
			return "unknown-field", fmt.Sprintf("there is no field %s here", path[len(path)-1])
		}
		return "unknown-field", message
	case strings.Contains(message, "reference") && strings.Contains(message, "not found"):
		return "unknown-reference", message
	case strings.Contains(message, "import") || strings.Contains(message, "package"):
		return "no-package", message
	case len(e.Path()) == 0:
		return "cue-syntax", message
	}
	return "cue-conflict", message
}

var unresolved = regexp.MustCompile(`^reference "(.*)" not found$`)

// references reports names that CUE does not know, with the name that may be meant, and whether there are any.
func (r *reader) references(inst *build.Instance, err error) bool {
	found := false
	for _, e := range errors.Errors(err) {
		format, args := e.Msg()
		if m := unresolved.FindStringSubmatch(fmt.Sprintf(format, args...)); m != nil {
			d := r.addf("unknown-reference", r.blame(e), "", "there is no %s", m[1])
			d.Repair = diag.DidYouMean(m[1], r.known(inst))
			found = true
		}
	}
	return found
}

// known are the names of a package that can be referred to everywhere in it.
func (r *reader) known(inst *build.Instance) []string {
	var out []string
	for _, f := range r.pkg(inst).list {
		out = append(out, f.name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// conflicts reports the errors of a value that reading it did not meet.
func (r *reader) conflicts(v cue.Value) {
	if err := v.Validate(); err != nil {
		r.cueErrors(err)
	}
}
