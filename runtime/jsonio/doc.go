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
// # One character
//
// The schema of {strength: int & >=0 & <=20, skills: {[string]: int}, name?: string} has four
// slots: strength, the span of skills, whether there is a name, and the name's symbol. Of the text
//
//	{"strength": 12, "skills": {"swim": 40, "climb": 60}}
//
// readRecord reserves a bit for each member on the stack, to know which were there. readAhead
// compares the next eight bytes with those of "strength": and then the eight at its end, converts
// 12 from the next word, finds it in the fast range 0 to 20 and stores it in slot 0. skills is no
// short number, so the loop of readFields goes on: matchUpcoming finds its name, and readMap reads
// the entries behind each other onto the stack, as symbol and value: swim 40, climb 60. sortEntries
// exchanges them, storeSpan moves four slots to the arena, and slot 1 gets the span: offset and
// length 2. The closing brace ends the record; one bit is missing, that of name, which is optional:
// its presence slot stays 0.
//
// Had strength been 25, fastRange would have refused it, and checkBounds, which knows the words,
// gives "must be at most 20, not 25", with path .strength, and finishError adds line and column.
//
// # In which order to read
//
// schema.go prepares; scan.go is the grammar and decoder.go the values; decoder_errors.go,
// decoder_pin.go, pin.go and input_error.go what is refused and why; packed.go keeps a decoded
// value for many frames. encoder.go writes, template.go writes many alike, value.go is a value
// outside of any frame.
//
// FuzzDecode compares with encoding/json; TestDecodeReadsNumbersAsOthersDo,
// TestIntsAreWrittenAsStrconvDoes and TestDoublesAreWrittenShortest compare numbers with strconv;
// TestPackedValuesLoadAsDecoded holds packed.go.
//
// Invariants: text that was accepted is in bounds, so that intervals computed from the schema hold; the bytes of a sheet
// depend on its values alone.
package jsonio
