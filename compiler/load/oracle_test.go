package load

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	cueload "cuelang.org/go/cue/load"
	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The oracle is CUE itself: what was read of a package, written as the JSON that it came from, equals what "cue export"
// prints of the package, with the schema in its place. Definitions (#Input, #Character) are not exported and have tests of
// their own.

// exported is what cue export prints of the package in a directory; not ok when cue vet -c refuses it.
func exported(t *testing.T, fsys fs.FS, dir string) (map[string]any, error) {
	t.Helper()
	inst := cueload.Instances([]string{"."},
		&cueload.Config{FS: fsys, Dir: "/" + dir, Registry: noRegistry{}, Env: []string{}})[0]
	if inst.Err != nil {
		return nil, inst.Err
	}
	v := cuecontext.New().BuildInstance(inst)
	if err := v.Validate(cue.Concrete(true)); err != nil {
		return nil, err
	}
	data, err := v.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		t.Fatal(err)
	}
	for kind, members := range out {
		definitions, _ := members.(object)
		for id, definition := range definitions {
			path := []cue.Selector{cue.Str(kind), cue.Str(id)}
			putHeadCite(t, v, definition, path...)
			if p, ok := definition.(object); ok && kind == "procedures" {
				putHeadCite(t, v, p["start"], append(path, cue.Str("start"))...)
				events, _ := p["events"].(object)
				for name, event := range events {
					putHeadCite(t, v, event, append(path, cue.Str("events"), cue.Str(name))...)
				}
			}
		}
	}
	return normalised(out).(map[string]any), nil
}

// putHeadCite adds the citation that CUE finds in an @cite among the declarations of a definition or an event.
func putHeadCite(t *testing.T, of cue.Value, exported any, path ...cue.Selector) {
	o, ok := exported.(object)
	if !ok || o["cite"] != nil {
		return
	}
	at := of.LookupPath(cue.MakePath(path...))
	for _, a := range at.Attributes(cue.DeclAttr) {
		if a.Name() != "cite" {
			continue
		}
		cite, err := a.String(0)
		if err != nil {
			t.Fatal(err)
		}
		o["cite"] = cite
	}
}

// normalised writes numbers as text, so that 6 and "6" are equal, as they are for the faces of a die; and bands as pairs.
func normalised(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return v.String()
	case []any:
		for i := range v {
			v[i] = normalised(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = normalised(v[k])
		}
	}
	return v
}

type object = map[string]any

// put adds what is not empty: what is left out and what is empty are the same to a reader.
func put(o object, key string, value any) {
	switch v := value.(type) {
	case string:
		if v == "" {
			return
		}
	case object:
		if len(v) == 0 {
			return
		}
	case []any:
		if len(v) == 0 {
			return
		}
	case bool:
		if !v {
			return
		}
	}
	o[key] = value
}

func texts(list []book.Text) (out []any) {
	for _, t := range list {
		out = append(out, t.S)
	}
	return out
}

func described(d *book.Definition) object {
	o := object{"cite": d.Cite.S}
	put(o, "doc", d.Doc)
	put(o, "covers", texts(d.Covers))
	putSaid(o, &d.Said)
	return o
}

// putSaid adds how people read a definition.
func putSaid(o object, s *book.Said) {
	put(o, "label", s.Label.S)
	put(o, "short", s.Short.S)
	for name, x := range map[string]*book.Say{"headline": s.Headline, "say": s.Say, "offered": s.Offered} {
		if x != nil {
			o[name] = sayValue(x)
		}
	}
}

func sayValue(s *book.Say) any {
	if s.Of.S == "" {
		return s.Text.S
	}
	cases := object{}
	for _, c := range s.Cases {
		cases[c.If.S] = sayValue(c.Say)
	}
	return object{s.Of.S: cases}
}

func wordValue(w *book.Word) any {
	o := object{}
	put(o, "short", w.Short.S)
	put(o, "tone", w.Tone.S)
	if w.Yes != nil {
		o["yes"] = wordValue(w.Yes)
	}
	if w.No != nil {
		o["no"] = wordValue(w.No)
	}
	units := object{}
	for _, u := range w.Units {
		if u.Size.S == "" {
			o["unit"] = u.Text.S
		} else {
			units[u.Size.S] = u.Text.S
		}
	}
	put(o, "unit", units)
	if len(o) == 0 {
		return w.Label.S
	}
	put(o, "label", w.Label.S)
	return o
}

