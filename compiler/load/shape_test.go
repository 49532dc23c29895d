package load

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// show prints a shape in a notation of its own, so that a test can say what it expects.
func show(s *plan.Shape) string {
	var b strings.Builder
	if s.Character {
		return "#Character"
	}
	b.WriteString(kind(s))
	if s.Min != nil {
		b.WriteString(map[bool]string{true: ">", false: ">="}[s.Min.Open] + fmt.Sprint(s.Min.Value))
	}
	if s.Max != nil {
		b.WriteString(map[bool]string{true: "<", false: "<="}[s.Max.Open] + fmt.Sprint(s.Max.Value))
	}
	for _, n := range s.Not {
		b.WriteString("!=" + fmt.Sprint(n.Value))
	}
	if s.KeyOf != "" {
		b.WriteString("@" + s.KeyOf)
	}
	return b.String()
}

func kind(s *plan.Shape) string {
	switch {
	case s.Enum != nil:
		return strings.Join(s.Enum, "|")
	case s.Kind == plan.List:
		return fmt.Sprintf("[%s]%d..%d", show(s.Elem), s.MinItems, s.MaxItems)
	case s.Kind == plan.Map:
		return fmt.Sprintf("map%v(%s){%s}", s.Keys, show(s.Elem), fields_(s))
	case s.Kind == plan.Record:
		return "{" + fields_(s) + "}"
	}
	return map[plan.Kind]string{plan.Int: "int", plan.Double: "double", plan.Bool: "bool", plan.String: "string"}[s.Kind]
}

func fields_(s *plan.Shape) string {
	var out []string
	for _, m := range s.Fields {
		mark := "!"
		if m.Optional {
			mark = "?"
		} else if m.Default != "" {
			mark = "=" + m.Default
		}
		out = append(out, m.Name+mark+" "+show(m.Shape))
	}
	return strings.Join(out, ", ")
}

func TestShape(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{`{a!: int, b!: number, c!: float, d!: bool, e!: string}`, `{a! int, b! double, c! double, d! bool, e! string}`},
		{`{a: int, b?: int, c: *1 | int, d: 5}`, `{a! int, b? int, c=1 int, d=5 int>=5<=5}`},
		{`{a!: int & >=0 & <10, b!: >0 & int, c!: >0, d!: int & !=3 & !=4}`,
			`{a! int>=0<10, b! int>0, c! double>0, d! int!=3!=4}`},
		{`{a!: number & >=0 & int & >=2}`, `{a! int>=2}`},
		{`{a: *0 | (int & >=0), b: *-2 | int, c: *1.5 | number}`, `{a=0 int>=0, b=-2 int, c=1.5 double}`},
		{`{a!: "x" | "y" | "b", b: *"y" | "x", c: *"open" | string}`, `{a! x|y|b, b="y" y|x, c="open" string}`},
		{`{a: *"mind" | #Side, b!: #Side | "soul"}`, `{a="mind" body|mind, b! body|mind|soul}`},
		{`{a!: 4 | 6 | 8, b: *2 | 1, c: *5 | (1 | 5), d!: (4 | 6 | 8) & >4}`,
			`{a! int>=4<=8!=5!=7, b=2 int>=1<=2, c=5 int>=1<=5!=2!=3!=4, d! int>4<=8!=5!=7}`},
		{`{a: *true | bool, b!: true | false}`, `{a=true bool, b! bool}`},
		{`{a!: string @key(weapon), b: *"club" | string @key(weapon), c!: #Weapon}`,
			`{a! string@weapon, b="club" string@weapon, c! string@weapon}`},
		{`{a!: [...string] & list.MaxItems(4) @key(weapon)}`, `{a! [string@weapon]0..4}`},
		{`{a: [...int] & list.MaxItems(8), b!: [...int & >=0] & list.MinItems(1) & list.MaxItems(#Most)}`,
			`{a=[] [int]0..8, b! [int>=0]1..3}`},
		{`{a: *[] | [...int] & list.MaxItems(3), b!: #Few}`, `{a=[] [int]0..3, b! [int]0..3}`},
		{`{a: *[1, 2] | [...int] & list.MaxItems(3)}`, `{a=[1,2] [int]0..3}`},
		{`{m: [string]: int, n!: [string]: int & >=0}`, `{m={} map[](int){}, n! map[](int>=0){}}`},
		{`{m: {[string]: int & >=0, x!: _, y?: _, z: *1 | _}}`, `{m! map[](int>=0){x! int>=0, y? int>=0, z=1 int>=0}}`},
		{`{m: {[#Side]: int, body: *0 | _}}`, `{m={} map[body mind](int){body=0 int}}`},
		{`{m: {[Name=string]: {n!: int}}}`, `{m={} map[]({n! int}){}}`},
		{`{r: {a: *1 | int, s: {b: *2 | int}}, q: {a!: int}}`, `{r={} {a=1 int, s={} {b=2 int}}, q! {a! int}}`},
		{`{o!: #Character, os!: [...#Character] & list.MaxItems(2), p?: #Character}`,
			`{o! #Character, os! [#Character]0..2, p? #Character}`},
		{`{#Person, extra!: int}`, `{name! string, age=0 int>=0, extra! int}`},
		{`{#Person, name: "Ada"}`, `{name="Ada" Ada, age=0 int>=0}`},
		{`#Person`, `{name! string, age=0 int>=0}`},
		{`{a!: <=(2*10-1), b!: int & >-1}`, `{a! double<=19, b! int>-1}`},
		{`{a!: int, a: >3, a: *4 | _}`, `{a=4 int>3}`},
		{`{a!: uint}`, `{a! int>=0}`},
		{`{a!: _own.x, b!: #Nested.side}
	_own: x: int & <7`, `{a! int<7, b! body|mind}`},
		{`{p!: #Person, p: #Person}`, `{p! {name! string, age=0 int>=0}}`},
		{`{#Nested, p!: #Nested & #Nested}`, `{side! body|mind, p! {side! body|mind}}`},
	} {
		t.Run(c.input, func(t *testing.T) {
			rs, diags := input(t, c.input)
			for _, d := range diags {
				t.Error(d.String())
			}
			if got := show(rs); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			valid(t, rs)
		})
	}
}

