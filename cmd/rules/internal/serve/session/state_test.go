package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
)

// A game is a log in memory, made record by record.
type game struct {
	h   History
	now int64
}

// do applies the record of somebody.
func (g *game) do(by string, r *Record) error {
	s := &g.h.State
	r.N, r.Prev, r.By, r.At = s.N+1, s.Head, by, g.now
	return g.h.applyRecord(r, r.encode())
}

func (g *game) must(t *testing.T, by string, r *Record) {
	t.Helper()
	if err := g.do(by, r); err != nil {
		t.Fatalf("record %d of %s: %v", r.N, by, err)
	}
}

const (
	ada   = `{"skills":{"navigation":90}}`
	bela  = `{"skills":{"climb":40}}`
	asked = `{"name":"navigation"}`
)

// testID is the id of every table of these tests.
const testID = "abcdefghijklmnop"

// beginGame seats Ada, Bela and Cleo, the first two with a character.
func beginGame(t *testing.T) *game {
	t.Helper()
	g := &game{now: 1_000_000}
	codes := codesOf("the master's code")
	g.must(t, Server, &Record{Begin: &Begin{Session: testID, Title: "Friday", Ruleset: "tempestas",
		Codes: Codes{digestOf(codes.Master), digestOf(codes.Players), digestOf(codes.Spectators)}}})
	for i, name := range []string{"Ada", "Bela", "Cleo"} {
		g.must(t, seatID(i+1), &Record{Join: &Join{Name: name, Key: digestOf(name)}})
	}
	g.must(t, "seat1", &Record{Bring: &Bring{"Ada", json.RawMessage(ada)}})
	g.must(t, "seat2", &Record{Bring: &Bring{"Bela", json.RawMessage(bela)}})
	return g
}

// newReceipt returns the receipt of a test of the navigation of a character.
func newReceipt(character string, change func(*receipt.Receipt)) json.RawMessage {
	seed := uint64(7)
	r := &receipt.Receipt{Receipt: 1, Ruleset: "tempestas", Revision: "0.2.0", Plan: strings.Repeat("0", 64), Rule: "test",
		Options: map[string]string{}, Seed: &seed, Dice: map[string][]int64{"roll": {43}}, Output: json.RawMessage(`{}`)}
	var err error
	r.Character, r.CharacterDigest, err = receipt.CompactDigest([]byte(character))
	must.Succeed(err)
	r.Input, r.InputDigest, err = receipt.CompactDigest([]byte(asked))
	must.Succeed(err)
	if change != nil {
		change(r)
	}
	r.Digest = r.ComputeDigest()
	return compactJSON(r.Printed())
}

func rollOf(character string, change func(*receipt.Receipt)) *Record {
	return &Record{Roll: &Roll{Told: Told{Title: "Test"}, Receipt: newReceipt(character, change)}}
}

// fellOf is Ada's test whose die has fallen, and in which she decides how much to spend.
func fellOf() *Record {
	return &Record{Fell: &Fell{Told: Told{Title: "Test"}, Throw: "seed 7", Faces: map[string][]int64{"roll": {43}},
		Due: []string{"spend"}, Question: Question{Rule: "test", Character: json.RawMessage(ada), Input: json.RawMessage(asked)}}}
}

// playOf is Ada's task after some events, which goes on from a record.
func playOf(of int, events ...string) *Record {
	sheet := `{"dice":{},"events":[`
	for i, event := range events {
		if i > 0 {
			sheet += ","
		}
		sheet += `{"event":"` + event + `"}`
	}
	return &Record{Play: &Play{Told: Told{Title: "Task"}, Of: of, Receipt: newReceipt(ada, func(r *receipt.Receipt) {
		r.Rule, r.Procedure, r.Seed, r.Dice, r.Output, r.Sheet = "", "task", nil, nil, nil, json.RawMessage(sheet+"]}")
	})}}
}

// roll is the number of the record after those of beginGame.
const roll = 7

var nonces = map[string]string{
	"seat1": strings.Repeat("1a", 32), "seat2": strings.Repeat("2b", 32), "seat3": strings.Repeat("3c", 32),
	Server: strings.Repeat("0d", 32),
}

// openRound begins a round of Ada's dice among three, and returns its number.
func (g *game) openRound(t *testing.T) int {
	t.Helper()
	n := g.h.State.N + 1
	g.must(t, "seat1", &Record{Open: &Open{
		Question: Question{Rule: "test", Character: json.RawMessage(ada), Input: json.RawMessage(asked)},
		Told:     Told{Title: "Test"}, Among: []string{"seat1", "seat2", "seat3"}, Seal: sealOf(testID, n, nonces[Server])}})
	g.must(t, Server, &Record{Sealed: &Sealed{nonces[Server]}})
	return n
}

