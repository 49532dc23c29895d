package session

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// A Round is dice that nobody can choose, on their way. Members are never changed but by Apply.
type Round struct {
	N       int // of the record that opened it
	Digest  string
	By      string
	Since   int64 // when its part began that is waited for now
	Open    *Open
	players []roundPlayer
	sealed  string // the nonce of the server, once it is in the log
	shown   bool   // the server has revealed it
}

type roundPlayer struct {
	id, commitment, nonce string
	isOmitted             bool
}

// Patience is how long all wait for a player, in milliseconds, before others may go on.
const Patience = 30_000

// Commitment returns the digest that a participant commits to a nonce with, in the round whose opening line has a digest.
//
// The digest binds the commitment to one question, and the name to one participant: who copies a commitment cannot reveal
// it.
func Commitment(opening, who, nonce string) string {
	return digestOf(strings.Join([]string{"rules session commitment 1", opening, who, nonce}, "\n"))
}

// sealOf returns the commitment of the server, which stands in the opening line itself.
func sealOf(session string, n int, nonce string) string {
	return digestOf(strings.Join([]string{"rules session seal 1", session, strconv.Itoa(n), nonce}, "\n"))
}

// findPlayer returns a participant who is not left out, or nil.
func (r *Round) findPlayer(id string) *roundPlayer {
	i := slices.IndexFunc(r.players, func(p roundPlayer) bool { return p.id == id && !p.isOmitted })
	if i < 0 {
		return nil
	}
	return &r.players[i]
}

// isCommitted reports whether all who take part have committed, so that nonces may be revealed.
func (r *Round) isCommitted() bool {
	return r.isEvery(func(p *roundPlayer) bool { return p.commitment != "" })
}

// isRevealed reports whether all who take part have revealed, so that the server may.
func (r *Round) isRevealed() bool {
	return r.isEvery(func(p *roundPlayer) bool { return p.nonce != "" })
}

func (r *Round) isEvery(has func(*roundPlayer) bool) bool {
	for i := range r.players {
		if p := &r.players[i]; !p.isOmitted && !has(p) {
			return false
		}
	}
	return true
}

// Awaited returns the players for whom the others wait.
func (r *Round) Awaited() []string {
	var out []string
	for i := range r.players {
		if p := &r.players[i]; !p.isOmitted && !p.isDone(r) {
			out = append(out, p.id)
		}
	}
	return out
}

// Omitted returns the players who were left out.
func (r *Round) Omitted() []string {
	var out []string
	for _, p := range r.players {
		if p.isOmitted {
			out = append(out, p.id)
		}
	}
	return out
}

// isDone reports whether a player has done all that can be done now.
func (p *roundPlayer) isDone(r *Round) bool {
	return p.nonce != "" || p.commitment != "" && !r.isCommitted()
}

// Asks returns what a player is to send now: "commit", "reveal" or, for nothing, "".
func (r *Round) Asks(id string) string {
	switch p := r.findPlayer(id); {
	case p == nil || p.isDone(r):
		return ""
	case p.commitment == "":
		return "commit"
	}
	return "reveal"
}

// seedOfAll returns the seed of the dice, once the server has revealed. It is below 2^53, as every seed that is drawn.
func (r *Round) seedOfAll() uint64 {
	parts := []string{"rules session seed 1", r.Digest}
	for _, p := range r.players {
		if !p.isOmitted {
			parts = append(parts, p.id+" "+p.nonce)
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(append(parts, Server+" "+r.sealed), "\n")))
	return binary.LittleEndian.Uint64(sum[:]) >> 11
}
