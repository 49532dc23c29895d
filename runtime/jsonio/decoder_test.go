package jsonio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// person is a shape with every construct.
func person() *plan.Shape {
	integer := func(min float64) *plan.Shape { return &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: min}} }
	return &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "name", Shape: &plan.Shape{Kind: plan.String}},
		{Name: "level", Shape: &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: 1}, Max: &plan.Bound{Value: 20}},
			Default: "1"},
		{Name: "height", Shape: &plan.Shape{Kind: plan.Double, Min: &plan.Bound{Value: 0, Open: true}}, Optional: true},
		{Name: "kind", Shape: &plan.Shape{Kind: plan.String, Enum: []string{"elf", "dwarf"}}, Default: `"elf"`},
		{Name: "alive", Shape: &plan.Shape{Kind: plan.Bool}, Default: "true"},
		{Name: "skills", Shape: &plan.Shape{Kind: plan.Map, Elem: integer(0)}, Default: "{}"},
		{Name: "body", Default: "{}", Shape: &plan.Shape{Kind: plan.Map, Keys: []string{"head", "arm"}, Elem: integer(0),
			Fields: []plan.Member{
				{Name: "head", Shape: integer(0), Default: "3"}}}},
		{Name: "wounds", Default: "[]", Shape: &plan.Shape{Kind: plan.List, MaxItems: 2,
			Elem: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
				{Name: "deep", Shape: integer(0)},
				{Name: "days", Shape: &plan.Shape{Kind: plan.List, MaxItems: 3, Elem: integer(0)}, Default: "[]"},
			}}}},
	}}
}

// decoded reads JSON by a shape and gives it back as it then stands in the frame.
func decoded(s *plan.Shape, text string) (string, error) {
	m := vm.NewImage(&plan.Plan{Symbols: []string{"", "elf", "dwarf"}, Character: s})
	f, schema := vm.NewStore(m), NewRootSchema(m, plan.CharacterRoot, m.Plan().Character)
	slots, err := NewDecoder(f).DecodeSlots(schema, []byte(text))
	if err != nil {
		return "", err
	}
	var e Encoder
	at, _ := locateLayout(s.Type(), 0)
	if fault := vm.Walk(f, &at, vm.NewView(slots, 1), &e); fault != 0 {
		return "", vm.FailureOf(f, &plan.Graph{}, fault)
	}
	return string(e.Bytes()), nil
}

func TestDecodeFillsDefaultsAndSortsKeys(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":"Ada"}`: `{"name":"Ada","level":1,"kind":"elf","alive":true,"skills":{},"body":{"head":3},"wounds":[]}`,
		` { "wounds" : [ {"deep": 2, "days": [1,2]} , {"deep":0} ] , "name" : "\u00e9\ud83d\ude00\n" } `: "" +
			`{"name":"é😀\n","level":1,"kind":"elf","alive":true,"skills":{},"body":{"head":3},"wounds":[{"deep":2,` +
			`"days":[1,2]},{"deep":0,"days":[]}]}`,
		`{"name":"","height":1,"level":20,"kind":"dwarf","alive":false,"skills":{"b":2,"a":1,"é":0},` +
			`"body":{"arm":1,"head":0}}`: "" +
			`{"name":"","level":20,"height":1.0,"kind":"dwarf","alive":false,"skills":{"a":1,"b":2,"é":0},"body":{"arm":1,` +
			`"head":0},"wounds":[]}`,
	} {
		if got, err := decoded(person(), in); err != nil || got != want {
			t.Errorf("%s:\n got %s, %v\nwant %s", in, got, err, want)
		}
	}
}

// TestDecodeEndsWithinText reads every beginning of a text, behind which there is no memory.
func TestDecodeEndsWithinText(t *testing.T) {
	m := vm.NewImage(&plan.Plan{Character: person()})
	schema, text := NewRootSchema(m, plan.CharacterRoot, m.Plan().Character), []byte(`{"name":"\u00e9\ud83c\udfb2","alive":true}`)
	for n := range len(text) + 1 {
		_, err := NewDecoder(vm.NewStore(m)).DecodeSlots(schema, text[:n:n])
		if isWhole := n == len(text); isWhole != (err == nil) {
			t.Errorf("%s: %v", text[:n], err)
		}
	}
}