func (g *game) commitOf(who string) *Record {
	r := g.h.State.Round
	return &Record{Commit: &Commit{r.N, Commitment(r.Digest, who, nonces[who])}}
}

func (g *game) revealOf(who string) *Record {
	return &Record{Reveal: &Reveal{g.h.State.Round.N, nonces[who]}}
}

func (g *game) commitAll(t *testing.T, who ...string) {
	t.Helper()
	for _, id := range who {
		g.must(t, id, g.commitOf(id))
	}
}

func (g *game) revealAll(t *testing.T, who ...string) {
	t.Helper()
	for _, id := range who {
		g.must(t, id, g.revealOf(id))
	}
}

// seedRoll is the roll of a round with a seed.
func (g *game) seedRoll(seed uint64) *Record {
	r := rollOf(ada, func(r *receipt.Receipt) { r.Seed = &seed })
	r.Roll.Round = g.h.State.Round.N
	return r
}

// fellOfRound is the dice of a round on which Ada decides, as if they went on from a record.
func (g *game) fellOfRound(of int) *Record {
	r := fellOf()
	r.Fell.Round, r.Fell.Throw, r.Fell.Of = g.h.State.Round.N, seedText(g.h.State.Round.seedOfAll()), of
	return r
}

// TestRound plays a round of dice that nobody chooses. The seed was worked out apart, from the digest of the opening line:
//
//	.ci/session.py --seed ac309b… seat1=1a1a… seat2=2b2b… seat3=3c3c… server=0d0d…
func TestRound(t *testing.T) {
	g := beginGame(t)
	g.openRound(t)
	if asks := g.h.State.Round.Asks("seat2"); asks != "commit" {
		t.Errorf("Bela is asked for %q", asks)
	}
	g.commitAll(t, "seat2", "seat1", "seat3")
	if asks := g.h.State.Round.Asks("seat2"); asks != "reveal" {
		t.Errorf("Bela is then asked for %q", asks)
	}
	g.revealAll(t, "seat3", "seat1", "seat2", Server)
	seed := g.h.State.Round.seedOfAll()
	if seed != 3457764944386714 {
		t.Errorf("the seed is %d", seed)
	}
	g.must(t, Server, g.seedRoll(seed))
	if g.h.State.Round != nil {
		t.Error("the round goes on after its roll")
	}
	again, err := Read(g.h.Transcript(Master))
	if err != nil || again.State.Head != digestOf(string(g.h.Lines[len(g.h.Lines)-1])) {
		t.Errorf("the transcript is read as %+v: %v", again, err)
	}
}

// TestRoundWithoutThoseWhoDoNotCome leaves Bela out before she commits, and Cleo before she reveals. Ada alone cannot be
// left out.
func TestRoundWithoutThoseWhoDoNotCome(t *testing.T) {
	g := beginGame(t)
	n := g.openRound(t)
	g.commitAll(t, "seat1", "seat3")
	g.now += Patience
	g.must(t, "seat3", &Record{Omit: &Omit{n, "seat2"}})
	g.revealAll(t, "seat1")
	g.now += Patience
	g.must(t, Master, &Record{Omit: &Omit{n, "seat3"}})
	if out := strings.Join(g.h.State.Round.Omitted(), " "); out != "seat2 seat3" {
		t.Errorf("left out are %s", out)
	}
	g.revealAll(t, Server)
	g.must(t, Server, g.seedRoll(g.h.State.Round.seedOfAll()))
}

