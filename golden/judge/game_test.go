package judge_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	compilerload "github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An asker makes questions about a ruleset: a generator about the one that it wrote, a gameAsker about one that is played.
type asker interface {
	Uint64() uint64
	IntN(n int) int
	Rewrite(text []byte) []byte
	Character() []byte
	Fitting() []byte // a character that fits
	Input(of generated.Rule) []byte
	Start() []byte
	Event(name string) []byte
	Options() map[string]string
	Outputs(of generated.Rule) []string
}

// firstGame is the seed of the first of the games: each is compared as a generated ruleset is, by seeds of its own. Behind those
// of all games follow others, with other questions.
const firstGame = 1 << 62

func isGame(seed uint64) bool { return seed >= firstGame }

// A game is a ruleset that ships, or one of those that are played to try the language.
type game struct{ root, id, tables string }

// listGames lists the rulesets of all modules that have cases.
func listGames(t testing.TB) (out []game) {
	modules := []string{"."}
	for _, pattern := range []string{"golden/games", "golden/games/*"} {
		found, err := filepath.Glob(filepath.Join(moduleRoot(t), pattern, "cue.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range found {
			dir, err := filepath.Rel(moduleRoot(t), filepath.Dir(dir))
			if err != nil {
				t.Fatal(err)
			}
			modules = append(modules, dir)
		}
	}
	for _, module := range modules {
		root := filepath.Join(moduleRoot(t), module)
		dirs, err := os.ReadDir(filepath.Join(root, "tables"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if cases, _ := filepath.Glob(filepath.Join(root, "golden", dir.Name(), "*.txtar")); len(cases) > 0 {
				out = append(out, game{root, dir.Name(), filepath.Join(module, "tables", dir.Name())})
			}
		}
	}
	return out
}

// A gameAsker asks about one rule or procedure of a game: what its cases give it, put together in other ways and with other
// numbers.
type gameAsker struct {
	*generated.Generator                     // for what it draws, and how it writes JSON in other ways
	choices              []map[string]string // of options
	characters           [][]byte
	fitting              []byte              // a character that something was answered for
	inputs               [][]byte            // of the rule, or of the start of the procedure
	events               map[string][][]byte // what comes with each
}

func (a *gameAsker) Character() []byte           { return a.mix(a.characters) }
func (a *gameAsker) Fitting() []byte             { return a.fitting }
func (a *gameAsker) Input(generated.Rule) []byte { return a.mix(a.inputs) }
func (a *gameAsker) Start() []byte               { return a.mix(a.inputs) }
func (a *gameAsker) Event(name string) []byte    { return a.mix(a.events[name]) }

func (a *gameAsker) Options() map[string]string { return a.choices[a.IntN(len(a.choices))] }

// chooseOptions makes a few choices of options, by which all is asked: a rule is prepared once for each.
func chooseOptions(g *generated.Generator, options []plan.Option) []map[string]string {
	choices := make([]map[string]string, 4)
	for i := range choices {
		choices[i] = map[string]string{}
		for _, o := range options {
			if i > 0 && g.IntN(3) == 0 {
				choices[i][o.ID] = o.Values[g.IntN(len(o.Values))]
			}
		}
	}
	return choices
}

// mix returns one of some objects, half of the time with members as another one has them, a third with another number.
func (a *gameAsker) mix(all [][]byte) []byte {
	text := all[a.IntN(len(all))]
	var members, others map[string]json.RawMessage
	if other := all[a.IntN(len(all))]; a.IntN(2) == 0 && json.Unmarshal(text, &members) == nil &&
		json.Unmarshal(other, &others) == nil {
		for _, name := range slices.Sorted(maps.Keys(others)) {
			if a.IntN(2) == 0 {
				members[name] = others[name]
			}
		}
		text, _ = json.Marshal(members)
	}
	if a.IntN(3) == 0 {
		text = a.changeNumber(text)
	}
	if a.IntN(25) == 0 {
		text = a.Rewrite(text)
	}
	return text
}

var wholeNumber = regexp.MustCompile(`[0-9]+`)

// changeNumber writes another number in place of one.
func (a *gameAsker) changeNumber(text []byte) []byte {
	all := wholeNumber.FindAllIndex(text, -1)
	if all == nil {
		return text
	}
	at := all[a.IntN(len(all))]
	n, err := strconv.ParseInt(string(text[at[0]:at[1]]), 10, 32)
	if err != nil {
		return text
	}
	n = []int64{n + 1, n - 1, n + 2, 2 * n, n / 2, 0}[a.IntN(6)]
	return slices.Concat(text[:at[0]], strconv.AppendInt(nil, max(n, 0), 10), text[at[1]:])
}

// add adds what a case gives.
func (a *gameAsker) add(c *golden.Case) {
	object := func(text []byte) []byte {
		if len(text) == 0 {
			return []byte("{}")
		}
		return text
	}
	a.characters = append(a.characters, object(c.CharacterJSON()))
	if a.fitting == nil || c.Refused == "" && c.Failed == "" {
		a.fitting = object(c.CharacterJSON())
	}
	a.inputs = append(a.inputs, object(c.Input))
	for _, step := range c.Steps() {
		a.events[step.Event] = append(a.events[step.Event], object(step.Input))
	}
}

// askersOf returns who asks about each rule and procedure that has cases.
func askersOf(cases []*golden.Case, options []plan.Option, seed uint64) map[string]*gameAsker {
	askers := map[string]*gameAsker{}
	g := generated.New(seed)
	choices := chooseOptions(g, options)
	for _, c := range cases {
		if c.Kind == golden.RuleCase || c.Kind == golden.ProcedureCase || c.Kind == golden.OddsCase {
			if askers[c.Subject] == nil {
				askers[c.Subject] = &gameAsker{Generator: g, choices: choices, events: map[string][][]byte{}}
			}
			askers[c.Subject].add(c)
		}
	}
	return askers
}

// game compares the game of a seed: its cases, and questions that are made of them.
func (x *comparison) game(seed uint64) {
	x.made++
	games := listGames(x.t)
	of := games[(seed-firstGame)%uint64(len(games))]
	o, end := x.archive.openOracle(x.t, seed)
	defer func() {
		end()
		x.heard, x.worked = o.heard.Sum64(), *o.worked
	}()
	if *replay == "" {
		o.r = readRuleset(x.t, of.tables)
	}
	p, diags := compiler.Directory(compilerload.Source{FS: os.DirFS(of.root)}, "tables/"+of.id, compiler.Options{})
	if p == nil {
		x.note(seed, of.id, fmt.Sprint("is no ruleset any longer: ", diags), nil)
		return
	}
	x.compiled++
	program := runtime.New(p)
	if x.archive != nil {
		o.noteCode(program)
	}
	cases, err := golden.Load(os.DirFS(of.root), "golden/"+of.id, of.id)
	if err != nil {
		x.t.Fatal(err)
	}
	for _, c := range cases {
		for _, options := range optionsOf(c) {
			diff, err := compareCase(o, program, c, options)
			x.note(seed, c.File, diff, err)
		}
	}
	askers := askersOf(cases, p.Options, seed)
	for i := range p.Rules {
		rule := &p.Rules[i]
		a := askers[rule.ID]
		if a == nil {
			continue
		}
		asked := generated.Rule{ID: rule.ID, Outputs: outputsOf(rule)}
		for range *ofGames {
			x.question(seed, a, o, program, asked)
		}
		for range (*ofGames + 2) / 3 {
			q := judge.Question{Character: a.Character(), Input: a.Input(asked), Options: a.Options(), Outputs: a.Outputs(asked)}
			prepared := x.prepare(program, rule.ID, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
			x.chances(seed, o, prepared, asked, runtime.Request{Character: q.Character, Input: q.Input}, q)
		}
	}
	for i := range p.Procedures {
		id := p.Procedures[i].ID
		if a := askers[id]; a != nil {
			for range *ofGames {
				x.play(seed, a, o, program, id, slices.Sorted(maps.Keys(a.events)))
			}
		}
	}
}

// outputsOf returns the outputs of a rule as generated ones have them; such as have another kind are "results", of which
// nothing is known.
func outputsOf(rule *plan.Rule) (out []generated.Output) {
	for _, f := range rule.Graph.Outputs.Type.Fields {
		kind := "results"
		switch {
		case f.Optional || f.Type.Enum != nil:
		case f.Type.Kind == plan.Int:
			kind = "int"
		case f.Type.Kind == plan.Bool:
			kind = "bool"
		case f.Type.Kind == plan.Double:
			kind = "double"
		case f.Type.Kind == plan.String:
			kind = "text"
		}
		out = append(out, generated.Output{Name: f.Name, Kind: kind})
	}
	return out
}

// TestGamesThroughDoors compares the games as generated rulesets are compared.
func TestGamesThroughDoors(t *testing.T) {
	games := listGames(t)
	for i, g := range games {
		if !portion.Takes(i, 4) {
			continue
		}
		t.Run(g.id, func(t *testing.T) {
			x := &comparison{t: t, c: &tally{}}
			x.game(firstGame + *seed*uint64(len(games)) + uint64(i))
			t.Logf("%d questions, %d plays, %d odds, %d answered", x.questions, x.plays, x.odds, x.answered)
			x.c.report(t)
		})
	}
}
