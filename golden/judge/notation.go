package judge

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A notation is a text of dice.
type notation struct {
	series int64 // "6x 4d6kh3: all of it so many times"; 0 for none
	terms  []term
}

// A term is a group of dice or a number, added or taken off.
type term struct {
	negative bool
	number   int64 // of a term without dice
	group    *group
}

// A group is dice of one kind: "The modifiers of a group stand in this order: again, explode, keep, count."
type group struct {
	counted       bool // "3d6", where "d6" is one face
	count         int64
	sides         sides
	again         string // a face, or a comparison
	once          bool
	explode       string // "max", a face, or a comparison
	least         int64  // "a die that shows less counts as 2"
	hasLeast      bool
	keep          string // "kh", "kl", "dh" or "dl"
	keepN         int64
	countingFaces string // "count the dice of the kind said instead of adding them"
}

func (g *group) isPlain() bool {
	return g.again == "" && g.explode == "" && !g.hasLeast && g.keep == "" && g.countingFaces == ""
}

var (
	seriesPattern = regexp.MustCompile(`^([0-9]+) *x +(.*)$`)
	groupPattern  = regexp.MustCompile(`^([0-9]*)d(%|F|[0-9]+|\{[^}]*\})` +
		`(?:(ro?)((?:<=|>=|<|>|=)?[0-9]+))?` +
		`(!((?:<=|>=|<|>|=)[0-9]+)?)?` +
		`(?:mi([0-9]+))?` +
		`(?:(kh|kl|k|dh|dl)([0-9]+))?` +
		`((?:<=|>=|<|>|=)[0-9]+)?$`)
)

// notationOf returns what a text of dice says, which is read once.
func (r *Ruleset) notationOf(text string) (*notation, error) {
	n, isKnown := r.notations[text]
	if isKnown {
		return n, nil
	}
	n, err := parseNotation(text)
	if err == nil {
		r.notations[text] = n
	}
	return n, err
}

// parseNotation reads a source of chance.
func parseNotation(text string) (*notation, error) {
	n := &notation{}
	text = strings.TrimSpace(text)
	if m := seriesPattern.FindStringSubmatch(text); m != nil {
		n.series, _ = strconv.ParseInt(m[1], 10, 64)
		text = m[2]
	}
	negative := false
	rest := text
	for {
		end := termEnd(rest)
		t, err := parseTerm(strings.ReplaceAll(rest[:end], " ", ""))
		if err != nil {
			return nil, err
		}
		t.negative = negative
		n.terms = append(n.terms, t)
		if end == len(rest) {
			return n, nil
		}
		negative = rest[end] == '-'
		rest = rest[end+1:]
	}
}

// termEnd returns where the next + or - stands that is not within braces.
func termEnd(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case '+', '-':
			if depth == 0 && i > 0 {
				return i
			}
		}
	}
	return len(text)
}

func parseTerm(text string) (term, error) {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term{number: v}, nil
	}
	m := groupPattern.FindStringSubmatch(text)
	if m == nil {
		return term{}, &Unjudged{"the notation " + text}
	}
	g := &group{count: 1, counted: m[1] != "", again: m[4], once: m[3] == "ro", keep: m[8], countingFaces: m[10]}
	if g.counted {
		g.count, _ = strconv.ParseInt(m[1], 10, 64)
	}
	if m[5] != "" {
		g.explode = "max"
		if m[6] != "" {
			g.explode = m[6]
		}
	}
	if m[7] != "" {
		g.hasLeast = true
		g.least, _ = strconv.ParseInt(m[7], 10, 64)
	}
	g.keepN, _ = strconv.ParseInt(m[9], 10, 64)
	if g.keep == "k" {
		g.keep = "kh"
	}
	var err error
	g.sides, err = parseSides(m[2])
	return term{group: g}, err
}

// parseSides reads "d6", "d%", "4dF", "d{1,1,4}", faces one by one with ranges such as "0..9", and "d{1:3,2}", a face with its
// weight.
func parseSides(text string) (s sides, err error) {
	switch {
	case text == "%":
		return oneTo(100), nil
	case text == "F":
		return sides{faces: []int64{-1, 0, 1}, weights: []int64{1, 1, 1}}, nil
	case text[0] != '{':
		n, err := strconv.ParseInt(text, 10, 64)
		return oneTo(n), err
	}
	for _, x := range strings.Split(text[1:len(text)-1], ",") {
		x, weightText, _ := strings.Cut(strings.TrimSpace(x), ":")
		weight := int64(1)
		if weightText != "" {
			if weight, err = strconv.ParseInt(weightText, 10, 64); err != nil {
				return s, &Unjudged{"the faces " + text}
			}
		}
		first, last, isRange := strings.Cut(x, "..")
		from, err := strconv.ParseInt(strings.TrimSpace(first), 10, 64)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(strings.TrimSpace(last), 10, 64)
		}
		if err != nil {
			return s, &Unjudged{"the faces " + text}
		}
		for f := from; f <= to; f++ {
			s.faces, s.weights = append(s.faces, f), append(s.weights, weight)
		}
	}
	return s, nil
}

// fallNotation lets dice in notation fall: "d10 is a face, 3d6 the list of the faces. Anything more is an int, what the
// dice come to."
func (r *run) fallNotation(id, text string) (any, error) {
	n, err := r.e.r.notationOf(text)
	if err != nil {
		return nil, err
	}
	if n.series == 0 && len(n.terms) == 1 && n.terms[0].group != nil && n.terms[0].group.isPlain() {
		g := n.terms[0].group
		out := []any{}
		for range g.count {
			f, err := r.throwOnce(id, g.sides)
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
		if g.counted {
			return out, nil
		}
		return out[0], nil
	}
	if n.series == 0 {
		return r.fallTerms(id, n, 1)
	}
	out := []any{}
	for range n.series {
		v, err := r.fallTerms(id, n, 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// fallTerms returns what the terms come to: "so many times as many dice; a number in the notation is added once, and not at
// 0 times".
func (r *run) fallTerms(id string, n *notation, times int64) (int64, error) {
	total := int64(0)
	if times == 0 {
		return 0, nil
	}
	for _, t := range n.terms {
		v := t.number
		if t.group != nil {
			var err error
			if v, err = r.fallGroup(id, t.group, t.group.count*times); err != nil {
				return 0, err
			}
		}
		if t.negative {
			v = -v
		}
		total += v
	}
	return total, nil
}

// fallGroup lets the dice of a group fall and returns what they come to.
func (r *run) fallGroup(id string, g *group, n int64) (int64, error) {
	d := &die{}
	if g.again != "" {
		d.again = &reroll{on: g.again, once: g.once}
	}
	if g.explode != "" {
		d.explode = &reroll{on: g.explode}
	}
	faces, err := r.fallDice(id, d, g.sides, n)
	if err != nil {
		return 0, err
	}
	for i := range faces {
		if g.hasLeast {
			faces[i] = max(faces[i], g.least)
		}
	}
	slices.Sort(faces)
	k := min(g.keepN, int64(len(faces)))
	switch rest := int64(len(faces)) - k; g.keep {
	case "kh":
		faces = faces[rest:]
	case "kl":
		faces = faces[:k]
	case "dh":
		faces = faces[:rest]
	case "dl":
		faces = faces[k:]
	}
	total := int64(0)
	if g.countingFaces != "" {
		counts, err := r.faceTest(g.countingFaces, g.sides)
		if err != nil {
			return 0, err
		}
		for _, f := range faces {
			if counts(f) {
				total++
			}
		}
		return total, nil
	}
	for _, f := range faces {
		total += f
	}
	return total, nil
}