// TestCheats is what clients, and servers, try. All of it is refused, for the reason that is meant, and changes nothing.
func TestCheats(t *testing.T) {
	begun := func(t *testing.T) *game { return beginGame(t) }
	opened := func(t *testing.T) *game {
		g := beginGame(t)
		g.openRound(t)
		return g
	}
	committed := func(t *testing.T) *game {
		g := opened(t)
		g.commitAll(t, "seat1", "seat2", "seat3")
		return g
	}
	revealed := func(t *testing.T) *game {
		g := committed(t)
		g.revealAll(t, "seat1", "seat2", "seat3", Server)
		return g
	}
	hidden := func(t *testing.T) *game {
		g := beginGame(t)
		r := rollOf(ada, nil)
		r.Roll.Hidden, r.Roll.Salt = true, nonces["seat1"]
		g.must(t, Master, r)
		return g
	}
	rolled := func(t *testing.T) *game {
		g := beginGame(t)
		g.must(t, "seat1", rollOf(ada, nil))
		return g
	}
	fallen := func(t *testing.T) *game {
		g := beginGame(t)
		g.must(t, "seat1", fellOf())
		return g
	}
	played := func(t *testing.T) *game { // one step after the start
		g := beginGame(t)
		g.must(t, "seat1", playOf(0))
		r := playOf(roll, "roll")
		g.must(t, "seat1", r)
		g.must(t, "seat1", &Record{Back: &Of{roll + 1}})
		if g.h.State.Play.N != roll {
			t.Fatalf("undo leads to %d", g.h.State.Play.N)
		}
		g.must(t, "seat1", r)
		return g
	}
	decided := func(change func(*receipt.Receipt)) func(*game) *Record {
		return func(*game) *Record {
			r := rollOf(ada, change)
			r.Roll.Of = roll
			return r
		}
	}
	for _, x := range []struct {
		name  string
		begin func(*testing.T) *game
		by    string
		cheat func(*game) *Record
		want  string
	}{
		// of dice that nobody can choose
		{"commit twice", committed, "seat1", func(g *game) *Record { return g.commitOf("seat1") }, "committed already"},
		{"commit what another has committed", func(t *testing.T) *game {
			g := opened(t)
			g.commitAll(t, "seat1")
			return g
		}, "seat2", func(g *game) *Record { return g.commitOf("seat1") }, "commitment of Ada"},
		{"reveal what another has revealed", func(t *testing.T) *game {
			g := committed(t)
			g.revealAll(t, "seat1")
			return g
		}, "seat2", func(g *game) *Record { return g.revealOf("seat1") }, "another nonce"},
		{"commit as a spectator", opened, Spectator, func(g *game) *Record { return g.commitOf("seat1") }, "nothing is expected"},
		{"commit as the master", opened, Master, func(g *game) *Record { return g.commitOf("seat1") }, "nothing is expected"},
		{"commit to another round", opened, "seat1", func(g *game) *Record {
			r := g.commitOf("seat1")
			r.Commit.Round--
			return r
		}, "no such round"},
		{"commit to no digest", opened, "seat1", func(g *game) *Record {
			return &Record{Commit: &Commit{g.h.State.Round.N, "0"}}
		}, "SHA-256"},
		{"reveal before all have committed", func(t *testing.T) *game {
			g := opened(t)
			g.commitAll(t, "seat1", "seat2")
			return g
		}, "seat1", func(g *game) *Record { return g.revealOf("seat1") }, "all have committed"},
		{"reveal another nonce", committed, "seat1", func(g *game) *Record {
			return &Record{Reveal: &Reveal{g.h.State.Round.N, strings.Repeat("ff", 32)}}
		}, "another nonce"},
		{"reveal the nonce in large letters", committed, "seat1", func(g *game) *Record {
			return &Record{Reveal: &Reveal{g.h.State.Round.N, strings.ToUpper(nonces["seat1"])}}
		}, "small letters"},
		{"reveal twice", func(t *testing.T) *game {
			g := committed(t)
			g.revealAll(t, "seat1")
			return g
		}, "seat1", func(g *game) *Record { return g.revealOf("seat1") }, "revealed already"},
		{"reveal as the server before the players", committed, Server, func(g *game) *Record { return g.revealOf(Server) },
			"reveals last"},
		{"reveal another nonce as the server", func(t *testing.T) *game {
			g := committed(t)
			g.revealAll(t, "seat1", "seat2", "seat3")
			return g
		}, Server, func(g *game) *Record { return g.revealOf("seat1") }, "than the seal says"},
		{"roll with another seed", revealed, Server, func(g *game) *Record { return g.seedRoll(7) }, "not those of all nonces"},
		{"roll with faces beside the seed", revealed, Server, func(g *game) *Record {
			seed := g.h.State.Round.seedOfAll()
			r := rollOf(ada, func(r *receipt.Receipt) { r.Seed, r.Given = &seed, map[string][]int64{"roll": {1}} })
			r.Roll.Round = g.h.State.Round.N
			return r
		}, "not those of all nonces"},
		{"roll for another character", revealed, Server, func(g *game) *Record {
			seed := g.h.State.Round.seedOfAll()
			r := rollOf(bela, func(r *receipt.Receipt) { r.Seed = &seed })
			r.Roll.Round = g.h.State.Round.N
			return r
		}, "than was asked for"},
		{"roll before all have revealed", committed, Server, func(g *game) *Record {
			return g.seedRoll(g.h.State.Round.seedOfAll())
		}, "no such round"},
		{"roll the round as a player", revealed, "seat1", func(g *game) *Record {
			return g.seedRoll(g.h.State.Round.seedOfAll())
		}, "only the server"},
		{"leave somebody out too early", opened, "seat1", func(g *game) *Record {
			g.now += Patience - 1
			return &Record{Omit: &Omit{g.h.State.Round.N, "seat2"}}
		}, "1 s to come"},
		{"leave somebody out who has committed", func(t *testing.T) *game {
			g := opened(t)
			g.commitAll(t, "seat2")
			return g
		}, "seat1", func(g *game) *Record {
			g.now += Patience
			return &Record{Omit: &Omit{g.h.State.Round.N, "seat2"}}
		}, "has done all"},
		{"leave oneself out, to see what the dice are without", committed, "seat2", func(g *game) *Record {
			g.now += Patience
			return &Record{Omit: &Omit{g.h.State.Round.N, "seat2"}}
		}, "the others decide"},
		{"come back after one was left out", func(t *testing.T) *game {
			g := opened(t)
			g.now += Patience
			g.must(t, "seat1", &Record{Omit: &Omit{g.h.State.Round.N, "seat2"}})
			return g
		}, "seat2", func(g *game) *Record { return g.commitOf("seat2") }, "nothing is expected"},
		{"call off dice that have fallen", func(t *testing.T) *game {
			g := committed(t)
			g.revealAll(t, "seat1", "seat2", "seat3")
			return g
		}, "seat1", func(g *game) *Record { return &Record{CallOff: &CallOff{Round: g.h.State.Round.N}} }, "have fallen"},
		{"call off the dice of another", opened, "seat2", func(g *game) *Record {
			return &Record{CallOff: &CallOff{Round: g.h.State.Round.N}}
		}, "whoever has begun"},
		{"open a second round", opened, "seat2", func(g *game) *Record {
			open := *g.h.State.Round.Open
			open.Question.Character = json.RawMessage(bela)
			return &Record{Open: &open}
		}, "one round after the other"},
		{"open a round for the character of another", begun, "seat2", func(g *game) *Record {
			return &Record{Open: &Open{Question: Question{Rule: "test", Character: json.RawMessage(ada)}, Among: []string{"seat2"},
				Seal: digestOf("")}}
		}, "own character"},
		{"open a round in which one has two nonces", begun, "seat1", func(g *game) *Record {
			return &Record{Open: &Open{Question: Question{Rule: "test", Character: json.RawMessage(ada)},
				Among: []string{"seat2", "seat2"}, Seal: digestOf("")}}
		}, "cannot take part"},

		// of rights
		{"roll for the character of another", begun, "seat2", func(*game) *Record { return rollOf(ada, nil) }, "own character"},
		{"roll for a better character than that at the table", begun, "seat1", func(*game) *Record {
			return rollOf(`{"skills":{"navigation":99}}`, nil)
		}, "own character"},
		{"roll as a spectator", begun, Spectator, func(*game) *Record { return rollOf(ada, nil) }, "only the server"},
		{"roll as somebody else", begun, "seat1", func(*game) *Record {
			r := rollOf(ada, nil)
			r.Roll.Who = "Bela"
			return r
		}, "as nobody else"},
		{"hide a roll", begun, "seat1", func(*game) *Record {
			r := rollOf(ada, nil)
			r.Roll.Hidden, r.Roll.Salt = true, nonces["seat1"]
			return r
		}, "only the master"},
		{"hide a roll that can be guessed", begun, Master, func(*game) *Record {
			r := rollOf(ada, nil)
			r.Roll.Hidden = true
			return r
		}, "salt"},
		{"change a receipt", begun, "seat1", func(*game) *Record {
			r := rollOf(ada, nil)
			r.Roll.Receipt = json.RawMessage(strings.Replace(string(r.Roll.Receipt), "[43]", "[99]", 1))
			return r
		}, "altered"},
		{"roll by the rules of another game", begun, "seat1", func(*game) *Record {
			return rollOf(ada, func(r *receipt.Receipt) { r.Ruleset = "haze" })
		}, "tempestas is played"},
		{"take a roll back", rolled, "seat1", func(*game) *Record { return &Record{Back: &Of{roll}} }, "only the master"},
		{"take a roll back twice", func(t *testing.T) *game {
			g := rolled(t)
			g.must(t, Master, &Record{Back: &Of{roll}})
			return g
		}, Master, func(*game) *Record { return &Record{Back: &Of{roll}} }, "before"},
		{"take back what is no roll", rolled, Master, func(*game) *Record { return &Record{Back: &Of{2}} }, "no roll"},
		{"look behind a hidden roll", hidden, "seat1", func(*game) *Record {
			return &Record{Show: &Of{roll}}
		}, "only the master"},
		{"roll by a ruling of one's own", begun, "seat1", func(*game) *Record {
			return rollOf(ada, func(r *receipt.Receipt) { r.Options["heroic_band"] = "none" })
		}, "these are others"},
		{"ask for a ruling of one's own", begun, "seat1", func(*game) *Record {
			return &Record{Open: &Open{Question: Question{Rule: "test", Character: json.RawMessage(ada),
				Options: map[string]string{"heroic_band": "none"}}, Among: []string{"seat1"}, Seal: digestOf("")}}
		}, "these are others"},
		{"rule", begun, "seat1", func(*game) *Record { return &Record{Rulings: &Rulings{}} }, "only the master"},
		{"set the turns", begun, "seat1", func(*game) *Record { return &Record{Turns: &Turns{}} }, "only the master"},
		{"remove a player", begun, "seat1", func(*game) *Record { return &Record{Remove: &Remove{"seat2"}} }, "only the master"},
		{"go on after one was removed", func(t *testing.T) *game {
			g := begun(t)
			g.must(t, Master, &Record{Remove: &Remove{"seat2"}})
			return g
		}, "seat2", func(*game) *Record { return rollOf(bela, nil) }, "has taken this player"},
		{"join on the seat of another", begun, "seat1", func(*game) *Record {
			return &Record{Join: &Join{"Eve", digestOf("Eve")}}
		}, "the next player"},
		{"join by the name of another", begun, "seat4", func(*game) *Record {
			return &Record{Join: &Join{"ADA", digestOf("Eve")}}
		}, "is called Ada"},
		{"join by a name that looks like another", begun, "seat4", func(*game) *Record {
			return &Record{Join: &Join{"Ada\u200b", digestOf("Eve")}}
		}, "nobody can see"},
		{"join as the master", begun, "seat4", func(*game) *Record {
			return &Record{Join: &Join{"The Master", digestOf("Eve")}}
		}, "somebody else"},
		{"bring no character", begun, "seat1", func(*game) *Record {
			return &Record{Bring: &Bring{"Ada", json.RawMessage(`[]`)}}
		}, "object of JSON"},
		{"end the session", begun, "seat1", func(*game) *Record { return &Record{End: &End{}} }, "only the master"},
		{"go on after the end", func(t *testing.T) *game {
			g := begun(t)
			g.must(t, Master, &Record{End: &End{}})
			return g
		}, "seat1", func(*game) *Record { return rollOf(ada, nil) }, "ended"},
		{"do two things at once", begun, "seat1", func(*game) *Record {
			r := rollOf(ada, nil)
			r.Back = &Of{roll}
			return r
		}, "2 bodies"},
		{"do it in the past", begun, "seat1", func(g *game) *Record {
			g.now--
			return rollOf(ada, nil)
		}, "older"},
		{"roll anew instead of deciding", fallen, "seat1", func(*game) *Record {
			return rollOf(ada, nil)
		}, "decide on them first"},
		{"let other dice fall instead", fallen, "seat1", func(*game) *Record { return fellOf() }, "decide on them first"},
		{"decide on the dice of another", fallen, "seat2", decided(nil), "nothing to decide"},
		{"decide on no dice", begun, "seat1", decided(nil), "nothing to decide"},
		{"decide with other faces", fallen, "seat1", decided(func(r *receipt.Receipt) {
			r.Dice = map[string][]int64{"roll": {44}}
		}), "roll fell as [43]"},
		{"decide with another input", fallen, "seat1", decided(func(r *receipt.Receipt) {
			r.Input, r.InputDigest, _ = receipt.CompactDigest([]byte(`{"name":"climb"}`))
		}), "only what is decided"},
		{"decide on another rule", fallen, "seat1", decided(func(r *receipt.Receipt) { r.Rule = "skill" }), "another one"},
		{"decide by other rulings", fallen, "seat1", decided(func(r *receipt.Receipt) {
			r.Options = map[string]string{"heroic_band": "down"}
		}), "rulings"},
		{"go on with other dice", fallen, "seat1", func(*game) *Record {
			r := fellOf()
			r.Fell.Of, r.Fell.Question.Decided = roll, []string{"spend"}
			r.Fell.Faces = map[string][]int64{"roll": {44}}
			return r
		}, "roll fell as [43]"},
		{"let dice fall for another's character", begun, "seat2", func(*game) *Record { return fellOf() }, "own character"},
		{"let the dice of a round fall", revealed, "seat1", func(g *game) *Record {
			r := fellOf()
			r.Fell.Round = g.h.State.Round.N
			return r
		}, "only the server"},
		{"choose the dice of a round", revealed, Server, func(g *game) *Record {
			r := fellOf()
			r.Fell.Round = g.h.State.Round.N
			return r
		}, "those of all nonces"},
		{"let the dice of a round go on from themselves", revealed, Server, func(g *game) *Record {
			return g.fellOfRound(g.h.State.N + 1)
		}, "go on from no record"},
		{"let the dice of a round go on from before the log", revealed, Server, func(g *game) *Record {
			return g.fellOfRound(-5)
		}, "go on from no record"},
		{"let the dice of a round go on from a player", revealed, Server, func(g *game) *Record {
			return g.fellOfRound(2)
		}, "go on from no record"},
		{"let the roll of a round go on from after the log", revealed, Server, func(g *game) *Record {
			r := g.seedRoll(g.h.State.Round.seedOfAll())
			r.Roll.Of = 999_999
			return r
		}, "go on from no record"},
		{"let other dice wait for the dice of a round", opened, "seat1", func(*game) *Record { return fellOf() }, "on their way"},
		{"roll while the own dice are on their way", opened, "seat1", func(*game) *Record {
			return rollOf(ada, nil)
		}, "on their way"},
		{"go on with a play that nobody plays", begun, "seat1", func(*game) *Record { return playOf(roll, "roll") }, "gone on"},
		{"go on from an older step", played, "seat2", func(*game) *Record { return playOf(roll-1, "roll", "roll") }, "gone on"},
		{"change an earlier event", played, "seat2", func(*game) *Record {
			return playOf(roll+3, "pay", "roll")
		}, "changes none"},
		{"take two steps at once", played, "seat2", func(*game) *Record {
			return playOf(roll+3, "roll", "roll", "roll")
		}, "adds one event"},
		{"take the step of another back", played, "seat2", func(*game) *Record {
			return &Record{Back: &Of{roll + 3}}
		}, "only the master"},
		{"begin a play with another's character", begun, "seat2", func(*game) *Record { return playOf(0) }, "own character"},
		{"begin another play unasked", played, "seat1", func(*game) *Record { return playOf(0) }, "another play is begun"},
		{"begin in the place of a play that has gone on", played, "seat1", func(*game) *Record {
			r := playOf(0)
			r.Play.Anew = roll
			return r
		}, "gone on"},
		{"begin with an event", begun, "seat1", func(*game) *Record { return playOf(0, "roll") }, "no event"},
		{"call a roll a play", begun, "seat1", func(*game) *Record {
			return &Record{Play: &Play{Told: Told{Title: "Task"}, Receipt: newReceipt(ada, nil)}}
		}, "no play"},
		{"begin again", begun, Server, func(g *game) *Record { return &Record{Begin: &g.h.State.Begin} }, "begins"},
	} {
		t.Run(x.name, func(t *testing.T) {
			g := x.begin(t)
			head, n := g.h.State.Head, len(g.h.Lines)
			err := g.do(x.by, x.cheat(g))
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("it is answered with %v, not with %q", err, x.want)
			}
			again, err := Read(g.h.Transcript(Master))
			if err != nil || again.State.Head != head || g.h.State.Head != head || len(g.h.Lines) != n {
				t.Errorf("the log is another one now: %v", err)
			}
		})
	}
}

