package markov_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
)

var (
	randomPlays = flag.Int("procedures", 40, "how many random procedures TestRandomProcedures plays in every way")
	playSeed    = flag.Uint64("procedures-seed", 28, "the seed of their first game")
)

// Random small procedures end as all their plays do, when each is carried out event by event by the runtime: under a policy
// in fractions, with what is refused, stuck and outgrown, and under --best as the best of all strategies. A strategy may
// choose otherwise for each course of events so far, and when it decides for each way in which the dice of the event have
// fallen.
func TestRandomProcedures(t *testing.T) {
	const ofGame = 20 // procedures that are compiled together
	var sum tally
	for made, seed := 0, *playSeed; made < *randomPlays; made, seed = made+ofGame, seed+1 {
		games := make([]*playedGame, ofGame)
		texts := map[string]string{}
		for i := range games {
			games[i] = newPlayedGame(rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("p%d", i))
			texts[games[i].id] = games[i].text
		}
		program := gametest.Small(t, texts)
		for _, g := range games {
			g.program = program
			g.compareCourse(t, &sum)
			g.compareBest(t, &sum)
			if t.Failed() {
				t.Fatalf("seed %d, %s, policy %s", seed, g.text, g.describePolicy())
			}
		}
	}
	t.Logf("%d plays and %d moves of strategies of %d procedures were compared: %d ends, of which %d refused, %d stuck, "+
		"%d outgrown", sum.plays, sum.tried, *randomPlays, sum.ends, sum.refused, sum.stuck, sum.outgrown)
	if sum.plays < *randomPlays || sum.refused == 0 || sum.stuck == 0 || sum.outgrown == 0 {
		t.Error("what was compared lacks some way to end")
	}
}

// A tally counts what was compared.
type tally struct{ plays, tried, ends, refused, stuck, outgrown int }

// A playedGame is a random procedure with a policy.
//
// Its state has the numbers a and b and the number of events t, with which it ends after so many of them, if it counts.
type playedGame struct {
	*rand.Rand
	id, text string
	rules    string // that its events use
	program  *runtime.Program
	events   []playedEvent
	policy   []playedMove
	most     int // events until it ends; 0 of one that may go on for ever
}

// A playedEvent is what the policy has to know of an event.
type playedEvent struct {
	id       string
	takesAt  int64
	hasInput bool // x, from 0 to 2
	// decided are the parts of its input that may be decided when its dice d have fallen, the first by default; none of an
	// event without a decision. paths are of the fields in them.
	decided []string
	paths   []string
	known   int // how many faces d has
}

// sumKnown adds up the faces that are known when something is decided.
func (e *playedEvent) sumKnown(faces []int64) (sum int64) {
	for _, f := range faces[:e.known] {
		sum += f
	}
	return sum
}

// choose returns which of the parts of the input the policy decides for. The first is for little.
func (e *playedEvent) choose(sum int64) int {
	if sum < e.takesAt {
		return 0
	}
	return 1 + int(sum)%(len(e.decided)-1)
}

// A playedMove tries an event while a is below a limit.
type playedMove struct {
	event *playedEvent
	input string
	below int64
}

func (g *playedGame) pick(list ...string) string { return list[g.IntN(len(list))] }

// number returns a formula over the state and, among the others, over atoms.
func (g *playedGame) number(atoms ...string) string {
	atom := func() string {
		return g.pick(append([]string{"state.a", "state.b", "state.a", "1", "2", "0"}, atoms...)...)
	}
	switch g.IntN(5) {
	case 0:
		return atom()
	case 1:
		return fmt.Sprintf("(%s + %s)", atom(), atom())
	case 2:
		return fmt.Sprintf("max(%s, %s)", atom(), atom())
	case 3:
		return fmt.Sprintf("min(%s, %s + 1)", atom(), atom())
	}
	return fmt.Sprintf("(%s > %s ? %s : %s)", atom(), atom(), atom(), atom())
}

