package judge_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A thrown is what the judge says of one throw.
type thrown struct {
	Sheet *judge.Sheet
	Err   error
	Fell  []int64
}

// duplicatesInRow is after how many throws that have been before a question has no more to show.
const duplicatesInRow = 8

// throwMore lets the dice of a question fall again and again, each time otherwise, and compares every sheet: half of the
// questions with faces that are given, the others in a batch that draws them. It returns how many throws were compared.
func (q *inquiry) throwMore(most int) (throws int, diff string, err error) {
	seed, isGiven := q.g.Uint64(), q.g.IntN(2) == 0
	about := fmt.Sprintf("throws %v %d %v", q, seed, isGiven)
	all, err := consult(q.o, about, func(r *judge.Ruleset) ([]thrown, error) {
		a, err := r.Ask(q.asked.ID, q.question(nil))
		if err != nil {
			return nil, nil //nolint:nilerr // what does not fit has been compared
		}
		return throwOften(a, seed, isGiven, most), nil
	})
	if err != nil || len(all) == 0 {
		return 0, "", err
	}
	if isGiven {
		diff, err = q.throwGiven(all)
	} else {
		diff, err = q.throwDrawn(all, seed)
	}
	return len(all), diff, err
}

// throwOften returns what the judge says of faces at random, or of those that the records of a seed draw, until what falls
// is no longer new.
func throwOften(a *judge.Asked, seed uint64, isGiven bool, most int) (out []thrown) {
	seen, key := map[string]bool{}, []byte(nil)
	faces := &randomFaces{Rand: rand.New(rand.NewPCG(seed, 0))}
	for n, again := 0, 0; n < most && again < duplicatesInRow; n++ {
		faces.fell = nil
		var x thrown
		if isGiven {
			x.Sheet, x.Err = a.Answer(judge.ThrowerFunc(faces.Throw))
		} else {
			x.Sheet, x.Err = a.Answer(judge.DrawFrom(seed, uint64(n), 0))
			if x.Sheet != nil {
				for _, f := range x.Sheet.Falls {
					faces.fell = append(faces.fell, f.Face)
				}
			}
		}
		x.Fell = faces.fell
		key = key[:0]
		for _, f := range x.Fell {
			key = strconv.AppendInt(append(key, ' '), f, 10)
		}
		if !seen[string(key)] {
			seen[string(key)], again = true, 0
		} else if again++; isGiven {
			continue
		}
		out = append(out, x)
	}
	return out
}

func (q *inquiry) throwGiven(all []thrown) (string, error) {
	for _, x := range all {
		sheet, failed := q.eval(q.request(dice.Fallen(x.Fell...)))
		var text []byte
		if failed == nil {
			text = sheet.AppendJSON(nil)
		}
		if diff, err := compareAnswer(text, failed, x.Sheet, x.Err); diff != "" || err != nil {
			return fmt.Sprintf("faces %v: %s", x.Fell, diff), err
		}
	}
	return "", nil
}

func (q *inquiry) throwDrawn(all []thrown, seed uint64) (string, error) {
	batch, failed := q.rule.Batch(runtime.BatchOptions{Input: q.input, Seed: seed, Workers: 1})
	if failed != nil {
		return "", failed
	}
	record := 0
	for text, failed := range batch.All(slices.Values(slices.Repeat([][]byte{q.character}, len(all)))) {
		if diff, err := compareAnswer(text, failed, all[record].Sheet, all[record].Err); diff != "" || err != nil {
			return fmt.Sprintf("drawn from %d, record %d: %s", seed, record, diff), err
		}
		record++
	}
	return "", nil
}

// compareAnswer compares a sheet or an error of the program with the judge's.
func compareAnswer(theirs []byte, failed error, ours *judge.Sheet, err error) (string, error) {
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	if isSameSheet(theirs, ours) {
		return "", nil
	}
	return compareSheet(theirs, ours)
}

// isSameSheet reports whether a sheet is the judge's to the letter, so that nothing needs to be looked at twice.
func isSameSheet(sheet []byte, ours *judge.Sheet) bool {
	m := matcher{text: sheet}
	found, heads := 0, 0
	return m.readMembers(func(name string) bool {
		switch name {
		case "ruleset", "rule", "options", "seed":
			heads++
			return m.match(ours.Head[name])
		case "output":
			found++
			return m.match(any(ours.Output))
		case "dice":
			return m.match(any(byID(ours.Falls)))
		}
		return m.skip()
	}) && found == 1 && heads == len(ours.Head)
}

// A matcher reads JSON as the program writes it, without white space, and compares it with a tree of the judge.
type matcher struct {
	text []byte
	at   int
}

func (m *matcher) take(c byte) bool {
	if m.at < len(m.text) && m.text[m.at] == c {
		m.at++
		return true
	}
	return false
}

// readString returns the text of a string; false of one that has escapes.
func (m *matcher) readString() (string, bool) {
	if !m.take('"') {
		return "", false
	}
	for i := m.at; i < len(m.text); i++ {
		switch m.text[i] {
		case '\\':
			return "", false
		case '"':
			s := string(m.text[m.at:i])
			m.at = i + 1
			return s, true
		}
	}
	return "", false
}

func (m *matcher) readMembers(member func(name string) bool) bool {
	if !m.take('{') {
		return false
	}
	for first := true; !m.take('}'); first = false {
		if !first && !m.take(',') {
			return false
		}
		name, isPlain := m.readString()
		if !isPlain || !m.take(':') || !member(name) {
			return false
		}
	}
	return true
}

func (m *matcher) match(want any) bool {
	switch want := want.(type) {
	case map[string]any:
		n := 0
		return m.readMembers(func(name string) bool {
			v, has := want[name]
			n++
			return has && m.match(v)
		}) && n == len(want)
	case []any:
		if !m.take('[') {
			return false
		}
		for i := range want {
			if i > 0 && !m.take(',') || !m.match(want[i]) {
				return false
			}
		}
		return m.take(']')
	case string:
		s, isPlain := m.readString()
		return isPlain && s == want
	case json.Number:
		return m.matchWord(want.String())
	case bool:
		return m.matchWord(strconv.FormatBool(want))
	}
	return false
}

func (m *matcher) matchWord(word string) bool {
	end := m.at
	for end < len(m.text) && m.text[end] != ',' && m.text[end] != '}' && m.text[end] != ']' {
		end++
	}
	is := string(m.text[m.at:end]) == word
	m.at = end
	return is
}

// skip reads over a value.
func (m *matcher) skip() bool {
	depth := 0
	for m.at < len(m.text) {
		switch m.text[m.at] {
		case '"':
			if _, isPlain := m.readString(); !isPlain {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return true
			}
			depth--
		case ',':
			if depth == 0 {
				return true
			}
		}
		m.at++
	}
	return false
}