// TestTranscriptHides gives those who may not see a roll its digest, and the line when it is shown.
func TestTranscriptHides(t *testing.T) {
	g := beginGame(t)
	r := rollOf(`{"secret":"wyvern"}`, nil)
	r.Roll.Hidden, r.Roll.Salt = true, nonces["seat1"]
	g.must(t, Master, r)
	for _, who := range []string{"seat1", Spectator} {
		text := g.h.Transcript(who)
		if strings.Contains(string(text), "wyvern") {
			t.Errorf("%s sees the hidden roll", who)
		}
		read, err := Read(text)
		if err != nil || read.State.Head != g.h.State.Head || len(read.Rolls()) != 0 {
			t.Errorf("the transcript of %s is read with %v", who, err)
		}
	}
	if text := string(g.h.Transcript(Master)); !strings.Contains(text, "wyvern") {
		t.Error("the master does not see the hidden roll")
	}
	g.must(t, Master, &Record{Show: &Of{r.N}})
	read, err := Read(g.h.Transcript("seat1"))
	if err != nil || len(read.Rolls()) != 1 {
		t.Errorf("a roll that is shown is read with %v", err)
	}
}

// TestChain changes, drops and swaps lines of a log. None of it can be read.
func TestChain(t *testing.T) {
	g := beginGame(t)
	g.must(t, "seat1", rollOf(ada, nil))
	lines := strings.SplitAfter(string(g.h.Transcript(Master)), "\n")
	if _, err := Read([]byte(strings.Join(lines, ""))); err != nil {
		t.Fatal(err)
	}
	for name, altered := range map[string]string{
		"a name":      strings.Replace(strings.Join(lines, ""), "Bela", "Eve", 1),
		"a drop":      strings.Join(append(lines[:2:2], lines[3:]...), ""),
		"a swap":      strings.Join([]string{lines[0], lines[2], lines[1], strings.Join(lines[3:], "")}, ""),
		"a blank":     strings.Replace(strings.Join(lines, ""), `"by":`, `"by": `, 1),
		"a member":    strings.Replace(strings.Join(lines, ""), `"by":`, `"x":1,"by":`, 1),
		"no first":    strings.Join(lines[1:], ""),
		"an old head": strings.Replace(strings.Join(lines, ""), g.h.State.Head, strings.Repeat("0", 64), 1) + lines[1],
	} {
		if _, err := Read([]byte(altered)); err == nil {
			t.Errorf("a log with %s is read", name)
		}
	}
}

