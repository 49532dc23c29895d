package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// evaluateFake answers every question with the receipt of a test.
func evaluateFake(_ string, q *Question, fell string) (*Answer, error) {
	throw, err := dice.ParseThrow(fell)
	if err != nil {
		return nil, err
	}
	text := newReceipt(string(compactJSON(q.Character)), func(r *receipt.Receipt) {
		r.Rule, r.Seed = q.Rule, throw.Seed
		maps.Copy(r.Options, q.Options)
		r.Input, r.InputDigest, err = receipt.CompactDigest(q.Input)
	})
	return &Answer{Told: Told{Title: "Test", Headline: "Success"}, Receipt: text}, err
}

// A room is a hub with a table at which the master, Ada and Bela sit.
type room struct {
	*Hub
	id, code          string
	master, ada, bela *Place
	now               time.Time
}

func openHub(t *testing.T, dir string, now *time.Time) *Hub {
	t.Helper()
	h := &Hub{Dir: dir, Evaluate: evaluateFake, Now: func() time.Time { return *now }, Warn: func(text string) { t.Log(text) }}
	if err := h.Open(); err != nil {
		t.Fatal(err)
	}
	return h
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{now: time.UnixMilli(1_000_000)}
	r.Hub = openHub(t, t.TempDir(), &r.now)
	var err error
	if r.id, r.code, err = r.Begin("Friday", "tempestas"); err != nil {
		t.Fatal(err)
	}
	seat := func(code, name string) *Place {
		p, err := r.Enter(r.id, code, name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	r.master = seat(Master+"."+r.code, "")
	r.ada = seat("http://localhost/session/"+r.id+"/#players."+r.master.Codes().Players, "Ada")
	r.bela = seat("players."+r.master.Codes().Players, " Bela ")
	must := func(p *Place, form url.Values) {
		if err := p.Act(form); err != nil {
			t.Fatal(err)
		}
	}
	must(r.ada, url.Values{"do": {"bring"}, "called": {"Ada"}, "character": {ada}})
	must(r.bela, url.Values{"do": {"bring"}, "called": {"Bela"}, "character": {bela}})
	return r
}

func testQuestion() *Question { return &Question{Rule: "test", Input: json.RawMessage(asked)} }

func (r *room) file() string { return filepath.Join(r.Dir, r.id+extension) }

// TestKeys tries keys that are not for this table, or not for this place. All are answered alike.
func TestKeys(t *testing.T) {
	r := newRoom(t)
	other, code, err := r.Begin("Saturday", "tempestas")
	if err != nil {
		t.Fatal(err)
	}
	codes := r.master.Codes()
	if err := r.master.Act(url.Values{"do": {"remove"}, "who": {r.bela.Who}}); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string][2]string{
		"no key":                          {r.id, ""},
		"the code of players as a seat":   {r.id, "seat1." + codes.Players},
		"the code of players as master":   {r.id, "master." + codes.Players},
		"the code of spectators as other": {r.id, "master." + codes.Spectators},
		"the digest in the log":           {r.id, "master." + digestOf(r.code)},
		"the key of another seat":         {r.id, "seat2." + strings.TrimPrefix(r.ada.Key, "seat1.")},
		"a seat that nobody has":          {r.id, "seat9."},
		"a player who was removed":        {r.id, r.bela.Key},
		"the master of another table":     {r.id, "master." + code},
		"the server":                      {r.id, "server."},
		"no table":                        {"aaaaaaaaaaaaaaaa", "master." + r.code},
		"a way out of the directory":      {"../" + r.id, "master." + r.code},
		"a table in capitals":             {strings.ToUpper(r.id), "master." + r.code},
	} {
		if _, err := r.Sit(x[0], x[1]); err != ErrNotHere {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Enter(other, "players."+codes.Players, "Eve"); err != ErrNotHere {
		t.Errorf("the code of players of another table: %v", err)
	}
	if spectator, err := r.Sit(r.id, "spectator."+codes.Spectators); err != nil || spectator.Who != Spectator {
		t.Errorf("a spectator sits as %v: %v", spectator, err)
	} else if codes := spectator.Codes(); codes != (Codes{}) {
		t.Errorf("a spectator has the codes %v", codes)
	}
}

// TestChooseNoSeed lets a player roll with typed faces, and refuses a seed wherever it stands.
func TestChooseNoSeed(t *testing.T) {
	r := newRoom(t)
	for _, faces := range []string{"seed 7", "43 seed 7", "roll=43 seed 7"} {
		if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{Faces: faces}, "", false); err != ErrSeed {
			t.Errorf("%s: %v", faces, err)
		}
	}
	if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{Faces: "43"}, "", false); err != nil {
		t.Error(err)
	}
	q := testQuestion()
	q.Character = json.RawMessage(`{"skills":{"navigation":99}}`)
	if _, err := r.ada.Roll(r.ada.Who, q, Throw{}, "", false); err != nil {
		t.Error(err)
	}
	last := r.ada.View(r.ada.Who, 0).Entries
	if text := string(last[len(last)-1].Record.Roll.Receipt); !strings.Contains(text, `"navigation":90`) {
		t.Errorf("Ada has rolled for another character than her own: %s", text)
	}
}

// TestRulings lets the master rule otherwise: all roll so from then on, whatever they ask for.
func TestRulings(t *testing.T) {
	r := newRoom(t)
	if err := r.master.Act(url.Values{"do": {"rule"}, "rulings": {`{"options": {"heroic_band": "none"}}`}}); err != nil {
		t.Fatal(err)
	}
	q := testQuestion()
	q.Options = map[string]string{"heroic_band": "up", "other": "yes"}
	a, err := r.ada.Roll(r.ada.Who, q, Throw{}, "", false)
	if err != nil || !strings.Contains(string(compactJSON(a.Receipt)), `"options":{"heroic_band":"none"}`) {
		t.Errorf("Ada rolls by other rulings: %s, %v", a.Receipt, err)
	}
	if err := r.master.Act(url.Values{"do": {"rule"}, "rulings": {"[]"}}); err == nil {
		t.Error("a list is taken for rulings")
	}
}

// TestGreedy lets a player ask for as much as one may, and no more; the others go on, and after a second so does she.
func TestGreedy(t *testing.T) {
	r := newRoom(t)
	var err error
	n := 1 // she has brought a character
	for ; err == nil && n < 1000; n++ {
		_, err = r.ada.Roll(r.ada.Who, testQuestion(), Throw{}, "", false)
	}
	if !errors.Is(err, ErrGreedy) || n != burst+1 {
		t.Errorf("after %d she hears %v", n, err)
	}
	if _, err := r.bela.Roll(r.bela.Who, testQuestion(), Throw{}, "", false); err != nil {
		t.Error(err)
	}
	r.now = r.now.Add(time.Second)
	if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{}, "", false); err != nil {
		t.Error(err)
	}
	for i := range maxStreams {
		if _, err := r.ada.Watch(r.ada.Who); err != nil {
			t.Fatalf("page %d: %v", i, err)
		}
	}
	if _, err := r.ada.Watch(r.ada.Who); err == nil {
		t.Error("a player may open any number of pages")
	}
}

