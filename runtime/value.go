package runtime

import "github.com/tabletop-rules/rules/runtime/jsonio"

// A Value is a value of a sheet: a number, a truth, a string, a list, a map or a record. Kind says which of its accessors
// gives it: Int, Double, Bool, Text; Len and At; Names and Get. The zero Value is no value.
type Value = jsonio.Value

// PinName is the member of a character that names the revision by which it is to be played: "tempestas 0.1.0", or
// "0.1.0". It is no part of the rules, so it stands beside the fields that they know, at the top of a character alone. A
// character that becomes another one in a procedure keeps it.
const PinName = jsonio.PinName