// FuzzRead reads damaged logs. One that can be read is written as it was.
func FuzzRead(f *testing.F) {
	g := &game{now: 1_000_000}
	t := new(testing.T)
	*g = *beginGame(t)
	g.openRound(t)
	g.commitAll(t, "seat1", "seat2", "seat3")
	g.revealAll(t, "seat1", "seat2", "seat3", Server)
	g.must(t, Server, g.seedRoll(g.h.State.Round.seedOfAll()))
	f.Add(g.h.Transcript(Master))
	f.Add(g.h.Transcript("seat1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := Read(text)
		if err != nil {
			return
		}
		if again := h.Transcript(Master); string(again) != string(text[:len(text)-h.Torn]) {
			t.Errorf("a log is written as\n%s\nand not as\n%s", again, text)
		}
	})
}

// TestDecision lets Ada's die fall, at once and by a round of all, and decide. The transcript of what is hidden holds, too.
func TestDecision(t *testing.T) {
	spend := func(r *receipt.Receipt) {
		var err error
		r.Input, r.InputDigest, err = receipt.CompactDigest([]byte(`{"spend":3,` + asked[1:]))
		must.Succeed(err)
	}
	g := beginGame(t)
	g.must(t, "seat1", fellOf())
	done := rollOf(ada, spend)
	done.Roll.Of = roll
	g.must(t, "seat1", done)
	g.must(t, "seat1", rollOf(ada, nil))

	n := g.openRound(t)
	g.commitAll(t, "seat1", "seat2", "seat3")
	g.revealAll(t, "seat1", "seat2", "seat3", Server)
	seed := g.h.State.Round.seedOfAll()
	fell := fellOf()
	fell.Fell.Round, fell.Fell.Throw = n, seedText(seed)
	g.must(t, Server, fell)
	if u := g.h.State.UndecidedOf("seat1"); u == nil || g.h.State.Round != nil {
		t.Fatalf("%+v waits, and the round is %+v", u, g.h.State.Round)
	}
	of, other := g.h.State.N, seed+1
	for _, from := range []*uint64{&other, &seed} {
		done = rollOf(ada, func(r *receipt.Receipt) {
			spend(r)
			r.Seed = from
		})
		done.Roll.Of = of
		if err := g.do("seat1", done); (err == nil) != (from == &seed) {
			t.Errorf("the dice of the round go on from another seed, or not from their own: %v", err)
		}
	}

	secret := fellOf()
	secret.Fell.Hidden, secret.Fell.Salt = true, nonces["seat1"]
	g.must(t, Master, secret)
	done = rollOf(ada, spend)
	done.Roll.Of, done.Roll.Hidden, done.Roll.Salt = g.h.State.N, true, nonces["seat2"]
	g.must(t, Master, done)
	for _, hidden := range []int{3, 1} { // one is the nonce of the server
		seen, err := Read(g.h.Transcript("seat2"))
		lines := strings.Count(string(g.h.Transcript("seat2")), `{"hidden"`)
		if err != nil || seen.State.Head != g.h.State.Head || lines != hidden {
			t.Errorf("with %d hidden lines the transcript is read as %v", hidden, err)
		}
		if hidden == 3 {
			g.must(t, Master, &Record{Show: &Of{g.h.State.N}})
		}
	}
}