func formulaValue(f *book.Formula) any {
	if f.By.S == "" {
		return f.Expr.S
	}
	choice := object{}
	for _, arm := range f.Is {
		choice[arm.Value] = arm.Expr.S
	}
	for _, name := range slices.Backward(strings.Split(f.By.S, ".")) {
		choice = object{name: choice}
	}
	return choice
}

func namedValues(list []book.Named) object {
	o := object{}
	for i := range list {
		o[list[i].Name] = formulaValue(&list[i].Formula)
	}
	return o
}

func requireValues(list []book.Require) object {
	o := object{}
	for _, r := range list {
		o[r.Message] = r.Expr.S
	}
	return o
}

func decisionValues(list []book.Decision) object {
	o := object{}
	for i := range list {
		d := object{"after": texts(list[i].After)}
		for _, b := range list[i].Bounds() {
			put(d, b.Name, b.Text.S)
		}
		o[list[i].Path] = d
	}
	return o
}

func positiveText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func dieValue(d *book.Die) any {
	if d.Notation.S != "" {
		return d.Notation.S
	}
	if d.Roll != nil {
		return rollValue(d.Roll)
	}
	o := object{}
	put(o, "die", d.Faces.S)
	put(o, "faces", d.Rows.S)
	put(o, "pool", d.Pool.S)
	put(o, "zero", positiveText(d.Zero))
	var shown []any
	for _, v := range d.Shows.Values {
		shown = append(shown, strconv.FormatInt(v, 10))
	}
	put(o, "faces", shown)
	var weights []any
	for _, v := range d.Weights.Values {
		weights = append(weights, fmt.Sprint(v))
	}
	put(o, "weights", weights)
	put(o, "count", d.Count.S)
	put(o, "most", positiveText(d.Most))
	put(o, "distinct", d.Distinct)
	if d.Again.S != "" {
		again := object{"on": d.Again.S}
		put(again, "once", d.Once)
		put(again, "when", d.AgainWhen.S)
		o["again"] = again
	}
	if d.Explode.S != "" {
		explode := object{"on": d.Explode.S}
		put(explode, "times", positiveText(d.ExplodeTimes))
		put(explode, "when", d.ExplodeWhen.S)
		put(explode, "into", d.ExplodeInto.S)
		o["explode"] = explode
	}
	return o
}

func rollValue(r *book.Roll) object {
	o := object{"roll": r.Dice.S}
	put(o, "times", r.Times.S)
	put(o, "most", positiveText(r.Most))
	put(o, "repeat", r.Repeat.S)
	if r.Plus != nil {
		o["plus"] = rollValue(r.Plus)
	}
	return o
}

func useValue(u *book.Use) object {
	o := object{"rule": u.Rule.S}
	put(o, "character", u.Character.S)
	put(o, "when", u.When.S)
	put(o, "input", u.Input.S)
	put(o, "input", namedValues(u.Inputs))
	put(o, "each", namedValues(u.Each))
	put(o, "otherwise", namedValues(u.Otherwise))
	return o
}

func putBody(o object, b *book.Body) {
	dice, uses := object{}, object{}
	for _, s := range b.Sources {
		if s.Die != nil {
			dice[s.Die.Name] = dieValue(s.Die)
		} else {
			uses[s.Use.Name] = useValue(s.Use)
		}
	}
	put(o, "dice", dice)
	put(o, "use", uses)
	put(o, "let", namedValues(b.Lets))
	put(o, "decide", decisionValues(b.Decisions))
	put(o, "require", requireValues(b.Requires))
	put(o, "output", namedValues(b.Outputs))
}

