package dmn

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"reflect"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
)

// definitions is a model with some elements.
func definitions(elements string) File {
	return File{"model.dmn", []byte(`<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" namespace="n" name="model">
` + elements + `
</definitions>`)}
}

func alone() ([]File, error) { return nil, errors.New("there is no file beside it") }

// importText imports a model of some elements, in which nothing is wrong.
func importText(t *testing.T, elements string) *Ruleset {
	t.Helper()
	r, list := Import(definitions(elements), alone)
	for _, d := range list {
		t.Error(d.String())
	}
	if r == nil {
		t.FailNow()
	}
	return r
}

func escaped(s string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(s)); err != nil {
		panic(err)
	}
	return out.String()
}

// inputs are age, a number, and risk, one of three strings, and may be required.
const inputs = `<itemDefinition name="tRisk"><typeRef>string</typeRef><allowedValues><text>"high", "mid", "low"</text></allowedValues></itemDefinition>
<inputData id="a" name="Age"><variable name="Age" typeRef="number"/></inputData>
<inputData id="r" name="Risk Class"><variable name="Risk Class" typeRef="tRisk"/></inputData>`

const requirements = `<informationRequirement><requiredInput href="#a"/></informationRequirement>
<informationRequirement><requiredInput href="#r"/></informationRequirement>`

// table is a model with one decision table of age and risk. Its outputs are written "name: values; default", its rules
// "age | risk => output | output".
func table(policy, outputs string, rules ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `%s<decision id="d" name="Grade">%s<decisionTable %s>
<input><inputExpression><text>Age</text></inputExpression></input>
<input><inputExpression><text>Risk Class</text></inputExpression></input>`, inputs, requirements, policy)
	for _, o := range strings.Split(outputs, "|") {
		name, rest, _ := strings.Cut(o, ":")
		values, other, _ := strings.Cut(rest, ";")
		fmt.Fprintf(&b, "\n<output name=%q>", strings.TrimSpace(name))
		if strings.TrimSpace(values) != "" {
			fmt.Fprintf(&b, "<outputValues><text>%s</text></outputValues>", escaped(values))
		}
		if strings.TrimSpace(other) != "" {
			fmt.Fprintf(&b, "<defaultOutputEntry><text>%s</text></defaultOutputEntry>", escaped(other))
		}
		b.WriteString("</output>")
	}
	for i, r := range rules {
		fmt.Fprintf(&b, "\n<rule id=\"rule_%d\">", i+1)
		when, then, _ := strings.Cut(r, "=>")
		for _, cell := range strings.Split(when, "|") {
			fmt.Fprintf(&b, "<inputEntry><text>%s</text></inputEntry>", escaped(strings.TrimSpace(cell)))
		}
		for _, cell := range strings.Split(then, "|") {
			fmt.Fprintf(&b, "<outputEntry><text>%s</text></outputEntry>", escaped(strings.TrimSpace(cell)))
		}
		b.WriteString("</rule>")
	}
	b.WriteString("\n</decisionTable></decision>")
	return b.String()
}

// evaluate returns the outputs of a rule, or "null" where it refuses. Of the input it gives what the rule reads.
func evaluate(t *testing.T, program *runtime.Program, rule, input string) string {
	t.Helper()
	r, err := program.Rule(rule, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]any
	if err := json.Unmarshal([]byte(input), &given); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(given, func(name string, _ any) bool {
		return !slices.ContainsFunc(r.Inputs(), func(n ask.Need) bool { return n.Path == "input."+name })
	})
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := r.Eval(runtime.Request{Input: text})
	var refused *runtime.Refused
	if errors.As(err, &refused) {
		return "null"
	}
	if err != nil {
		t.Fatalf("%s of %s: %v", rule, input, err)
	}
	var full struct{ Output json.RawMessage }
	if err := json.Unmarshal(sheet.AppendJSON(nil), &full); err != nil {
		t.Fatal(err)
	}
	return string(full.Output)
}

func isSameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	if a == "null" || b == "null" {
		return a == b
	}
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

// TestHitPolicies plays tables of each policy. The expected outputs follow from the rules of the table by hand.
func TestHitPolicies(t *testing.T) {
	const result = `{"result": %s}`
	for _, x := range []struct {
		name, model string
		want        map[string]string // of age and risk: the result
	}{
		{"unique", table(`hitPolicy="UNIQUE"`, "", `<18 | - => "child"`, `[18..65) | "low", "mid" => "fit"`,
			`[18..65) | "high" => "unfit"`, `>=65 | - => "old"`),
			map[string]string{"17.5 low": `"child"`, "18 mid": `"fit"`, "64 high": `"unfit"`, "65 high": `"old"`}},
		{"unique with a gap", table(``, "", `<18 | - => "child"`, `>20 | - => "adult"`),
			map[string]string{"17 low": `"child"`, "18 low": "null", "20 low": "null", "21 low": `"adult"`}},
		{"unique with a default", table(``, `:;"none"`, `<18 | - => "child"`),
			map[string]string{"17 low": `"child"`, "18 low": `"none"`}},
		{"unique of what is computed", table(``, "", `> 2 * 10 | - => Age + 1`, `<= 2 * 5 | - => Age - 1`),
			map[string]string{"21 low": "22", "10 low": "9", "15 low": "null"}},
		{"any", table(`hitPolicy="ANY"`, "", `<18 | - => "no"`, `- | "high" => "no"`, `>=18 | not("high") => "yes"`),
			map[string]string{"17 high": `"no"`, "30 high": `"no"`, "30 mid": `"yes"`}},
		{"first", table(`hitPolicy="FIRST"`, "", `>18 | - => "a"`, `>12 | - => "b"`, `>0 | - => "c"`),
			map[string]string{"19 low": `"a"`, "18 low": `"b"`, "1 low": `"c"`, "0 low": "null"}},
		{"priority", table(`hitPolicy="PRIORITY"`, `:"worst", "bad", "good"`, `- | - => "good"`, `<18 | - => "bad"`,
			`- | "high" => "worst"`),
			map[string]string{"17 high": `"worst"`, "17 low": `"bad"`, "18 low": `"good"`}},
		{"rule order", table(`hitPolicy="RULE ORDER"`, "", `>=18 | - => "z"`, `>=12 | - => "b"`, `<12 | - => "y"`),
			map[string]string{"19 low": `["z", "b"]`, "13 low": `["b"]`, "3 low": `["y"]`}},
		{"output order", table(`hitPolicy="OUTPUT ORDER"`, `:"b", "z"`, `>=18 | - => "z"`, `>=12 | - => "b"`),
			map[string]string{"19 low": `["b", "z"]`, "13 low": `["b"]`, "3 low": "null"}},
		{"collect", table(`hitPolicy="COLLECT"`, ``, `>=18 | - => 3`, `>=12 | - => 1`),
			map[string]string{"19 low": `[3, 1]`, "13 low": `[1]`, "3 low": "null"}},
		{"collect with a default", table(`hitPolicy="COLLECT"`, `:;7`, `>=18 | - => 3`),
			map[string]string{"19 low": `[3]`, "3 low": `[7]`}},
		{"sum", table(`hitPolicy="COLLECT" aggregation="SUM"`, ``, `>1 | - => 100`, `>2 | - => 200.5`, `>5 | "high" => -500`),
			map[string]string{"6 high": "-199.5", "6 low": "300.5", "2 low": "100", "1 low": "null"}},
		{"least", table(`hitPolicy="COLLECT" aggregation="MIN"`, ``, `>1 | - => 9.5`, `>2 | - => 4`),
			map[string]string{"3 low": "4", "2 low": "9.5", "1 low": "null"}},
		{"greatest", table(`hitPolicy="COLLECT" aggregation="MAX"`, `:;0`, `>1 | - => 9.5`, `>2 | - => 4`),
			map[string]string{"3 low": "9.5", "1 low": "0"}},
		{"count", table(`hitPolicy="COLLECT" aggregation="COUNT"`, ``, `>1 | - => 1`, `>2 | - => 1`, `- | "mid" => 5`),
			map[string]string{"3 mid": "3", "3 low": "2", "0 low": "0"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			program := runtime.New(compileText(t, importText(t, x.model)))
			for given, want := range x.want {
				age, risk, _ := strings.Cut(given, " ")
				if want != "null" {
					want = fmt.Sprintf(result, want)
				}
				got := evaluate(t, program, "grade", fmt.Sprintf(`{"age": %s, "risk_class": %q}`, age, risk))
				if !isSameJSON(t, got, want) {
					t.Errorf("of %s: got %s, want %s", given, got, want)
				}
			}
		})
	}
}