// TestWatchBeside has a page of the play open, which cannot commit to a nonce: a round of dice does not wait for it.
func TestWatchBeside(t *testing.T) {
	r := newRoom(t)
	w, err := r.bela.WatchBeside(r.bela.Who)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := r.ada.Open(r.ada.Who, testQuestion(), ""); err != nil {
		t.Fatal(err)
	}
	if among := r.ada.View(r.ada.Who, 0).State.Round.Open.Among; !slices.Equal(among, []string{r.ada.Who}) {
		t.Errorf("the dice wait for %v", among)
	}
	select {
	case <-w.News:
	default:
		t.Error("nobody told the page of what happens")
	}
}

// playRound lets Ada roll dice that nobody can choose, as far as a number of steps.
func (r *room) playRound(t *testing.T, steps int) {
	t.Helper()
	for _, p := range []*Place{r.ada, r.bela} {
		w, err := p.Watch(p.Who)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Close)
	}
	if err := r.ada.Open(r.ada.Who, testQuestion(), ""); err != nil {
		t.Fatal(err)
	}
	round := r.ada.View(r.ada.Who, 0).State.Round
	for i, p := range []*Place{r.ada, r.bela, r.bela, r.ada} {
		if i == steps {
			return
		}
		form := url.Values{"round": {strconv.Itoa(round.N)}, "do": {"commit"},
			"commitment": {Commitment(round.Digest, p.Who, nonces[p.Who])}}
		if i >= 2 {
			form = url.Values{"round": form["round"], "do": {"reveal"}, "nonce": {nonces[p.Who]}}
		}
		if err := p.Act(form); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCrash cuts the log of a round around the end of each line and within it, and opens it again. What remains is the log
// up to a whole line; the round goes on, or is called off where the server's nonce was not kept.
func TestCrash(t *testing.T) {
	r := newRoom(t)
	r.playRound(t, 4)
	whole, err := os.ReadFile(r.file())
	if err != nil {
		t.Fatal(err)
	}
	h, err := Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	if last := h.Records[len(h.Records)-1]; last.Roll == nil || last.Roll.Round == 0 {
		t.Fatalf("the log ends with %s", last.encode())
	}
	begun := strings.Index(string(whole), `"open":`)
	dir := t.TempDir()
	for cut := begun; cut < len(whole); cut++ {
		if beside := whole[max(cut-2, 0):min(cut+2, len(whole))]; cut%101 != 0 && !bytes.Contains(beside, []byte("\n")) {
			continue // within a line one place is as the other
		}
		name := filepath.Join(dir, strconv.Itoa(cut))
		if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		f, h, err := openFile(name)
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", cut, err)
		}
		torn := h.Torn
		table := newTable(f, h, evaluateFake, func() time.Time { return r.now })
		if table.failed != nil {
			t.Fatalf("cut after %d bytes: %v", cut, table.failed)
		}
		f.Close()
		again, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		kept := whole[:cut-torn]
		if !strings.HasPrefix(string(again), string(kept)) {
			t.Fatalf("cut after %d bytes, %d lines are lost", cut, strings.Count(string(kept), "\n"))
		}
		if read, err := Read(again); err != nil || read.Torn > 0 {
			t.Fatalf("cut after %d bytes, it is read with %v", cut, err)
		} else if round := read.State.Round; torn > 0 && !strings.Contains(string(again), `"torn":{"bytes":`+strconv.Itoa(torn)) {
			t.Fatalf("cut after %d bytes, nobody is told of %d that are gone", cut, torn)
		} else if round != nil && round.isRevealed() {
			t.Fatalf("cut after %d bytes, the dice never fall", cut)
		}
	}
}

