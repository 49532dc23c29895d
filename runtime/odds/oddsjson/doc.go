// Package oddsjson holds answers of odds as JSON, a promise to programs: a member may be added, none renamed or given
// another unit.
//
// Probabilities are numbers from 0 to 1, fractions are strings such as "5/36", values keep their types. Means, quantiles
// and modes belong to numbers only. "work" counts the states that were met, which a budget bounds. The command, the
// server, the tool server and the module for browsers write the same types, so that one client reads them all.
package oddsjson