func stepValue(s *book.Step) object {
	o := object{}
	put(o, "cite", s.Cite.S)
	put(o, "doc", s.Doc)
	put(o, "covers", texts(s.Covers))
	putSaid(o, &s.Said)
	putBody(o, &s.Body)
	put(o, "next", namedValues(s.Next))
	return o
}

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// putMatrix writes a table with two keys as its author does. A band of one number is written as its first and last, as
// everywhere here.
func putMatrix(t *testing.T, o object, x *book.Table) {
	key := func(k plan.RowKey) any {
		switch k.Kind {
		case plan.KeyedTable:
			return k.Key
		case plan.BandsTable:
			return []any{floatText(k.Lo), floatText(k.Hi)}
		}
		return object{map[bool]string{true: "above", false: "from"}[k.Above]: floatText(k.Lo)}
	}
	var columns, list []any
	for _, c := range x.Across.Rows {
		columns = append(columns, key(c.RowKey))
	}
	named := object{}
	for _, r := range x.Rows {
		var cells []any
		for _, c := range r.Cells {
			var v any
			decoder := json.NewDecoder(strings.NewReader(c.JSON))
			decoder.UseNumber()
			if err := decoder.Decode(&v); err != nil {
				t.Fatalf("table %s: the cell %q: %v", x.ID, c.JSON, err)
			}
			cells = append(cells, normalised(v))
		}
		switch k := key(r.RowKey).(type) {
		case string:
			named[k] = cells
		case object:
			k["cells"] = cells
			list = append(list, k)
		default:
			list = append(list, object{"on": k, "cells": cells})
		}
	}
	o["columns"], o["rows"] = columns, any(named)
	if x.Kind != plan.KeyedTable {
		o["rows"] = list
	}
}

func tableValue(t *testing.T, x *book.Table) object {
	o := described(&x.Definition)
	put(o, "gives", x.Gives.S)
	put(o, "dice", texts(x.Dice))
	put(o, "rising", texts(x.Rising))
	put(o, "falling", texts(x.Falling))
	put(o, "cost", x.Cost.S)
	put(o, "benefit", texts(x.Benefit))
	put(o, "over", x.Over.Dice.S)
	if x.Over.Range {
		o["over"] = []any{floatText(x.Over.Min), floatText(x.Over.Max)}
	}
	if x.Across != nil {
		putMatrix(t, o, x)
		return o
	}
	keyed, listed := object{}, []any{}
	for _, r := range x.Rows {
		row := object{}
		for i, c := range r.Cells {
			var v any
			decoder := json.NewDecoder(strings.NewReader(c.JSON))
			decoder.UseNumber()
			if err := decoder.Decode(&v); err != nil {
				t.Fatalf("table %s: the cell %q: %v", x.ID, c.JSON, err)
			}
			row[x.Columns[i].Name] = normalised(v)
		}
		switch x.Kind {
		case plan.KeyedTable:
			keyed[r.Key] = row
			continue
		case plan.BandsTable:
			row["on"] = []any{floatText(r.Lo), floatText(r.Hi)}
		case plan.StepsTable:
			row[map[bool]string{true: "above", false: "from"}[r.Above]] = floatText(r.Lo)
		}
		listed = append(listed, row)
	}
	if x.Kind == plan.KeyedTable {
		o["keyed"] = keyed
	} else {
		o[x.Kind.String()] = listed
	}
	return o
}

// rulesetValue is a ruleset as the JSON that it was read from.
func rulesetValue(t *testing.T, rs *book.Ruleset) object {
	o := object{"id": rs.ID, "title": rs.Title}
	source := object{"book": rs.Book}
	put(source, "author", rs.Author)
	o["source"] = source
	maps := map[string]object{}
	add := func(kind, id string, value any) {
		if maps[kind] == nil {
			maps[kind] = object{}
			o[kind] = maps[kind]
		}
		maps[kind][id] = value
	}
	for _, x := range rs.Options {
		v, values := described(&x.Definition), object{}
		for _, one := range x.Values {
			values[one.Name] = one.Doc
		}
		v["default"], v["values"] = x.Default.S, values
		add("options", x.ID, v)
	}
	for _, x := range rs.Tables {
		add("tables", x.ID, tableValue(t, x))
	}
	for _, x := range rs.Traits {
		v := described(&x.Definition)
		v["expr"] = formulaValue(&x.Formula)
		add("traits", x.ID, v)
	}
	for _, x := range rs.Functions {
		v, params := described(&x.Definition), object{}
		for _, p := range x.Params {
			params[p.Name] = p.Type.S
		}
		v["expr"], v["params"] = formulaValue(&x.Formula), params
		add("functions", x.ID, v)
	}
	for _, x := range rs.Rules {
		v := described(&x.Definition)
		putBody(v, &x.Body)
		put(v, "otherwise", namedValues(x.Otherwise))
		add("rules", x.ID, v)
	}
	for _, x := range rs.Procedures {
		v, events := described(&x.Definition), object{}
		put(v, "let", namedValues(x.Lets))
		if x.Start != nil {
			v["start"] = stepValue(x.Start)
		}
		for _, e := range x.Events {
			event := stepValue(&e.Step)
			put(event, "when", e.When.S)
			events[e.ID] = event
		}
		put(v, "events", events)
		put(v, "ends", requireValues(x.Ends))
		put(v, "output", namedValues(x.Output))
		add("procedures", x.ID, v)
	}
	for _, x := range rs.Readings {
		add("readings", x.ID, object{"cite": x.Cite.S, "question": x.Question, "ruled": x.Ruled, "rejected": x.Rejected,
			"why": x.Why})
	}
	for _, x := range rs.Errata {
		v := object{"cite": x.Cite.S, "printed": x.Printed, "ruled": x.Ruled, "why": x.Why}
		put(v, "option", x.Option.S)
		add("errata", x.ID, v)
	}
	var allow []any
	for _, a := range rs.Allows {
		v := object{"code": a.Code.S, "why": a.Why}
		put(v, "at", a.At.S)
		allow = append(allow, v)
	}
	put(o, "allow", allow)
	words := object{}
	for _, w := range rs.Words {
		words[w.Name.S] = wordValue(w)
	}
	put(o, "words", words)
	return o
}

