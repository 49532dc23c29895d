package explain

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// messageOf returns the message of an error itself; one without a message only carries another.
func messageOf(e errors.Error) string {
	format, args := e.Msg()
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	if cause := errors.Unwrap(e); text == "" && cause != nil {
		return cause.Error()
	}
	return text
}

// classifyError gives the code of one of CUE's errors, and its text as a diagnostic words it.
//
// CUE's errors have no codes, so the text decides. The order matters: a limit is an error without a
// path too, and would be "cue-syntax". The texts matched here are those of the version of
// cuelang.org/go in go.mod; TestDiagnostics and the pages of the catalogue fail when an upgrade
// changes one.
func classifyError(e errors.Error) (diag.Code, string) {
	text, path := messageOf(e), e.Path()
	var limit *limitError
	switch {
	case errors.As(e, &limit):
		return limitCode, text
	case incomplete().MatchString(e.Error()): // also as the cause of a call that failed
		return "not-concrete", incomplete().FindString(e.Error())
	case strings.HasSuffix(text, "field not allowed") && len(path) > 0:
		return "unknown-field", fmt.Sprintf("there is no field %s here", path[len(path)-1])
	case missing().MatchString(text), isUnreadable(e):
		return "no-package", text
	case len(path) == 0:
		return "cue-syntax", text
	}
	return "cue-conflict", text
}

// subjectOf returns the subject at a path of CUE's: "procedure climb, event fall, let"
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

// isUnreadable reports whether an error is that of a file that cannot be read.
func isUnreadable(e errors.Error) bool {
	var cause *fs.PathError
	return errors.As(e, &cause)
}

// incomplete is what CUE says of a computation that has a type in place of a value.
var incomplete = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`non-concrete value .*`) })

var missing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`cannot find (package|module)|found packages|no package|no files|no CUE files|import cycle`)
})

// kinds are the names of the definitions in CUE's paths.
var kinds = map[string]string{
	"options": "option", "tables": "table", "traits": "trait", "functions": "function", "rules": "rule",
	"procedures": "procedure", "readings": "reading", "errata": "erratum", "events": "event", "rulesets": "release",
}

// A limitError is an error that CUE did not find itself: it has a code of its own.
type limitError struct{ cueError }

// cueError has a name of its own because a struct cannot embed Error and have its method.
type cueError = errors.Error

const limitCode diag.Code = "evaluation-limit"

// BeyondLimit is an error of a text that would take too long to evaluate.
func BeyondLimit(at token.Pos, format string, args ...any) errors.Error {
	return &limitError{errors.Newf(at, format, args...)}
}

// DescribeRowError returns CUE's message about a row of a homebrew, or a general one where CUE's would print its own
// workings.
func DescribeRowError(err error) string {
	first := errors.Errors(err)[0]
	text := messageOf(first)
	if strings.ContainsAny(text, "{\n") || alternatives().MatchString(text) {
		return "its cells do not go together"
	}
	if path := first.Path(); len(path) > 0 {
		return path[len(path)-1] + ": " + text
	}
	return text
}

var alternatives = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+ errors in empty disjunction`) })

var structuralCycle = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`structural cycle`) })

// IsStructuralCycle reports whether an error is that of a value which contains itself. CUE gives it no place.
func IsStructuralCycle(message string) bool { return structuralCycle().MatchString(message) }
