package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// maxTables is how many sessions a directory holds.
const maxTables = 200

// extension is that of a log.
const extension = ".jsonl"

// ErrNotHere is the error of a table that is not there, and of a code that is not its own: nobody can tell which.
var ErrNotHere = errors.New("there is no such table, or the code is another one")

// A Hub finds tables by their id. Each is a log in a directory.
type Hub struct {
	Dir      string
	Evaluate Evaluator
	Now      func() time.Time
	Warn     func(string) // tells whoever has started the server

	beginning sync.Mutex // held while a session is begun
	mu        sync.Mutex // guards tables, and is held for no longer than a look at it takes
	tables    map[string]*seating
}

// A seating is a log of the directory, which is read when somebody comes for the first time.
type seating struct {
	mu     sync.Mutex
	table  *Table      // nil before, and where the log cannot be read
	failed fs.FileInfo // of the log when it could not be read: it is tried again once it is another one
}

// Open makes the directory.
func (h *Hub) Open() error {
	h.tables = map[string]*seating{}
	return os.MkdirAll(h.Dir, 0o700)
}

// idEncoding writes 80 random bits so that an address and the name of a file can hold them.
var idEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const idLength = 16

// isID reports whether a text is written as the id of a table is.
func isID(text string) bool {
	b, err := idEncoding.DecodeString(text)
	return err == nil && len(text) == idLength && idEncoding.EncodeToString(b) == text
}

// Begin begins a session, and returns its id and the code of its master.
func (h *Hub) Begin(title, ruleset string) (id, code string, err error) {
	h.beginning.Lock()
	defer h.beginning.Unlock()
	logs, err := filepath.Glob(filepath.Join(h.Dir, "*"+extension))
	if err != nil {
		return "", "", err
	}
	if len(logs) >= maxTables {
		return "", "", fmt.Errorf("%d sessions lie in the directory, as many as may be", len(logs))
	}
	raw, err := hex.DecodeString(drawNonce())
	if err != nil {
		return "", "", err
	}
	id, code = idEncoding.EncodeToString(raw[:10]), drawNonce()[:codeLength]
	codes := codesOf(code)
	r := &Record{Begin: &Begin{Session: id, Title: title, Ruleset: ruleset,
		Codes: Codes{digestOf(codes.Master), digestOf(codes.Players), digestOf(codes.Spectators)}}}
	probe := *r
	probe.N, probe.By = 1, Server
	if err := new(State).Apply(&probe, probe.encode()); err != nil {
		return "", "", err
	}
	f, err := createFile(h.fileOf(id))
	if err != nil {
		return "", "", err
	}
	t := newTable(f, &History{}, h.Evaluate, h.Now)
	if err := t.recordAs(Server, r); err != nil {
		t.file.Close()
		return "", "", errors.Join(err, os.Remove(t.file.Name()))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tables[id] = &seating{table: t}
	return id, code, nil
}

// codeLength is how many hexadecimal digits a code has: 128 bits.
const codeLength = 32

// codesOf returns all codes of a table by that of its master.
func codesOf(master string) Codes {
	derive := func(whom string) string {
		m := hmac.New(sha256.New, []byte(master))
		m.Write([]byte("rules session code 1\n" + whom))
		return hex.EncodeToString(m.Sum(nil))[:codeLength]
	}
	return Codes{master, derive("players"), derive("spectators")}
}

// findTable returns a table, from the disk if need be. Its error is ErrNotHere; Warn says why a log cannot be read.
func (h *Hub) findTable(id string) (*Table, error) {
	if !isID(id) {
		return nil, ErrNotHere
	}
	h.mu.Lock()
	at := h.tables[id]
	h.mu.Unlock()
	if at == nil {
		if _, err := os.Stat(h.fileOf(id)); err != nil { // a guess leaves nothing behind
			return nil, ErrNotHere
		}
		h.mu.Lock()
		if at = h.tables[id]; at == nil {
			at = &seating{}
			h.tables[id] = at
		}
		h.mu.Unlock()
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.table == nil {
		at.table = h.openTable(id, at)
	}
	if at.table == nil {
		return nil, ErrNotHere
	}
	return at.table, nil
}

func (h *Hub) fileOf(id string) string { return filepath.Join(h.Dir, id+extension) }

// openTable reads the log of a table. It returns nil where that fails, or failed before.
func (h *Hub) openTable(id string, at *seating) *Table {
	info, err := os.Stat(h.fileOf(id))
	if err != nil || at.failed != nil && at.failed.Size() == info.Size() && at.failed.ModTime().Equal(info.ModTime()) {
		return nil
	}
	f, history, err := openFile(h.fileOf(id))
	if err != nil {
		at.failed = info
		h.Warn("session " + id + ": " + err.Error())
		return nil
	}
	if history.Torn > 0 {
		h.Warn(fmt.Sprintf("session %s: the last line was not written to its end: %d bytes are cut off", id, history.Torn))
	}
	return newTable(f, history, h.Evaluate, h.Now)
}

// A Place is somebody at a table.
type Place struct {
	*Table
	ID  string // of the table
	Who string // Master, Spectator, or the name of a seat
	Key string // that proves it, "WHO.SECRET"
}

// Sit returns the place that a key proves. Its error is ErrNotHere.
func (h *Hub) Sit(id, key string) (*Place, error) {
	t, err := h.findTable(id)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	who, secret, _ := strings.Cut(key, ".")
	s := &t.history.State
	want := ""
	switch who {
	case Master:
		want = s.Begin.Codes.Master
	case Spectator:
		want = s.Begin.Codes.Spectators
	default:
		if seat := s.findSeat(who); seat != nil && !seat.Removed {
			want = seat.key
		}
	}
	if !matches(secret, want) {
		return nil, ErrNotHere
	}
	return &Place{t, id, who, key}, nil
}

// matches reports whether a secret has a digest, in a time that tells nothing of either.
func matches(secret, digest string) bool {
	return subtle.ConstantTimeCompare([]byte(digestOf(secret)), []byte(digest)) == 1
}

// Join gives a new player a seat, for the code of players.
func (h *Hub) Join(id, code, name string) (*Place, error) {
	t, err := h.findTable(id)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.history.State
	if !matches(code, s.Begin.Codes.Players) {
		return nil, ErrNotHere
	}
	if err := t.spendTurn(Server); err != nil { // all who join, together
		return nil, err
	}
	key, who := drawNonce()[:codeLength], seatID(len(s.Seats)+1)
	if err := t.recordAndNotify(who, &Record{Join: &Join{Name: strings.TrimSpace(name), Key: digestOf(key)}}); err != nil {
		return nil, err
	}
	return &Place{t, id, who, who + "." + key}, nil
}

// Codes returns the codes that the master gives to others; of anybody else, none.
func (p *Place) Codes() Codes {
	if p.Who != Master {
		return Codes{}
	}
	_, code, _ := strings.Cut(p.Key, ".")
	return codesOf(code)
}
