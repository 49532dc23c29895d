package session

import (
	"errors"
	"maps"
	"slices"
	"strconv"
)

// The bounds of those who watch a table at once.
const (
	maxStreams   = 6  // of one player or the master, and as many of pages beside
	maxSpectates = 40 // of all spectators
)

// A Watcher hears of what happens at a table. It must be closed.
type Watcher struct {
	News     <-chan struct{} // one is waiting after each change
	news     chan struct{}
	who      string
	isBeside bool
	table    *Table
}

// Watch begins to watch, for a participant who is at the table from then on.
func (t *Table) Watch(who string) (*Watcher, error) { return t.addWatcher(who, false) }

// WatchBeside begins to watch with a page that cannot take part in a round of dice: nobody waits for it.
func (t *Table) WatchBeside(who string) (*Watcher, error) { return t.addWatcher(who, true) }

func (t *Table) addWatcher(who string, isBeside bool) (*Watcher, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	most, count := maxStreams, 0
	if who == Spectator {
		most = maxSpectates
	}
	for w := range t.watchers {
		if w.who == who && w.isBeside == isBeside {
			count++
		}
	}
	if count >= most {
		return nil, errors.New("too many pages watch this table for you: close some")
	}
	w := &Watcher{news: make(chan struct{}, 1), who: who, isBeside: isBeside, table: t}
	w.News = w.news
	isThere := slices.Contains(t.whoWatches(), who)
	if t.watchers[w] = struct{}{}; !isThere && !isBeside {
		t.notifyWatchers() // somebody has come
	}
	return w, nil
}

// Close ends watching.
func (w *Watcher) Close() {
	t := w.table
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.watchers, w)
	if !w.isBeside && !slices.Contains(t.whoWatches(), w.who) {
		t.notifyWatchers()
	}
}

// notifyWatchers wakes those who watch. One who has not looked yet sees all at once.
func (t *Table) notifyWatchers() {
	for w := range t.watchers {
		select {
		case w.news <- struct{}{}:
		default:
		}
	}
}

// whoWatches returns who is at the table.
func (t *Table) whoWatches() []string {
	var out []string
	for w := range t.watchers {
		if !w.isBeside && !slices.Contains(out, w.who) {
			out = append(out, w.who)
		}
	}
	return out
}

// A View is a table as one of its participants sees it.
type View struct {
	Who     string
	Name    string
	State   State
	Present []string // who watches now
	Entries []Entry  // in the order of the log
}

// An Entry is a record as it is shown. Record is nil where the viewer may not see it.
type Entry struct {
	N       int
	By      string // who has made it, or began the round that it ends
	Record  *Record
	IsBack  bool
	IsShown bool    // it was hidden
	Fell    []*Fell // of a roll, the dice on which it was decided
}

// State returns the table as it is now. The members that Apply replaces are shared, and must not be changed.
func (t *Table) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.copyState()
}

func (t *Table) copyState() State {
	s := t.history.State
	s.Seats, s.rolls = slices.Clone(s.Seats), nil
	if s.Round != nil {
		round := *s.Round
		round.players = slices.Clone(round.players)
		s.Round = &round
	}
	return s
}

// View returns what somebody sees of the records after a number, and of those before that these have changed.
func (t *Table) View(who string, after int) *View {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.history
	v := &View{Who: who, Name: h.State.NameOf(who), State: t.copyState(), Present: t.whoWatches()}
	after = min(max(after, 0), len(h.Records))
	changed := map[int]bool{}
	for _, r := range h.Records[after:] {
		for _, of := range []*Of{r.Back, r.Show} {
			if of != nil && of.N <= after {
				changed[of.N] = true
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(changed)) {
		v.Entries = append(v.Entries, t.entryOf(who, h.Records[n-1]))
	}
	for _, r := range h.Records[after:] {
		if r.Sealed == nil { // it says nothing to anybody
			v.Entries = append(v.Entries, t.entryOf(who, r))
		}
	}
	return v
}

func (t *Table) entryOf(who string, r *Record) Entry {
	e := Entry{N: r.N, By: r.By}
	if r.Roll != nil && r.Roll.Round != 0 {
		e.By = t.history.Records[r.Roll.Round-1].By
	} else if r.Fell != nil && r.Fell.Round != 0 {
		e.By = t.history.Records[r.Fell.Round-1].By
	}
	if t.history.canSee(who, r) {
		if e.Record = r; r.Roll != nil {
			e.Fell = t.history.fellBefore(r.Roll)
		}
	}
	if roll := t.history.State.rolls[r.N]; roll != nil {
		e.IsBack, e.IsShown = roll.isBack, roll.isShown
	}
	return e
}

// RollOf returns a roll that somebody may see, by its number. Its error is ErrNotHere.
func (p *Place) RollOf(number string) (*Roll, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(p.history.Records) {
		return nil, ErrNotHere
	}
	r := p.history.Records[n-1]
	if r.Roll == nil || !p.history.canSee(p.Who, r) {
		return nil, ErrNotHere
	}
	return r.Roll, nil
}

// Transcript returns the log as somebody may see it.
func (t *Table) Transcript(who string) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.history.Transcript(who)
}
