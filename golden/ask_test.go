package golden_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A player answers questions at random, knowing nothing but the questions.
type player struct {
	*rand.Rand
	asked []string // every question, in order
}

// answer gives the value for a question; nil accepts its absence.
func (p *player) answer(q *ask.Need) json.RawMessage {
	p.asked = append(p.asked, q.Path+q.Die)
	switch {
	case q.Kind == ask.Die:
		for {
			face := 1 + p.Int64N(q.Faces)
			if !slices.Contains(q.Fallen, face) {
				return json.RawMessage(strconv.FormatInt(face, 10))
			}
		}
	case !q.Required && p.IntN(3) == 0:
		return nil
	}
	return json.RawMessage(p.value(q))
}

func (p *player) value(q *ask.Need) string {
	switch q.Type {
	case "int":
		return strconv.Itoa(p.number(q))
	case "double":
		return fmt.Sprintf("%d.5", p.number(q))
	case "bool":
		return strconv.FormatBool(p.IntN(2) == 0)
	case "string":
		return strconv.Quote(p.word(q))
	case "list":
		n := q.MinItems + p.IntN(3)
		if q.MaxItems > 0 {
			n = min(n, q.MaxItems)
		}
		return "[" + strings.TrimSuffix(strings.Repeat("null,", n), ",") + "]"
	case "map":
		if p.IntN(2) == 0 {
			return "{}"
		}
		return "{" + strconv.Quote(p.word(q)) + ":null}"
	}
	return "{}"
}

func (p *player) word(q *ask.Need) string {
	switch {
	case len(q.Keys) > 0:
		return q.Keys[p.IntN(len(q.Keys))].Key
	case len(q.Suggest) > 0 && p.IntN(3) > 0:
		return q.Suggest[p.IntN(len(q.Suggest))]
	}
	return []string{"navigation", "é \"x\".y", "stealth"}[p.IntN(3)]
}

// number is a whole number that fits, mostly a small one.
func (p *player) number(q *ask.Need) int {
	low, high := -5, 25
	if q.Min != nil {
		low = int(*q.Min)
		high = low + 30
	}
	if q.Above != nil {
		low = int(*q.Above) + 1
		high = low + 30
	}
	if q.Max != nil {
		high = min(high, int(*q.Max))
	}
	if q.Below != nil {
		high = min(high, int(*q.Below)-1)
	}
	low = min(low, high)
	for {
		if n := low + p.IntN(high-low+1); !slices.Contains(q.Not, float64(n)) {
			return n
		}
	}
}

// mostQuestions bounds how many questions may come before a sheet.
const mostQuestions = 400

// filler completes records with values at random where nothing was asked.
type filler struct {
	sampler
	accepted []string
	decided  []string // what is decided late: if it was not asked for, there was nothing to decide
}

// fill completes a value of a shape; x is nil where nothing is known.
func (f *filler) fill(s *plan.Shape, x any, path string) any {
	switch v := x.(type) {
	case nil:
		if s.Kind == plan.Record || s.Kind == plan.Map && len(s.Fields) > 0 {
			return f.members(s, map[string]any{}, path)
		}
		var out any
		if err := json.Unmarshal([]byte(f.value(s)), &out); err != nil {
			panic(err)
		}
		if entries, ok := out.(map[string]any); ok {
			maps.DeleteFunc(entries, func(name string, _ any) bool {
				return slices.Contains(f.accepted, path+jsonio.PathStep(name)) // it is known not to be there
			})
		}
		return out
	case map[string]any:
		return f.members(s, v, path)
	case []any:
		for i := range v {
			v[i] = f.fill(s.Elem, v[i], fmt.Sprintf("%s[%d]", path, i))
		}
	}
	return x
}

func (f *filler) members(s *plan.Shape, v map[string]any, path string) any {
	for name := range v {
		if s.Kind == plan.Map && !slices.ContainsFunc(s.Fields, func(m plan.Member) bool { return m.Name == name }) {
			v[name] = f.fill(s.Elem, v[name], path+jsonio.PathStep(name))
		}
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		at := path + jsonio.PathStep(m.Name)
		known := v[m.Name]
		below := slices.ContainsFunc(f.accepted, func(a string) bool { return strings.HasPrefix(a, at) }) ||
			slices.ContainsFunc(f.decided, func(d string) bool { return strings.HasPrefix(at+".", d+".") })
		if known == nil && (m.Optional || m.Default != "") && (below || f.IntN(2) == 0) {
			delete(v, m.Name)
			continue
		}
		v[m.Name] = f.fill(m.Shape, known, at)
	}
	return v
}

