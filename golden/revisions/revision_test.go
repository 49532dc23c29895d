package revisions_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const blows = `package small

id:    "small"
title: "Small"
source: book: "Small"

#Character: {
	strength!: int & >=0 & <=100
	luck:      *0 | int & >=0 & <=9
}

tables: weapons: {
	cite:  "Weapons"
	gives: "damage"
	keyed: {
		club: damage: 2
		axe: damage:  5
	}
}

functions: doubled: {
	cite: "Doubling"
	params: n: "int"
	expr: "2 * n"
}

rules: strike: {
	cite: "Striking"
	#Input: weapon!: "club" | "axe"
	dice: roll: "d10"
	let: {
		hit:  "roll <= doubled(character.strength)"
		base: "weapons(input.weapon)"
	}
	require: "too weak": "character.strength > 0"
	output: damage: "hit ? base + character.luck : 0"
}
`

func small(t *testing.T, pairs ...string) *plan.Plan {
	t.Helper()
	src := blows
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(src, pairs[i]) {
			t.Fatalf("there is no %q to edit", pairs[i])
		}
		src = strings.Replace(src, pairs[i], pairs[i+1], 1)
	}
	return compiledText(t, src)
}

func compiledText(t *testing.T, src string) *plan.Plan {
	t.Helper()
	files := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/small@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"small.cue":          {Data: []byte(src)},
	}
	p, diags := compiler.Directory(load.Source{FS: files}, ".", compiler.Options{})
	if p == nil {
		t.Fatal(diags)
	}
	return p
}

