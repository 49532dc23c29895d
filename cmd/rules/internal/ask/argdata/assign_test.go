package argdata

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// shape is {name: string, count: int, points: {body: int}, levels: [string]: {at: string}}.
var shape = &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
	{Name: "name", Shape: &plan.Shape{Kind: plan.String}},
	{Name: "count", Shape: &plan.Shape{Kind: plan.Int}},
	{Name: "points", Shape: &plan.Shape{Kind: plan.Record,
		Fields: []plan.Member{{Name: "body", Shape: &plan.Shape{Kind: plan.Int}}}}},
	{Name: "levels", Shape: &plan.Shape{Kind: plan.Map, Elem: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
		{Name: "at", Shape: &plan.Shape{Kind: plan.String}}}}}},
}}

func TestAssign(t *testing.T) {
	for _, test := range []struct{ object, set, want string }{
		{`{}`, `name=sword`, `{"name":"sword"}`},
		{`{}`, `name="sword"`, `{"name":"sword"}`},
		{`{}`, `name=43`, `{"name":"43"}`},
		{`{}`, `name=true`, `{"name":"true"}`},
		{`{}`, `name=`, `{"name":""}`},
		{`{}`, `name=a=b`, `{"name":"a=b"}`},
		{`{}`, `name="`, `{"name":"\""}`},
		{`{}`, `count=43`, `{"count":43}`},
		{`{}`, `count=many`, `{"count":"many"}`},
		{`{}`, `points.body=3`, `{"points":{"body":3}}`},
		{`{"points": {"body": 1, "soul": 2}, "name": "x"}`, `points.body=3`, `{"points":{"body":3,"soul":2},"name":"x"}`},
		{`{}`, `points={"body": 3}`, `{"points":{"body": 3}}`},
		{`{}`, `levels.hurt.at=5`, `{"levels":{"hurt":{"at":"5"}}}`},
		{`{}`, `name=<&>`, `{"name":"<&>"}`},
		{`{}`, `nonesuch=5`, `{"nonesuch":5}`},
		{`{"name": "a", "name": "b"}`, `count=1`, `{"name":"a","name":"b","count":1}`},
	} {
		a, err := phrase.ParseAssignment(test.set, shape)
		if err != nil {
			t.Errorf("%s: %v", test.set, err)
			continue
		}
		got, err := PutInto([]byte(test.object), a.Path, a.Value)
		if err != nil || string(got) != test.want {
			t.Errorf("%s in %s gives %s, %v; want %s", test.set, test.object, got, err, test.want)
		}
	}
}

func TestAssignRefuses(t *testing.T) {
	for _, test := range []struct{ object, set string }{
		{`{}`, `name`}, {`{}`, `=5`}, {`[]`, `name=x`}, {``, `name=x`}, {`{"name"`, `name=x`}, {`{"name": 3`, `count=1`},
		{`{"points": 3}`, `points.body=1`}, {`{} {}`, `name=x`}, {`{}`, "name=\xff"},
	} {
		a, err := phrase.ParseAssignment(test.set, shape)
		if err == nil {
			_, err = PutInto([]byte(test.object), a.Path, a.Value)
		}
		if err == nil {
			t.Errorf("%s in %s is accepted", test.set, test.object)
		}
	}
}

func FuzzAssign(f *testing.F) {
	f.Add(`{"points": {"body": 1}}`, `points.body=3`)
	f.Add(`{`, `a.b.c="`)
	f.Fuzz(func(t *testing.T, object, set string) {
		a, err := phrase.ParseAssignment(set, shape)
		if err != nil {
			return
		}
		got, err := PutInto([]byte(object), a.Path, a.Value)
		if err != nil {
			return
		}
		if again, err := PutInto(got, a.Path, a.Value); err != nil || string(again) != string(got) {
			t.Errorf("%s in %s gives %s, and again %s, %v", set, object, got, again, err)
		}
	})
}