// completed is a record in JSON with values at random where nothing was asked.
func (f *filler) completed(t *testing.T, root string, s *plan.Shape, known json.RawMessage) []byte {
	var x any
	if len(known) > 0 {
		d := json.NewDecoder(bytes.NewReader(known))
		d.UseNumber()
		if err := d.Decode(&x); err != nil {
			t.Fatal(err)
		}
	}
	out, err := json.Marshal(f.fill(s, x, root))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A mixed source gives the faces that have fallen, and draws those of dice that were not asked for.
type mixedFaces struct {
	named  *dice.Named
	seeded *dice.Seeded
}

func (m mixedFaces) Face(d *dice.Draw) (int64, error) {
	face, err := m.named.Face(d)
	if dice.IsMissing(err) {
		return m.seeded.Face(d)
	}
	return face, err
}

func (m mixedFaces) Rest() error { return m.named.Rest() }

func facesOf(k runtime.Request) dice.Source {
	return mixedFaces{dice.ByID(k.Dice.ByID.ByID()), dice.FromSeed(1, 0, 0)}
}

// askToTheEnd answers at random until there is a sheet or an error. Every step starts from the JSON of what is known, and
// is asked twice.
func askToTheEnd(t *testing.T, rule *runtime.Rule, p *player) (k runtime.Request, sheet *runtime.Sheet, err error) {
	t.Helper()
	for range mostQuestions {
		text, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		var resumed runtime.Request
		if err := json.Unmarshal(text, &resumed); err != nil {
			t.Fatal(err)
		}
		reply, err := rule.Ask(resumed)
		replyAgain, errAgain := rule.Ask(k)
		once, again := marshal(t, reply), marshal(t, replyAgain)
		if fmt.Sprint(err) != fmt.Sprint(errAgain) || once != again {
			t.Fatalf("asked once %s (%v), asked again %s (%v)", once, err, again, errAgain)
		}
		if err != nil {
			wantWhy(t, err, func() (*runtime.Explanation, error) { return rule.Explain(resumed) })
			return resumed, nil, err
		}
		if reply.Sheet != nil {
			return resumed, reply.Sheet, nil
		}
		q := &reply.Needs[0]
		if err := resumed.Answer(q, p.answer(q)); err != nil {
			t.Fatalf("%s: %v", marshal(t, q), err)
		}
		k = resumed
	}
	t.Fatalf("no end after %d questions, the last of them %q", mostQuestions, p.asked[len(p.asked)-10:])
	return k, nil, nil
}

// wantWhy wants the requirement that refuses to be found with its values. One of a use that is repeated over a list has no
// terms, and is found without them.
func wantWhy(t *testing.T, err error, find func() (*runtime.Explanation, error)) {
	t.Helper()
	refused, ok := errors.AsType[*runtime.Refused](err)
	if !ok {
		return
	}
	why, failed := find()
	if failed != nil || why == nil {
		t.Fatalf("%v: found is %v, %v", err, why, failed)
	}
	if s := why.Step; s != nil && (s.Name != refused.Require.Message || s.Value.Bool()) {
		t.Fatalf("%v: found is %s, which is %v", err, s.Name, s.Value)
	}
}

func marshal(t *testing.T, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// askRule plays one rule with answers at random, and wants of Eval the same outputs or the same error, whatever stands in
// the fields that were not asked for. It reports whether there was a sheet.
func askRule(t *testing.T, program *runtime.Program, r *plan.Rule, seed uint64) bool {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 17))
	choice := runtime.Choice{}
	if fields := r.Graph.Outputs.Type.Fields; len(fields) > 0 && random.IntN(2) == 0 {
		choice.Outputs = []string{fields[random.IntN(len(fields))].Name}
	}
	rule, err := program.Rule(r.ID, choice)
	if err != nil {
		t.Fatal(err)
	}
	p := &player{Rand: random}
	k, sheet, err := askToTheEnd(t, rule, p)
	var input *runtime.InputError
	if errors.As(err, &input) {
		return false
	}
	f := &filler{sampler{random}, k.Accepted, nil}
	for _, d := range r.Graph.Decisions {
		f.decided = append(f.decided, "input."+d.Path)
	}
	request := runtime.Request{
		Character: f.completed(t, "character", program.Plan().Character, k.Character),
		Input:     f.completed(t, "input", r.Input, k.Input),
		Source:    facesOf(k),
	}
	want, errWant := rule.Eval(request)
	if errors.As(errWant, &input) { // what the sampler puts where nothing was asked goes beyond a bound now and then
		return false
	}
	// Ask does not roll a die that nothing reads, and of two dice that cannot be rolled it may meet the other one first.
	if isDieFailure(errWant) && (err == nil || isDieFailure(err)) {
		return false
	}
	// Before a decision is made, with all fields of it, Ask refuses by what is known then, although a later roll, or what reads
	// the other fields, may refuse first.
	undecided := slices.ContainsFunc(r.Graph.Decisions, func(d plan.Decision) bool { return !p.hasDecided(r.Input, d.Path) })
	if undecided && isRefused(err) && isRefused(errWant) {
		return false
	}
	if fmt.Sprint(err) != fmt.Sprint(errWant) || err == nil && sheet.Output.String() != want.Output.String() {
		t.Fatalf("%s %s %v, asked %q:\nknown %s\nAsk gives %s (%v)\nEval gives %s (%v) for\n%s\n%s", program.Plan().Ruleset, r.ID,
			choice.Outputs, p.asked, marshal(t, k), marshal(t, sheet), err, marshal(t, want), errWant, request.Character,
			request.Input)
	}
	return err == nil
}

