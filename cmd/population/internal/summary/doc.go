// Package summary tells what the answers of a population have in common, without keeping them: how many there are, mean,
// deviation, quantiles and histogram of each output, in each group of records.
//
// # Order must not matter
//
// Records are summed up part by part, by several workers or machines, and the parts are merged. Sums of floating point
// numbers depend on their order, so the same population would have two means. Here sums are exact (ExactSum), and a mean
// is rounded once, at the end. An output of few values, as most of a game are, is counted value by value, so that its
// quantiles are exact. One of many values goes into a sketch: DDSketch (Masson, Rim and Lee, VLDB 2019) keeps counts in
// buckets that grow by a constant factor, so that a quantile is off by at most one part in two hundred of itself, and
// merging adds counts. Whether values are counted or sketched depends on how many there are in all, not on the order in
// which they came.
package summary