func blow(t *testing.T, name, strength, weapon, dice string) *golden.Case {
	t.Helper()
	c, err := golden.Parse(name+".txtar", []byte(
		"rule: strike\ncite: Striking\n\nA blow.\n-- character.json --\n{\"strength\": "+strength+
			"}\n-- input.json --\n{\"weapon\": \""+weapon+"\"}\n-- dice --\n"+dice+
			"\n-- want.json --\n{\"output\": {\"damage\": 0}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPlaceOfAFailureIsNoAnswer holds that a case that fails in a formula answers the same when the formula moves to another
// line, and otherwise when it fails for another reason.
func TestPlaceOfAFailureIsNoAnswer(t *testing.T) {
	const share = "rules: strike: {\n\tcite: \"Striking\"\n\t#Input: n!: int\n\toutput: share: \"div_floor(10, input.n)\"\n}\n"
	before := blows[:strings.Index(blows, "rules: strike")] + share
	c, err := golden.Parse("none.txtar", []byte("rule: strike\ncite: Striking\nfailed: division by zero\n\nNobody shares.\n"+
		"-- character.json --\n{\"strength\": 1}\n-- input.json --\n{\"n\": 0}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[string]int{
		strings.Replace(before, "rules:", "\n// Shares.\nrules:", 1):         0,
		strings.Replace(before, "div_floor(10, input.n)", "10 % input.n", 1): 1,
	} {
		d := revisions.Compare(compiledText(t, before), compiledText(t, after), []*golden.Case{c}, nil)
		if len(d.Cases) != want {
			t.Errorf("%s\n%d cases answer otherwise, not %d: %v", after, len(d.Cases), want, d.Cases)
		}
	}
}

func TestCompareNamesTheCasesThatChange(t *testing.T) {
	cases := []*golden.Case{
		blow(t, "axe_hits", "5", "axe", "10"), blow(t, "axe_misses", "2", "axe", "10"), blow(t, "club_hits", "5", "club", "10"),
		blow(t, "refused", "0", "axe", "1"), blow(t, "low", "1", "club", "2"),
	}
	for name, c := range map[string]struct {
		edit    []string
		want    []string // shifts
		because []string // of the first
	}{
		"nothing": {},
		"a number": {[]string{"axe: damage:  5", "axe: damage:  6"},
			[]string{"rule strike, axe_hits: axe_hits.txtar:12: output.damage: 5 -> 6"},
			[]string{"table weapons"}},
		"a function, and a table beside it": {
			[]string{`"2 * n"`, `"n"`, "axe: damage:  5", "axe: damage: 6"},
			[]string{
				"rule strike, axe_hits: axe_hits.txtar:12: output.damage: 5 -> 0",
				"rule strike, club_hits: club_hits.txtar:12: output.damage: 2 -> 0",
				"rule strike, low: low.txtar:12: output.damage: 2 -> 0",
			},
			[]string{"function doubled"},
		},
		"a refusal": {
			[]string{"strength > 0", "strength > 1"}, []string{"rule strike, low: the sheet: {\"damage\": 2} -> refused: too weak"},
			[]string{"rule strike"},
		},
		"a new output": {
			[]string{"output: damage:", "output: hits: \"hit\"\n\toutput: damage:"},
			[]string{
				"rule strike, axe_hits: output.hits: new: true", "rule strike, axe_misses: output.hits: new: false",
				"rule strike, club_hits: output.hits: new: true", "rule strike, low: output.hits: new: true",
			}, []string{"rule strike"},
		},
		"a die": {
			[]string{`"d10"`, `"d8"`}, []string{
				"rule strike, axe_hits: the sheet: {\"damage\": 5} -> ", "rule strike, axe_misses: the sheet: {\"damage\": 0} -> ",
				"rule strike, club_hits: the sheet: {\"damage\": 2} -> ",
			}, []string{"rule strike"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := revisions.Compare(small(t), small(t, c.edit...), cases, nil)
			same(t, shifts(d.Cases), c.want)
			if len(c.because) > 0 && !slices.Equal(d.Cases[0].Because, c.because) {
				t.Errorf("the edit is %v, want %v", d.Cases[0].Because, c.because)
			}
		})
	}
}

// same wants shifts that begin as they are given.
func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func shifts(list []revisions.Shift) []string {
	var out []string
	for i := range list {
		for _, m := range list[i].Moved {
			out = append(out, list[i].String()+": "+m.String())
		}
	}
	return out
}

func TestCompareNamesTheCharactersThatChange(t *testing.T) {
	files := fstest.MapFS{
		"party/ada.json":        {Data: []byte(`{"$revision": "small 9.9.9", "strength": 5}`)},
		"party/ada_strike.json": {Data: []byte(`{"weapon": "axe"}`)},
		"party/bob.json":        {Data: []byte(`{"strength": 1}`)},
		"party/cid.json":        {Data: []byte(`{"strength": 0}`)},
	}
	party, err := revisions.LoadParty(files, "party", "party", []string{"strike"})
	if err != nil || len(party) != 3 {
		t.Fatalf("read %v, %v", party, err)
	}
	cases := []*golden.Case{blow(t, "club_hits", "5", "club", "1")}
	d := revisions.Compare(small(t), small(t, "club: damage: 2", "club: damage: 3"), cases, party)
	same(t, shifts(d.Party), []string{"bob: rule strike, club_hits: output.damage: 2 -> 3"})

	d = revisions.Compare(small(t), small(t, "axe: damage:  5", "axe: damage:  6"), cases, party)
	same(t, shifts(d.Party), []string{"ada: rule strike, ada_strike, seed 0 and 19 more: output.damage: 5 -> 6"})
}

func TestCompareTellsWhoFitsNoMore(t *testing.T) {
	party, err := revisions.LoadParty(fstest.MapFS{"ada.json": {Data: []byte(`{"strength": 50}`)}}, ".", "party", nil)
	if err != nil {
		t.Fatal(err)
	}
	d := revisions.Compare(small(t), small(t, "strength!: int & >=0 & <=100", "strength!: int & >=0 & <=40"), nil, party)
	same(t, shifts(d.Party), []string{"ada: character, ada: the character: fits -> character.strength: must be at most 40, " +
		"not 50"})
	party[0].JSON = []byte(`{}`)
	if d := revisions.Compare(small(t), small(t), nil, party); d.Strangers["ada"] == nil {
		t.Error("a character that fits neither revision is no stranger")
	}
}

func TestLoadPartyRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"nobody":  {fstest.MapFS{"readme.txt": {}}, "there are no characters"},
		"no JSON": {fstest.MapFS{"ada.json": {Data: []byte("{")}}, "my/ada.json:1: "},
		"bad events": {fstest.MapFS{"ada.json": {Data: []byte("{}")}, "ada_x_events.json": {Data: []byte("{}")}},
			"my/ada_x_events.json:1: the events are a list, also one: [{...}]"},
	} {
		if _, err := revisions.LoadParty(c.files, ".", "my", []string{"x"}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// TestCompareGivesTheOddsThatChange holds the odds to what can be counted: with a strength of 2 a d10 hits by 4 faces of
// 10, a d8 by 4 of 8.
func TestCompareGivesTheOddsThatChange(t *testing.T) {
	files := fstest.MapFS{"ada.json": {Data: []byte(`{"strength": 2}`)},
		"ada_strike.json": {Data: []byte(`{"weapon": "axe"}`)}}
	party, err := revisions.LoadParty(files, ".", "party", []string{"strike"})
	if err != nil {
		t.Fatal(err)
	}
	d := revisions.Compare(small(t), small(t, `"d10"`, `"d8"`), nil, party)
	if len(d.Odds) != 1 {
		t.Fatalf("got the odds %v, want one", d.Odds)
	}
	got := d.Odds[0]
	if got.Output != "damage" || !near(got.Mean.Old, 2) || !near(got.Mean.New, 2.5) {
		t.Errorf("got %v with the means %v, want damage with 2 and 2.5", got, got.Mean)
	}
	if len(got.Values) != 2 || !near(got.Values[1].Old, 0.4) || !near(got.Values[1].New, 0.5) {
		t.Errorf("got %v, want 5 with 0.4 and 0.5", got.Values)
	}
	if !slices.Equal(got.Because, []string{"rule strike"}) {
		t.Errorf("the edit is %v, want rule strike", got.Because)
	}
	d = revisions.Compare(small(t), small(t, "Striking", "Hitting"), nil, party)
	if len(d.Odds) != 0 {
		t.Errorf("got the odds %v, want none", d.Odds)
	}
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-12 }

const tosses = `package small

id:    "small"
title: "Small"
source: book: "Small"
#Character: {}
procedures: toss: {
	cite: "Tossing"
	#State: {
		tries: *0 | int & >=0 & <=9
		last:  *0 | int & >=0 & <=9
	}
	events: toss: {
		dice: coin: "d2"
		next: {
			tries: "state.tries + 1"
			last:  "coin"
		}
	}
	ends: {
		heads: "state.last == 2"
		lost:  "state.tries == 2"
	}
	output: tries: "state.tries"
}
`

// TestCompareGivesTheOddsOfProcedures holds the odds to what can be counted. A 2 within two tosses of a d2 comes by 3 of 4
// ways, after 1/2 * 1 + 1/2 * 2 tosses; of a d4 by 7 of 16, after 1/4 * 1 + 3/4 * 2.
func TestCompareGivesTheOddsOfProcedures(t *testing.T) {
	files := fstest.MapFS{
		"ada.json": {Data: []byte(`{}`)}, "ada_toss.json": {Data: []byte(`{}`)},
		"ada_toss_events.json": {Data: []byte(`[{"event": "toss"}, {"event": "toss"}]`)},
	}
	party, err := revisions.LoadParty(files, ".", "party", []string{"toss"})
	if err != nil {
		t.Fatal(err)
	}
	d := revisions.Compare(compiledText(t, tosses), compiledText(t, strings.Replace(tosses, `"d2"`, `"d4"`, 1)), nil, party)
	if len(d.Odds) != 2 {
		t.Fatalf("got the odds %v, want those of the status and of how many events", d.Odds)
	}
	status, events := d.Odds[0], d.Odds[1]
	if status.Output != "status" || status.Subject != "procedure toss" || !slices.Equal(status.By, []string{"toss"}) ||
		len(status.Values) != 2 {
		t.Fatalf("got %+v", status)
	}
	if heads, lost := status.Values[0], status.Values[1]; heads.Value != `"heads"` || !near(heads.Old, 3.0/4) ||
		!near(heads.New, 7.0/16) ||
		lost.Value != `"lost"` || !near(lost.Old, 1.0/4) || !near(lost.New, 9.0/16) {
		t.Errorf("got %v, want heads with 3/4 and 7/16, lost with 1/4 and 9/16", status.Values)
	}
	if events.Output != "events" || !near(events.Mean.Old, 1.5) || !near(events.Mean.New, 1.75) {
		t.Errorf("got %v with the means %v, want 1.5 and 1.75", events, events.Mean)
	}
	if !slices.Equal(status.Because, []string{"event toss.toss"}) {
		t.Errorf("the edit is %v, want the event", status.Because)
	}
}
