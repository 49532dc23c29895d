// Package compare says what differs between two plans of a ruleset: in the definitions that people read, and in the answers
// that the graphs give, each difference with its class of change.
package compare