// TestSameSeedAfterCrash cuts the log before the roll of a round: the same dice fall again.
func TestSameSeedAfterCrash(t *testing.T) {
	r := newRoom(t)
	r.playRound(t, 4)
	whole, err := os.ReadFile(r.file())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(whole), "\n"), "\n")
	roll := lines[len(lines)-1]
	if err := os.WriteFile(r.file(), []byte(strings.Join(lines[:len(lines)-2], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openHub(t, r.Dir, &r.now).Sit(r.id, r.ada.Key); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(r.file())
	if err != nil || !strings.HasSuffix(string(again), roll+"\n") {
		t.Errorf("after the crash the roll is another one: %v", err)
	}
}

// TestTwoServers lets another program write to the log: the table stops rather than to mix two games.
func TestTwoServers(t *testing.T) {
	r := newRoom(t)
	other, err := openHub(t, r.Dir, &r.now).Sit(r.id, r.ada.Key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Roll(r.ada.Who, testQuestion(), Throw{}, "", false); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{}, "", false); err == nil ||
			!strings.Contains(err.Error(), "another program") {
			t.Errorf("the first server goes on: %v", err)
		}
	}
}

// TestReconnections reads the stream of a table by a client whose connection is cut after every event, 1,000 times, while
// others play. It sees every record once, in order, and the roll that was taken back.
func TestReconnections(t *testing.T) {
	r := newRoom(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		err := r.bela.Stream(w, q, func(v *View) []byte {
			var seen []int
			for _, e := range v.Entries {
				seen = append(seen, e.N)
			}
			text, _ := json.Marshal(seen)
			return text
		})
		if err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	const times = 1000
	var seen []int
	last := "0"
	for i := range times {
		if i%13 < 2 { // most connections find nothing new, some one record, and some two
			r.now = r.now.Add(time.Second)
			if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{}, "", false); err != nil {
				t.Fatal(err)
			}
		}
		if i%13 == 0 {
			continue
		}
		id, data := readEvent(t, server.URL, last)
		last = id
		var numbers []int
		if err := json.Unmarshal([]byte(data), &numbers); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, numbers...)
	}
	if err := r.master.Act(url.Values{"do": {"back"}, "n": {"10"}}); err != nil {
		t.Fatal(err)
	}
	_, data := readEvent(t, server.URL, last)
	if want := "[10,"; !strings.HasPrefix(data, want) {
		t.Errorf("after a roll was taken back: %s", data)
	}
	isOnce := slices.IsSorted(seen) && len(slices.Compact(slices.Clone(seen))) == len(seen)
	if n := r.ada.View(r.ada.Who, 0).State.N - 1; len(seen) < n-2 || !isOnce {
		t.Errorf("of %d records %d were seen, in order: %v", n, len(seen), slices.IsSorted(seen))
	}
}