func TestIsEmpty(t *testing.T) {
	for text, want := range map[string]bool{"": true, "{}": true, " {\t}\r\n": true, `{"a":1}`: false, "{1}": false, "{": false, "}": false,
		"[]": false, "null": false} {
		if IsEmpty([]byte(text)) != want {
			t.Errorf("%q: not %t", text, want)
		}
	}
}

func TestDecodeNamesThePath(t *testing.T) {
	for in, want := range map[string]string{
		``:                         "character: must be an object, not nothing",
		`[]`:                       "character: must be an object, not a list",
		`{}`:                       "character.name: is missing",
		`{"name":1}`:               "character.name: must be a string, not a number",
		`{"name":null}`:            "character.name: must be a string, not null",
		`{"name":"a","level":0}`:   "character.level: must be at least 1, not 0",
		`{"name":"a","level":21}`:  "character.level: must be at most 20, not 21",
		`{"name":"a","level":1.0}`: "character.level: must be a whole number, not 1.0",
		`{"name":"a","level":1e3}`: "character.level: must be a whole number, not 1e3",
		`{"name":"a","level":01}`:  "does not begin with 0",
		`{"name":"a","level":9999999999999999999}`: "too large",
		`{"name":"a","height":0}`:                  "character.height: must be more than 0, not 0",
		`{"name":"a","height":1e999}`:              "too large",
		`{"name":"a","height":1.}`:                 "digits must follow the point",
		`{"name":"a","kind":"elv"}`: "" +
			`character.kind: must be one of "elf", "dwarf", not "elv"; did you mean "elf"`,
		`{"name":"a","alive":1}`:                 "character.alive: must be true or false, not a number",
		`{"name":"a","alive":trie}`:              "character.alive: must be true or false",
		`{"name":"a","nme":"b"}`:                 `character.nme: there is no such field; did you mean "name"`,
		`{"name":"a","name":"b"}`:                "character.name: stands here twice",
		`{"name":"a","skills":{"x":1,"x":2}}`:    "character.skills.x: stands here twice",
		`{"name":"a","skills":{"two words":-1}}`: `character.skills["two words"]: must be at least 0, not -1`,
		`{"name":"a","body":{"leg":1}}`: "" +
			`character.body: a key must be one of "head", "arm", not "leg"`,
		`{"name":"a","wounds":[{"deep":1},{"deep":-1}]}`:           "character.wounds[1].deep: must be at least 0, not -1",
		`{"name":"a","wounds":[{"deep":1},{"deep":1},{"deep":1}]}`: "character.wounds: must have at most 2 elements",
		`{"name":"a","wounds":[{"deep":1,"days":[1,2,3,4]}]}`:      "character.wounds[0].days: must have at most 3 elements",
		`{"name":"a"} x`:          "there is more text after the value",
		`{"name":"a"} // b`:       "there is more text after the value: JSON has no comments",
		"{\n# b\n\"name\":\"a\"}": "a name in quotes is expected, not '#': JSON has no comments",
		`{“name”:"a"}`:            `a name in quotes is expected, not '“': write ", and no curly quotes`,
		`{"name":"a","level":+1}`: "character.level: must be a whole number, not '+': leave out the +",
		`{"name":"a",}`:           "a name in quotes is expected, not '}': leave out the comma behind the last value",
		`{'name':"a"}`:            `a name in quotes is expected, not '\'': JSON has double quotes`,
		`{name:"a"}`:              "a name in quotes is expected, not 'n': put the name in double quotes",
		`{"name":"a" "level":2}`:  "a comma or } must follow a value",
		`{"name" "a"}`:            "a colon must follow the name",
		"{\"name\":\"\xff\"}":     "not UTF-8",
		"{\"name\":\"\n\"}":       "control character",
		`{"name":"\x"}`:           "is no escape",
		`{"name":"\ud800"}`:       "half a surrogate pair",
		`{"name":"\ud800\u0041"}`: "half a surrogate pair",
		`{"name":"a`:              "a string does not end",
		`{"name":"a"`:             "a comma or } must follow a value, not the end",
		"{\"name\":\x00":          `character.name: must be a string, not '\x00'`,
		"{\x00}":                  `a name in quotes is expected, not '\x00'`,
	} {
		got, err := decoded(person(), in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want %q", in, got, err, want)
		}
		var input *InputError
		if !errors.As(err, &input) || input.Line < 1 || input.Col < 1 {
			t.Errorf("%s: no place in %#v", in, err)
		}
	}
}