// TestSeveralOutputs plays tables of two outputs: of one rule, and of all that match.
func TestSeveralOutputs(t *testing.T) {
	rules := []string{`>=18 | - => "b" | 1`, `>=12 | "low" => "a" | 2`}
	for policy, want := range map[string]string{
		`hitPolicy="FIRST"`:        `{"letter": "b", "rate": 1}`,
		`hitPolicy="PRIORITY"`:     `{"letter": "a", "rate": 2}`,
		`hitPolicy="RULE ORDER"`:   `{"result": [{"letter": "b", "rate": 1}, {"letter": "a", "rate": 2}]}`,
		`hitPolicy="OUTPUT ORDER"`: `{"result": [{"letter": "a", "rate": 2}, {"letter": "b", "rate": 1}]}`,
		`hitPolicy="COLLECT"`:      `{"result": [{"letter": "b", "rate": 1}, {"letter": "a", "rate": 2}]}`,
	} {
		program := runtime.New(compileText(t, importText(t, table(policy, `Letter: "a", "b" | Rate`, rules...))))
		if got := evaluate(t, program, "grade", `{"age": 20, "risk_class": "low"}`); !isSameJSON(t, got, want) {
			t.Errorf("%s: got %s, want %s", policy, got, want)
		}
	}
	model := table(`hitPolicy="RULE ORDER"`, `Letter: "a", "b"; "a" | Rate: ; 9`, rules...)
	program := runtime.New(compileText(t, importText(t, model)))
	want := `{"result": [{"letter": "a", "rate": 9}]}`
	if got := evaluate(t, program, "grade", `{"age": 3, "risk_class": "low"}`); !isSameJSON(t, got, want) {
		t.Errorf("the default: got %s, want %s", got, want)
	}
}

// decisionOf returns a decision of a name and an expression that may read age and risk.
func decisionOf(name, expression string) string {
	return fmt.Sprintf("<decision id=%q name=%q>%s<literalExpression><text>%s</text></literalExpression></decision>\n", name, name,
		requirements, escaped(expression))
}