// pruned leaves out what is empty, writes a band's single number as a pair, and what is short for something in full. A
// formula that is a number or a truth counts as this, without quotes or with them: 0.0 is 0.
func pruned(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for k, x := range written(v) {
			if text, ok := x.(string); ok && k == "on" && !strings.ContainsAny(text, "<=>") && text != "true" && text != "false" {
				out[k] = []any{text, text}
				continue
			}
			put(out, k, pruned(x))
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, x := range v {
			out = append(out, pruned(x))
		}
		return out
	case string:
		if v == "true" || v == "false" {
			return v == "true"
		}
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return floatText(f)
		}
	}
	return v
}

// written writes out what is short for something: a pool that is a list, outputs and fields that are
// handed on, and rows that say only what is new.
func written(v object) object {
	out := maps.Clone(v)
	if pool, ok := out["pool"].([]any); ok {
		var sizes []string
		for _, x := range pool {
			sizes = append(sizes, x.(string))
		}
		out["pool"] = "[" + strings.Join(sizes, ", ") + "]"
	}
	for _, field := range []string{"output", "input", "next"} {
		formulas, ok := out[field].(object)
		if !ok {
			continue
		}
		full := object{}
		for from, x := range formulas {
			names, forwards := x.([]any)
			if !forwards {
				full[from] = x
			}
			for _, name := range names {
				full[name.(string)] = from + "." + name.(string)
			}
		}
		out[field] = full
	}
	if rows, ok := out["steps"].([]any); ok && out["carry"] == true {
		delete(out, "carry")
		full := []any{}
		for i, x := range rows {
			row := maps.Clone(x.(object))
			for name, cell := range rows[max(0, i-1)].(object) {
				if _, ok := row[name]; !ok && name != "from" && name != "above" {
					row[name] = cell
				}
			}
			rows[i] = row
			full = append(full, row)
		}
		out["steps"] = full
	}
	return out
}

// compareWithCUE reads a package and compares what was read with CUE's export.
func compareWithCUE(t *testing.T, fsys fs.FS, dir string) {
	t.Helper()
	want, err := exported(t, fsys, dir)
	if err != nil {
		t.Fatalf("cue vet refuses it: %v", err)
	}
	var diags diag.List
	rs := Directory(Source{FS: fsys}, dir, &diags)
	for _, d := range diags.Sorted() {
		t.Error(d.String())
	}
	if rs == nil {
		t.Fatal("there is no ruleset")
	}
	compareValues(t, "", pruned(rulesetValue(t, rs)), pruned(want))
}

// defaulted are the members of definitions that are there though CUE has none: the cite of the file, the first value of an
// option, and the option of an erratum.
var defaulted = regexp.MustCompile(`^[.]\w+[.]\w+[.](cite|default)$|^[.]errata[.]\w+[.]option$`)

func compareValues(t *testing.T, path string, got, want any) {
	t.Helper()
	g, gotObject := got.(object)
	w, wantObject := want.(object)
	if !gotObject || !wantObject {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, and %v for CUE", path, got, want)
		}
		return
	}
	for k := range w {
		if _, ok := g[k]; !ok {
			t.Errorf("%s.%s is lost: %v", path, k, w[k])
			continue
		}
		compareValues(t, path+"."+k, g[k], w[k])
	}
	for k := range g {
		if _, ok := w[k]; !ok && !defaulted.MatchString(path+"."+k) {
			t.Errorf("%s.%s is %v, and CUE has none", path, k, g[k])
		}
	}
}

