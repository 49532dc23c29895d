package site

import (
	"errors"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
)

// wordError returns the text of an error without the path of the server's files.
func wordError(err error) string { return exit.PathOnly(err).Error() }

// isAbout reports whether an error is about a value of a record.
func isAbout(err error, root string) bool {
	e, ok := errors.AsType[*runtime.InputError](err)
	return ok && e.Root == root
}