// TestExpressions computes expressions of FEEL for age 20 and risk "low". The values are those of the specification.
func TestExpressions(t *testing.T) {
	wants := []struct{ expression, want string }{
		{`1 + 2 * 3 - 4 / 8`, "6.5"},
		{`-3 ** 2`, "9"},           // the sign binds more firmly than the power
		{`2 ** 3 ** 2`, "64"},      // and powers are taken from the left
		{`10 - 4 - 3`, "3"},        //
		{`Age - (5 - 3)`, "18"},    //
		{`12 / Age / 2`, "0.3"},    //
		{`1 / 0`, "null"},          //
		{`1 / (Age - 20)`, "null"}, //
		{`10 + null`, "null"},      //
		{`.5 + 1.25`, "1.75"},      //
		{`decimal(2.5, 0)`, "2"},   // a half goes to the even neighbour
		{`decimal(-3.5, 0)`, "-4"}, //
		{`decimal(1.125, 2)`, "1.12"},
		{`decimal(1250, -2)`, "1200"},
		{`floor(-1.5) + ceiling(1.2) + abs(-4)`, "4"},
		{`max(1, Age, 3) - min([4, 2])`, "18"},
		{`sum(1, 2, 4) * count([7, 7])`, "14"},
		{`"a" + string(Age) + "b"`, `"a20b"`},
		{`if Age >= 18 then "adult" else "child"`, `"adult"`},
		{`if Age < 18 then 1 else null`, "null"},
		{`if null then 1 else 2`, "2"},
		{`Age between 18 and 20 and Risk  Class = "low"`, "true"},
		{`Age in (18..20)`, "false"},
		{`Age in (<3, [20..30])`, "true"},
		{`Risk Class in ("mid", "low")`, "true"},
		{`not(Age > 3 or Age = 20)`, "false"},
		{`false and 1 / 0 > 1`, "false"}, // of three values
		{`true or 1 / 0 > 1`, "true"},
		{`true and 1 / 0 > 1`, "null"},
		{`1 / 0 = null`, "true"},
		{`Age != null`, "true"},
		{`flatten([["x", "y"], "z"])`, `["x", "y", "z"]`},
		{`concatenate([1], [Age, 3])`, "[1, 20, 3]"},
		{`list contains(["high", "low"], Risk Class)`, "true"},
		{`date("2024-03-01") > date("2024-02-29")`, "true"},
		{`duration("P1Y") = duration("P12M")`, "true"},
		{`@"PT36H" <= @"P1D"`, "false"},
		{`time("12:00:00+02:00") = time("10:00:00Z")`, "true"},
		{`date and time("2300-01-01T00:00:00") > date and time("2024-01-01T00:00:00")`, "true"}, // beyond 64 bits of ns
		{`date and time("1600-01-01T00:00:00") < date and time("2024-01-01T00:00:00")`, "true"},
		{`Age in (18..20] and Risk Class = "low"`, "true"}, // the test ends before "and"
		{`Age in [18..20) or Risk Class = "low"`, "true"},
		{`Age in >18 and Risk Class = "mid"`, "false"},
		{`// a remark
		  "it's \"quoted\" \\"`, `"it's \"quoted\" \\"`},
	}
	model := inputs
	for i, x := range wants {
		model += decisionOf(fmt.Sprintf("Expression %d", i), x.expression)
	}
	program := runtime.New(compileText(t, importText(t, model)))
	for i, x := range wants {
		want := x.want
		if want != "null" {
			want = `{"result": ` + want + "}"
		}
		if got := evaluate(t, program, fmt.Sprintf("expression_%d", i), `{"age": 20, "risk_class": "low"}`); !isSameJSON(t, got, want) {
			t.Errorf("%s: got %s, want %s", x.expression, got, want)
		}
	}
}

// TestLogicOfThreeValues compares and, or and not with Kleene's tables, of which "" is unknown.
func TestLogicOfThreeValues(t *testing.T) {
	logic := `<inputData id="p" name="P"><variable name="P" typeRef="boolean"/></inputData>
<inputData id="q" name="Q"><variable name="Q" typeRef="boolean"/></inputData>`
	for name, expression := range map[string]string{"And": "P and Q", "Or": "P or Q", "Not": "not(P)"} {
		logic += strings.ReplaceAll(strings.ReplaceAll(decisionOf(name, expression), "#a", "#p"), "#r", "#q")
	}
	program := runtime.New(compileText(t, importText(t, logic)))
	values := []string{"false", "", "true"}
	for p, x := range values {
		for q, y := range values {
			given := `{}`
			switch {
			case x != "" && y != "":
				given = fmt.Sprintf(`{"p": %s, "q": %s}`, x, y)
			case x != "":
				given = fmt.Sprintf(`{"p": %s}`, x)
			case y != "":
				given = fmt.Sprintf(`{"q": %s}`, y)
			}
			for rule, want := range map[string]string{"and": values[min(p, q)], "or": values[max(p, q)]} {
				want = `{"result": ` + want + "}"
				if want == `{"result": }` {
					want = "null"
				}
				if got := evaluate(t, program, rule, given); !isSameJSON(t, got, want) {
					t.Errorf("%s of %q and %q: got %s, want %s", rule, x, y, got, want)
				}
			}
		}
	}
	for given, want := range map[string]string{`{"p": true}`: `{"result": false}`, `{"p": false}`: `{"result": true}`, `{}`: "null"} {
		if got := evaluate(t, program, "not", given); !isSameJSON(t, got, want) {
			t.Errorf("not of %s: got %s, want %s", given, got, want)
		}
	}
}

