package argdata

import (
	"slices"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                            nil,
		"  rest\t":                    {"rest"},
		"act aspect=body":             {"act", "aspect=body"},
		`say text="a b" to=them`:      {"say", `text="a b"`, "to=them"},
		`say text="a \" b" x=1`:       {"say", `text="a \" b"`, "x=1"},
		`hit at=[1, 2] of={"a": [ ]}`: {"hit", "at=[1, 2]", `of={"a": [ ]}`},
	} {
		if got := splitWords(text); !slices.Equal(got, want) {
			t.Errorf("%s gives %q, want %q", text, got, want)
		}
	}
}