func TestOracleShipped(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	for _, id := range rulesets {
		t.Run(id, func(t *testing.T) { compareWithCUE(t, os.DirFS("../.."), "tables/"+id) })
	}
}

// TestOracleExamples compares the good examples of the catalogue.
func TestOracleExamples(t *testing.T) {
	for _, p := range diag.Pages() {
		if p.Homebrew || strings.HasPrefix(p.Good, "rulesets") {
			continue
		}
		t.Run(string(p.Code), func(t *testing.T) { compareWithCUE(t, tree(t, p.Good), "game") })
	}
}

// schemaCodes are those of problems that CUE has with a package too, be it by itself or by the schema.
var schemaCodes = map[diag.Code]bool{
	"cue-conflict": true, "cue-syntax": true, "missing-field": true, "not-text": true,
	"unknown-field": true, "unknown-reference": true, "wrong-type": true, "bad-revision": true, "bad-type": true,
}

// judgedByCUE holds that what CUE accepts has no problem of CUE's, or of the schema's, when it is read.
func judgedByCUE(t *testing.T, fsys fs.FS) {
	t.Helper()
	if _, err := exported(t, fsys, "game"); err != nil {
		return
	}
	if _, err := exported(t, released(fsys), "."); err != nil {
		return
	}
	var diags diag.List
	rs := Directory(Source{FS: fsys}, "game", &diags)
	for _, d := range diags.Sorted() {
		if schemaCodes[d.Code] {
			t.Errorf("CUE accepts it, and load says %s", d.String())
		}
	}
	if diags.Empty() && !lacksColumns(rs) {
		compareWithCUE(t, fsys, "game")
	}
}

// lacksColumns reports whether a table has rows of cells without columns, which are not read and are reported by check.
func lacksColumns(rs *book.Ruleset) bool {
	return slices.ContainsFunc(rs.Tables, func(x *book.Table) bool { return x.Across != nil && len(x.Across.Rows) == 0 })
}

// released is a module that ships its package game: only a release closes a package, so that CUE judges its own fields.
func released(fsys fs.FS) fs.FS {
	out := fstest.MapFS{}
	if err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		out[name] = &fstest.MapFile{Data: text}
		return err
	}); err != nil {
		panic(err) // a file system in memory
	}
	if out["rules.cue"] == nil {
		out["rules.cue"] = &fstest.MapFile{Data: []byte(`package rules

import (
	"github.com/tabletop-rules/rules/game"
	"github.com/tabletop-rules/rules/schema"
)

rulesets: [schema.#ID]: schema.#Release
rulesets: "game": {rules: game, revision: "1.0.0"}
`)}
	}
	return out
}

// TestVerdicts compares verdicts on every bad example, and on every case of golden/diag.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	for _, p := range diag.Pages() {
		if p.Homebrew || strings.HasPrefix(p.Bad, "rulesets") {
			continue
		}
		t.Run(string(p.Code), func(t *testing.T) { judgedByCUE(t, tree(t, p.Bad)) })
	}
	cases, err := filepath.Glob("../../golden/diag/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("there are no cases", err)
	}
	for i, name := range cases {
		if !portion.Takes(i, 3) || filepath.Base(name) == "unknown-reference_schema_type.txtar" {
			continue // CUE reads a definition only where a value uses it, and no value of this one does
		}
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fsys := tree(t, "")
		delete(fsys, "game/body.cue")
		homebrew := false
		for _, f := range archive.Files {
			homebrew = homebrew || strings.HasPrefix(f.Name, "house/")
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		if !homebrew {
			t.Run(filepath.Base(name), func(t *testing.T) { judgedByCUE(t, fsys) })
		}
	}
}

// A moduleWriter writes rulesets at random that say the same kinds of things in CUE's many ways.
type moduleWriter struct {
	*rand.Rand
	text strings.Builder
	n    int
}

func (w *moduleWriter) name(prefix string) string {
	w.n++
	return prefix + strconv.Itoa(w.n)
}

func (w *moduleWriter) pick(forms ...string) string { return forms[w.IntN(len(forms))] }