// TestNullAmongDecisions goes on where a decision is null: the half of an age that may be given to nobody.
func TestNullAmongDecisions(t *testing.T) {
	model := inputs + decisionOf("Share", "10 / (Age - 20)") + `<decision id="u" name="Use">` + requirements +
		`<informationRequirement><requiredDecision href="#Share"/></informationRequirement>
<literalExpression><text>if Share = null then -1 else Share</text></literalExpression></decision>
<decision id="k" name="Call">` + requirements + `<informationRequirement><requiredDecision href="#Share"/></informationRequirement>
<knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement>
<invocation><literalExpression><text>Twice</text></literalExpression>
<binding><parameter name="x"/><literalExpression><text>Share</text></literalExpression></binding></invocation></decision>
<businessKnowledgeModel id="f" name="Twice"><encapsulatedLogic><formalParameter name="x" typeRef="number"/>
<literalExpression><text>if x = null then 0 else 2 * x</text></literalExpression></encapsulatedLogic></businessKnowledgeModel>`
	program := runtime.New(compileText(t, importText(t, model)))
	for _, x := range []struct{ rule, age, want string }{
		{"share", "25", `{"result": 2}`}, {"share", "20", "null"},
		{"use", "25", `{"result": 2}`}, {"use", "20", `{"result": -1}`},
		{"call", "25", `{"result": 4}`}, {"call", "20", `{"result": 0}`},
	} {
		if got := evaluate(t, program, x.rule, `{"age": `+x.age+`}`); !isSameJSON(t, got, x.want) {
			t.Errorf("%s of %s: got %s, want %s", x.rule, x.age, got, x.want)
		}
	}
}

// TestGapsAreTold names an input that no rule of a table matches.
func TestGapsAreTold(t *testing.T) {
	r := importText(t, table(``, "", `[1..120] | - => 1`, `[121..130) | "low" => 2`, `>130 | - => 3`))
	if want := "Grade: no rule of its decision table matches Age = 0, Risk Class = \"high\""; len(r.Notes) != 1 || r.Notes[0] != want {
		t.Errorf("got %q, want %q", r.Notes, want)
	}
}

// TestGapsOfLargeNumbers finds the gap beyond a number to which adding 1 changes nothing, and between two the difference
// of which is no double.
func TestGapsOfLargeNumbers(t *testing.T) {
	huge := "1" + strings.Repeat("0", 308)
	for _, x := range []struct{ first, second, want string }{
		{`<20000000000000000`, `20000000000000000`, "Age = 20000000000000004"}, // doubles are 4 apart here
		{`>-20000000000000000`, `-20000000000000000`, "Age = -20000000000000004"},
		{`<=-` + huge, `>=` + huge, "Age = 0"},
	} {
		r := importText(t, table(``, "", x.first+` | - => 1`, x.second+` | - => 2`))
		want := "Grade: no rule of its decision table matches " + x.want + ", Risk Class = \"high\""
		if len(r.Notes) != 1 || r.Notes[0] != want {
			t.Errorf("of %.30s and %.30s: got %q, want %q", x.first, x.second, r.Notes, want)
		}
	}
}

