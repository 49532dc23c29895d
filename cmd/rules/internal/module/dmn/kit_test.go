package dmn

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var kit = flag.String("kit", "", "the folder TestCases of a checkout of the public test kit of DMN (dmn-tck/tck)")

// tableFolders are those of level 3 that hold decision tables.
var tableFolders = []string{"0004", "0008", "0017", "0020", "0035", "0036", "0037", "0038", "0039", "0040", "0041", "0086",
	"0087", "0088"}

// TestKit plays the cases of the public test kit: all of level 2, and the folders of level 3 with decision tables. A case
// is right when all its results are. Where the kit expects null, the rule must refuse. The other folders of level 3 are
// imported or refused, and counted.
func TestKit(t *testing.T) {
	if *kit == "" {
		t.Skip("-kit DIR names no checkout of the kit")
	}
	level2, all2 := playFolders(t, "compliance-level-2", nil)
	level3, all3 := playFolders(t, "compliance-level-3", tableFolders)
	t.Logf("level 2: %d of %d cases; level 3, folders with decision tables: %d of %d cases", level2, all2, level3, all3)
	if level2 != 116 || all2 != 116 || level3 != 51 || all3 != 51 {
		t.Errorf("want 116 of 116 and 51 of 51")
	}
	countOthers(t)
}

func playFolders(t *testing.T, level string, only []string) (right, all int) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(*kit, level, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		name := filepath.Base(folder)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() ||
			only != nil && !slices.ContainsFunc(only, func(p string) bool { return strings.HasPrefix(name, p+"-") }) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r, n := playFolder(t, folder)
			right, all = right+r, all+n
		})
	}
	return right, all
}

// countOthers imports the other folders of level 3 and says how many are refused: each with a place and a reason.
func countOthers(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(*kit, "compliance-level-3", "*"))
	if err != nil {
		t.Fatal(err)
	}
	imported, refused := 0, 0
	for _, folder := range folders {
		name := filepath.Base(folder)
		models, _ := filepath.Glob(filepath.Join(folder, name+".dmn"))
		if len(models) == 0 || slices.ContainsFunc(tableFolders, func(p string) bool { return strings.HasPrefix(name, p+"-") }) {
			continue
		}
		r, list := importFolder(t, folder)
		if r == nil {
			refused++
			for _, d := range list {
				if d.Place.File == "" || d.Place.Line == 0 || d.Message == "" {
					t.Errorf("%s: refused without a place or a reason: %s", name, d.String())
				}
			}
			continue
		}
		imported++
		compileText(t, r)
	}
	t.Logf("the other folders of level 3: %d are imported whole, %d are refused", imported, refused)
}

// importFolder imports the model of a folder, with the other files beside it.
func importFolder(t *testing.T, folder string) (*Ruleset, []diag.Diagnostic) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.dmn"))
	if err != nil || len(names) == 0 {
		t.Fatal(folder, err)
	}
	var file File
	var beside []File
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := File{filepath.Base(name), data}
		if strings.HasPrefix(f.Name, filepath.Base(folder)) {
			file = f
		} else {
			beside = append(beside, f)
		}
	}
	return Import(file, func() ([]File, error) { return beside, nil })
}

// compileText compiles the ruleset of a model, in which the compiler finds nothing wrong.
func compileText(t *testing.T, r *Ruleset) *plan.Plan {
	t.Helper()
	if lines := strings.Count(r.Text(), "\n"); lines != len(r.lines) {
		t.Errorf("the text has %d lines, of which the places of %d are known", lines, len(r.lines))
	}
	schema, err := os.ReadFile("../../../../../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	p, list := compiler.Directory(load.Source{FS: fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue":  {Data: schema},
		"game/game.cue":      {Data: []byte(r.Text())},
	}}, "game", compiler.Options{})
	for _, d := range list {
		if d.Severity == diag.Error {
			t.Error(d.String())
		}
	}
	if p == nil {
		t.Fatal(r.Text())
	}
	return p
}

type kitFile struct {
	Cases []kitCase `xml:"testCase"`
}

type kitCase struct {
	ID      string    `xml:"id,attr"`
	Inputs  []kitNode `xml:"inputNode"`
	Results []struct {
		Name     string  `xml:"name,attr"`
		Expected kitNode `xml:"expected"`
	} `xml:"resultNode"`
}

// A kitNode is a value of the kit: a text, a list or named parts.
type kitNode struct {
	Name  string    `xml:"name,attr"`
	Value *kitValue `xml:"value"`
	Parts []kitNode `xml:"component"`
	List  *struct {
		Items []kitNode `xml:"item"`
	} `xml:"list"`
}

type kitValue struct {
	Nil  string `xml:"nil,attr"`
	Text string `xml:",chardata"`
}

func (n kitNode) isNull() bool {
	return n.Value == nil && n.Parts == nil && n.List == nil || n.Value != nil && n.Value.Nil == "true"
}