// row is a row with the columns v, b and s, each in some way.
func (w *moduleWriter) row() string {
	v := w.IntN(90)
	return w.pick(
		fmt.Sprintf(`{v: %d, b: 1, s: "x"}`, v),
		fmt.Sprintf(`#row & {v: %d}`, v),
		fmt.Sprintf(`{#row, v: %d}`, v),
		fmt.Sprintf(`{_base, v: %d, s: "q"}`, v),
		fmt.Sprintf(`{v: *%d | int, b: *3 | 4, s: *"row" | string}`, v),
		fmt.Sprintf(`{let k = %d, v: k + 1, b: k * 2, s: "\(k)"}`, v),
		fmt.Sprintf(`{v: %d, s: strings.ToUpper("ab"), if v > 40 {b: 7}, if v <= 40 {b: 8}}`, v),
		fmt.Sprintf(`{for k, x in {v: %d, b: 2} {(k): x}, s: "for"}`, v),
		fmt.Sprintf(`{#row & {b: 5}, v: list.Max([%d, 3]), ["s"]: "pattern"}`, v),
		fmt.Sprintf(`*{v: %d, b: 2, s: "alt"} | {v: 1, b: 1, s: ""}`, v),
		fmt.Sprintf(`{(_base & {v: %d}), s: _}`, v),
	)
}

// keyed writes the rows of a keyed table.
func (w *moduleWriter) keyed() string {
	var b strings.Builder
	b.WriteString(w.pick("", "[string]: #row\n", "[=~\"^k\"]: b: *1 | int\n",
		"[!~\"^z\"]: {s: *\"row\" | string}\n[string]: #row\n"))
	for range 1 + w.IntN(4) {
		switch w.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "%s: %s\n", w.name("k"), w.row())
		case 1:
			fmt.Fprintf(&b, "%q: {#row, v: %d}\n", w.name("k "), w.IntN(50))
		case 2:
			fmt.Fprintf(&b, "for i in list.Range(0, %d, 1) {\"%s\\(i)\": {#row, v: i}}\n", w.IntN(4), w.name("r"))
		case 3:
			fmt.Fprintf(&b, "{for n, r in {%s: {v: 4}} {(n): {r, #row, b: 1}}}\n", w.name("e"))
		case 4:
			fmt.Fprintf(&b, "(\"%s\" + \"x\"): {#row, v: 2}\n", w.name("c"))
		case 5:
			fmt.Fprintf(&b, "if len(_names) > %d {%s: {#row, v: 6}}\n", w.IntN(4), w.name("i"))
		}
	}
	fmt.Fprintf(&b, "%s: {#row, v: 0}\n", w.name("last"))
	return b.String()
}

func (w *moduleWriter) table() {
	id := w.name("t")
	if w.IntN(3) > 0 {
		fmt.Fprintf(&w.text, "tables: %s: {\n_cite\nkeyed: {\n%s}\n}\n", id, w.keyed())
		return
	}
	rows := []string{`{on: 1, #row, v: 3}`, `for i, n in _names {on: [2 + 2*i, 3 + 2*i], v: i, b: 1, s: n}`,
		`{on: [20, 30], v: 2, s: "z", b: *2 | 3}`}
	fmt.Fprintf(&w.text, "tables: %s: {_cite, bands: [%s]}\n", id, strings.Join(rows[:1+w.IntN(3)], ", "))
}

