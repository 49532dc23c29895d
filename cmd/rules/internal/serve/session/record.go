package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
)

// Names of those who make records. A player is called "seat" and a number, from 1.
const (
	Master    = "master"
	Spectator = "spectator" // makes none
	Server    = "server"
)

// A Record is one line of a log. Exactly one of its bodies is there, and whoever is in By has made it.
type Record struct {
	N    int    `json:"n"`              // from 1
	Prev string `json:"prev,omitempty"` // the digest of the line before; none of the first
	At   int64  `json:"at"`             // milliseconds since 1970
	By   string `json:"by"`

	Begin   *Begin   `json:"begin,omitempty"`
	Join    *Join    `json:"join,omitempty"`
	Bring   *Bring   `json:"bring,omitempty"`
	Roll    *Roll    `json:"roll,omitempty"`
	Fell    *Fell    `json:"fell,omitempty"`
	Play    *Play    `json:"play,omitempty"`
	Back    *Of      `json:"back,omitempty"` // a roll is taken back
	Show    *Of      `json:"show,omitempty"` // a hidden roll is shown
	Rulings *Rulings `json:"rulings,omitempty"`
	Turns   *Turns   `json:"turns,omitempty"`
	Open    *Open    `json:"open,omitempty"`
	Sealed  *Sealed  `json:"sealed,omitempty"`
	Commit  *Commit  `json:"commit,omitempty"`
	Reveal  *Reveal  `json:"reveal,omitempty"`
	Omit    *Omit    `json:"omit,omitempty"`
	CallOff *CallOff `json:"call_off,omitempty"`
	Remove  *Remove  `json:"remove,omitempty"`
	Torn    *Torn    `json:"torn,omitempty"`
	End     *End     `json:"end,omitempty"`
}

// A Begin is the first record.
type Begin struct {
	Session string `json:"session"` // the id of the table
	Title   string `json:"title"`
	Ruleset string `json:"ruleset"`
	Codes   Codes  `json:"codes"` // their digests
}

// Codes are the codes of a table, or their digests.
type Codes struct {
	Master     string `json:"master"`
	Players    string `json:"players"`
	Spectators string `json:"spectators"`
}

// A Join takes the next seat. The key is the digest of the player's own.
type Join struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// A Bring puts a character before its player.
type Bring struct {
	Called    string          `json:"called"`
	Character json.RawMessage `json:"character"`
}

// A Roll is an answer of the rules. The words are those of the server that carried it out; the receipt proves the rest.
type Roll struct {
	Told
	Hidden  bool            `json:"hidden,omitempty"`
	Salt    string          `json:"salt,omitempty"` // of a hidden one: its line cannot be guessed from its digest
	Round   int             `json:"round,omitempty"`
	Of      int             `json:"of,omitempty"` // the record of its dice, where decisions came between
	Receipt json.RawMessage `json:"receipt"`
}

// A Fell is a roll whose dice have fallen, and which waits for what is decided then.
type Fell struct {
	Told
	Hidden   bool               `json:"hidden,omitempty"`
	Salt     string             `json:"salt,omitempty"`
	Round    int                `json:"round,omitempty"`
	Of       int                `json:"of,omitempty"` // the record with the decision before
	Question Question           `json:"question"`
	Throw    string             `json:"throw"` // all that decides the dice, as an Evaluator reads it
	Faces    map[string][]int64 `json:"faces"` // that have fallen so far
	Due      []string           `json:"due"`   // paths of the input that are decided now
}

// A Play is a procedure that all play together, after its start or one event more. The receipt has all that came before.
type Play struct {
	Told
	Stands  string          `json:"stands,omitempty"` // how the play is now, in words
	Of      int             `json:"of,omitempty"`     // the record of the step before; none at the start
	Anew    int             `json:"anew,omitempty"`   // the record of the play in whose place this one begins
	Receipt json.RawMessage `json:"receipt"`
}