// valid holds that defaults are JSON.
func valid(t *testing.T, s *plan.Shape) {
	for _, m := range s.Fields {
		if m.Default != "" && !json.Valid([]byte(m.Default)) {
			t.Errorf("the default of %s is no JSON: %s", m.Name, m.Default)
		}
	}
}

// input reads the shape of a rule's #Input.
func input(t *testing.T, text string) (*plan.Shape, []diag.Diagnostic) {
	t.Helper()
	var diags diag.List
	rs := Directory(Source{FS: tree(t, `
import "list"

_used: list.MaxItems(1)
#Side: "body" | "mind"
#Most: 3
#Few: [...int] & list.MaxItems(#Most)
#Weapon: string @key(weapon)
#Person: {name!: string, age: *0 | int & >=0}
#Nested: side: #Side
rules: r: {
	cite: "1"
	#Input: `+text+`
	output: x: "1"
}
`)}, "game", &diags)
	if rs == nil {
		t.Fatal(diags.Sorted())
	}
	return rs.Rules[0].Input, diags.Sorted()
}

func TestShapeRefuses(t *testing.T) {
	for _, c := range []struct {
		input string
		code  diag.Code
		at    int // column; the text of #Input begins in column 10
		says  string
	}{
		{`{a!: string & =~"x"}`, "cannot-lower", 24, "regular expression"},
		{`{a!: int, b!: >a}`, "cannot-lower", 24, "bound"},
		{`{a!: {x!: int} | {y!: int}}`, "cannot-lower", 15, "alternatives"},
		{`{a!: 1 | "b"}`, "cannot-lower", 15, "alternatives"},
		{`{a!: 1 | 2.5}`, "cannot-lower", 15, "alternatives"},
		{`{a!: 1 | 1000}`, "cannot-lower", 15, "alternatives"},
		{`{a!: [...int]}`, "unbounded-list", 11, "no end"},
		{`{a!: [int, string]}`, "cannot-lower", 16, "a type for each element"},
		{`{a!: _}`, "cannot-lower", 11, "type must be known"},
		{`{...}`, "cannot-lower", 11, "open struct"},
		{`{a!: int, if true {b: int}}`, "cannot-lower", 20, "condition"},
		{`{a!: bytes}`, "cannot-lower", 15, "bytes"},
		{`{a: true}`, "cannot-lower", 11, "always true"},
		{`{a!: null | int}`, "cannot-lower", 15, "null"},
		{`{a!: int & "x"}`, "cue-conflict", 11, "no value"},
		{`{a!: int & >3 & <2}`, "cue-conflict", 11, "no number is >3 and <2"},
		{`{a!: int & <9007199254740993}`, "bound-too-large", 22, "2^53"},
		{`{a!: int @key(weapon)}`, "cannot-lower", 11, "@key"},
		{`{a!: {[string]: int, [#Side]: string}}`, "cannot-lower", 31, "two patterns"},
		{`[...int]`, "cannot-lower", 2, "struct of named fields"},
		{`#Person & {extra!: int}`, "unknown-field", 21, "#Person has no field extra"},
		{`{p!: #Person, p!: {nam!: string}}`, "unknown-field", 29, "#Person has no field nam"},
		{`{a!: #Loop}
	#Loop: next?: #Loop`, "cannot-lower", 0, "contains itself"},
	} {
		t.Run(c.input, func(t *testing.T) {
			_, diags := input(t, c.input)
			if len(diags) == 0 {
				t.Fatal("nothing is reported")
			}
			d := diags[0]
			if d.Code != c.code || !strings.Contains(d.Message, c.says) || c.at > 0 && d.Place.Col != c.at {
				t.Errorf("got %s", d.String())
			}
		})
	}
}