// readEvent connects, reads one event, and cuts the connection.
func readEvent(t *testing.T, url, last string) (id, data string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Last-Event-ID", last)
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	for lines := bufio.NewScanner(a.Body); lines.Scan(); {
		if text, is := strings.CutPrefix(lines.Text(), "id: "); is {
			id = text
		}
		if text, is := strings.CutPrefix(lines.Text(), "data: "); is {
			return id, text
		}
	}
	t.Fatal(fmt.Errorf("the stream after %s has no event", last))
	return "", ""
}

// TestTextsThatAreNoUTF8 takes names and turns as a client may send them: what is answered can be read again.
func TestTextsThatAreNoUTF8(t *testing.T) {
	r := newRoom(t)
	if _, err := r.Enter(r.id, "players."+r.master.Codes().Players, "Cl\xffeo"); err == nil {
		t.Error("a name that is no UTF-8 joins")
	}
	for _, form := range []url.Values{
		{"do": {"turns"}, "order": {"Ada: 1\xff7"}},
		{"do": {"bring"}, "called": {"Ada"}, "character": {"{\"name\": \"A\xffda\"}"}},
	} {
		_ = r.master.Act(form) // refused or kept
		_ = r.ada.Act(form)
	}
	if _, err := openHub(t, r.Dir, &r.now).Sit(r.id, r.ada.Key); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

// TestFailureToWrite lets a record fail to be written: nobody sees it, and the table goes on.
func TestFailureToWrite(t *testing.T) {
	r := newRoom(t)
	before := r.ada.View(r.ada.Who, 0).State.N
	r.ada.file.Close()
	if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{}, "", false); err == nil {
		t.Fatal("a roll that is not written is answered")
	}
	if now := r.ada.View(r.ada.Who, 0).State.N; now != before {
		t.Errorf("there are %d records, and not %d", now, before)
	}
	if _, err := r.ada.Roll(r.ada.Who, testQuestion(), Throw{}, "", false); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestUnreadableLogIsReadOnce asks for a table whose log is damaged: whoever started the server is told once, and the table
// is there when the log is mended.
func TestUnreadableLogIsReadOnce(t *testing.T) {
	r := newRoom(t)
	good, err := os.ReadFile(r.file())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.file(), append([]byte("{}\n"), good...), 0o600); err != nil {
		t.Fatal(err)
	}
	again, warnings := openHub(t, r.Dir, &r.now), 0
	again.Warn = func(string) { warnings++ }
	for range 3 {
		if _, err := again.Sit(r.id, r.ada.Key); err != ErrNotHere {
			t.Errorf("a damaged log: %v", err)
		}
	}
	if warnings != 1 {
		t.Errorf("%d warnings", warnings)
	}
	if err := os.WriteFile(r.file(), good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Sit(r.id, r.ada.Key); err != nil {
		t.Errorf("a log that was mended: %v", err)
	}
}