// TestNamesOfKnowledge calls a function that has a value only sometimes beside one with the name of its condition.
func TestNamesOfKnowledge(t *testing.T) {
	model := inputs
	for name, expression := range map[string]string{"Rate": "100 / x", "Rate known": "x + 1"} {
		model += fmt.Sprintf(`<businessKnowledgeModel id=%q name=%[1]q><encapsulatedLogic>
<formalParameter name="x" typeRef="number"/><literalExpression><text>%s</text></literalExpression></encapsulatedLogic>
</businessKnowledgeModel>`, name, expression)
	}
	requires := `<knowledgeRequirement><requiredKnowledge href="#Rate"/></knowledgeRequirement>
<knowledgeRequirement><requiredKnowledge href="#Rate known"/></knowledgeRequirement>`
	model += strings.ReplaceAll(decisionOf("Both", "Rate(Age) + Rate known(Age)"), requirements, requirements+requires)
	program := runtime.New(compileText(t, importText(t, model)))
	for age, want := range map[string]string{"20": `{"result": 26}`, "0": "null"} { // 100 / 20 + 21
		if got := evaluate(t, program, "both", `{"age": `+age+`}`); !isSameJSON(t, got, want) {
			t.Errorf("of %s: got %s, want %s", age, got, want)
		}
	}
}

