package vm

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// newTestFrame schedules the graph and writes its input into a frame.
func newTestFrame(b *graphtest.Builder, t testing.TB, opt schedule.Options) (*Frame, *schedule.Code) {
	t.Helper()
	code, err := schedule.Make(b.Plan, &b.Graph, b.Options(opt))
	if err != nil {
		t.Fatal(err)
	}
	f := NewFrame(newTestImage(b, code), code)
	fillInput(b, f)
	return f, code
}

// newTestImage is the plan, ready for code.
func newTestImage(b *graphtest.Builder, code *schedule.Code) *Image {
	m := NewImage(b.Plan)
	m.PrepareTables(code)
	return m
}

func fillInput(b *graphtest.Builder, f *Frame) {
	f.Reset(f.code)
	copy(f.slots[f.code.Base[plan.InputRoot]:], b.Input)
}

// answerOf runs the graph, and gives its outputs as JSON, or what went wrong.
func answerOf(b *graphtest.Builder, t testing.TB, opt schedule.Options, faces ...int64) string {
	t.Helper()
	f, code := newTestFrame(b, t, opt)
	source := dice.FromList(faces)
	if err := Evaluate(f, code, &b.Graph, source); err != nil {
		return err.Error()
	}
	return readOutputs(f, code)
}

// readOutputs are the outputs of a graph as JSON, or the first of them that failed.
func readOutputs(f *Frame, code *schedule.Code) string {
	g := code.Graph()
	sink := &jsonSink{}
	sink.BeginObject(plan.Record)
	for i := range g.Outputs.Fields {
		name := g.Outputs.Type.Fields[i].Name
		if !code.Asked(name) {
			continue
		}
		at := LocateIn(code, &g.Outputs.Fields[i])
		sink.Name(name)
		if fault := Walk(f, &at, f.View(), sink); fault != 0 {
			return OutputFailure(f, g, name, fault).Error()
		}
		if sink.bad != "" {
			return "output " + name + ": the value is " + sink.bad + ", not a number"
		}
	}
	sink.EndObject()
	return sink.text.String()
}

// A jsonSink writes JSON in the plainest way.
type jsonSink struct {
	text  strings.Builder
	comma bool
	bad   string // the first double for which JSON has no number
}

func (s *jsonSink) write(text string) {
	if s.comma {
		s.text.WriteByte(',')
	}
	s.text.WriteString(text)
	s.comma = true
}

func (s *jsonSink) begin(bracket string) { s.write(bracket); s.comma = false }

func (s *jsonSink) end(bracket string) { s.comma = false; s.write(bracket) }

func (s *jsonSink) Int(v int64) { s.write(strconv.FormatInt(v, 10)) }

func (s *jsonSink) Double(v float64) {
	if s.bad == "" && (math.IsNaN(v) || math.IsInf(v, 0)) {
		s.bad = strconv.FormatFloat(v, 'g', -1, 64)
		return
	}
	text, _ := json.Marshal(v)
	if !strings.ContainsAny(string(text), ".e") {
		text = append(text, ".0"...)
	}
	s.write(string(text))
}

func (s *jsonSink) Bool(v bool) { s.write(strconv.FormatBool(v)) }

func (s *jsonSink) Text(v string) {
	text, _ := json.Marshal(v)
	s.write(string(text))
}

func (s *jsonSink) BeginList() { s.begin("[") }

func (s *jsonSink) EndList() { s.end("]") }

func (s *jsonSink) BeginObject(plan.Kind) { s.begin("{") }

func (s *jsonSink) EndObject() { s.end("}") }

func (s *jsonSink) Name(name string) {
	s.Text(name)
	s.text.WriteByte(':')
	s.comma = false
}

// checkAnswers runs the graph in every way.
func checkAnswers(b *graphtest.Builder, t *testing.T, name, want string, faces ...int64) {
	t.Helper()
	for variant, opt := range graphtest.Variants() {
		if got := answerOf(b, t, opt, faces...); got != want {
			t.Errorf("%s %s: got %s, want %s", name, variant, got, want)
		}
	}
}

// endureCode executes code that may be wrong.
func endureCode(b *graphtest.Builder, code *schedule.Code) {
	frame := NewFrame(newTestImage(b, code), code)
	fillInput(b, frame)
	if Evaluate(frame, code, &b.Graph, dice.FromSeed(1, 0, 0)) == nil {
		readOutputs(frame, code)
	}
}
