package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
)

func edition(t *testing.T, revision string) *Edition {
	t.Helper()
	p := *gametest.ShippedPlan(t, "tempestas")
	p.Revision = revision
	return NewEdition(&p, nil)
}

func TestShelfFindsTheNewest(t *testing.T) {
	shelf, err := NewShelf([]*Edition{edition(t, "0.9.0"), edition(t, "0.10.0"), edition(t, "0.2.0")}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]string{"": "0.10.0", "0.2.0": "0.2.0"} {
		if e, err := shelf.Find("tempestas", asked); err != nil || e.Plan.Revision != want {
			t.Errorf("%q: %v, %v", asked, e, err)
		}
	}
	for _, ask := range [][2]string{{"tempest", ""}, {"tempestas", "0.3.0"}} {
		if _, err := shelf.Find(ask[0], ask[1]); !isUnknown(err) {
			t.Errorf("%v: %v", ask, err)
		}
	}
	if _, err := NewShelf([]*Edition{edition(t, "0.1.0"), edition(t, "0.1.0")}, time.Time{}); err == nil {
		t.Error("a revision twice")
	}
}

func isUnknown(err error) bool {
	_, ok := errors.AsType[*runtime.UnknownError](err)
	return ok
}

// TestReloadKeepsTheLastGood loads well, badly, well again, and with a fault of the program.
func TestReloadKeepsTheLastGood(t *testing.T) {
	results := []error{nil, errors.New("broken"), nil}
	e := edition(t, "0.1.0")
	lib, err := Open(func() (*Shelf, error) {
		err := results[0] // of which the fourth load finds none
		results = results[1:]
		if err != nil {
			return nil, err
		}
		return NewShelf([]*Edition{e}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	first := lib.Shelf()
	if err := lib.Reload(); err == nil || lib.Shelf() != first || lib.Problem() == nil || lib.Generation() != 1 {
		t.Errorf("after a broken edit: %v, shelf changed: %v", err, lib.Shelf() != first)
	}
	if err := lib.Reload(); err != nil || lib.Shelf() == first || lib.Problem() != nil || lib.Generation() != 2 {
		t.Errorf("after a good edit: %v, shelf changed: %v", err, lib.Shelf() != first)
	}
	first = lib.Shelf()
	if err := lib.Reload(); err == nil || lib.Shelf() != first || lib.Problem() == nil || lib.Generation() != 3 {
		t.Errorf("after a fault: %v, shelf changed: %v", err, lib.Shelf() != first)
	}
}

// TestLateShelfLoadsWhatIsOpened opens one of three rulesets: the others are not loaded, one that cannot be is told of once
// somebody asks for it, and a reload waits for all.
func TestLateShelfLoadsWhatIsOpened(t *testing.T) {
	loaded := map[string]int{}
	broken := errors.New("broken")
	lib, err := Open(func() (*Shelf, error) {
		return NewLateShelf([]string{"zones", "tempestas", "broken"}, func(id string) (*Edition, error) {
			if loaded[id]++; id == "broken" {
				return nil, broken
			}
			return edition(t, "0.1.0"), nil
		}, time.Now()), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shelf := lib.Shelf()
	if list := shelf.Rulesets(); !slices.Equal(list, []string{"broken", "tempestas", "zones"}) || len(loaded) > 0 {
		t.Errorf("%v are there, %v loaded", list, loaded)
	}
	for range 2 {
		if e, err := shelf.Find("tempestas", ""); err != nil || e == nil || loaded["tempestas"] != 1 || loaded["zones"] > 0 {
			t.Errorf("%v, %v: %v loaded", e, err, loaded)
		}
	}
	if len(shelf.Ready("tempestas")) != 1 || shelf.Ready("zones") != nil || lib.Problem() != nil {
		t.Errorf("ready: %v, %v; %v", shelf.Ready("tempestas"), shelf.Ready("zones"), lib.Problem())
	}
	shelf.Prepare()
	if _, err := shelf.Find("broken", ""); !errors.Is(err, broken) || !errors.Is(lib.Problem(), broken) || loaded["zones"] != 1 {
		t.Errorf("%v, %v: %v loaded", err, lib.Problem(), loaded)
	}
	if err := lib.Reload(); !errors.Is(err, broken) || lib.Shelf() != shelf {
		t.Errorf("reloaded: %v", err)
	}
}

// TestWatchSeesAnEdit writes a file of a watched directory and waits for the reload.
func TestWatchSeesAnEdit(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.cue")
	if err := os.WriteFile(file, []byte("a: 1"), 0o666); err != nil {
		t.Fatal(err)
	}
	loads := make(chan bool, 16)
	e := edition(t, "0.1.0")
	lib, err := Open(func() (*Shelf, error) {
		loads <- true
		return NewShelf([]*Edition{e}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	<-loads
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { lib.Watch(ctx, []string{dir}, time.Millisecond); close(ended) }()
	for text := "a: 2"; ; text += " " { // the watch may have begun after the first of these
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		select {
		case <-loads:
			stop()
			<-ended
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestPreparedIsBounded asks for more choices than are kept.
func TestPreparedIsBounded(t *testing.T) {
	var c cached[int]
	made := 0
	find := func(key string) {
		if _, err := c.find(key, func() (int, error) { made++; return made, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 * maxPrepared {
		find(string(rune(i)))
	}
	find(string(rune(2*maxPrepared - 1)))
	if len(c.made) != maxPrepared || len(c.order) != maxPrepared || made != 2*maxPrepared {
		t.Errorf("%d kept, %d made", len(c.made), made)
	}
}

// TestAskersHaveTheBudgetOfTheirQuestion asks with a budget for one state, with enough, and for nobody: an asker that is
// used again keeps nothing of the question before.
func TestAskersHaveTheBudgetOfTheirQuestion(t *testing.T) {
	e := edition(t, "0.1.0")
	gone, leave := context.WithCancel(t.Context())
	leave()
	request := runtime.Request{Character: []byte(`{"skills": {"navigation": 90}}`), Input: []byte(`{"name": "navigation"}`)}
	for _, q := range []struct {
		ctx    context.Context
		budget int64
		fails  bool
	}{{t.Context(), 1, true}, {t.Context(), 1_000_000, false}, {gone, 1_000_000, true}, {t.Context(), 1_000_000, false}} {
		a, err := e.Asker(query.Question{Subject: "test", Request: request, Budget: q.budget})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = a.Odds(q.ctx); (err != nil) != q.fails {
			t.Errorf("budget %d: %v", q.budget, err)
		}
		if q.ctx == gone && !errors.Is(err, context.Canceled) {
			t.Errorf("nobody waits for the answer: %v", err)
		}
	}
}