// TestTextBetweenCommentsIsLinear reads a text that 10,000 comments cut, in memory of the order of the file.
func TestTextBetweenCommentsIsLinear(t *testing.T) {
	f := definitions("<x>" + strings.Repeat("x<!---->", 10_000) + "</x>")
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	root, err := parseElements(f.Name, f.Data)
	goruntime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := root.children[0].text; got != strings.Repeat("x", 10_000) {
		t.Errorf("the text has %d bytes", len(got))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100*uint64(len(f.Data)) {
		t.Errorf("%d bytes were allocated for a file of %d", used, len(f.Data))
	}
}

// choicesWithin returns choices within one another, each of which is tried without a type and with that of the number
// beside it, for the name within them is unknown.
func choicesWithin(depth int) string {
	if depth == 0 {
		return "Agee"
	}
	return "(if Age = 1 then " + choicesWithin(depth-1) + " else 1) + 1"
}

// TestRefusals names the element, its line and the reason.
func TestRefusals(t *testing.T) {
	self := strings.ReplaceAll(decisionOf("A", "B + 1"), "#r", "#B") + strings.ReplaceAll(decisionOf("B", "A + 1"), "#r", "#A")
	self = strings.ReplaceAll(self, "requiredInput", "requiredDecision")
	for _, x := range []struct{ name, model, want string }{
		{"overlap", table(``, "", `<=18 | - => 1`, `>=18 | "low" => 2`),
			`11:1: rule (rule_2): rules 1 and 2 both match Age = 18, Risk Class = "low", and the hit policy is unique`},
		{"overlap of other outputs", table(`hitPolicy="ANY"`, "", `<=18 | - => 1`, `- | "low" => 1`, `>=18 | - => 2`),
			`rules 1 and 3 both match Age = 18, Risk Class = "high", and the hit policy is any`},
		{"a text that cannot be", table(``, "", `- | "hgih" => 1`), `"hgih" is none of the allowed values high, mid, low`},
		{"an output that cannot be", table(``, `:"a", "b"`, `- | - => "c"`), `rule 1: "c" is none of the output values a, b`},
		{"priority without order", table(`hitPolicy="PRIORITY"`, "", `- | - => 1`), "hit policy P needs the order of the output values"},
		{"cells of other types", table(``, "", `"old" | - => 1`), "a number and a string cannot be compared by ="},
		{"a cell too many", table(``, "", `- | - | - => 1`), "rule 1 has 3 inputs and 1 output, and the table 2 and 1"},
		{"outputs of two types", table(``, "", `<1 | - => 1`, `>=1 | - => "x"`), "the output of rule 2 is a string, and that of the others a number"},
		{"loop", inputs + decisionOf("L", "\n\nfor i in [1] return i"), `8:1: text: "for" has no counterpart here`},
		{"filter", inputs + decisionOf("L", "[1, 2][item > 1]"), "filters and elements of lists have no counterpart here"},
		{"unknown name", inputs + decisionOf("L", "Agee + 1"), "Agee is nothing that is required here"},
		{"function of FEEL", inputs + decisionOf("L", `upper case("a")`), `"case(\"a\")" is not understood here`},
		{"sum of two types", inputs + decisionOf("L", `1 + "a"`), "+ does not take a number and a string here"},
		{"nothing known", inputs + decisionOf("L", "null"), "the decision is always null, and nothing says its type"},
		{"decisions in a circle", inputs + self, "the decision requires itself"},
		{"a function in itself", inputs + `<businessKnowledgeModel id="f" name="F"><encapsulatedLogic><formalParameter name="x" typeRef="number"/>
<literalExpression><text>F(x - 1)</text></literalExpression></encapsulatedLogic>
<knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement></businessKnowledgeModel>`, "the function calls itself"},
		{"a type in itself", `<itemDefinition name="t"><itemComponent name="t"><typeRef>t</typeRef></itemComponent></itemDefinition>
<inputData id="a" name="A"><variable typeRef="t"/></inputData>` + decisionOf("L", "1"), "type t has itself in it"},
		{"a requirement of nothing", decisionOf("L", "1"), "it requires #a, which is no input, decision or knowledge model of these files"},
		{"two intervals", inputs + `<itemDefinition name="t"><typeRef>number</typeRef><allowedValues><text>[1..5],[10..20]</text>
</allowedValues></itemDefinition><inputData id="x" name="X"><variable typeRef="t"/></inputData>` + decisionOf("L", "1"),
			"allowed values in more than one interval are not read: [1..5],[10..20]"},
		{"a value that the restricted type excludes", inputs + `<itemDefinition name="t"><typeRef>tRisk</typeRef><allowedValues>
<text>"low", "none"</text></allowedValues></itemDefinition><inputData id="x" name="X"><variable typeRef="t"/></inputData>` +
			decisionOf("L", "1"), `"none" is none of the allowed values high, mid, low of the type that is restricted`},
		{"an interval wider than that of the restricted type", inputs + `<itemDefinition name="s"><typeRef>number</typeRef>
<allowedValues><text>(0..5]</text></allowedValues></itemDefinition><itemDefinition name="t"><typeRef>s</typeRef><allowedValues>
<text>[0..5]</text></allowedValues></itemDefinition><inputData id="x" name="X"><variable typeRef="t"/></inputData>` +
			decisionOf("L", "1"), "[0..5] is not within >0 <=5, the interval of the type that is restricted"},
		{"a table too long", table(`hitPolicy="FIRST"`, "", slices.Repeat([]string{`<18 | "low" => Age`}, 2000)...),
			"the conditions and computed outputs of the decision table have 65"},
		{"a cell too long", table(``, "", strings.Repeat("1,", 10_000)+"2 | - => 1"),
			"the text has 20001 bytes, and at most 16384 are read"},
		{"tests too long", table(``, "", strings.Repeat("1,", 8000)+"2 | - => 1"),
			"the formula of these tests would have more than 65536 bytes"},
		{"a long formula many times", strings.ReplaceAll(inputs+decisionOf("S", "1 / (Age - 20)"+strings.Repeat(" + Age", 500))+
			decisionOf("L", "S"+strings.Repeat(" + S", 4000)), requirements, requirements+
			`<informationRequirement><requiredDecision href="#S"/></informationRequirement>`), "and at most 65536 are read"},
		{"a formula of more letters than the language reads", inputs + decisionOf("L", "Age"+strings.Repeat(" + Age", 1000)),
			"its formula has 12009 letters, and at most 8192 are read"},
		{"a sum of an unknown name", inputs + decisionOf("L", "Agee"+strings.Repeat(" + 1", 60)),
			"Agee is nothing that is required here"},
		{"work", inputs + decisionOf("L", choicesWithin(20)), "the formulas of the model would have more than 67108864 bytes"},
		{"tests within tests", inputs + decisionOf("L", strings.Repeat("Age in (", 40)+"?"), `"?" is not understood here`},
		{"no decision", inputs, "the model has no decision with logic"},
		{"boxed loop", inputs + `<decision id="d" name="D"><for><in/></for></decision>`, "<for> has no counterpart here"},
		{"a function of Java", `<businessKnowledgeModel id="f" name="F"><encapsulatedLogic kind="Java"><context/></encapsulatedLogic></businessKnowledgeModel>`,
			"functions of Java are not carried out"},
		{"an import of nothing", `<import namespace="x" name="y" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>`,
			"there is no file beside it"},
		{"an entity", inputs + decisionOf("L", "1") + "<x>&boom;</x>", "invalid character entity &boom;"},
		{"too deep", strings.Repeat("<x>", 100) + strings.Repeat("</x>", 100), "or 64 inside one another"},
		{"expressions too deep", inputs + decisionOf("L", strings.Repeat("(", 200)+"1"+strings.Repeat(")", 200)), "more than 64 deep"},
		{"an expression too long", inputs + decisionOf("L", strings.Repeat("1+", 10_000)+"1"), "at most 16384 are read"},
	} {
		t.Run(x.name, func(t *testing.T) {
			r, list := Import(definitions(x.model), alone)
			if r != nil || len(list) == 0 {
				t.Fatal("nothing is refused")
			}
			if got := list[0].String(); !strings.Contains(got, x.want) {
				t.Errorf("got %s\nwant %s", got, x.want)
			}
		})
	}
	for name, text := range map[string]string{
		"no XML": "a,b", "another root": "<a/>", "nothing": "", "unfinished": "<definitions xmlns='https://www.omg.org/spec/DMN/20230324/MODEL/'>",
		"a document type": "<!DOCTYPE x [<!ENTITY a 'b'>]><definitions xmlns='https://www.omg.org/spec/DMN/20230324/MODEL/'/>",
	} {
		if r, list := Import(File{"x.dmn", []byte(text)}, alone); r != nil || len(list) != 1 || list[0].Place.File != "x.dmn" {
			t.Errorf("%s: got %v, %v", name, r, list)
		}
	}
}

// TestDoublingIsBounded refuses functions each of which stands twice in the next.
func TestDoublingIsBounded(t *testing.T) {
	var model strings.Builder
	model.WriteString(inputs)
	for i := range 40 {
		expression, requires := "x / (x - 1)", ""
		if i > 0 {
			expression = fmt.Sprintf("F%d(x) / F%[1]d(x - 1)", i-1)
			requires = fmt.Sprintf(`<knowledgeRequirement><requiredKnowledge href="#f%d"/></knowledgeRequirement>`, i-1)
		}
		fmt.Fprintf(&model, `<businessKnowledgeModel id="f%d" name="F%[1]d"><encapsulatedLogic><formalParameter name="x"/>
<literalExpression><text>%s</text></literalExpression></encapsulatedLogic>%s</businessKnowledgeModel>`, i, escaped(expression), requires)
	}
	model.WriteString(`<decision id="d" name="D">` + requirements + `<knowledgeRequirement><requiredKnowledge href="#f39"/></knowledgeRequirement>
<literalExpression><text>F39(Age)</text></literalExpression></decision>`)
	r, list := Import(definitions(model.String()), alone)
	if r != nil || len(list) == 0 {
		t.Fatal("nothing is refused")
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(table(`hitPolicy="PRIORITY"`, `:"a"`, `[1..2) | not("low") => "a"`)))
	f.Add([]byte(inputs + decisionOf("L", `if Age in (1..2] then date("2024-01-01") else @"P1D"`)))
	f.Fuzz(func(t *testing.T, elements []byte) {
		r, list := Import(definitions(string(elements)), alone)
		if (r == nil) != (len(list) > 0) {
			t.Fatalf("a ruleset %v and problems %v", r, list)
		}
	})
}
