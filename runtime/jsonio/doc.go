// Package jsonio reads records in JSON into the slots of a frame, by the schema of the input, and writes sheets as JSON
// from slots.
//
// # Reading in one pass, by the schema
//
// The usual way reads JSON into a generic value, or by reflection into a struct, then checks it, then copies it to where
// it is needed: two or three passes and an allocation for each name and number. But the plan says exactly what a
// character looks like, and the frame has a slot for each of its fields. So a Schema is the shape prepared for reading,
// and a Decoder walks the text once, with the schema beside it: it judges grammar, UTF-8, names, types and bounds where
// it stands, and writes the number into its slot.
//
// What makes it fast is guessing, never trusting: members mostly stand in the author's order, so the decoder compares the
// next bytes with the name that should come (as words of eight bytes, prepared in the schema) before it reads a name and
// looks it up in a hash table; whole numbers of up to seven digits are converted from one word without a branch per
// digit; bounds that are plain ranges are one comparison. Whatever does not look as guessed takes the slow path, which is
// the one that knows errors. Every error names the JSON path, line and column.
//
// Elements of a list must lie together although lists in them are read first, so slots grow on a stack and are copied to
// the arena when their list ends. Maps are sorted by key. Defaults that are more than a number or a word are JSON in the
// schema and are read like any text.
//
// # Writing
//
// JSON is written by one Encoder, which is a vm.Sink: whoever walks a value hands it over part by part. For many records
// a Template keeps the bytes that all sheets of a rule share, and puts numbers and strings between them with the
// functions of the Encoder.
//
// Invariants: text that was accepted is in bounds, so that intervals computed from the schema hold; the bytes of a sheet
// depend on its values alone.
package jsonio
