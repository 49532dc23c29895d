// Package oracle holds the execution of formulas against others: the conformance cases of CEL, and CEL's own interpreter
// on every formula that ships and on generated ones. It has tests only.
package oracle