// TestUndecidedEnds takes dice back on which Ada decides, the first of two that go on from each other, and takes Ada from
// the table.
func TestUndecidedEnds(t *testing.T) {
	for _, end := range []*Record{{Back: &Of{roll}}, {Back: &Of{roll + 1}}, {Remove: &Remove{"seat1"}}} {
		g := beginGame(t)
		g.must(t, "seat1", fellOf())
		next := fellOf()
		next.Fell.Of, next.Fell.Question.Decided, next.Fell.Due = roll, []string{"spend"}, []string{"more"}
		g.must(t, "seat1", next)
		bystander := fellOf()
		bystander.Fell.Question.Character = json.RawMessage(bela)
		g.must(t, "seat2", bystander)
		g.must(t, Master, end)
		if u := g.h.State.Undecided; len(u) != 1 || u[0].By != "seat2" {
			t.Errorf("after %s decide %+v", end.encode(), u)
		}
	}
}

// TestThrowAfterDecision lets dice go on after a decision: those that have fallen stay, typed ones are of the die for which
// they were typed, and what is drawn comes from a seed that the one who decided has not seen, unless all have made it.
func TestThrowAfterDecision(t *testing.T) {
	for _, x := range []struct {
		throw     string
		isOfRound bool
		want      string
	}{
		{"seed 7", false, "roll=43 seed 99"},
		{"bonus=5,6 roll=43 seed 7", false, "bonus=5,6 roll=43 seed 99"},
		{"roll=43", false, "roll=43"},
		{"43", false, "43"},
		{"seed 7", true, "seed 7"},
	} {
		u := &Undecided{Fell: fellOf().Fell, IsOfRound: x.isOfRound}
		u.Fell.Throw = x.throw
		if got, err := u.ThrowFrom(99); got != x.want || err != nil {
			t.Errorf("%s, of a round %t: %s, %v; want %s", x.throw, x.isOfRound, got, err, x.want)
		}
	}
}

