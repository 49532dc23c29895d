package plan

import (
	"slices"
	"strconv"
)

// TableKind says how a table finds a row. What kinds differ in is written once for each phase, in a table with a row for
// each kind: here for whatever runs, compares or shows a plan, in load for how rows are written in CUE, in check for the
// keys that must have a row. Nothing that executes a plan asks which kind a table is of; it asks for a property. What shows
// or edits a ruleset may: a table of names is printed otherwise than one of numbers.
type TableKind uint8

// The kinds of tables, as in the book.
const (
	KeyedTable TableKind = iota // by equality with a string
	BandsTable                  // by the closed interval that holds the key
	StepsTable                  // by the last limit that the key has reached or passed
)

// A kindRow is the properties of one kind of table.
type kindRow struct {
	name      string                               // the member that holds the rows in CUE
	numbers   bool                                 // keys are numbers and not strings
	closed    bool                                 // a row ends at its own last key, and not where the next one begins
	keyFields []string                             // the members of a row that say its key; none where the row has a name
	field     func(k RowKey) string                // the one of these that says a key; "key" where there is none
	limits    func(k RowKey) []float64             // the numbers that stand in that member
	label     func(k RowKey, ends []string) string // the key for reading, with its numbers written out
}

var kindRows = [...]kindRow{
	KeyedTable: {
		name:   "keyed",
		field:  func(RowKey) string { return "key" },
		limits: func(RowKey) []float64 { return nil },
		label:  func(k RowKey, _ []string) string { return k.Key },
	},
	BandsTable: {
		name: "bands", numbers: true, closed: true, keyFields: []string{"on"},
		field:  func(RowKey) string { return "on" },
		limits: func(k RowKey) []float64 { return []float64{k.Lo, k.Hi} },
		label: func(k RowKey, ends []string) string {
			if k.Lo == k.Hi {
				return ends[0]
			}
			return ends[0] + " to " + ends[1]
		},
	},
	StepsTable: {
		name: "steps", numbers: true, keyFields: []string{"from", "above"},
		field:  stepField,
		limits: func(k RowKey) []float64 { return []float64{k.Lo} },
		label:  func(k RowKey, ends []string) string { return stepField(k) + " " + ends[0] },
	},
}

func stepField(k RowKey) string {
	if k.Above {
		return "above"
	}
	return "from"
}

// NumTableKinds is the number of kinds; each less than it is one.
const NumTableKinds = TableKind(len(kindRows))

// String returns the word for the kind: the member that holds the rows in CUE.
func (k TableKind) String() string { return kindRows[k].name }

// HasNumbers reports whether keys are numbers, ints or doubles as these are compared; otherwise they are strings.
func (k TableKind) HasNumbers() bool { return kindRows[k].numbers }

// KeyFields returns the members of a row in CUE that say its key and are no cells; none where a row is found by its name.
func (k TableKind) KeyFields() []string { return kindRows[k].keyFields }

// isClosed reports whether a row ends at its own Hi. Otherwise it ends where the next one begins, and the last has no end.
func (k TableKind) isClosed() bool { return kindRows[k].closed }

// A RowKey is what finds a row of a table.
type RowKey struct {
	Kind   TableKind
	Key    string  // where keys are strings
	Lo, Hi float64 // the first and the last number of a band; Lo alone is the limit of a step
	Above  bool    // of a step: the limit itself is outside
}

// WordKey returns the key of a row that is found by a string.
func WordKey(key string) RowKey { return RowKey{Kind: KeyedTable, Key: key} }

// KeyOfLimits returns the key that a member of a row says with a number, or with the first and the last. It is false when
// no kind of table has such a member.
func KeyOfLimits(field string, low, high float64) (RowKey, bool) {
	for kind := range NumTableKinds {
		k := RowKey{Kind: kind, Lo: low, Hi: high, Above: field == "above"}
		if slices.Contains(kind.KeyFields(), field) {
			return k, true
		}
	}
	return RowKey{}, false
}

// IndexedTable returns a table whose rows are found by their numbers, from 0.
func IndexedTable(id string, row *Type, cells []int64) Table {
	out := Table{ID: id, Kind: BandsTable, Row: row, Cells: cells}
	for i := range len(cells) / row.Slots() {
		out.Lo, out.Hi = append(out.Lo, float64(i)), append(out.Hi, float64(i))
		out.Above, out.Order = append(out.Above, false), append(out.Order, int32(i))
	}
	return out
}

// String returns the key for reading, by which homebrews name a row too: head, 5, 1 to 6, from 3, above 3.
func (k RowKey) String() string {
	var ends []string
	for _, x := range k.Limits() {
		ends = append(ends, FormatDouble(x))
	}
	return kindRows[k.Kind].label(k, ends)
}

// Quoted is String with quotes around a key that is a string.
func (k RowKey) Quoted() string {
	if !k.Kind.HasNumbers() {
		return strconv.Quote(k.Key)
	}
	return k.String()
}

// Field returns the member of a row that says its key: on, from, above; key for a string.
func (k RowKey) Field() string { return kindRows[k.Kind].field(k) }

// Limits returns the numbers that stand in Field: of a band the first and the last, of a step its limit; none for a string.
func (k RowKey) Limits() []float64 { return kindRows[k.Kind].limits(k) }
