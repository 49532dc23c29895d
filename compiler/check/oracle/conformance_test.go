package oracle

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cel.dev/expr"
	_ "cel.dev/expr/conformance/proto2" // types that the suite names
	_ "cel.dev/expr/conformance/proto3"
	testpb "cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/prototext"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// leastRun is how many cases ran when this was last looked at. It may only rise.
const leastRun = 524

// profile opens what the cases use and formulas of rulesets may not.
var profile = check.Profile{IntegerDivision: true, MapLiterals: true}

// TestConformance runs the cases of CEL's conformance suite that use only the types that formulas have. A case that is
// not run is named in testdata/skipped.txt with the reason.
func TestConformance(t *testing.T) {
	skipped := readSkipped(t)
	ran := 0
	for _, c := range conformanceCases(t) {
		why, skip := skipped[c.name]
		delete(skipped, c.name)
		err := c.run()
		switch {
		case skip && err == nil:
			t.Errorf("%s is skipped (%s), but it passes", c.name, why)
		case skip:
		case err != nil:
			t.Errorf("%s: %s: %v", c.name, c.test.Expr, err)
		default:
			ran++
		}
	}
	for name := range skipped {
		t.Errorf("testdata/skipped.txt names %s, which is no case of the subset", name)
	}
	t.Logf("%d cases ran", ran)
	if ran < leastRun {
		t.Errorf("only %d cases ran, %d did before", ran, leastRun)
	}
}

// readSkipped reads lines "name: reason".
func readSkipped(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/skipped.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, why, ok := strings.Cut(line, ": ")
		if !ok || why == "" {
			t.Fatalf("testdata/skipped.txt: no reason in %q", line)
		}
		out[name] = why
	}
	return out
}

type conformanceCase struct {
	name string
	test *testpb.SimpleTest
}

// conformanceCases are the cases of the subset.
func conformanceCases(t *testing.T) []conformanceCase {
	out, err := exec.Command("go", "list", "-m", "-json", "cel.dev/expr").Output()
	var module struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &module)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(module.Dir, "tests/simple/testdata/*.textproto"))
	var cases []conformanceCase
	seen := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		suite := &testpb.SimpleTestFile{}
		if err := prototext.Unmarshal(text, suite); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, section := range suite.Section {
			for _, test := range section.Test {
				name := suite.Name + "/" + section.Name + "/" + test.Name
				if seen[name]++; seen[name] > 1 {
					name += fmt.Sprintf("#%d", seen[name])
				}
				if inSubset(test) {
					cases = append(cases, conformanceCase{name, test})
				}
			}
		}
	}
	if len(cases) < 800 {
		t.Fatalf("%d cases are in the subset", len(cases))
	}
	return cases
}

// run carries the case out: check, lower, with and without passes of the schedule.
func (c conformanceCase) run() error {
	vars, err := c.vars()
	if err != nil {
		return err
	}
	diags := &diag.List{}
	checked := check.CheckExpression(&book.Text{S: c.test.Expr}, vars, profile, diags)
	if checked == nil {
		return fmt.Errorf("check: %w", diags.Err())
	}
	for _, without := range withouts() {
		if err := c.evaluate(checked, vars, without); err != nil {
			return err
		}
	}
	return nil
}

func (c conformanceCase) vars() ([]*check.Param, error) {
	var out []*check.Param
	for _, d := range c.test.TypeEnv {
		t, err := typeOf(d.GetIdent().GetType())
		if err != nil {
			return nil, err
		}
		out = append(out, check.NewParam(d.Name, t))
	}
	return out, nil
}

// typeOf is a declared type as one of ours.
func typeOf(t *expr.Type) (*plan.Type, error) {
	switch x := t.GetTypeKind().(type) {
	case *expr.Type_Primitive:
		switch x.Primitive {
		case expr.Type_INT64:
			return plan.IntType, nil
		case expr.Type_DOUBLE:
			return plan.DoubleType, nil
		case expr.Type_BOOL:
			return plan.BoolType, nil
		case expr.Type_STRING:
			return plan.StringType, nil
		}
	case *expr.Type_ListType_:
		elem, err := typeOf(x.ListType.ElemType)
		return plan.ListOf(elem), err
	case *expr.Type_MapType_:
		if x.MapType.KeyType.GetPrimitive() == expr.Type_STRING {
			elem, err := typeOf(x.MapType.ValueType)
			return plan.MapOf(elem), err
		}
	}
	return nil, fmt.Errorf("no type of ours is %v", t)
}