// TestPlayInPlace begins a play in the place of another one: taking it back brings the other one again.
func TestPlayInPlace(t *testing.T) {
	g := beginGame(t)
	g.must(t, "seat1", playOf(0))
	g.must(t, "seat1", playOf(roll, "roll"))
	anew := playOf(0)
	anew.Play.Anew = roll + 1
	g.must(t, "seat1", anew)
	g.must(t, "seat1", &Record{Back: &Of{roll + 2}})
	if n := g.h.State.Play.N; n != roll+1 {
		t.Errorf("record %d is played", n)
	}
}

// TestSeedsOfPlays has another seed for each start, and the same one for an event until it happens: after another event,
// and after it was taken back.
func TestSeedsOfPlays(t *testing.T) {
	g, p := beginGame(t), &Place{Table: &Table{secret: "secret"}}
	first := p.SeedOfStart(&g.h.State, "task")
	g.must(t, "seat1", playOf(0))
	begun := g.h.State.Play
	pay, roll1 := p.SeedOfEvent(begun, "pay"), p.SeedOfEvent(begun, "roll")
	g.must(t, "seat1", playOf(roll, "pay"))
	paid := g.h.State.Play
	if p.SeedOfEvent(paid, "roll") != roll1 || p.SeedOfEvent(paid, "pay") == pay {
		t.Error("an event that has not happened has another seed, or one that has happened the same")
	}
	g.must(t, "seat1", &Record{Back: &Of{roll + 1}})
	if p.SeedOfEvent(g.h.State.Play, "pay") != pay {
		t.Error("an event that was taken back has another seed")
	}
	g.must(t, "seat1", &Record{Back: &Of{roll}})
	if p.SeedOfStart(&g.h.State, "task") == first {
		t.Error("two starts have the same seed")
	}
}
