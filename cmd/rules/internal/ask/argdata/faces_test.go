package argdata

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestParseGiven(t *testing.T) {
	sheet := filepath.Join(t.TempDir(), "sheet.json")
	if err := os.WriteFile(sheet, []byte(`{"rule": "x", "dice": {"roll": [4, 2]}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		values []string
		list   []int64
		byID   map[string][]int64
	}{
		{values: []string{"43,7"}, list: []int64{43, 7}},
		{values: []string{" 43 , 7 "}, list: []int64{43, 7}},
		{values: []string{"43", "7,1"}, list: []int64{43, 7, 1}},
		{values: []string{"-1"}, list: []int64{-1}},
		{values: []string{"5 2"}, list: []int64{5, 2}},
		{values: []string{`{"roll": [4, 2]}`}, byID: map[string][]int64{"roll": {4, 2}}},
		{values: []string{""}},
		{values: []string{"roll=43"}, byID: map[string][]int64{"roll": {43}}},
		{values: []string{"roll=43,7", "roll=1", "use[2].die=5"},
			byID: map[string][]int64{"roll": {43, 7, 1}, "use[2].die": {5}}},
		{values: []string{"roll="}, byID: map[string][]int64{"roll": nil}},
		{values: []string{sheet}, byID: map[string][]int64{"roll": {4, 2}}},
	} {
		got, err := ParseGiven(test.values, &Files{})
		if err != nil {
			t.Errorf("%q: %v", test.values, err)
			continue
		}
		if !slices.Equal(got.List, test.list) || !maps.EqualFunc(got.ByID.ByID(), test.byID, slices.Equal) ||
			(got.ByID == nil) != (test.byID == nil) {
			t.Errorf("%q gives %v and %v", test.values, got.List, got.ByID)
		}
	}
}

func TestParseGivenRefuses(t *testing.T) {
	for _, values := range [][]string{{"roll=x"}, {"=5"}, {"4,,5"}, {"roll=1", "5"}, {"nonesuch.json"},
		{"99999999999999999999"}, {"1-2"}} {
		if got, err := ParseGiven(values, &Files{}); err == nil {
			t.Errorf("%q is accepted: %v", values, got)
		}
	}
}