func (w *moduleWriter) rule() {
	id, formula := w.name("r"), w.pick(`"1 + 2"`, `2`, `1.5`, `*-3 | int`, `_formula`, `"\(_n) + 1"`, `*"7" | string`,
		`option: band: {up: "1", down: _formula}`,
		`strings.Join(["1", "2"], " + ")`, `{option: band: _choice}`)
	body := w.pick(
		`{_cite, output: x: %s}`,
		`{_cite, dice: [string]: {die: *6 | int, explode: {on: *"max" | int, into: *"die" | "dice"}}, dice: {`+
			`d: count: 2, e: explode: into: "dice", f: {faces: [for i in list.Range(0, 3, 1) {i - 1}], explode: on: 1}, `+
			`}, output: x: %s}`,
		`{_cite, #Input: points: *0 | int, decide: [_]: {after: [for n, _ in dice {n}], least: *0 | number}, `+
			`dice: a: "2d6", decide: points: most: "a[0]", if _n > 3 {require: ok: "a[1] > 0"}, output: x: %s}`,
		`{_shared & {doc: "\(len(_names))"}, output: x: %s}`,
		`{_cite, let B=output, output: x: %s, output: y: "1", doc: "\(len([for k, _ in B {k}]))"}`,
		`{_cite, use: [U=string]: {rule: "base", each: (U): "range(2)", otherwise: {z: *1 | number, w: true}}, `+
			`use: u1: _, use: u2: when: strings.Join([for n in _names {"character.strength > \(len(n))"}], " && "), output: x: %s}`,
		`{cite: "p. \(_n)", dice: {[=~"^a"]: "d6", a1: _, b: {die: _n, count: *2 | int}}, output: x: %s}`,
		`{_cite, dice: {c: {_roll, most: 9}, _roll: {roll: "d\(_n)", times: *2 | int, plus: roll: "1"}}, output: x: %s}`,
		`{#ruled, output: {x: %s, for n in _names {"o_\(n)": "2"}}}`,
		`_cite & {require: {"must be \(_n)": "true"}, let: {[string]: _formula, one: _}, output: x: %s}`,
		`{_cite, use: u: {rule: "base", input: {for n in _names {"f.\(n)": "1"}}}, output: x: %s}`,
	)
	fmt.Fprintf(&w.text, "rules: %s: %s\n", id, fmt.Sprintf(body, formula))
}

// other writes a definition that is neither a rule nor a table with one key.
func (w *moduleWriter) other() {
	id := w.name("o")
	fmt.Fprintf(&w.text, w.pick(
		`traits: %s: {_cite, expr: _formula}`,
		`traits: {for n in _names {"%s_\(n)": {cite: n, expr: option: band: {up: "1", down: *2 | number}}}}`,
		`functions: %s: {_cite, params: {[string]: *"int" | string, a: _, b: "list(int)"}, expr: *"a" | string}`,
		`tables: %s: {_cite, columns: [for n in _names {n}], rows: {[_]: [...int], a: [1, 2, 3], b: [4, _n, math.Floor(6.5)]}}`,
		`tables: %s: {_cite, gives: "c", columns: [[1, 1], [2, 4]], rows: [for i in [0, 1] {on: [2 * i, 2 * i + 1], cells: [i, i + 1]}]}`,
		`tables: %s: {_cite, carry: true, steps: [{from: 0, #row, v: 1}, for i in [1, 2] {from: 2 * i, v: i}]}`,
		`tables: %s: {_cite, dice: ["d"], keyed: [string]: d: *"1d6" | string, keyed: {a: _, b: d: "2d\(_n)", if true {c: d: "1"}}}`,
		`errata: %s: {cite: "e", printed: "a", ruled: strings.TrimSpace(" b "), why: *"c" | "d", option: "band"}`,
		`procedures: %s: {_cite, #State: n: *0 | int, start: {dice: a: "d6", next: {"n": *"a" | string}}, `+
			`events: [E=string]: {cite: E, next: n: *"state.n + 1" | string}, events: {for x in _names {(x): when: "state.n > \(len(x))"}}, `+
			`ends: {over: "state.n > \(_n)"}, output: total: "state.n"}`,
		`procedures: %s: P={_cite, #State: n: *0 | int, _round: {next: n: "state.n"}, let: [string]: *"1" | string, let: one: _, `+
			`events: {a: {_round, doc: P.cite}, b: _round & {output: m: 2.5}}, ends: e: "state.n > 3"}`,
		`rules: {for i, n in _names if i < 2 {"%s_\(n)": _shared & {let: base: "\(i)", output: [n]: "base"}}}`,
	)+"\n", id)
}

// generatedSeeds are the seeds of the modules that a test generates: those of one run, or so many from -first-module on.
func generatedSeeds() (first, end uint64) {
	n := *generatedModules
	if n == 0 && testing.Short() {
		n = 20
	} else if n == 0 {
		n = uint64(portion.Of(30, 60))
	}
	return *firstModule, *firstModule + n
}

var (
	generatedModules = flag.Uint64("modules", 0, "how many modules are generated for CUE to judge; 0: a few")
	firstModule      = flag.Uint64("first-module", 0, "the seed of the first of them")
)

// generateModule is the text of a module; the same for the same seed.
func generateModule(seed uint64) (string, *rand.Rand) {
	w := &moduleWriter{Rand: rand.New(rand.NewPCG(seed, 12))}
	w.text.WriteString(moduleHead)
	for range 3 {
		w.table()
		w.rule()
		w.other()
	}
	return w.text.String(), w.Rand
}

