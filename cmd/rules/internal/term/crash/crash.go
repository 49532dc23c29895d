// Package crash words a panic for whoever meets it: a fault of this program, to be reported.
//
// A command may end by a panic, since it answers nobody else. A server, an editor's session and a worker recover at the
// border of a request, and nowhere below: the one request fails, and the next one begins with state of its own.
package crash

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Repair says what to do about a fault.
const Repair = "this is a fault of the program: please report it at " +
	"https://github.com/tabletop-rules/rules/issues, " +
	"with this line, what \"rules version\" prints, and the text that was changed last"

// Describe returns the value and the place of a panic, on one line. It must be called by the deferred function that has
// recovered the value, as the place is read from its stack.
func Describe(value any) string {
	text := strings.Join(strings.Fields(fmt.Sprint(value)), " ")
	const longest = 300
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " ..."
	}
	return fmt.Sprintf("the program has failed at %s: %s", origin(), text)
}

// Report returns the description of a panic, and the way to report it.
func Report(value any) string { return Describe(value) + "; " + Repair }

// origin returns the file and the line of the function that has panicked: the first one below the runtime's own.
func origin() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		isRuntime := strings.HasPrefix(f.Function, "runtime.")
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && !isRuntime:
			return fmt.Sprintf("%s/%s:%d", path.Base(path.Dir(f.File)), path.Base(f.File), f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
