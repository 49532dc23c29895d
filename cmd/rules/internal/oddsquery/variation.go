package oddsquery

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A variation is an input left open: its values as JSON.
type variation struct {
	name   string // as --set has it: names of members between dots
	values []json.RawMessage
}

// maxVaried bounds the values of one variation, and all rows of a table.
const maxVaried = 10_000

// parseVariation reads "name=1..20" or "name=0,10,30". By the shape a string needs no quotes.
func parseVariation(text string, shape *plan.Shape) (v variation, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" {
		return v, fmt.Errorf("--vary %s: it is NAME=1..20 or NAME=0,10,30", text)
	}
	v.name = name
	if lo, hi, is := strings.Cut(list, ".."); is {
		from, err1 := strconv.ParseInt(lo, 10, 64)
		to, err2 := strconv.ParseInt(hi, 10, 64)
		switch {
		case err1 != nil || err2 != nil:
			return v, fmt.Errorf("--vary %s: a range is of ints, such as 1..20", text)
		case from > to:
			return v, fmt.Errorf("--vary %s: the range is empty", text)
		case uint64(to)-uint64(from) >= maxVaried: // unsigned: the difference of two int64 may overflow
			return v, fmt.Errorf("--vary %s: more than %d values", text, maxVaried)
		}
		for n := range to - from + 1 {
			v.values = append(v.values, json.RawMessage(strconv.FormatInt(from+n, 10)))
		}
		return v, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		a, err := argdata.ParseAssignment(name+"="+part, shape)
		if err != nil {
			return v, fmt.Errorf("--vary %s: %w", text, err)
		}
		v.values = append(v.values, a.Value)
	}
	return v, nil
}
