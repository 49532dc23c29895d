package runtime

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Errors are of two kinds. An *UnknownError, an *InputError and a *dice.Error are mistakes of who asks: a name, JSON that
// does not fit, a face too many, too few or impossible. *Refused and *Failure are answers: the rules do not allow what was
// asked, or a formula has no value.

// An UnknownError reports a name that nothing has. Its text suggests the nearest name that exists.
type UnknownError = plan.UnknownError

// Refused is an evaluation that a requirement ended: what was asked is not legal. Its Require has the message.
type Refused = vm.Refused

// A Failure is a formula that has no value: an overflow, a division by zero, a key that a map or a table does not have.
// Its Site says where.
type Failure = vm.Failure

// An InputError is JSON that does not fit what a rule asks for: malformed, of another type, out of bounds, missing,
// unknown or written twice. It names the path, the line and the column.
type InputError = jsonio.InputError
