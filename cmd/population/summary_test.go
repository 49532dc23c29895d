package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/population/internal/summary"
	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// A document is a summary as JSON.
type document struct {
	Dead    uint64        `json:"dead"`
	Outputs []summary.Row `json:"outputs"`
}

func (d *document) row(t *testing.T, output string, by ...string) *summary.Row {
	t.Helper()
	for i := range d.Outputs {
		r := &d.Outputs[i]
		if r.Output == output && (len(by) == 0 || r.By[by[0]] == by[1]) {
			return r
		}
	}
	t.Fatalf("there is no row of %s %v", output, by)
	return nil
}

func summarize(t *testing.T, args ...string) (*document, string) {
	t.Helper()
	status, out, said := population(t, nil, append([]string{"summary"}, args...)...)
	if out == "" {
		t.Fatalf("status %d: %s", status, said)
	}
	d := &document{}
	if err := json.Unmarshal([]byte(out), d); err != nil {
		t.Fatal(err)
	}
	return d, out
}

// A summary tells of the outputs that eval writes, and the same for any number of workers.
func TestSummary(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	list := muster(5000, false)
	writeText(t, filepath.Join(dir, "in.ndjson"), lines(list))
	in := filepath.Join(dir, "in.parquet")
	writeColumns(t, in, schemaFor(t, b.plan("arena"), "strike", false), list, 700)
	sheets, errs := expected(t, b, filepath.Join(dir, "in.ndjson"), "--plan", b.plan("arena"), "strike", "--seed", "5")
	outputs := outputsOf(t, sheets)
	sum, hits, words := 0.0, 0.0, map[string]float64{}
	byWord := map[string]float64{}
	for _, o := range outputs {
		sum += o["pace"].(float64)
		words[o["word"].(string)]++
		byWord[o["word"].(string)] += o["total"].(float64)
		if o["hits"].(bool) {
			hits++
		}
	}
	args := []string{b.plan("arena"), "strike", in, "--seed", "5", "--format", "json", "--by", "word"}
	d, first := summarize(t, append(args, "--workers", "1")...)
	if _, again := summarize(t, append(args, "--workers", "4")...); again != first {
		t.Errorf("four workers give another summary than one:\n%s\n%s", again, first)
	}
	if d.Dead != uint64(len(errs)) {
		t.Errorf("%d dead letters, want %d", d.Dead, len(errs))
	}
	for word, n := range words {
		r := d.row(t, "total", "word", word)
		if float64(r.Records) != n || math.Abs(*r.Mean-byWord[word]/n) > 1e-9 {
			t.Errorf("%s: %d records, mean %v, want %v, %v", word, r.Records, *r.Mean, n, byWord[word]/n)
		}
	}
	// Keys of doubles are those that sheets have, whether a record went through columns or through a sheet.
	paces := map[string]float64{}
	for _, o := range outputs {
		paces[jsonio.DoubleValue(o["pace"].(float64)).String()]++
	}
	byPace, _ := summarize(t, append(slices.Clone(args[:len(args)-1]), "pace")...)
	for pace, n := range paces {
		if r := byPace.row(t, "total", "pace", pace); float64(r.Records) != n {
			t.Errorf("pace %s: %d records, want %v", pace, r.Records, n)
		}
	}
	all, _ := summarize(t, args[:len(args)-2]...)
	if r := all.row(t, "pace"); math.Abs(*r.Mean-sum/float64(len(outputs))) > 1e-9 {
		t.Errorf("the mean of pace is %v, want %v", *r.Mean, sum/float64(len(outputs)))
	}
	for _, v := range all.row(t, "hits").Values {
		if v.Value == "true" && v.Weight != hits {
			t.Errorf("%v hits, want %v", v.Weight, hits)
		}
	}
	_, table, said := population(t, nil, "summary", b.plan("arena"), "strike", in, "--seed", "5")
	if !strings.Contains(table, "median") || !strings.Contains(table, "height") ||
		!strings.Contains(said, fmt.Sprintf("%d of 5000 records have no answer", len(errs))) {
		t.Errorf("the table is\n%s%s", table, said)
	}
	out := filepath.Join(dir, "summary.parquet")
	_, _, said = population(t, nil, "summary", b.plan("arena"), "strike", in, "--seed", "5", "--by", "word,hits", "-o", out)
	if !strings.Contains(said, "have no answer") {
		t.Error(said)
	}
	if rows := rowsOf(t, out); len(rows) != len(all.Outputs)*3 || rows[0]["by.word"] == nil {
		t.Errorf("%d rows in Parquet: %v", len(rows), rows)
	}
}

// With odds every face counts by its chance: the mean of a die is its own, and the deviation has no error of sampling.
func TestSummaryOfOdds(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.ndjson")
	var list [][]byte
	for _, strength := range []int{3, 5, 10} {
		list = append(list, fmt.Appendf(nil, `{"strength":%d,"renown":1,"speed":2,"trade":"smith","home":{"floor":0}}`, strength))
	}
	list = append(list, []byte(`{"strength":3,"renown":1,"speed":2,"trade":"bard","brave":false,"home":{"floor":0}}`))
	writeText(t, in, lines(list))
	d, _ := summarize(t, b.plan("arena"), "strike", in, "--odds", "--set", "foe=15", "--format", "json",
		"--output", "total,hits")
	r := d.row(t, "total")
	// d20 has mean 10.5 and variance 399/12; strengths 3, 5, 10 have mean 6 and variance 26/3.
	deviation := math.Sqrt(399.0/12 + 26.0/3)
	if math.Abs(*r.Mean-16.5) > 1e-9 || math.Abs(*r.Deviation-deviation) > 1e-9 || math.Abs(r.Weight-3) > 1e-9 {
		t.Errorf("mean %v, deviation %v, weight %v", *r.Mean, *r.Deviation, r.Weight)
	}
	// At least 15 is reached by faces 12, 10, and 5 up: 9, 11 and 16 of 20.
	for _, v := range d.row(t, "hits").Values {
		if want := (9 + 11 + 16) / 20.0; v.Value == "true" && math.Abs(v.Weight-want) > 1e-9 {
			t.Errorf("hits have weight %v, want %v", v.Weight, want)
		}
	}
}
