package plan

// What plays and their odds say of a procedure that has come to none of its ends. No end has such a name (IsStatus).
const (
	Open  = "open"
	Stuck = "stuck" // no event of the policy can happen
	// Refused is an event, or the start, that a requirement refuses. It changes nothing, and nothing follows it.
	Refused = "refused"
	// Endless is a state that leads, however often it is left, only to such as lead back to it.
	Endless = "endless"
	// Outgrown is a state that does not fit its own declaration any more, so that it cannot be read and gone on with.
	Outgrown = "outgrown"
	// Unfollowed is all that comes of dice that explode further than was followed.
	Unfollowed = "unfollowed"
)

// IsStatus reports whether a name says of a procedure that it has come to none of its ends.
func IsStatus(name string) bool {
	switch name {
	case Open, Stuck, Refused, Endless, Outgrown, Unfollowed:
		return true
	}
	return false
}