// A number that is left out is told by itself, or by all that may stand there where they are few.
func TestDecodeTellsOfNumbersLeftOut(t *testing.T) {
	without := func(min, max float64, not ...float64) *plan.Shape {
		s := &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: min}, Max: &plan.Bound{Value: max}}
		for _, v := range not {
			s.Not = append(s.Not, plan.Bound{Value: v})
		}
		return &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "n", Shape: s}}}
	}
	for want, s := range map[string]*plan.Shape{
		"character.n: must be one of 4, 6, 8, not 5": without(4, 8, 5, 7),
		"character.n: must not be 5":                 without(4, 100, 5, 7),
	} {
		if _, err := decoded(s, `{"n":5}`); err == nil || !strings.HasPrefix(err.Error(), want+" (") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestDecodeNamesThePlace(t *testing.T) {
	for in, want := range map[string][2]int{
		"{\n  \"name\": \"a\",\n  \"level\": 21}":    {3, 12},
		"{\"name\": \"a\", \"kind\": \"elv\"}":       {1, 23},
		"{\"name\": \"a\", \"nme\": 1}":              {1, 15},
		`{"name": "a", "\u006eme": 1}`:               {1, 15},
		`{"name": "a", "n\u0061me": "b"}`:            {1, 15},
		`{"name": "a", "body": {"l\u0065g": 1}}`:     {1, 24},
		"{\"name\": \"a\",\n \"skills\": {\"x\" 1}}": {2, 17},
	} {
		_, err := decoded(person(), in)
		var input *InputError
		if !errors.As(err, &input) || input.Line != want[0] || input.Col != want[1] {
			t.Errorf("%s: %v, want line %d, column %d", in, err, want[0], want[1])
		}
	}
}

// standard reports whether the text is JSON for encoding/json too, in UTF-8, and no object has a name twice.
func standard(text []byte) bool {
	return json.Valid(text) && utf8.Valid(text) && unique(json.NewDecoder(bytes.NewReader(text))) == nil
}

// unique reads a value, and fails when an object in it has a name twice.
func unique(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil || t != json.Delim('{') && t != json.Delim('[') {
		return err
	}
	names := map[string]bool{}
	for d.More() {
		if t == json.Delim('{') {
			name, err := d.Token()
			if err != nil || names[name.(string)] {
				return fmt.Errorf("%v stands here twice, %w", name, err)
			}
			names[name.(string)] = true
		}
		if err := unique(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// standardValue is what encoding/json reads of a text, with the defaults of person.
func standardValue(t *testing.T, text []byte) any {
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	for name, preset := range map[string]any{
		"level": json.Number("1"), "kind": "elf", "alive": true, "skills": map[string]any{}, "wounds": []any{},
		"body": map[string]any{},
	} {
		if _, ok := v[name]; !ok {
			v[name] = preset
		}
	}
	if body := v["body"].(map[string]any); body["head"] == nil {
		body["head"] = json.Number("3")
	}
	for _, wound := range v["wounds"].([]any) {
		if w := wound.(map[string]any); w["days"] == nil {
			w["days"] = []any{}
		}
	}
	return numbers(v)
}

// numbers makes doubles of the numbers in a value, so that 1 and 1.0 are the same.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"name":"Ada","level":3,"height":1.5,"skills":{"a":1},"wounds":[{"deep":1,"days":[2]}]}`,
		`{"name":"\u00e9\ud83d\ude00","alive":false}`, `{"name":"a","name":"b"}`, `{"name":"a","skills":{"a":1,"\u0061":2}}`,
		`{"alive":true,"name":"x"}`,
		`{"name" : "x" , "level":12345678901234567890}`, `{"name":"x","skills":{"n":-0,"m":123456789012345678}}`,
		`{"name":"x","level":1.0}`,
		`{"name":"","body":{"head":0,"arm":2}}`, `{`, `{"name":"x","level":-0}`,
		`{"name": "x", "level": 12, "height": 1234567.7654321, "kind": "dwarf", "alive": true,
			"skills": {"climb": 1234567, "swim": 12345678}}`,
		`{"name":"x","level":12,"level":13,"alive":true,"body":{"head":1,"head":2},"skills":{"a long name of a skill":00}}`,
		`{"name":"a long name with an \"escape\" and é","wounds":[{"deep":12345678901234567,"days":[1,-0,3]},{"deep":-1}]}`,
		`{"wounds":[{"deep":1.5},{"deep":1e1},{"deep":10}],"alive":true,"name":"x","height":0.0000001e+3,"level":1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := decoded(person(), string(text))
		if err != nil {
			return
		}
		if !standard(text) {
			t.Fatalf("%q was read, but is no JSON", text)
		}
		if a, b := standardValue(t, []byte(got)), standardValue(t, text); !reflect.DeepEqual(a, b) {
			t.Fatalf("%q: read as %v, encoding/json reads %v", text, a, b)
		}
		again, err := decoded(person(), got)
		if err != nil || again != got {
			t.Fatalf("%q: what was written is read as %s, %v; want %s", text, again, err, got)
		}
	})
}

// numberTexts are numbers of many lengths, and what is none.
func numberTexts() (out []string) {
	r := rand.New(rand.NewPCG(7, 7))
	digits := func(n int) string { return fmt.Sprintf("%0*d", n, r.Int64N(int64(math.Pow10(n))))[:n] }
	for whole := range 18 {
		out = append(out, digits(whole), "-"+digits(whole), "+"+digits(whole), "1"+digits(whole), "-9"+digits(whole))
		for _, next := range []string{".", "e", "E", "e5", "e-", "x", ".e3", ":", "/", "\x80"} {
			out = append(out, "3"+digits(whole)+next, "-"+digits(whole)+next)
		}
		for decimals := range 18 {
			out = append(out, digits(whole)+"."+digits(decimals), "-7"+digits(whole)+"."+digits(decimals),
				"0."+digits(decimals)+"E7")
		}
	}
	return out
}

// Numbers are read as encoding/json and strconv read them, wherever the text ends.
func TestDecodeReadsNumbersAsOthersDo(t *testing.T) {
	for _, text := range numberTexts() {
		valid := json.Valid([]byte(text))
		whole, badInt := strconv.ParseInt(text, 10, 64)
		double, badDouble := strconv.ParseFloat(text, 64)
		for _, behind := range []string{"", "   ", "          "} {
			r := NewSchema("number", &plan.Shape{Kind: plan.Int}, nil)
			d := NewDecoder(nil)
			slots, err := d.DecodeSlots(r, []byte(text+behind))
			if ok := valid && badInt == nil; ok != (err == nil) || ok && slots[0] != whole {
				t.Errorf("%q as an int: %v, %v", text+behind, slots, err)
			}
			r = NewSchema("number", &plan.Shape{Kind: plan.Double}, nil)
			slots, err = d.DecodeSlots(r, []byte(text+behind))
			if ok := valid && badDouble == nil; ok != (err == nil) || ok && slots[0] != int64(math.Float64bits(double)) {
				t.Errorf("%q as a double: %v, %v, want %v", text+behind, slots, err, double)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	text := []byte(`{"name":"Ada","level":3,"height":1.5,"kind":"dwarf","alive":true,` +
		`"skills":{"navigation":90,"stealth":20,"climb":35},"wounds":[{"deep":1,"days":[2]}]}`)
	m := vm.NewImage(&plan.Plan{Symbols: []string{"", "elf", "dwarf"}, Character: person()})
	f, schema := vm.NewStore(m), NewRootSchema(m, plan.CharacterRoot, m.Plan().Character)
	d, start := NewDecoder(f), f.Mark()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		f.ResetTo(start)
		if _, err := d.DecodeSlots(schema, text); err != nil {
			b.Fatal(err)
		}
	}
}