// Told is a roll in words.
type Told struct {
	Who      string `json:"who,omitempty"` // rolls, where it is nobody at the table
	Title    string `json:"title"`
	Asked    string `json:"asked,omitempty"`
	Headline string `json:"headline,omitempty"`
	Say      string `json:"say,omitempty"`
	Tone     string `json:"tone,omitempty"`
	Dice     string `json:"dice,omitempty"`
}

// An Of names a record by its number.
type Of struct {
	N int `json:"n"`
}

// Rulings are those by which all roll from now on, where they are not as the rules have them.
type Rulings struct {
	Options map[string]string `json:"options"`
}

// Turns are the order of turns, and whose it is.
type Turns struct {
	Order []Turn `json:"order"`
	Now   int    `json:"now"`   // from 0
	Round int    `json:"round"` // from 1
}

// A Turn is one of those who take turns, with the value that gave the place.
type Turn struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// An Open begins a round of dice that nobody can choose.
type Open struct {
	Question Question `json:"question"`
	Told     Told     `json:"told"` // what is asked, in words
	Among    []string `json:"among"`
	Seal     string   `json:"seal"` // the digest of the server's nonce
}

// A Question is a use of a rule.
type Question struct {
	Rule      string            `json:"rule"`
	Options   map[string]string `json:"options,omitempty"`
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Decided   []string          `json:"decided,omitempty"` // paths of the input that were decided once dice had fallen
}

// A Sealed is the nonce behind the seal of the round that is open. No transcript shows it.
type Sealed struct {
	Nonce string `json:"nonce"`
}

// A Commit is the digest of a nonce, for the round with the number of its opening record.
type Commit struct {
	Round      int    `json:"round"`
	Commitment string `json:"commitment"`
}

// A Reveal is a nonce.
type Reveal struct {
	Round int    `json:"round"`
	Nonce string `json:"nonce"`
}

// An Omit leaves a player out of a round who did not come in time.
type Omit struct {
	Round int    `json:"round"`
	Who   string `json:"who"`
}

// A CallOff ends a round without a roll.
type CallOff struct {
	Round int    `json:"round"`
	Why   string `json:"why,omitempty"`
}

// A Remove takes a player's rights.
type Remove struct {
	Who string `json:"who"`
}

// A Torn says that the log ended within a line, which was cut off: as many bytes that nobody was told of.
type Torn struct {
	Bytes int `json:"bytes"`
}

// An End is the last record.
type End struct{}

// isEnding reports whether a record ends something, or goes on with a round to its end: a full log takes it.
func (r *Record) isEnding() bool {
	return r.Sealed != nil || r.Reveal != nil || r.CallOff != nil || r.End != nil ||
		r.Roll != nil && (r.Roll.Round != 0 || r.Roll.Of != 0) || r.Fell != nil && (r.Fell.Round != 0 || r.Fell.Of != 0)
}

// listBodies returns the bodies that a record has.
func (r *Record) listBodies() []any {
	var out []any
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			out = append(out, f.Interface())
		}
	}
	return out
}

// encode returns a record as its line of the log, without the line break. A record is written in one way only.
func (r *Record) encode() []byte {
	out, err := marshalPlain(r)
	must.Succeed(err)
	return out
}

// marshalPlain returns a value as JSON without blanks, with < > & as they are.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// errWriting is the error of a record that is not written as records are.
var errWriting = errors.New("it is not written as records are")

// readRecord reads a line.
func readRecord(line []byte) (*Record, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	r := new(Record)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("it is no record: %w", err)
	}
	if !bytes.Equal(r.encode(), line) {
		return nil, errWriting
	}
	return r, nil
}

// digestOf returns the digest of a text, in hexadecimal.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// isDigest reports whether a text is written as a digest, or a nonce, is.
func isDigest(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == text
}

// Limit shortens words to those that a record may have.
func (t *Told) Limit() {
	for _, text := range []*string{&t.Who, &t.Title, &t.Asked, &t.Headline, &t.Say, &t.Tone, &t.Dice} {
		*text = shortenText(*text)
	}
}

// shortenText returns as much of a text as a record may have.
func shortenText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if letters := []rune(text); len(letters) > maxText {
		return string(letters[:maxText-1]) + "…"
	}
	return text
}