// TestOracleGenerated compares generated modules: a seeded sample.
func TestOracleGenerated(t *testing.T) {
	first, end := generatedSeeds()
	for seed := first; seed < end; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			text, _ := generateModule(seed)
			compareWithCUE(t, tree(t, text), "game")
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

const moduleHead = `package game

import ("list", "math", "strings")

_names: ["one", "two", "three"]
_n: *5 | int
_formula: "character.strength + \(_n)"
_choice: {up: "1", down: "2"}
_cite: {cite: *"here" | string, covers: ["a", for n in _names {"s_\(n)"}], ...}
_base: {v: int, b: 4, s: *"row" | string}
_shared: {_cite, dice: {[string]: *"2d6" | string, first: _}, let: strong: "character.strength", output: {...}, ...}
#row: {on?: _, v: int, b: *1 | int, s: *"row" | string}
#ruled: {cite: "ruled", doc?: string, let: [string]: string, let: y: "1", output: [string]: _, ...}
options: band: {cite: "1", default: *"up" | "down", values: {up: "u", down: "\(_n) down"}}
readings: [string]: {cite: "all", why: *"why" | string}
readings: one: {question: "?", ruled: strings.Repeat("a", 3), rejected: "b"}
_more: math.Abs(-1)
_unused: strings.Contains("a", "b") || len(list.Sort([2, 1], list.Ascending)) > 0
`

// The places where a module is altered: a word that the schema knows, or a string or a number.
var (
	knownWord = regexp.MustCompile(`\b(cite|doc|keyed|bands|steps|columns|rows|cells|on|from|dice|die|count|most|explode|into|roll|` +
		`times|plus|use|rule|input|each|otherwise|let|require|output|decide|after|least|expr|params|events|ends|next|start|when|` +
		`printed|ruled|why|question|rejected|default|values|gives|carry|by|is)\b(:)`)
	literalValue = regexp.MustCompile(`("[a-z][a-z0-9_ .]*"|\b[0-9]+\b)([,}\]\n])`)
)

// alterModule makes one change to a module, of which most are mistakes.
func alterModule(text string, r *rand.Rand) string {
	body := len(moduleHead)
	at := func(re *regexp.Regexp) []int {
		all := re.FindAllStringSubmatchIndex(text[body:], -1)
		found := slices.Clone(all[r.IntN(len(all))])
		for i := range found {
			found[i] += body
		}
		return found
	}
	pick := func(forms ...string) string { return forms[r.IntN(len(forms))] }
	switch r.IntN(4) {
	case 0:
		m := at(knownWord)
		return text[:m[2]] + text[m[2]:m[3]] + pick("x", "s", "?", "!") + text[m[4]:]
	case 1:
		m := at(regexp.MustCompile(`\{`))
		return text[:m[1]] + pick("zzz: 1, ", "cite: 5, ", "_hidden: 1, ", "#Other: int, ", `doc: "d", `, "doc?: string, ", "output: {}, ",
			`"a b": "1", `) + text[m[1]:]
	case 2:
		m := at(literalValue)
		return text[:m[2]] + pick("7", `"x"`, "true", "null", "[1]", "{a: 1}", "2.5", "string", "*1 | 2", "_") + text[m[3]:]
	}
	m := at(knownWord)
	return text[:m[2]] + pick("cite", "output", "dice", "keyed", "expr", "on", "most") + text[m[4]:]
}

// TestVerdictsGenerated holds of generated modules with one change each that CUE and load judge alike: what CUE accepts,
// alone and in a release, has no problem of CUE's or of the schema's; what CUE refuses has some problem.
func TestVerdictsGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	first, end := generatedSeeds()
	refused := 0
	for seed := first; seed < end; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			text := alterModule(generateModule(seed))
			fsys := tree(t, text)
			judgedByCUE(t, fsys)
			_, alone := exported(t, fsys, "game")
			_, inRelease := exported(t, released(fsys), ".")
			if cause := cmp.Or(alone, inRelease); cause != nil {
				refused++
				var diags diag.List
				Directory(Source{FS: fsys}, "game", &diags)
				if diags.Empty() {
					t.Errorf("load says nothing, and CUE refuses it: %v", cause)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
	if n := int(end - first); refused < n/4 || refused == n {
		t.Errorf("CUE refuses %d of %d altered modules: the changes say little", refused, n)
	}
}
