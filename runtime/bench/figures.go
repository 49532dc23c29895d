package main

import "fmt"

// A figure is how many times faster one engine is than another, and how many times it shall be.
type figure struct {
	name, title string
	slow, fast  string // engines
	toReach     float64
}

// figuresToReach are ratios of engines that are measured in one process.
func figuresToReach() []figure {
	return []figure{
		{"figure_one", "one record, checked before: hand-written Go to ours", "go", "ours_kept", 1},
		{"figure_one_fields", "one record, each field checked: hand-written Go to ours", "go", "ours_symbols", 1 / 1.2},
		{"figure_cel", "one record: cel-go, variables in a map, to ours", "cel_map", "ours_kept", 45},
		{"figure_generated_go", "one record, each field checked: hand-written Go to generated, names as numbers", "go",
			"generated_go_numbers", 1 / 0.3},
		{"figure_generated_go_strings", "one record, each field checked: hand-written Go to generated, names as strings",
			"go", "generated_go", 1 / 0.45},
		{"figure_generated_js", "one record in V8: hand-written JavaScript to generated", "v8", "v8_generated", 1 / 0.6},
		{"figure_columns", "1,024 at once: hand-written Go to ours", "go", "ours_columns", 4},
		{"figure_cores", "1,024 at once: one core to all", "ours_columns", "ours_columns_cores", 1.9},
		{"figure_ndjson", "lines of JSON, one core: encoding/json and Go to ours", "ndjson_go", "ndjson_1", 7},
		{"figure_ndjson_person", "long lines of JSON, one core: encoding/json and Go to ours", "ndjson_person_go",
			"ndjson_person_1", 7},
	}
}

// figures are the ratios of those engines that were measured.
func figures(engines []*engine) (out []row) {
	least := map[string]float64{}
	for _, e := range engines {
		least[e.name] = e.least()
	}
	for _, f := range figuresToReach() {
		if slow, fast := least[f.slow], least[f.fast]; slow > 0 && fast > 0 {
			out = append(out, row{f.name, fmt.Sprintf("%s (to reach: %.3g)", f.title, f.toReach), "times", slow / fast})
		}
	}
	return out
}