// condition returns a condition over the same.
func (g *playedGame) condition(atoms ...string) string {
	return fmt.Sprintf("%s %s %d", g.number(atoms...), g.pick("<", "<=", "!=", ">", "=="), g.IntN(4))
}

func newPlayedGame(r *rand.Rand, id string) *playedGame {
	g := &playedGame{Rand: r, id: id}
	if r.IntN(3) > 0 {
		g.most = 2 + r.IntN(2)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "procedures: %s: {\ncite: \"x\"\n", id)
	b.WriteString("#State: {a: *0 | (int & >=0 & <=6), b: *0 | (int & >=0 & <=6), t: *0 | (int & >=0)}\nstart: {\n")
	first := []string{"0", "1", "2"}
	if r.IntN(2) == 0 {
		b.WriteString("dice: s: \"d3\"\n")
		first = append(first, "s", "s", "s - 1")
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "require: \"no start\": \"s != %d\"\n", 1+r.IntN(3))
		}
	}
	fmt.Fprintf(&b, "next: {a: \"%s\", b: \"%s\"}\n}\nevents: {\n", g.pick(first...), g.pick(first...))
	for i := range 1 + r.IntN(3) {
		b.WriteString(g.newEvent(fmt.Sprintf("e%d", i)))
	}
	b.WriteString("}\nends: {\n")
	won := fmt.Sprintf("state.b >= %d", 3+r.IntN(3))
	if r.IntN(4) == 0 {
		won = g.condition()
	}
	fmt.Fprintf(&b, "won: \"%s\"\n", won)
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "lost: \"state.a == %d\"\n", 3+r.IntN(3))
	}
	if g.most > 0 {
		fmt.Fprintf(&b, "over: \"state.t >= %d\"\n", g.most)
	}
	fmt.Fprintf(&b, "}\noutput: {v: \"%s\", w: \"%s\"}\n}\n", g.number(), g.condition())
	g.text = g.rules + b.String()
	for range 1 + r.IntN(3) {
		m := playedMove{event: &g.events[r.IntN(len(g.events))], below: math.MaxInt64}
		if r.IntN(2) == 0 {
			m.below = int64(1 + r.IntN(4))
		}
		if m.event.hasInput && r.IntN(2) == 0 {
			m.input = fmt.Sprintf(`{"x":%d}`, r.IntN(3))
		}
		g.policy = append(g.policy, m)
	}
	return g
}

