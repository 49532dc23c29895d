package summary

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Bins is how many bins a histogram has at most.
const Bins = 20

// A Row is what is known of an output in a group, as JSON and columns have it. What does not apply is left out.
type Row struct {
	By        map[string]string `json:"by,omitempty"`
	Output    string            `json:"output"`
	Kind      string            `json:"kind"`
	Records   uint64            `json:"records"` // of the group
	Weight    float64           `json:"weight"`  // of the values: as many as records, or with odds their probabilities
	Mean      *float64          `json:"mean,omitempty"`
	Deviation *float64          `json:"deviation,omitempty"`
	Least     *float64          `json:"least,omitempty"`
	P05       *float64          `json:"p05,omitempty"`
	P25       *float64          `json:"p25,omitempty"`
	Median    *float64          `json:"median,omitempty"`
	P75       *float64          `json:"p75,omitempty"`
	P95       *float64          `json:"p95,omitempty"`
	Greatest  *float64          `json:"greatest,omitempty"`
	Histogram []Bin             `json:"histogram,omitempty"`
	Values    []TextWeight      `json:"values,omitempty"` // the most frequent first
	Others    *float64          `json:"others,omitempty"` // the weight of further values
}

// A TextWeight is a text and its weight.
type TextWeight struct {
	Value  string  `json:"value"`
	Weight float64 `json:"weight"`
}

// Rows are those of all outputs of all groups.
//
// Groups come in the order of their keys and outputs in that of the rule: the same summary has the
// same rows.
func (s *Summary) Rows() ([]Row, error) {
	var out []Row
	for _, key := range slices.Sorted(maps.Keys(s.Groups)) {
		var values []string
		if err := json.Unmarshal([]byte(key), &values); err != nil {
			return nil, err
		}
		by := map[string]string{}
		for i, name := range s.By {
			by[name] = values[i]
		}
		g := s.Groups[key]
		for i, f := range s.Outputs {
			r := Row{By: by, Output: f.Name, Kind: kindName(f.Type.Kind), Records: g.Records}
			if o := g.Outputs[i]; o.Spread != nil {
				r.describeSpread(o.Spread)
			} else {
				r.describeTally(o.Tally)
			}
			out = append(out, r)
		}
	}
	return out, nil
}

func kindName(k plan.Kind) string {
	return map[plan.Kind]string{plan.Int: "int", plan.Double: "double", plan.Bool: "bool", plan.String: "string"}[k]
}

// describeSpread takes what a row tells of a number. Pointers are left nil where there is nothing
// to tell, so that a mean of 0 is not mistaken for none.
func (r *Row) describeSpread(s *Spread) {
	r.Weight = s.Weight()
	if r.Weight == 0 { // with odds, when the rule refuses whatever falls
		return
	}
	mean, deviation, least, greatest := s.Mean(), s.Deviation(), s.least, s.most
	r.Mean, r.Deviation, r.Least, r.Greatest = &mean, &deviation, &least, &greatest
	for _, q := range []struct {
		to **float64
		at float64
	}{{&r.P05, 0.05}, {&r.P25, 0.25}, {&r.Median, 0.5}, {&r.P75, 0.75}, {&r.P95, 0.95}} {
		v := s.Quantile(q.at)
		*q.to = &v
	}
	r.Histogram = s.Histogram(Bins)
}

// describeTally lists texts by how often they occur, those of equal weight by their letters: a
// map's own order would change from run to run.
func (r *Row) describeTally(t *Tally) {
	for _, text := range slices.Sorted(maps.Keys(t.Counts)) {
		r.Values = append(r.Values, TextWeight{text, t.Counts[text]})
		r.Weight += t.Counts[text]
	}
	slices.SortStableFunc(r.Values, func(a, b TextWeight) int { return cmp.Compare(b.Weight, a.Weight) })
	if r.Weight += t.Others; t.Others > 0 {
		r.Others = &t.Others
	}
}

// WriteJSON writes the rows as one document.
func (s *Summary) WriteJSON(w io.Writer, head map[string]any) error {
	rows, err := s.Rows()
	if err != nil {
		return err
	}
	head["dead"], head["outputs"] = s.Dead, rows
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// WriteTable writes the rows for people.
func (s *Summary) WriteTable(w io.Writer) error {
	rows, err := s.Rows()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(append(slices.Clone(s.By), "output", "records", "mean", "deviation", "least", "5 %",
		"median", "95 %", "greatest"), "\t"))
	for i := range rows {
		r := &rows[i]
		var cells []string
		for _, name := range s.By {
			cells = append(cells, r.By[name])
		}
		cells = append(cells, r.Output, fmt.Sprint(r.Records))
		if r.Mean == nil {
			fmt.Fprintf(t, "%s\t%s\n", strings.Join(cells, "\t"), shares(r))
			continue
		}
		for _, v := range []*float64{r.Mean, r.Deviation, r.Least, r.P05, r.Median, r.P95, r.Greatest} {
			cells = append(cells, fmt.Sprintf("%.6g", *v))
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// shares are the most frequent values with their shares.
func shares(r *Row) string {
	const most = 8
	var out []string
	for i, v := range r.Values {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(r.Values)-most))
			break
		}
		out = append(out, fmt.Sprintf("%s %.4g %%", v.Value, 100*v.Weight/r.Weight))
	}
	return strings.Join(out, ", ")
}

// Batch is the rows as columns.
//
// Arrow's reader of JSON builds the nested columns; it reads just the document that WriteJSON
// prints, but flat, so the two have the same numbers.
func (s *Summary) Batch() (arrow.RecordBatch, error) {
	rows, err := s.Rows()
	if err != nil {
		return nil, err
	}
	number := arrow.PrimitiveTypes.Float64
	var fields []arrow.Field
	for _, name := range s.By {
		fields = append(fields, arrow.Field{Name: "by." + name, Type: arrow.BinaryTypes.String})
	}
	fields = append(fields, arrow.Field{Name: "output", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "kind", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "records", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "weight", Type: number})
	for _, name := range []string{"mean", "deviation", "least", "p05", "p25", "median", "p75", "p95", "greatest"} {
		fields = append(fields, arrow.Field{Name: name, Type: number, Nullable: true})
	}
	fields = append(fields,
		arrow.Field{Name: "histogram", Nullable: true, Type: arrow.ListOf(arrow.StructOf(
			arrow.Field{Name: "from", Type: number}, arrow.Field{Name: "to", Type: number},
			arrow.Field{Name: "weight", Type: number}))},
		arrow.Field{Name: "values", Nullable: true, Type: arrow.ListOf(arrow.StructOf(
			arrow.Field{Name: "value", Type: arrow.BinaryTypes.String}, arrow.Field{Name: "weight", Type: number}))},
		arrow.Field{Name: "others", Type: number, Nullable: true})
	var text []json.RawMessage
	for i := range rows {
		row, err := flatRow(&rows[i])
		if err != nil {
			return nil, err
		}
		text = append(text, row)
	}
	all, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	schema := arrow.NewSchema(fields, nil)
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(string(all)))
	return batch, err
}

// flatRow is a row as a JSON object without objects, but for lists.
func flatRow(r *Row) (json.RawMessage, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var of map[string]any
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, err
	}
	delete(of, "by")
	for name, value := range r.By {
		of["by."+name] = value
	}
	return json.Marshal(of)
}
