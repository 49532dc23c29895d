package site

import (
	"errors"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
)

// wordError returns the text of an error without the path of the server's files, and with the names that forms have for the
// parts of a question.
func wordError(err error) string { return query.NameMembers(exit.PathOnly(err).Error()) }

// isAbout reports whether an error is about a value of a record.
func isAbout(err error, root string) bool {
	e, ok := errors.AsType[*runtime.InputError](err)
	return ok && e.Root == root
}