// playFolder plays the cases of a folder, and returns how many are right.
func playFolder(t *testing.T, folder string) (right, all int) {
	r, list := importFolder(t, folder)
	for _, d := range list {
		t.Error(d.String())
	}
	var program *runtime.Program
	if r != nil {
		program = runtime.New(compileText(t, r))
	}
	names, err := filepath.Glob(filepath.Join(folder, "*test*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f kitFile
		if err := xml.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			all++
			if program == nil {
				continue
			}
			isRight := true
			for _, result := range c.Results {
				if err := r.play(program, result.Name, c.Inputs, result.Expected); err != nil {
					isRight = false
					t.Errorf("case %s: %s: %v", c.ID, result.Name, err)
				}
			}
			if isRight {
				right++
			}
		}
	}
	return right, all
}

// play evaluates a decision and compares what it gives.
func (r *Ruleset) play(program *runtime.Program, name string, inputs []kitNode, want kitNode) error {
	i := slices.IndexFunc(r.decisions, func(d *decision) bool { return d.name == name })
	if i < 0 {
		return errors.New("there is no such decision")
	}
	d := r.decisions[i]
	given := map[string]any{}
	for _, n := range inputs {
		at := slices.IndexFunc(d.rule.body.inputs, func(in *input) bool { return in.name == n.Name })
		if at < 0 || n.isNull() {
			continue
		}
		in := d.rule.body.inputs[at]
		v, err := n.json(in.typ)
		if err != nil {
			return err
		}
		given[in.id] = v
	}
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	rule, err := program.Rule(d.id, runtime.Choice{})
	if err != nil {
		return err
	}
	sheet, err := rule.Eval(runtime.Request{Input: text})
	var refused *runtime.Refused
	switch {
	case want.isNull() && errors.As(err, &refused):
		return nil
	case err != nil:
		return fmt.Errorf("%w, of %s", err, text)
	case want.isNull():
		return fmt.Errorf("null is expected, of %s", text)
	}
	var full struct{ Output map[string]any }
	if err := json.Unmarshal(sheet.AppendJSON(nil), &full); err != nil {
		return err
	}
	got := full.Output
	for _, o := range d.rule.outputs {
		of := want
		for _, name := range o.path {
			at := slices.IndexFunc(of.Parts, func(p kitNode) bool { return p.Name == name })
			if at < 0 {
				return fmt.Errorf("no part %s is expected", name)
			}
			of = of.Parts[at]
		}
		if err := of.compare(got[o.id], o.v.typ); err != nil {
			return fmt.Errorf("%s: %w, of %s", o.id, err, text)
		}
	}
	return nil
}

// json returns a value of the kit as an input has it.
func (n kitNode) json(t *typ) (any, error) {
	switch {
	case n.List != nil && t.kind == list:
		out := []any{}
		for _, item := range n.List.Items {
			v, err := item.json(t.elem)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	case n.Parts != nil && t.kind == record:
		out := map[string]any{}
		for _, p := range n.Parts {
			i := slices.IndexFunc(t.members, func(m member) bool { return m.name == p.Name })
			if i < 0 {
				return nil, fmt.Errorf("there is no member %s", p.Name)
			}
			if p.isNull() {
				continue
			}
			v, err := p.json(t.members[i].typ)
			if err != nil {
				return nil, err
			}
			out[t.members[i].id] = v
		}
		return out, nil
	case n.Value == nil:
		return nil, errors.New("a value is missing")
	}
	switch t.kind {
	case text:
		return n.Value.Text, nil
	case truth:
		return n.Value.Text == "true", nil
	case number:
		return strconv.ParseFloat(n.Value.Text, 64)
	}
	_, x, err := momentOf(n.Value.Text)
	return x, err
}

// compare compares what is expected with an output: numbers to the twelfth digit.
func (n kitNode) compare(got any, t *typ) error {
	switch got := got.(type) {
	case []any:
		if n.List == nil || len(n.List.Items) != len(got) {
			return fmt.Errorf("got %v, want %+v", got, n)
		}
		for i, item := range n.List.Items {
			if err := item.compare(got[i], t.elem); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		if len(n.Parts) != len(got) {
			return fmt.Errorf("got %v, want %+v", got, n)
		}
		for _, p := range n.Parts {
			i := slices.IndexFunc(t.members, func(m member) bool { return m.name == p.Name })
			if i < 0 {
				return fmt.Errorf("there is no member %s", p.Name)
			}
			if err := p.compare(got[t.members[i].id], t.members[i].typ); err != nil {
				return err
			}
		}
		return nil
	}
	if n.Value == nil {
		return fmt.Errorf("got %v, want %+v", got, n)
	}
	want := n.Value.Text
	switch got := got.(type) {
	case float64:
		x, err := strconv.ParseFloat(want, 64)
		if err != nil || math.Abs(got-x) > 1e-12*math.Max(1, math.Abs(x)) {
			return fmt.Errorf("got %v, want %s", got, want)
		}
	case bool:
		if strconv.FormatBool(got) != want {
			return fmt.Errorf("got %v, want %s", got, want)
		}
	default:
		if got != want {
			return fmt.Errorf("got %v, want %s", got, want)
		}
	}
	return nil
}
