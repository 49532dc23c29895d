package site

import (
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
)

// chances are the probabilities of which a page says where they are reached.
var chances = []float64{.5, .75, .95}

// shortPercent writes a percentage without the zeros at its end.
func shortPercent(p float64) string {
	text := strings.TrimSuffix(layout.FormatPercent(p), "%")
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + "%"
}