// hasDecided reports whether a field was asked for or, of a record, each of its fields.
func (p *player) hasDecided(input *plan.Shape, path string) bool {
	shape := input
	for _, name := range strings.Split(path, ".") {
		shape = shape.Member(name)
	}
	if shape != nil && shape.Kind == plan.Record {
		return !slices.ContainsFunc(shape.Fields, func(m plan.Member) bool { return !p.hasDecided(input, path+"."+m.Name) })
	}
	return slices.ContainsFunc(p.asked, func(a string) bool {
		rest, is := strings.CutPrefix(a, "input."+path)
		return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// isRefused reports whether an error is that of a requirement.
func isRefused(err error) bool {
	var refused *runtime.Refused
	return errors.As(err, &refused)
}

// isDieFailure reports whether an error is that of a die that cannot be rolled. Ask rolls no die that nothing reads, so it
// has no failure of one.
func isDieFailure(err error) bool {
	var f *runtime.Failure
	return errors.As(err, &f) && strings.HasPrefix(f.Site.Name, "die ")
}

// askProcedure plays a procedure with answers at random: the start, then events that are offered.
func askProcedure(t *testing.T, program *runtime.Program, id string, seed uint64) (events int) {
	t.Helper()
	d, err := program.Procedure(id, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{Rand: rand.New(rand.NewPCG(seed, 18))}
	play := p.begin(t, d)
	if play == nil {
		return 0
	}
	for range 6 {
		offers, err := play.Offers()
		if err != nil {
			t.Fatalf("%s %s: %v", program.Plan().Ruleset, id, err)
		}
		open := slices.DeleteFunc(offers, func(o runtime.Offer) bool {
			wantOffered(t, play, o)
			return !o.Offered || o.Refused != ""
		})
		if len(open) == 0 {
			return events
		}
		if next := p.happen(t, play, open[p.IntN(len(open))].Event); next != nil {
			play = next
			events++
		}
	}
	return events
}

// wantOffered holds an offer against Do: an event that is not offered is not accepted.
func wantOffered(t *testing.T, play *runtime.Play, o runtime.Offer) {
	t.Helper()
	if o.Offered || len(o.Needs) > 0 {
		return
	}
	copied := *play
	err := copied.Do(runtime.Step{Event: o.Event}, false)
	var off *runtime.NotOffered
	var input *runtime.InputError
	if !errors.As(err, &off) && !errors.As(err, &input) {
		t.Fatalf("event %s is said not to be offered, and Do says %v", o.Event, err)
	}
}

// begin begins a procedure; nil when it refuses what was answered.
func (p *player) begin(t *testing.T, d *runtime.Procedure) *runtime.Play {
	t.Helper()
	var k runtime.Request
	for range mostQuestions {
		reply, err := d.Ask(k)
		if err != nil {
			wantNothingMissing(t, err, k)
			return nil
		}
		if play := reply.Play; play != nil {
			character, input, err := d.Fill(k)
			if err != nil {
				t.Fatal(err)
			}
			started, err := d.Start(runtime.Request{Character: character, Input: input, Source: facesOf(k)})
			wantNothingMissing(t, err, k)
			if play.Events = nil; err == nil && string(started.State) != string(play.State) {
				t.Fatalf("Ask gives the state %s, Start %s", play.State, started.State)
			}
			saved, err := runtime.ReadPlay(play.AppendJSON(nil))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Resume(saved); err != nil {
				t.Fatalf("%v: %s", err, play.AppendJSON(nil))
			}
			return play
		}
		if err := k.Answer(&reply.Needs[0], p.answer(&reply.Needs[0])); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("no start after %d questions, the last of them %q", mostQuestions, p.asked[len(p.asked)-10:])
	return nil
}

// wantNothingMissing wants no error that a field is missing once nothing more is asked for: whoever is asked cannot give
// it.
func wantNothingMissing(t *testing.T, err error, k runtime.Request) {
	t.Helper()
	var bad *runtime.InputError
	if errors.As(err, &bad) && bad.Msg == "is missing" {
		t.Fatalf("%v, and it was not asked for: known %s", err, marshal(t, k))
	}
}

// happen lets an event happen, and wants of Do the same; nil when what was answered is refused.
func (p *player) happen(t *testing.T, play *runtime.Play, event string) *runtime.Play {
	t.Helper()
	var k runtime.Request
	for range mostQuestions {
		reply, err := play.Ask(event, k)
		if err != nil {
			wantNothingMissing(t, err, k)
			wantWhy(t, err, func() (*runtime.Explanation, error) { return play.Explain(event, k) })
			return nil
		}
		next := reply.Play
		if next == nil {
			if err := k.Answer(&reply.Needs[0], p.answer(&reply.Needs[0])); err != nil {
				t.Fatal(err)
			}
			continue
		}
		last := next.Events[len(next.Events)-1]
		copied := *play
		err = copied.Do(runtime.Step{Event: event, Input: last.Input, Source: facesOf(k)}, false)
		wantNothingMissing(t, err, k)
		if err == nil {
			if string(copied.State) != string(next.State) || string(copied.Character) != string(next.Character) {
				t.Fatalf("event %s: Ask comes to %s, Do to %s", event, next.AppendJSON(nil), copied.AppendJSON(nil))
			}
		}
		return next
	}
	t.Fatalf("event %s has no end after %d questions, the last of them %q", event, mostQuestions, p.asked[len(p.asked)-10:])
	return nil
}

// shippedPrograms compiles every ruleset that ships, and the games that show what the language can say.
func shippedPrograms(t testing.TB) (out []*runtime.Program) {
	games, diags := compiler.Release(load.Source{FS: os.DirFS("games")}, compiler.Options{})
	if games == nil {
		t.Fatal(diags)
	}
	for _, p := range append(gametest.ShippedPlans(t), games...) {
		out = append(out, runtime.New(p))
	}
	return out
}

// A subject is a rule or a procedure that ships.
type subject struct {
	program   *runtime.Program
	rule      *plan.Rule // nil for a procedure
	procedure string
}

func shippedSubjects(t testing.TB) (out []subject) {
	for _, program := range shippedPrograms(t) {
		for i := range program.Plan().Rules {
			out = append(out, subject{program: program, rule: &program.Plan().Rules[i]})
		}
		for _, id := range program.ProcedureNames() {
			out = append(out, subject{program: program, procedure: id})
		}
	}
	return out
}

// play answers the questions of a subject at random, to the end. It reports whether that was a sheet or an event.
func (s *subject) play(t *testing.T, seed uint64) bool {
	t.Helper()
	if s.rule != nil {
		return askRule(t, s.program, s.rule, seed)
	}
	return askProcedure(t, s.program, s.procedure, seed) > 0
}

// FuzzAsk answers the questions of a rule or a procedure that ships at random, to the end.
func FuzzAsk(f *testing.F) {
	subjects := shippedSubjects(f)
	for i := range subjects {
		if portion.Takes(i, 6) {
			f.Add(uint64(1), uint16(i))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, i uint16) {
		subjects[int(i)%len(subjects)].play(t, seed)
	})
}

// TestAskComesToSheets wants that random answers lead to a sheet or an event for most of what ships, as a sixth of it shows,
// and with -whole a third: else FuzzAsk would hold little.
func TestAskComesToSheets(t *testing.T) {
	subjects, asked, reached := shippedSubjects(t), 0, 0
	for i := 0; i < len(subjects); i += portion.Of(6, 3) {
		asked++
		for seed := range uint64(4) {
			if subjects[i].play(t, 100+seed) {
				reached++
				break
			}
		}
	}
	if 10*reached < 7*asked {
		t.Errorf("%d of %d rules and procedures came to a sheet", reached, asked)
	}
	t.Logf("%d of %d", reached, asked)
}

// questionCases are questions that follow from the rules as they stand in the tables, found by reading these.
var questionCases = []struct {
	name, ruleset, rule string
	outputs             []string
	known               string
	want                []string // paths and dice, in order
}{
	{"a die alone", "hybrid", "place", nil, `{}`, []string{"spot"}},
	{"a field before the die", "tempestas", "percentage", nil, `{}`, []string{"input.chance"}},
	{"then the die", "tempestas", "percentage", nil, `{"input":{"chance":30}}`, []string{"roll"}},
	{"no character while the input can decide about it", "tempestas", "test", nil, `{}`,
		[]string{"input.name", "input.difficulty", "input.complications", "input.areas", "input.kind"}},
	{"the skill of the name that is tested", "tempestas", "test", nil,
		`{"input":{"name":"navigation"},"accepted":["input"]}`, []string{"character.skills.navigation"}},
	{"the statistic of the name that is tested", "tempestas", "test", nil,
		`{"input":{"name":"int","kind":"statistic"},"accepted":["input"]}`, []string{"character.statistics.int"}},
	{"handicaps once an area is in the way", "tempestas", "test", nil,
		`{"input":{"name":"scale","areas":["arm"]},"accepted":["input"]}`,
		[]string{"character.skills.scale", "character.handicaps"}},
	{"a character in which everything stands", "tempestas", "test", nil,
		`{"input":{"name":"navigation"},"character":{"skills":{"navigation":90}},"accepted":["input","character"]}`,
		[]string{"roll"}},
	{"no sheet without the value of an element", "tempestas", "test", nil,
		`{"input":{"name":"sail","areas":[null]},"character":{"skills":{"sail":90}},"accepted":["input","character"]}`,
		[]string{"input.areas[0]"}},
	{"a condition needs no dice", "zones", "pool", []string{"condition"},
		`{"input":{"attribute":"mind","skill":"lore"},"accepted":["input"]}`,
		[]string{"character.attributes.mind", "character.skills.lore"}},
	{"fields of a record of defaults one by one", "supermen", "skill_attempt", []string{"left"},
		`{"input":{"skill":"x","times":1,"hurry":0,"bonus":0},"dice":{"roll.roll.faces":[5,5]},"accepted":["character"],` +
			`"character":{"skills":{"x":{"roll":20,"level":1}}}}`,
		[]string{"input.spend.defense", "input.spend.time", "input.spend.effects"}},
}

// TestQuestions wants just the questions that the rules make necessary.
func TestQuestions(t *testing.T) {
	programs := map[string]*runtime.Program{}
	for _, p := range shippedPrograms(t) {
		programs[p.Plan().Ruleset] = p
	}
	for _, c := range questionCases {
		rule, err := programs[c.ruleset].Rule(c.rule, runtime.Choice{Outputs: c.outputs})
		if err != nil {
			t.Fatal(err)
		}
		var k runtime.Request
		if err := json.Unmarshal([]byte(c.known), &k); err != nil {
			t.Fatal(err)
		}
		reply, err := rule.Ask(k)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, q := range reply.Needs {
			got = append(got, q.Path+q.Die)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: asks for %q, not %q", c.name, got, c.want)
		}
	}
}

// TestDecisions wants a decision to be asked for when the dice have fallen that it may see, with what is known by then, and
// only when there is something to decide.
func TestDecisions(t *testing.T) {
	var rule *runtime.Rule
	for _, p := range shippedPrograms(t) {
		if p.Plan().Ruleset == "yearzero" {
			var err error
			if rule, err = p.Rule("test", runtime.Choice{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	const person = `"character":{"attributes":{"wits":2}},"input":{"attribute":"wits"}`
	const pushed = `"character":{"attributes":{"wits":2}},"input":{"attribute":"wits","push":true}`
	for _, c := range []struct{ name, known, want string }{
		{"the dice before it", `{` + person + `,"accepted":["input"]}`, `die base`},
		{"then the decision", `{` + person + `,"accepted":["input"],"dice":{"base":[3,6]}}`,
			`decision input.push [{"name":"base","value":[3,6]},{"name":"first","value":1}]`},
		{"nothing to decide", `{` + person + `,"accepted":["input"],"dice":{"base":[1,6]}}`,
			`{"sixes":1,"success":true,"harm":0}`},
		{"the dice that follow from it", `{` + pushed + `,"accepted":["input"],"dice":{"base":[3,6]}}`, `die base_again`},
		{"to the end", `{` + pushed + `,"accepted":["input"],"dice":{"base":[3,6],"base_again":[1]}}`,
			`{"sixes":1,"success":true,"harm":1}`},
		{"accepted by its name", `{` + person + `,"accepted":["input","input.push"],"dice":{"base":[3,6]}}`,
			`{"sixes":1,"success":true,"harm":0}`},
		{"decided beforehand, with nothing to decide", `{` + pushed + `,"accepted":["input"],"dice":{"base":[1,6]}}`,
			"push is decided only when base.count(f, f > 1 && f < 6) + trained.count(f, f < 6) > 0"},
	} {
		var k runtime.Request
		if err := json.Unmarshal([]byte(c.known), &k); err != nil {
			t.Fatal(err)
		}
		reply, err := rule.Ask(k)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case reply.Sheet != nil:
			got = reply.Sheet.Output.String()
		default:
			q := reply.Needs[0]
			if got = q.Kind + " " + q.Path + q.Die; q.Values != nil {
				got += " " + marshal(t, q.Values)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// helpedSkill needs help only of who lacks skill.
const helpedSkill = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: skills: [string]: {weight: int & >=0 & <=9, level: int & >=0 & <=9}

rules: climb: {
	cite: "Climbing"
	#Input: {
		skill!: string
		help!:  int & >=0 & <=9
	}
	output: bonus: "character.skills[input.skill].level > 5 ? 0 : input.help"
}
`

// TestKnownEntryDecides wants the value under a known key to decide what else is asked for.
func TestKnownEntryDecides(t *testing.T) {
	rule, err := runtime.New(compileText(t, helpedSkill)).Rule("climb", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[int]string{6: `{"bonus":0}`, 5: "input.help"} {
		reply, err := rule.Ask(runtime.Request{
			Character: fmt.Appendf(nil, `{"skills":{"walls":{"weight":9,"level":%d},"trees":{"weight":0,"level":0}}}`, level),
			Input:     []byte(`{"skill":"walls"}`),
			Accepted:  []string{"character"},
		})
		var got string
		switch {
		case err != nil:
			got = err.Error()
		case reply.Sheet != nil:
			got = reply.Sheet.Output.String()
		default:
			got = reply.Needs[0].Path
		}
		if got != want {
			t.Errorf("of level %d: %s, not %s", level, got, want)
		}
	}
}

// twoDecisions has two fields that are decided after the same die. The second has no default.
const twoDecisions = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: {}

rules: strike: {
	cite: "Strikes"
	#Input: {
		first:   *0 | (int & >=0 & <=9)
		second!: int & >=0 & <=9
	}
	dice: {roll: "d6", more: "d6"}
	decide: {
		first: {after: ["roll"], most: "roll"}
		second: {after: ["roll"], least: "1", most: "roll - input.first"}
	}
	let: spent: "roll + input.second"
	output: harm: "spent + more + input.first"
	output: twice: "roll * 2"
}
`

// compileStrike compiles the game with two decisions.
func compileStrike(t *testing.T) *plan.Plan {
	t.Helper()
	return compileText(t, twoDecisions)
}

// compileText compiles a ruleset whose id is game and that is a single file.
func compileText(t *testing.T, text string) *plan.Plan {
	t.Helper()
	files := fstest.MapFS{"tables/game/game.cue": {Data: []byte(text)}}
	for _, name := range []string{"cue.mod/module.cue", "schema/schema.cue"} {
		data, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	p, diags := compiler.Directory(load.Source{FS: files}, "tables/game", compiler.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	return p
}

// TestTwoDecisions wants what reads the second field, which has no value yet, neither to be judged nor to be shown while
// the first one is asked for; and an output that is known by then to be shown only where it is asked for.
func TestTwoDecisions(t *testing.T) {
	program := runtime.New(compileStrike(t))
	for _, c := range []struct {
		input   string
		outputs []string
		want    string
	}{
		{`{}`, nil, `input.first <= 5 [{"name":"roll","value":5},{"name":"twice","value":10}]`},
		{`{}`, []string{"harm"}, `input.first <= 5 [{"name":"roll","value":5}]`},
		{`{"first":3}`, []string{"harm"}, `input.second <= 2 [{"name":"roll","value":5}]`},
	} {
		rule, err := program.Rule("strike", runtime.Choice{Outputs: c.outputs})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := rule.Ask(runtime.Request{Input: []byte(c.input),
			Throw: dice.FallenByID(dice.Rolls{{ID: "roll", Faces: []int64{5}}})})
		if err != nil || len(reply.Needs) != 1 {
			t.Errorf("%s: %v, %v", c.input, reply, err)
			continue
		}
		q := &reply.Needs[0]
		if got := fmt.Sprint(q.Path, " <= ", *q.Max, " ", marshal(t, q.Values)); got != c.want {
			t.Errorf("%s: %s, not %s", c.input, got, c.want)
		}
	}
}

// needless has dice of which one is not needed once the input is known, as a rule and as an event.
const needless = `
rules: choose: {
	cite: "x"
	#Input: second: *false | bool
	dice: {a: "d6", b: "d6"}
	output: face: "input.second ? b : a"
}
procedures: throws: {
	cite: "x"
	#State: total: *0 | int & >=0
	output: total: "state.total"
	ends: over: "state.total > 99"
	events: throw: {
		doc: "x"
		#Event: second: *false | bool
		dice: {a: "d6", b: "d6"}
		next: total: "state.total + (event.second ? b : a)"
	}
}
`

// TestNeedlessDice wants the sheet of what is asked to be that of an evaluation with the same faces where a seed draws them,
// also beside faces that are given, and where they stand in a list.
func TestNeedlessDice(t *testing.T) {
	program := runtime.New(gametest.CompileParts(t, needless))
	rule, err := program.Rule("choose", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	procedure, err := program.Procedure("throws", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	play, err := procedure.Start(runtime.Request{})
	if err != nil {
		t.Fatal(err)
	}
	const seed = 4 // which draws 2 and 5 for a rule
	input := []byte(`{"second":true}`)
	given := dice.Throw{Dice: dice.Faces{ByID: dice.Rolls{{ID: "b", Faces: []int64{3}}}}}
	given.Seed = dice.DrawnFrom(seed).Seed
	for _, x := range []struct {
		name        string
		asked, eval dice.Throw
		needs       string // the die that is asked for, and what it would show
	}{
		{"a seed", dice.DrawnFrom(seed), dice.DrawnFrom(seed), "b 5"},
		{"a seed and a face", given, given, ""},
		{"a list", dice.Fallen(1, 3), dice.Fallen(1, 3), ""},
		{"a list that is too short", dice.Fallen(1), dice.Fallen(1, 3), "b 0"},
	} {
		request, told := runtime.Request{Input: input, Throw: x.asked}, ""
		reply, err := rule.Ask(request)
		if err == nil && reply.Needs != nil {
			told = fmt.Sprint(reply.Needs[0].Die, " ", reply.Needs[0].Drawn)
		}
		if err != nil || told != x.needs {
			t.Errorf("%s: %v, %q is asked for, not %q", x.name, err, told, x.needs)
			continue
		}
		want, err := rule.Eval(runtime.Request{Input: input, Throw: x.eval})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case told == "b 5":
			request.LetFall(&reply.Needs[0])
		case told != "":
			request.Throw = x.eval
		}
		if reply, err = rule.Ask(request); err != nil || reply.Sheet == nil {
			t.Errorf("%s: %v, no sheet", x.name, err)
		} else if got, want := string(reply.Sheet.AppendJSON(nil)), string(want.AppendJSON(nil)); got != want {
			t.Errorf("%s: %s, not %s", x.name, got, want)
		}
		done := *play
		if err := done.Do(runtime.Step{Event: "throw", Input: input, Throw: x.eval}, false); err != nil {
			t.Fatal(err)
		}
		request = runtime.Request{Input: input, Throw: x.eval}
		event, err := play.Ask("throw", request)
		if err == nil && event.Needs != nil && event.Needs[0].Die == "b" {
			request.LetFall(&event.Needs[0])
			event, err = play.Ask("throw", request)
		}
		if err != nil || event.Play == nil {
			t.Errorf("%s: %v, no event", x.name, err)
		} else if got, want := marshal(t, event.Play), marshal(t, &done); got != want {
			t.Errorf("%s: %s, not %s", x.name, got, want)
		}
	}
}

// TestCardsAlikeByHand gives the first two cards of a deck by hand, of which there are several, and lets the others fall from a
// seed. What was asked for can be evaluated, and its sheet be repeated.
func TestCardsAlikeByHand(t *testing.T) {
	rule, err := runtime.New(gametest.CompileParts(t, `rules: deal: {
	cite: "x"
	dice: hand: {faces: [2, 0, 2, 1, 2], count: 4, distinct: true}
	output: hand: "hand"
}
`)).Rule("deal", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(100) {
		request := runtime.Request{Throw: dice.DrawnFrom(seed)}
		var asked *runtime.Sheet
		for n := 0; asked == nil; n++ {
			reply, err := rule.Ask(request)
			if err != nil {
				t.Fatal(err)
			}
			switch asked = reply.Sheet; {
			case asked != nil:
			case n < 2:
				if err := request.Answer(&reply.Needs[0], []byte("2")); err != nil {
					t.Fatal(err)
				}
			default:
				request.LetFall(&reply.Needs[0])
			}
		}
		evaluated, err := rule.Eval(request)
		if err != nil {
			t.Fatal(err)
		}
		repeated, err := rule.Eval(runtime.Request{Throw: dice.Throw{Seed: asked.Seed, Given: asked.Given}})
		if err != nil {
			t.Fatal(err)
		}
		want := string(asked.AppendJSON(nil))
		for way, sheet := range map[string]*runtime.Sheet{"evaluated": evaluated, "repeated": repeated} {
			if got := string(sheet.AppendJSON(nil)); got != want {
				t.Errorf("seed %d, %s: %s, not %s", seed, way, got, want)
			}
		}
	}
}

// TestBoundsOfAlteredPlans lets a bound be any node, as only a file can. What depends on what is rolled or decided later
// must fail.
func TestBoundsOfAlteredPlans(t *testing.T) {
	p := compileStrike(t)
	g := &p.Rules[0].Graph
	failed := 0
	for id := range g.Nodes {
		g.Decisions[0].Most = plan.Value{Type: plan.IntType, ID: plan.ID(id), Fault: plan.None, Present: plan.None}
		if plan.Verify(p) != nil {
			continue
		}
		rule, err := runtime.New(p).Rule("strike", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = rule.Ask(runtime.Request{Throw: dice.FallenByID(dice.Rolls{{ID: "roll", Faces: []int64{5}}})})
		var failure *runtime.Failure
		n := &g.Nodes[id]
		isLater := n.Op == plan.OpRoll && g.Dice[n.Imm].ID == "more" || n.Op == plan.OpLeaf
		if fails := errors.As(err, &failure); isLater && !fails {
			t.Errorf("the bound may be node %d, %s", id, n.Op)
		} else if fails {
			failed++
		}
	}
	if failed < 3 { // the later die and both fields
		t.Errorf("only %d bounds fail", failed)
	}
}

// TestRefusedBeforeDice wants a requirement that is known not to hold to be told before anything else is asked for.
func TestRefusedBeforeDice(t *testing.T) {
	for _, p := range shippedPrograms(t) {
		if p.Plan().Ruleset != "tempestas" {
			continue
		}
		rule, err := p.Rule("test", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = rule.Ask(runtime.Request{
			Input: []byte(`{"name":"flying"}`), Character: []byte(`{"skills":{}}`), Accepted: []string{"character", "input.kind"},
		})
		var refused *runtime.Refused
		if !errors.As(err, &refused) || refused.Error() != "the character has nothing of that name" {
			t.Errorf("asking gives %v", err)
		}
	}
}

// TestAskBeforeLaterDice asks while a die has not fallen on which another one depends that nothing needs, or a requirement
// that is met already: nothing may be computed of a roll that was taken out.
func TestAskBeforeLaterDice(t *testing.T) {
	p := gametest.CompileParts(t, `rules: inner: {cite: "x", dice: d: "d6", output: one: "size(string(d)) > 0 ? 1 : 1"}
rules: outer: {
	cite: "x"
	#Input: n!: int & >=0 & <=9
	dice: first: "d6"
	use: second: {rule: "inner", when: "first * 2 + 1 > 5", otherwise: one: 0}
	output: {a: "first", known: "input.n + 1"}
}
rules: decided: {
	cite: "x"
	#Input: {lucky!: bool, spend: *0 | int & >=0 & <=5}
	dice: before: "d4"
	decide: spend: {after: ["before"], least: 0, most: "before"}
	dice: later: "d6"
	require: "luck": "input.lucky || later * 2 + 1 > 5"
	output: total: "input.spend + later"
}
rules: bounded: {
	cite: "x"
	#Input: {reach!: number & >=0, spend: *0 | int & >=0 & <=5}
	dice: before: "d4"
	decide: spend: {after: ["before"], least: 0, most: "before"}
	dice: later: "d6"
	require: "far": "int(input.reach * 2.0) >= 7 + later" // of 6.5 or more whatever falls
	output: total: "input.spend + later"
}
`)
	program := runtime.New(p)
	for id, q := range map[string]runtime.Request{
		"outer":   {Input: []byte(`{"n": 1}`)},
		"decided": {Input: []byte(`{"lucky": true}`), Throw: dice.FallenByID(dice.Rolls{{ID: "before", Faces: []int64{3}}})},
		"bounded": {Input: []byte(`{"reach": 8.5}`), Throw: dice.FallenByID(dice.Rolls{{ID: "before", Faces: []int64{3}}})},
	} {
		rule, err := program.Rule(id, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if reply, err := rule.Ask(q); err != nil || len(reply.Needs) != 1 {
			t.Errorf("%s: %v, %v; one need is to be answered", id, reply, err)
		}
	}
}

// TestAskOfRepeatedUses asks about a rule that is used for each of some numbers: its requirement, which never holds,
// refuses where there is a number, and says nothing where there is none.
func TestAskOfRepeatedUses(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: {}
tables: arms: {cite: "x", keyed: axe: {heft: 1, fine: false}}
rules: inner: {cite: "x", #Input: n!: int & >=0 & <=9, require: "never": "arms('axe').fine", output: one: "input.n"}
rules: outer: {
	cite: "x"
	#Input: xs: [...int & >=0 & <=9] & list.MaxItems(3)
	use: inners: {rule: "inner", each: x: "input.xs", input: n: "x"}
	output: total: "inners.sum(x, x.one)"
}
`)
	rule, err := runtime.New(p).Rule("outer", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := rule.Ask(runtime.Request{Input: []byte(`{"xs": []}`)}); err != nil || reply.Sheet == nil {
		t.Errorf("without numbers: %v, %v", reply, err)
	}
	reply, err := rule.Ask(runtime.Request{Input: []byte(`{"xs": [1]}`)})
	if _, isRefused := errors.AsType[*runtime.Refused](err); !isRefused {
		t.Errorf("with a number: %v, %v", reply, err)
	}
}

// TestReferenceOfDecisions holds two sentences of "rules help language": the default of a field that is decided must be
// within the bounds too, and "when" is looked at only where the value is another.
func TestReferenceOfDecisions(t *testing.T) {
	p := gametest.CompileParts(t, `rules: low: {
	cite: "x"
	#Input: spend: *0 | int & >=0 & <=5
	dice: roll: "d4"
	decide: spend: {after: ["roll"], when: "roll > 9", least: 1}
	output: total: "input.spend + roll"
}
rules: odd: {
	cite: "x"
	#Input: {n!: int, spend: *0 | int & >=0 & <=5}
	dice: roll: "d4"
	decide: spend: {after: ["roll"], when: "div_floor(1, input.n) < roll", least: 0}
	output: total: "input.spend + roll"
}
`)
	for _, c := range []struct{ rule, input, want string }{
		{"low", `{}`, "spend must be at least 1"},
		{"odd", `{"n": 0}`, ""},
		{"odd", `{"n": 0, "spend": 1}`, "division by zero"},
	} {
		rule, err := runtime.New(p).Rule(c.rule, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = rule.Eval(runtime.Request{Input: []byte(c.input), Throw: dice.Fallen(2)})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, not %q", c.rule, c.input, err, c.want)
		}
	}
}

// TestGuardBeforeInput wants the guard of an event to be judged before what comes with it, played and asked: one that does
// not hold, or fails, is told also where the input does not fit.
func TestGuardBeforeInput(t *testing.T) {
	p := gametest.CompileParts(t, `procedures: play: {
	cite: "x"
	#State: {pool: *0 | int & >=0 & <=9, weight: *1.0 | number, seen: [...int] & list.MaxItems(3)}
	start: next: seen: "[1]"
	ends: over: "state.pool == 9"
	output: pool: "state.pool + 1"
	events: see: {
		doc: "x"
		when: "state.seen.exists(x, x > 3)"
		#Event: n!: int
		next: seen: "[event.n]"
	}
	events: push: {
		doc: "x"
		when: "div_floor(6, state.pool) == 2"
		#Event: n!: int & >=1
		next: pool: "event.n"
	}
	events: fill: {
		doc: "x"
		#Event: n!: int
		next: pool: "event.n"
	}
	events: march: {
		doc: "x"
		when: "true"
		#Event: n!: int
		next: pool: "div_floor(1, state.pool)"
	}
	events: weigh: {
		doc: "x"
		next: weight: "pow(-1.0 * (1 + state.pool), 0.5)" // no number
	}
}
`)
	procedure, err := runtime.New(p).Procedure("play", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	open, err := procedure.Play(runtime.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open.Ask("see", runtime.Request{}); err == nil || !strings.Contains(err.Error(), "event see is not offered") {
		t.Errorf("of elements of a list: %v, not that the event is not offered", err)
	}
	for pool, want := range map[int]string{0: "division by zero", 2: "event push is not offered", 3: "event.n: is missing"} {
		play, err := procedure.Play(runtime.Request{}, runtime.Step{Event: "fill", Input: fmt.Appendf(nil, `{"n":%d}`, pool)})
		if err != nil {
			t.Fatal(err)
		}
		_, asked := play.Ask("push", runtime.Request{Input: []byte(`{"n":"x"}`)})
		if pool == 3 && asked == nil || pool != 3 && (asked == nil || !strings.Contains(asked.Error(), want)) {
			t.Errorf("with %d, asking gives %v", pool, asked)
		}
		if err := play.Do(runtime.Step{Event: "push"}, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %d, playing gives %v", pool, err)
		}
	}
	for event, want := range map[string]string{
		"march": "event 1, march: event.n: is missing (line 1, column 3)", // a guard that holds tells of nothing after it
		"weigh": "event 1, weigh: state.weight: must be a number, not NaN",
		"fill":  "event 1, fill: state.pool: must be at most 9, not 99",
	} {
		input := map[string]string{"fill": `{"n":99}`}[event]
		_, err := procedure.Play(runtime.Request{}, runtime.Step{Event: event, Input: []byte(input)})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", event, err)
		}
	}
}

// TestKeyOfEventIsAskedForAtTheStart wants the start to ask for the whole map in which an event looks up what comes with
// it, or what stands in the state: whatever is not asked for then is missing for good.
func TestKeyOfEventIsAskedForAtTheStart(t *testing.T) {
	for _, events := range []string{
		`use: {doc: "x", #Event: skill!: string @key(character.skills), next: pool: "1"}`,
		`use: {doc: "x", #Event: skill!: string, next: pool: "get(character.skills, event.skill, 0)"}`,
		`use: {doc: "x", #Event: skill!: string, next: pool: "get(character.skills, state.last, 0)"}`,
	} {
		p := gametest.CompileSource(`package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
#Character: skills: [string]: int & >=0 & <=6
procedures: play: {
	cite: "x"
	#State: {pool: *0 | int & >=0 & <=9, last: *"climb" | string}
	ends: over: "state.pool == 9"
	output: pool: "state.pool + 1"
	events: ` + events + `
}
`)
		if p == nil {
			t.Fatalf("%s does not compile", events)
		}
		procedure, err := runtime.New(p).Procedure("play", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := procedure.Ask(runtime.Request{})
		if err != nil || len(reply.Needs) != 1 || reply.Needs[0].Path != "character.skills" {
			t.Errorf("%s: %+v %v, not the need of all skills", events, reply, err)
		}
	}
}

// TestBoundOfWhatAnEventChangesIsAskedForAtTheStart wants the start to ask for a field that another one bounds which an
// event changes: both are judged after the event, and not with a value that only stands in for what was not asked for.
func TestBoundOfWhatAnEventChangesIsAskedForAtTheStart(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: {grace: *8 | int & >=0 & <=9, worn: *2 | int & >=0 & <=grace, idle: *3 | int & >=0 & <=9}
procedures: play: {
	cite: "x"
	#State: pool: *0 | int & >=0 & <=9
	ends: over: "state.pool == 9"
	output: pool: "state.pool + 1"
	events: fall: {doc: "x", next: "character.grace": "0"}
}
`)
	procedure, err := runtime.New(p).Procedure("play", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := procedure.Ask(runtime.Request{})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, n := range reply.Needs {
		asked = append(asked, n.Path)
	}
	if want := []string{"character.grace", "character.worn"}; !slices.Equal(asked, want) {
		t.Errorf("asks for %v, not for %v", asked, want)
	}
	request := runtime.Request{} // with the grace that nobody gives, worn matters as before
	if err := request.Answer(&reply.Needs[0], nil); err != nil {
		t.Fatal(err)
	}
	if reply, err = procedure.Ask(request); err != nil || len(reply.Needs) != 1 || reply.Needs[0].Path != "character.worn" {
		t.Errorf("then asks for %+v, %v, not for character.worn", reply, err)
	}
}

// TestMapWithKeysThatMustBeGiven asks for a map of which one key must be given and others may be: where it is read as a whole,
// for the map, as no other question would tell of the other keys; else for the keys that are looked up, within their own bounds.
func TestMapWithKeysThatMustBeGiven(t *testing.T) {
	p := gametest.CompileParts(t, `rules: [string]: {
	cite: "x"
	#Input: cups: {[string]: int & >=0 & <=9, brim!: int & >=1, rim?: int & <=3}
}
rules: whole: output: {brim: "input.cups['brim'] + 1", all: "input.cups.map(k, input.cups[k])"}
rules: keys: output: some: "input.cups['brim'] + get(input.cups, 'tin', 0)"
rules: none: output: some: "2"
`)
	for rule, want := range map[string][]string{
		"whole": {`{"ask":"field","for":["output brim","output all"],"path":"input.cups","type":"map","required":true,"elem":"int"}`},
		"keys": {`{"ask":"field","for":["output some"],"path":"input.cups.brim","type":"int","required":true,"min":1,"max":9}`,
			`{"ask":"field","for":["output some"],"path":"input.cups.tin","type":"int","min":0,"max":9}`},
		"none": nil,
	} {
		r, err := runtime.New(p).Rule(rule, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := r.Ask(runtime.Request{})
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, need := range reply.Needs {
			text, err := json.Marshal(need)
			if err != nil {
				t.Fatal(err)
			}
			asked = append(asked, string(text))
		}
		if !slices.Equal(asked, want) {
			t.Errorf("%s asks for %q, not for %q", rule, asked, want)
		}
	}
}
