// Package planfile writes plans and releases to files and reads them back, whole or rule by rule, trusting no byte of them.
//
// # One description for both ways
//
// Writing and reading that are written twice drift apart. Here each part of a plan is described once, by methods of a
// codec that either appends a value to the file or takes it from there; file.go has the layout. Strings and types stand
// where they occur first in a part and are numbers from then on: the nodes of a rule name the same few over and over.
//
// # Reading a part
//
// Who plays one rule needs a small share of a plan, and starting is most of what that takes. So a file begins with a
// directory of parts, and every rule is a part of its own: Cut reads the names, the tables and one rule, and gives a whole,
// smaller plan, so that nothing else has to know that parts may be missing. Citations, which only people and traces read,
// come last.
//
// # Two digests
//
// The digest of an archive is that of its directory, which has the digest of every part: two files with one digest hold
// the same bytes. The function Digest leaves out the words and the stored instructions. These follow from the graphs,
// for the defaults of the options; a newer program may schedule better, and a file without them is as good. What a
// release promises, and what a receipt names, is the rules, and so it is the second digest that must not change when
// the scheduler does. Neither of them says whether two plans answer alike: that compares meanings (package compare).
//
// # Trust
//
// Digests find damage, not malice, for whoever alters a part can digest it again. What is read is therefore proved: lengths
// and counts are bounded before anything is allocated, parts must be those of the directory and used up to the last byte,
// and plan.Verify holds before a plan is given out. Instructions are checked by schedule.Restore, which knows them. A fuzz
// target puts arbitrary bytes in the place of each part and of the directory: the worst that comes of it is an error, or
// wrong numbers within the frame.
//
// # One rule
//
// "rules eval tempestas test" with a plan file reads the head: the magic, the format, and the
// digest and length of the directory (readHead); then the directory, whose digest must fit; then
// five parts of the plan, "names", "options", "tables", "character" and "errata", and the part
// "rule test" (Cut), each compared with its digest. In "rule test" a node is a few bytes: its
// operation, its kind, its operands, its immediate and its site, each as a varint, which is one
// byte for small numbers. The string "rule test, let penalty" stands in the table of sites once, as
// the byte 0, its length and its text, and is a number of its own in other places. plan.Verify
// checks the six parts as if they were a whole plan, because they are one: of one rule. Where the
// file has the part "instructions of rule test", schedule.Restore makes instructions of it and nothing is
// scheduled.
//
// # In which order to read
//
// file.go is the layout and writing; archive.go opens a file and reads parts; codec.go describes the parts, terms.go
// those that traces read, words.go the texts for people; release.go adds what a release has beside its plan.
//
// TestFileKeepsEverything and TestReleaseKeepsEverything read what was written;
// TestEveryTruncationIsRefused, TestEveryBitCounts, TestAlteredPartsAreReadOrRefused and FuzzRead
// read what was damaged; TestCutReadsWhatIsAskedFor counts the parts that are read;
// TestInstructionsAreNoPartOfTheDigest and TestFileDigestCoversInstructions hold the two digests.
//
// Invariant: the same plan gives the same bytes on every machine, and reading what was written gives an equal plan.
package planfile