// newEvent writes an event, and notes what the policy has to know of it.
func (g *playedGame) newEvent(id string) string {
	e := playedEvent{id: id, hasInput: g.IntN(2) == 0, takesAt: int64(1 + g.IntN(3))}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: {\n", id)
	if g.IntN(3) == 0 {
		fmt.Fprintf(&b, "when: \"%s\"\n", g.condition())
	}
	var atoms, fields []string
	if e.hasInput {
		fields, atoms = append(fields, "x: *1 | (int & >=0 & <=2)"), append(atoms, "event.x")
	}
	early := slices.Clone(atoms)
	var dice []string
	d := "d"
	if g.IntN(5) > 0 {
		if e.known = 1; g.IntN(4) == 0 {
			e.known, d = 2, "sum(d)"
		}
		dice = append(dice, fmt.Sprintf("d: %s", [...]string{"", fmt.Sprintf("\"d%d\"", 2+g.IntN(2)), "\"2d2\""}[e.known]))
		atoms = append(atoms, d, d)
		switch g.IntN(5) {
		case 0:
			e.decided, e.paths = []string{`"take":false`, `"take":true`}, []string{"take"}
			fields, atoms = append(fields, "take: *false | bool"), append(atoms, "(event.take ? "+d+" : 0)", "(event.take ? 2 : 1)")
		case 1:
			e.paths = []string{"pay.take", "pay.more"}
			for _, take := range []bool{false, true} {
				for more := range 3 {
					e.decided = append(e.decided, fmt.Sprintf(`"pay":{"take":%t,"more":%d}`, take, more))
				}
			}
			fields = append(fields, "pay: {take: *false | bool, more: *0 | (int & >=0 & <=2)}")
			atoms = append(atoms, "(event.pay.take ? "+d+" : 0)", "event.pay.more")
		}
	}
	var use string
	if len(e.decided) == 0 && g.IntN(4) == 0 { // the dice of a rule fall before those of the event
		use = fmt.Sprintf("use: u: {rule: \"%s_%s\", input: n: \"min(state.a, 2)\"}\n", g.id, id)
		atoms = append(atoms, "u.n", "u.most")
		g.rules += fmt.Sprintf("rules: %s_%s: {\ncite: \"x\"\n#Input: n!: int & >=0 & <=2\n"+
			"dice: r: {die: 2, count: \"input.n\", most: 2}\n%soutput: {n: \"r.count(f, f == 2)\", most: \"max([0] + r)\"}\n}\n",
			g.id, id, g.pick("", "require: \"no pair\": \"size(r) < 2 || r[0] != r[1]\"\n"))
	}
	switch g.IntN(4) {
	case 0:
		dice, atoms = append(dice, "two: {die: 2, count: 2}"), append(atoms, "sum(two)", "max(two)")
	case 1:
		dice, atoms = append(dice, "many: {die: 2, count: \"min(state.a, 2)\"}"), append(atoms, "many.count(f, f == 2)")
	}
	if len(fields) > 0 {
		fmt.Fprintf(&b, "#Event: {%s}\n", strings.Join(fields, ", "))
	}
	if len(dice) > 0 {
		fmt.Fprintf(&b, "dice: {%s}\n", strings.Join(dice, ", "))
	}
	if len(e.decided) > 0 {
		fmt.Fprintf(&b, "decide: %s: after: [\"d\"]\n", strings.Split(e.paths[0], ".")[0])
	}
	b.WriteString(use)
	if g.IntN(2) == 0 {
		b.WriteString("require: {\n")
		if g.IntN(2) == 0 {
			fmt.Fprintf(&b, "\"not now\": \"%s\"\n", strings.ReplaceAll(g.condition(early...), "==", "<="))
		}
		if len(dice) > 0 {
			fmt.Fprintf(&b, "\"no luck\": \"%s\"\n", strings.ReplaceAll(g.condition(atoms...), "==", "<="))
		}
		if len(e.decided) > 0 && g.IntN(2) == 0 {
			fmt.Fprintf(&b, "\"too greedy\": \"!event.%s || %s < 3\"\n", e.paths[0], d)
		}
		b.WriteString("}\n")
	}
	a := g.number(atoms...)
	if g.IntN(4) == 0 { // it may outgrow its declaration
		a = fmt.Sprintf("%s + %s", a, g.pick("state.a", "2", "state.b"))
	} else {
		a = "min(6, " + a + ")"
	}
	fmt.Fprintf(&b, "next: {a: \"%s\", b: \"min(6, %s)\", t: \"%s\"}\n}\n", a, g.number(atoms...), g.tick())
	g.events = append(g.events, e)
	return b.String()
}

func (g *playedGame) tick() string {
	if g.most > 0 {
		return "state.t + 1"
	}
	return "0"
}

func (g *playedGame) describePolicy() string {
	var out []string
	for _, m := range g.policy {
		out = append(out, fmt.Sprintf("%s %s: state.a < %d, takes from %d", m.event.id, m.input, m.below, m.event.takesAt))
	}
	return strings.Join(out, "; ")
}

// horizon is how many events are played: all, or the first three.
func (g *playedGame) horizon() int {
	if g.most > 0 {
		return g.most
	}
	return 3
}

// holds is the guard of a move.
func (m *playedMove) holds(state []byte) (bool, error) {
	var s struct{ A int64 }
	err := json.Unmarshal(state, &s)
	return s.A < m.below, err
}

func (m *playedMove) guard() string { return fmt.Sprintf("state.a < %d", m.below) }

// A playedEnds are the chances of how plays have ended or stand, by the name of that.
type playedEnds map[string]*big.Rat

func (x playedEnds) add(name string, p *big.Rat) {
	if x[name] == nil {
		x[name] = new(big.Rat)
	}
	x[name].Add(x[name], p)
}

// nameOfRefusal is how an end is named that a refused event makes.
func nameOfRefusal(event, message string) string { return "refused " + event + ": " + message }

// A player plays a game in every way in which its dice fall.
type player struct {
	*playedGame
	t         *testing.T
	procedure *runtime.Procedure
	sum       *tally
	ends      playedEnds // with the outputs
	events    *big.Rat   // the mean number of events until an end
	by        []playedEnds
	// tellsState says that the state is asked for beside the outputs.
	tellsState bool
	moments    [3]big.Rat // of the output v where w holds: the sums of the chances, times v, and times its square
}

func (p *player) addMoments(v int64, chance *big.Rat) {
	for k := range p.moments {
		p.moments[k].Add(&p.moments[k], chance)
		chance = new(big.Rat).Mul(chance, big.NewRat(v, 1))
	}
}

// compareMoments compares the mean and the deviation of v, given w, with those of all plays.
func (p *player) compareMoments(j *odds.Joint) {
	p.t.Helper()
	if p.moments[0].Sign() == 0 {
		return
	}
	given, err := j.Given(func(o *odds.Outcome) (bool, error) { return o.Values[2].Bool(), nil })
	if err != nil {
		p.t.Fatal(err)
	}
	var sums [3]float64
	for k := range sums {
		sums[k], _ = p.moments[k].Float64()
	}
	mean := sums[1] / sums[0]
	deviation := math.Sqrt(max(0, sums[2]/sums[0]-mean*mean))
	of := given.Marginal("v")
	if math.Abs(of.Mean()-mean) > 1e-9 || math.Abs(of.Deviation()-deviation) > 1e-6 {
		p.t.Errorf("given w, v has the mean %v and the deviation %v, of all plays %v and %v", of.Mean(), of.Deviation(), mean,
			deviation)
	}
}

func (g *playedGame) newPlayer(t *testing.T, sum *tally) *player {
	t.Helper()
	d, err := g.program.Procedure(g.id, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{playedGame: g, t: t, procedure: d, sum: sum, ends: playedEnds{}, events: new(big.Rat)}
	for range g.horizon() + 1 {
		p.by = append(p.by, playedEnds{})
	}
	return p
}

// forEveryWay calls do with every way in which dice fall until nothing is left, and the chance of each.
func forEveryWay(do func(source dice.Source, chance func() *big.Rat)) {
	w := &gametest.Walker{}
	for more := true; more; more = w.Advance() {
		do(w, func() *big.Rat { return new(big.Rat).SetFrac(big.NewInt(1), w.Ways()) })
	}
}

// start begins every play, and hands those on that have begun.
func (p *player) start(begun func(play runtime.Play, chance *big.Rat), refused func(message string, chance *big.Rat)) {
	forEveryWay(func(source dice.Source, chance func() *big.Rat) {
		play, err := p.procedure.Start(runtime.Request{Character: []byte("{}"), Source: source})
		if r, is := errors.AsType[*runtime.Refused](err); is {
			refused(r.Require.Message, chance())
			return
		}
		if err != nil {
			p.t.Fatal(err)
		}
		begun(*play, chance())
	})
}

// finish notes how a play has ended, or where it stands.
func (p *player) finish(events int, name string, play *runtime.Play, chance *big.Rat) {
	p.sum.plays++
	p.by[events].add(name, chance)
	if play != nil && name != markov.Outgrown {
		v, w := valueOfOutput(play, "v"), valueOfOutput(play, "w")
		name += fmt.Sprint(" ", v, " ", w)
		if p.tellsState {
			name += " " + string(play.State)
		}
		if w.Bool() {
			p.addMoments(v.Int(), chance)
		}
	}
	p.ends.add(name, chance)
	p.events.Add(p.events, new(big.Rat).Mul(chance, big.NewRat(int64(events), 1)))
}

func valueOfOutput(play *runtime.Play, name string) jsonio.Value {
	v, _ := play.Output.Get(name)
	return v
}

// follow plays on by the policy, event by event.
func (p *player) follow(play runtime.Play, events int, chance *big.Rat) {
	if !play.IsOpen() {
		p.finish(events, play.Status, &play, chance)
		return
	}
	var hindrances []string
	for i := range p.policy {
		m := &p.policy[i]
		if ok, err := m.holds(play.State); err != nil || !ok {
			hindrances = append(hindrances, fmt.Sprintf("%s: its guard %s does not hold", m.event.id, m.guard()))
			continue
		}
		if p.isNotOffered(&play, m) {
			name := m.event.id + " needs"
			if !slices.Contains(hindrances, name) {
				hindrances = append(hindrances, name)
			}
			continue
		}
		if events == p.horizon() {
			p.finish(events, markov.Open, &play, chance)
			return
		}
		p.happen(&play, m, nil, func(next runtime.Play, once *big.Rat) {
			p.follow(next, events+1, once.Mul(once, chance))
		}, func(name string, once *big.Rat) {
			p.finish(events+1, name, nil, once.Mul(once, chance))
		})
		return
	}
	p.finish(events, "stuck "+strings.Join(hindrances, "; "), &play, chance)
}

// isNotOffered reports whether an event is not offered, whatever falls.
func (p *player) isNotOffered(play *runtime.Play, m *playedMove) bool {
	next := *play
	err := next.Do(runtime.Step{Event: m.event.id, Input: []byte(m.input), Source: &gametest.Walker{}}, false)
	_, is := errors.AsType[*runtime.NotOffered](err)
	return is
}

// happen lets an event happen in every way in which its dice fall. The part of the input that is decided when its dice d have
// fallen has the number that decide returns; the policy decides when that is nil.
func (p *player) happen(
	play *runtime.Play, m *playedMove, decide func(faces []int64) int, then func(runtime.Play, *big.Rat),
	ended func(name string, chance *big.Rat),
) {
	if decide == nil {
		decide = func(faces []int64) int { return m.event.choose(m.event.sumKnown(faces)) }
	}
	w := &gametest.Walker{}
	for more := true; more; more = w.Advance() {
		p.sum.tried++
		next := *play
		err := next.Do(runtime.Step{Event: m.event.id, Input: []byte(m.input), Source: w}, false)
		// The dice fall before the decision, and so they are the same ones whatever is decided.
		if faces := slices.Clone(w.Faces()); len(m.event.decided) > 0 && len(faces) > 0 {
			if k := decide(faces); k > 0 {
				next = *play
				input := withPart(m.input, m.event.decided[k])
				err = next.Do(runtime.Step{Event: m.event.id, Input: input, Source: dice.FromList(faces)}, false)
			}
		}
		chance := new(big.Rat).SetFrac(big.NewInt(1), w.Ways())
		refused, isRefused := errors.AsType[*runtime.Refused](err)
		switch {
		case isRefused:
			ended(nameOfRefusal(m.event.id, refused.Require.Message), chance)
		case isOutgrown(err):
			ended(markov.Outgrown, chance)
		case err != nil:
			p.t.Fatal(err)
		default:
			then(next, chance)
		}
	}
}

// withPart is an input with what was decided.
func withPart(input, part string) []byte {
	if input == "" {
		return []byte("{" + part + "}")
	}
	return []byte(strings.TrimSuffix(input, "}") + "," + part + "}")
}

// markovPolicy is the policy as a course takes it, and the decisions in it.
func (g *playedGame) markovPolicy() (markov.Policy, map[string][]odds.Choice) {
	var policy markov.Policy
	choices := map[string][]odds.Choice{}
	for i := range g.policy {
		m := &g.policy[i]
		policy = append(policy, markov.Move{Event: m.event.id, Condition: m.guard(), Input: []byte(m.input),
			Guard: func(_, _, state []byte) (bool, error) { return m.holds(state) }})
		choices[m.event.id] = m.event.choices()
	}
	return policy, choices
}

// choices are what the policy decides when the dice d have fallen.
func (e *playedEvent) choices() (out []odds.Choice) {
	for part, path := range e.paths {
		c := odds.Choice{Path: path, Reads: []string{"d"}, StateReads: []string{}}
		if e.known == 2 && e.takesAt > 1 {
			c.Symmetric = c.Reads
		}
		c.Options = func(_ odds.Records, known []jsonio.Value) ([]jsonio.Value, error) {
			sum := known[0].Int()
			if e.known == 2 {
				sum = known[0].At(0).Int() + known[0].At(1).Int()
			}
			k := e.choose(sum)
			switch {
			case len(e.paths) == 1:
				return []jsonio.Value{jsonio.BoolValue(k == 1)}, nil
			case part == 0:
				return []jsonio.Value{jsonio.BoolValue(k >= 3)}, nil
			}
			return []jsonio.Value{jsonio.IntValue(int64(k % 3))}, nil
		}
		out = append(out, c)
	}
	return out
}

// compareCourse compares the course under the policy with all plays.
func (g *playedGame) compareCourse(t *testing.T, sum *tally) {
	t.Helper()
	p := g.newPlayer(t, sum)
	p.tellsState = g.most%2 == 0
	p.start(func(play runtime.Play, chance *big.Rat) { p.follow(play, 0, chance) },
		func(message string, chance *big.Rat) { p.finish(0, nameOfRefusal("start", message), nil, chance) })
	policy, choices := g.markovPolicy()
	process, err := markov.NewDecidedProcess(vm.NewImage(g.program.Plan()), g.id, runtime.Choice{}, choices, false)
	if err != nil {
		t.Fatal(err)
	}
	after := 0
	if g.most == 0 {
		after = g.horizon()
	}
	outputs := []string{markov.StatusName, "v", "w"}
	if p.tellsState {
		outputs = append(outputs, markov.StateName)
	}
	course, err := process.Course(odds.Question{Exact: true, Outputs: outputs}, policy, after, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := playedEnds{}
	for _, o := range course.Outputs.Outcomes() {
		name := fmt.Sprint(o.Values[0].Text(), " ", o.Values[1], " ", o.Values[2])
		if p.tellsState {
			name += " " + string(o.Values[3].AppendJSON(nil))
		}
		got.add(name, new(big.Rat).SetFrac(o.N, course.Outputs.Den))
	}
	for _, e := range course.Outputs.Endings() {
		name := "refused " + e.Message
		if e.Kind == odds.Failed {
			name = markov.Outgrown
		}
		got.add(name, new(big.Rat).SetFrac(e.N, course.Outputs.Den))
	}
	want := playedEnds{}
	for name, n := range p.ends { // the outputs of what is stuck stand behind the reason
		if rest, is := strings.CutPrefix(name, "stuck "); is {
			words := strings.Fields(rest)
			last := 2
			if p.tellsState {
				last = 3
			}
			name = "stuck " + strings.Join(words[len(words)-last:], " ")
		}
		want.add(name, n)
	}
	compareEnds(t, "outputs", got, want)
	p.compareMoments(course.Outputs)
	g.compareEndsBy(t, course, p, sum)
	if g.most > 0 && (course.MeanN == nil || course.MeanN.Cmp(p.events) != 0) {
		t.Errorf("the mean number of events is %v, of all plays %v", course.MeanN, p.events)
	}
}

// compareEndsBy compares with which event it ends, and why.
func (g *playedGame) compareEndsBy(t *testing.T, course *markov.Course, p *player, sum *tally) {
	t.Helper()
	for n, want := range p.by {
		got := map[string]float64{}
		for i := range course.Ends {
			e := &course.Ends[i]
			name := e.Status
			if e.Status == markov.Refused || e.Status == markov.Stuck {
				name += " " + nameWithoutConditions(e.Why())
			}
			if n < len(e.By) && e.By[n] > 0 {
				got[name] += e.By[n]
			}
		}
		for name, chance := range want {
			f, _ := chance.Float64()
			if name == markov.Open {
				if math.Abs(course.Open-f) > 1e-12 {
					t.Errorf("it is open with probability %v, of all plays %v", course.Open, f)
				}
				continue
			}
			if math.Abs(got[name]-f) > 1e-12 {
				t.Errorf("event %d ends it as %q with probability %v, of all plays %v", n, name, got[name], f)
			}
			delete(got, name)
			sum.ends++
			switch {
			case strings.HasPrefix(name, markov.Refused):
				sum.refused++
			case strings.HasPrefix(name, markov.Stuck):
				sum.stuck++
			case name == markov.Outgrown:
				sum.outgrown++
			}
		}
		if len(got) > 0 {
			t.Errorf("event %d ends it as %v, and in no play", n, got)
		}
	}
}

// nameWithoutConditions leaves out what an event needs, which the plays do not tell.
func nameWithoutConditions(why string) string {
	parts := strings.Split(why, "; ")
	for i, part := range parts {
		if before, _, is := strings.Cut(part, " needs "); is {
			parts[i] = before + " needs"
		}
	}
	return strings.Join(parts, "; ")
}

func compareEnds(t *testing.T, what string, got, want playedEnds) {
	t.Helper()
	for name, n := range want {
		if got[name] == nil || got[name].Cmp(n) != 0 {
			t.Errorf("%s: %q has probability %v, of all plays %v", what, name, got[name], n)
		}
	}
	for name, n := range got {
		if want[name] == nil && n.Sign() != 0 {
			t.Errorf("%s: %q has probability %v, and is in no play", what, name, n)
		}
	}
}

// A prize is what a strategy leads to: how likely an end is, and the sum of what the states are worth in which it stops.
type prize struct{ ends, worth *big.Rat }

func newPrize() prize { return prize{new(big.Rat), new(big.Rat)} }

func (x prize) add(p *big.Rat, of prize) {
	x.ends.Add(x.ends, new(big.Rat).Mul(p, of.ends))
	x.worth.Add(x.worth, new(big.Rat).Mul(p, of.worth))
}

// A strategist finds the best strategy by trying every move and every decision in every state.
type strategist struct {
	*player
	isCondition bool
	worthOf     func(play *runtime.Play) *big.Rat
	known       map[string]prize // by state: how many events it took to come there is a part of it
}

func (s *strategist) isBetter(a, b prize) bool {
	first, second := a.ends.Cmp(b.ends), a.worth.Cmp(b.worth)
	if s.isCondition {
		first, second = second, first
	}
	return first > 0 || first == 0 && second > 0
}

// best returns what the best strategy leads to from a state on.
func (s *strategist) best(play *runtime.Play) prize {
	if known, ok := s.known[string(play.State)]; ok {
		return known
	}
	best, hasValue := newPrize(), false
	if !play.IsOpen() {
		best, hasValue = prize{big.NewRat(1, 1), s.worthOf(play)}, true
	} else {
		for i := range s.policy {
			m := s.policy[i]
			if ok, err := m.holds(play.State); err != nil || !ok || s.isNotOffered(play, &m) {
				continue
			}
			for _, m.input = range m.inputs() {
				if of, isMove := s.try(play, &m); isMove && (!hasValue || s.isBetter(of, best)) {
					best, hasValue = of, true
				}
			}
		}
	}
	if !hasValue { // it is stuck
		best.worth = s.worthOf(play)
	}
	s.known[string(play.State)] = best
	return best
}

// inputs are what a move may give its event under --best.
func (m *playedMove) inputs() []string {
	if m.event.hasInput {
		return []string{`{"x":0}`, `{"x":1}`, `{"x":2}`}
	}
	return []string{""}
}

// try returns what a move leads to with the best decision for the faces of its dice d, which alone are known then. What
// is refused whatever falls and is decided is no move.
func (s *strategist) try(play *runtime.Play, m *playedMove) (of prize, isMove bool) {
	byFaces := map[string][]prize{}
	for choice := range max(1, len(m.event.decided)) {
		var known string
		at := func() prize {
			for len(byFaces[known]) <= choice {
				byFaces[known] = append(byFaces[known], newPrize())
			}
			return byFaces[known][choice]
		}
		s.happen(play, m, func(faces []int64) int {
			known = fmt.Sprint(faces[:m.event.known])
			return choice
		}, func(next runtime.Play, chance *big.Rat) {
			isMove = true
			at().add(chance, s.best(&next))
		}, func(name string, _ *big.Rat) { isMove = isMove || name == markov.Outgrown })
	}
	of = newPrize()
	for _, all := range byFaces {
		best := all[0]
		for _, other := range all[1:] {
			if s.isBetter(other, best) {
				best = other
			}
		}
		of.add(big.NewRat(1, 1), best)
	}
	return of, isMove
}

// compareBest compares the best course with the best strategy, for a condition and for a number.
func (g *playedGame) compareBest(t *testing.T, sum *tally) {
	t.Helper()
	if g.most == 0 {
		return
	}
	var policy markov.Policy
	choices := map[string][]odds.Choice{}
	for i := range g.policy {
		m := &g.policy[i]
		var inputs [][]byte
		for _, text := range m.inputs() {
			inputs = append(inputs, []byte(text))
		}
		policy = append(policy, markov.Move{Event: m.event.id, Condition: m.guard(),
			Guard:  func(_, _, state []byte) (bool, error) { return m.holds(state) },
			Inputs: func(_, _, _ []byte) ([][]byte, error) { return inputs, nil }})
		var decided []odds.Choice
		for _, path := range m.event.paths {
			decided = append(decided, odds.Choice{Path: path})
		}
		choices[m.event.id] = decided
	}
	process, err := markov.NewDecidedProcess(vm.NewImage(g.program.Plan()), g.id, runtime.Choice{}, choices, true)
	if err != nil {
		t.Fatal(err)
	}
	won := &markov.Aim{Outputs: []string{markov.StatusName}, Worth: isStatus("won"), IsCondition: true}
	most := &markov.Aim{Outputs: []string{"v"}, Worth: valueOf}
	for _, aim := range []*markov.Aim{won, most} {
		s := strategist{player: g.newPlayer(t, sum), isCondition: aim.IsCondition, known: map[string]prize{}}
		s.worthOf = func(play *runtime.Play) *big.Rat {
			if !aim.IsCondition {
				return big.NewRat(valueOfOutput(play, "v").Int(), 1)
			}
			if play.Status == "won" {
				return big.NewRat(1, 1)
			}
			return new(big.Rat)
		}
		want := newPrize()
		s.start(func(play runtime.Play, chance *big.Rat) { want.add(chance, s.best(&play)) }, func(string, *big.Rat) {})
		q := odds.Question{Exact: true, Outputs: []string{markov.StatusName, "v"}}
		course, err := process.BestCourse(q, policy, aim, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := newPrize()
		for _, o := range course.Outputs.Outcomes() {
			p, status := new(big.Rat).SetFrac(o.N, course.Outputs.Den), o.Values[0].Text()
			of := prize{new(big.Rat), big.NewRat(o.Values[1].Int(), 1)}
			if status != markov.Stuck {
				of.ends.SetInt64(1)
			}
			if aim.IsCondition {
				if of.worth = new(big.Rat); status == "won" {
					of.worth.SetInt64(1)
				}
			}
			got.add(p, of)
		}
		if !isNear(got.worth, want.worth) || !isNear(got.ends, want.ends) {
			t.Errorf("for a condition %t the best is worth %v and ends with %v, of all strategies %v and %v", aim.IsCondition,
				got.worth, got.ends, want.worth, want.ends)
		}
	}
}

// isNear reports whether two numbers are the same but for the rounding by which moves are compared.
func isNear(a, b *big.Rat) bool {
	f, _ := new(big.Rat).Sub(a, b).Float64()
	return math.Abs(f) < 1e-9
}

// isOutgrown reports whether an error says that a state does not fit its declaration any more.
func isOutgrown(err error) bool {
	e, ok := errors.AsType[*runtime.InputError](err)
	return ok && e.Root == "state"
}