// evaluate runs the case and judges what comes out.
func (c conformanceCase) evaluate(checked *check.Tree, vars []*check.Param, without []string) error {
	input, err := c.input(vars)
	if err != nil {
		return err
	}
	got, err := evaluate(lower.Expression(checked.Root, objectsOf(vars)), input, without)
	if c.test.GetEvalError() != nil || c.test.GetAnyEvalErrors() != nil {
		if err == nil {
			return fmt.Errorf("want an error, got %v", got)
		}
		return nil
	}
	if err != nil {
		return err
	}
	want := c.test.GetValue()
	if want == nil {
		want = &expr.Value{Kind: &expr.Value_BoolValue{BoolValue: true}}
	}
	if typed := c.test.GetTypedResult(); typed != nil {
		want = typed.Result
	}
	if !same(got, want) {
		return fmt.Errorf("want %v, got %v", want, got)
	}
	return nil
}

func objectsOf(list []*check.Param) []check.Object {
	out := make([]check.Object, len(list))
	for i, p := range list {
		out[i] = p
	}
	return out
}

// evaluate is the value of a lowered expression.
func evaluate(p *plan.Plan, input []byte, without []string) (runtime.Value, error) {
	if err := plan.Verify(p); err != nil {
		return runtime.Value{}, err
	}
	rule, err := runtime.New(p).Rule("expression", runtime.Choice{Without: without})
	if err != nil {
		return runtime.Value{}, err
	}
	return rule.Value(runtime.Request{Character: []byte("{}"), Input: input}, "value")
}

// input is the case's bindings as JSON.
func (c conformanceCase) input(vars []*check.Param) ([]byte, error) {
	out := []byte("{")
	for i, v := range vars {
		bound, ok := c.test.Bindings[v.Name()]
		if !ok {
			return nil, fmt.Errorf("%s is not bound", v.Name())
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(fmt.Appendf(out, "%q:", v.Name()), jsonOf(bound.GetValue())...)
	}
	return append(out, '}'), nil
}

func jsonOf(v *expr.Value) []byte {
	switch x := v.GetKind().(type) {
	case *expr.Value_Int64Value:
		return fmt.Append(nil, x.Int64Value)
	case *expr.Value_DoubleValue:
		return fmt.Append(nil, x.DoubleValue)
	case *expr.Value_BoolValue:
		return fmt.Append(nil, x.BoolValue)
	case *expr.Value_StringValue:
		text, _ := json.Marshal(x.StringValue)
		return text
	case *expr.Value_ListValue:
		out := []byte("[")
		for i, e := range x.ListValue.Values {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, jsonOf(e)...)
		}
		return append(out, ']')
	case *expr.Value_MapValue:
		out := []byte("{")
		for i, e := range x.MapValue.Entries {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(append(out, jsonOf(e.Key)...), ':'), jsonOf(e.Value)...)
		}
		return append(out, '}')
	}
	return []byte("null")
}

// same compares a value of ours with one of the suite's.
func same(got runtime.Value, want *expr.Value) bool {
	switch x := want.GetKind().(type) {
	case *expr.Value_Int64Value:
		return got.Kind() == plan.Int && got.Int() == x.Int64Value
	case *expr.Value_DoubleValue:
		return got.Kind() == plan.Double && (got.Double() == x.DoubleValue || math.IsNaN(got.Double()) &&
			math.IsNaN(x.DoubleValue))
	case *expr.Value_BoolValue:
		return got.Kind() == plan.Bool && got.Bool() == x.BoolValue
	case *expr.Value_StringValue:
		return got.Kind() == plan.String && got.Text() == x.StringValue
	case *expr.Value_ListValue:
		if got.Kind() != plan.List || got.Len() != len(x.ListValue.Values) {
			return false
		}
		for i, e := range x.ListValue.Values {
			if !same(got.At(i), e) {
				return false
			}
		}
		return true
	case *expr.Value_MapValue:
		return got.Kind() == plan.Map && got.Len() == len(x.MapValue.Entries) &&
			!slices.ContainsFunc(x.MapValue.Entries, func(e *expr.MapValue_Entry) bool {
				v, ok := got.Get(keyText(e.Key))
				return !ok || !same(v, e.Value)
			})
	}
	return false
}

// keyText is a map's key as a Value names it.
func keyText(k *expr.Value) string {
	switch x := k.GetKind().(type) {
	case *expr.Value_StringValue:
		return x.StringValue
	case *expr.Value_Int64Value:
		return fmt.Sprint(x.Int64Value)
	}
	return fmt.Sprint(k.GetBoolValue())
}
