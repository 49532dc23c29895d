package plan

import "strconv"

func FormatDouble(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
