// Package graphtest makes graphs by hand, operation by operation, for the tests of what executes graphs: a Builder with the
// plan around it, and cases for every operation. It has no part in any program.
package graphtest
