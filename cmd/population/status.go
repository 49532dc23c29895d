package main

// Exit statuses, as those of rules.
const (
	done    = 0
	refused = 1 // some records have no sheet: the rule refuses, or a formula has no value
	unasked = 2 // the question could not be asked, or some records do not fit

	interrupted = 130 // as shells have it
)

// A statusError ends the command with a status. What there was to say has been said when it has no text.
type statusError struct {
	status int
	text   string
}
