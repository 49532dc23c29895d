package judge

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
)

// A Fall is a face that has fallen, by what the die shows.
type Fall struct {
	ID   string
	Face int64
}

// sides are what a die can show, each with its weight.
type sides struct {
	faces   []int64
	weights []int64
	zero    int64  // the face that is meant when 0 is given
	none    int64  // the number of faces of a die that has none
	deck    *sides // of distinct dice: what there was before the first card fell
}

func oneTo(n int64) sides {
	s := sides{}
	for f := int64(1); f <= n; f++ {
		s.faces, s.weights = append(s.faces, f), append(s.weights, 1)
	}
	return s
}

// withoutCards returns the sides but for the cards that have fallen: "as many of a face as faces or weights say".
func (s *sides) withoutCards(fallen []int64) sides {
	out, spent := sides{zero: s.zero, deck: s}, map[int64]int64{}
	for _, f := range fallen {
		spent[f]++
	}
	for i, f := range s.faces {
		used := min(spent[f], s.weights[i])
		if spent[f] -= used; used < s.weights[i] {
			out.faces, out.weights = append(out.faces, f), append(out.weights, s.weights[i]-used)
		}
	}
	return out
}

// cards returns the faces in order, each as many times as its weight says.
func (s *sides) cards() (out []int64) {
	for i, f := range s.faces {
		out = append(out, slices.Repeat([]int64{f}, int(s.weights[i]))...)
	}
	return out
}

// A Thrower lets dice fall.
type Thrower interface {
	// Throw returns one of the faces that a die can show.
	Throw(id string, s sides) (int64, error)
}

// A ThrowerFunc chooses one of the faces that a die can show.
type ThrowerFunc func(id string, faces []int64) int64

// Throw lets the function choose.
func (f ThrowerFunc) Throw(id string, s sides) (int64, error) { return f(id, s.faces), nil }

// InOrder are faces "given in the order in which they fall".
type InOrder struct {
	Faces []int64
	at    int
}

// Throw takes the next face.
func (t *InOrder) Throw(id string, s sides) (int64, error) {
	if t.at >= len(t.Faces) {
		return 0, &Misthrow{ID: id, Msg: "too few faces", Missing: true}
	}
	t.at++
	return s.findGiven(id, t.Faces[t.at-1])
}

func (t *InOrder) refuseRest() error {
	if t.at < len(t.Faces) {
		return &Misthrow{Msg: "too many faces"}
	}
	return nil
}

// ByID are faces given "by the ids of their dice".
type ByID struct {
	Faces map[string][]int64
	at    map[string]int
}

// Throw takes the next face of a die.
func (t *ByID) Throw(id string, s sides) (int64, error) {
	if t.at == nil {
		t.at = map[string]int{}
	}
	i := t.at[id]
	if i >= len(t.Faces[id]) {
		return 0, &Misthrow{ID: id, Msg: "too few faces", Missing: true}
	}
	t.at[id]++
	return s.findGiven(id, t.Faces[id][i])
}

func (t *ByID) refuseRest() error {
	for id, faces := range t.Faces {
		if t.at[id] < len(faces) {
			return &Misthrow{ID: id, Msg: "too many faces"}
		}
	}
	return nil
}

// Without lets the faces of a thrower fall, but none for some dice: "the sheet names the others under not_rolled".
type Without struct {
	Thrower
	IDs []string
}

// Throw lets a die fall that is not left out.
func (t *Without) Throw(id string, s sides) (int64, error) {
	if slices.Contains(t.IDs, id) {
		return 0, &Misthrow{ID: id, Msg: "is not rolled", Missing: true}
	}
	return t.Thrower.Throw(id, s)
}

func (t *Without) refuseRest() error { return noneLeft(t.Thrower) }

// findGiven returns the face that is meant: "zero is what a printed 0 or 00 means"; "impossible faces are errors".
func (s sides) findGiven(id string, face int64) (int64, error) {
	if face == 0 && s.zero != 0 {
		face = s.zero
	}
	if !slices.Contains(s.faces, face) {
		return 0, &Misthrow{ID: id, Msg: fmt.Sprintf("the face %d", face)}
	}
	return face, nil
}

// A die is "one source of chance".
type die struct {
	notation string // "d10", "3d6" or more

	faces formula // of the die: a number of them
	shown sides   // faces that are listed
	table string  // faces that are the rows of a table
	pool  formula // a list of numbers of faces

	weights  []int64
	zero     int64
	count    *formula // a list of dice when given, else one
	most     int64    // of the count; 0 for no bound of its own
	distinct bool
	again    *reroll
	explode  *reroll

	roll *roll
}

// A reroll says on which faces a die is rolled again, or on.
type reroll struct {
	on       string // "max", or a comparison: "<=2", ">=input.again", "6"
	once     bool
	times    int64 // 0 for any number
	intoDice bool
	when     string
}

// A roll is "dice as data".
type roll struct {
	notation formula
	times    *formula
	plus     *roll
	repeat   *formula
}

func readDie(v cue.Value) *die {
	if v.IncompleteKind() == cue.StringKind {
		text, err := v.String()
		mustSucceed(err)
		return &die{notation: text}
	}
	has := func(name string) bool { return v.LookupPath(cue.ParsePath(name)).Exists() }
	if has("roll") {
		return &die{roll: readRoll(v)}
	}
	d := &die{count: optionalCount(v, "count")}
	switch f := v.LookupPath(cue.ParsePath("faces")); {
	case f.Exists() && f.IncompleteKind() == cue.StringKind:
		d.table, _ = f.String()
	case f.Exists():
		mustSucceed(f.Decode(&d.shown.faces))
		d.shown.weights = slices.Repeat([]int64{1}, len(d.shown.faces))
	case has("pool"):
		p := v.LookupPath(cue.ParsePath("pool"))
		if p.IncompleteKind() == cue.ListKind {
			d.pool = formula{constant: cellOf(p)}
		} else {
			d.pool = formulaOf(p)
		}
	default:
		d.faces = formulaOf(v.LookupPath(cue.ParsePath("die")))
	}
	if has("weights") {
		mustSucceed(v.LookupPath(cue.ParsePath("weights")).Decode(&d.weights))
	}
	d.most, _ = v.LookupPath(cue.ParsePath("most")).Int64()
	d.zero, _ = v.LookupPath(cue.ParsePath("zero")).Int64()
	d.distinct, _ = v.LookupPath(cue.ParsePath("distinct")).Bool()
	d.again, d.explode = readReroll(v, "again"), readReroll(v, "explode")
	return d
}

func optionalCount(v cue.Value, name string) *formula {
	x := v.LookupPath(cue.ParsePath(name))
	if !x.Exists() {
		return nil
	}
	f := formulaOf(x)
	return &f
}

func readRoll(v cue.Value) *roll {
	x := &roll{notation: formulaOf(v.LookupPath(cue.ParsePath("roll"))), times: optionalCount(v, "times"),
		repeat: optionalCount(v, "repeat")}
	if p := v.LookupPath(cue.ParsePath("plus")); p.Exists() {
		x.plus = readRoll(p)
	}
	return x
}

func readReroll(v cue.Value, name string) *reroll {
	x := v.LookupPath(cue.ParsePath(name))
	if !x.Exists() {
		return nil
	}
	out := &reroll{when: optionalString(x, "when")}
	out.once, _ = x.LookupPath(cue.ParsePath("once")).Bool()
	out.times, _ = x.LookupPath(cue.ParsePath("times")).Int64()
	out.intoDice = optionalString(x, "into") == "dice"
	on := formulaOf(x.LookupPath(cue.ParsePath("on")))
	if out.on = strings.TrimSpace(on.text); on.constant != nil {
		out.on = fmt.Sprint(on.constant)
	}
	return out
}

const (
	// MaxThrownOn is how often dice are thrown on that explode into dice of their own: "a roll that is thrown on more than
	// 30 times has no value, unless times says where it ends".
	MaxThrownOn = 30
	// MaxFaces is how many faces of one die fall: "Any other die that is rolled again or on has no value when it needs more
	// than 1,000 faces".
	MaxFaces = 1_000
)

// conditionOf returns the test of faces that a reroll says; nil when its condition does not hold.
func (r *run) conditionOf(x *reroll, s sides) (func(int64) bool, error) {
	if x == nil {
		return nil, nil
	}
	if x.when != "" {
		if holds, err := r.newScope().evalTruth(x.when); err != nil || !holds {
			return nil, err
		}
	}
	return r.faceTest(x.on, s)
}

// faceTest reads "a face, those that a comparison holds for, or the most that the die shows".
func (r *run) faceTest(on string, s sides) (func(int64) bool, error) {
	if on == "max" {
		return func(f int64) bool { return f == slices.Max(s.faces) }, nil
	}
	op := ""
	for _, o := range []string{"<=", ">=", "<", ">", "="} {
		if rest, has := strings.CutPrefix(on, o); has {
			op, on = o, rest
			break
		}
	}
	n, err := r.evalInt(formula{text: strings.TrimSpace(on)})
	if err != nil {
		return nil, err
	}
	return func(f int64) bool {
		switch op {
		case "<=":
			return f <= n
		case ">=":
			return f >= n
		case "<":
			return f < n
		case ">":
			return f > n
		}
		return f == n
	}, nil
}

// throwOnce lets a die fall once.
func (r *run) throwOnce(id string, s sides) (int64, error) {
	if len(s.faces) == 0 {
		return 0, newFailure("no face is left")
	}
	face, err := r.e.thrower.Throw(id, s)
	if err == nil {
		r.e.Falls = append(r.e.Falls, Fall{id, face})
	}
	return face, err
}

// throwAgain lets a die fall until a face counts: "Such faces do not count and are rolled again, until others fall or
// once". fallen are the faces of the die so far.
func (r *run) throwAgain(id string, s sides, again func(int64) bool, once bool, fallen *int) (int64, error) {
	if _, isEvery := r.e.thrower.(*everyFall); isEvery && again != nil && !once {
		// until others fall: the chances are those of the others, and the ways of it have no end
		counting := sides{zero: s.zero}
		for i, f := range s.faces {
			if !again(f) {
				counting.faces, counting.weights = append(counting.faces, f), append(counting.weights, s.weights[i])
			}
		}
		s = counting
	}
	throw := func() (int64, error) {
		if *fallen++; *fallen > MaxFaces {
			return 0, newFailure("rolled again or on more than %d times", MaxFaces)
		}
		return r.throwOnce(id, s)
	}
	face, err := throw()
	for err == nil && again != nil && again(face) {
		face, err = throw()
		if once {
			break
		}
	}
	return face, err
}

// fallDie lets a die of a rule fall and returns its value.
func (r *run) fallDie(id string, d *die) (any, error) {
	full := r.prefix + id
	switch {
	case d.roll != nil:
		return r.fallData(full, d.roll)
	case d.notation != "":
		return r.fallNotation(full, d.notation)
	}
	if d.pool.text != "" || d.pool.constant != nil {
		return r.fallPool(full, d)
	}
	s, rows, err := r.sidesOf(d)
	if err != nil {
		return nil, err
	}
	n := int64(1)
	if d.count != nil {
		if n, err = r.evalInt(*d.count); err != nil {
			return nil, err
		}
	}
	if len(s.faces) == 0 { // "A die that cannot fall … is told of behind its formulas"
		return nil, newFailure("a die of %d faces", s.none)
	}
	if n < 0 {
		return nil, newFailure("%d dice", n)
	}
	if d.most != 0 && n > d.most {
		return nil, newFailure("%d dice are more than the %d that are declared", n, d.most)
	}
	faces, err := r.fallDice(full, d, s, n)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(faces))
	for i, f := range faces {
		values[i] = f
		if rows != nil {
			values[i] = rows[f]
		}
	}
	if d.count == nil && (d.explode == nil || !d.explode.intoDice) {
		return values[0], nil
	}
	return values, nil
}

func (r *run) evalInt(f formula) (int64, error) {
	v, err := r.newScope().evalFormula(f)
	if err != nil {
		return 0, err
	}
	n, isInt := v.(int64)
	if !isInt {
		return 0, &Unjudged{fmt.Sprintf("a %T where dice want an int", v)}
	}
	return n, nil
}

// sidesOf returns what a die can show, and where its faces are the rows of a table the value of each.
func (r *run) sidesOf(d *die) (s sides, rows map[int64]any, err error) {
	switch {
	case d.table != "":
		t := r.e.r.tables[d.table]
		rows = map[int64]any{}
		for i, x := range t.rows {
			from, to := int64(i+1), int64(i+1)
			if t.kind == "bands" {
				from, to = int64(x.from), int64(x.to)
			}
			for f := from; f <= to; f++ {
				rows[f] = any(x.cells)
				if t.gives != "" {
					rows[f] = x.cells.fields[t.gives]
				}
				s.faces, s.weights = append(s.faces, f), append(s.weights, 1)
			}
		}
	case d.shown.faces != nil:
		s = d.shown
	default:
		n, err := r.evalInt(d.faces)
		if err != nil {
			return s, nil, err
		}
		if s = oneTo(n); n < 1 {
			s.none = n
		}
	}
	if d.weights != nil {
		s.weights = d.weights
	}
	s.zero = d.zero
	return s, rows, nil
}

// fallDice lets dice of the same kind fall: "a die with a count face by face, an exploding face and those that follow from
// it before the next one"; those that explode into dice of their own "throw by throw".
func (r *run) fallDice(id string, d *die, s sides, n int64) ([]int64, error) {
	again, err := r.conditionOf(d.again, s)
	if err != nil {
		return nil, err
	}
	explodes, err := r.conditionOf(d.explode, s)
	if err != nil {
		return nil, err
	}
	once := d.again != nil && d.again.once
	var out []int64
	if explodes == nil || !d.explode.intoDice {
		for range n {
			left := s
			if d.distinct {
				left = s.withoutCards(out)
			}
			face, err := r.throwOn(id, left, again, once, explodes, d.explode)
			if err != nil {
				return nil, err
			}
			out = append(out, face)
		}
		return out, nil
	}
	for round := int64(0); n > 0; round++ {
		if d.explode.times == 0 && round > MaxThrownOn {
			return nil, newFailure("thrown on more than %d times", MaxThrownOn)
		}
		next := int64(0)
		for range n {
			face, err := r.throwAgain(id, s, again, once, new(int))
			if err != nil {
				return nil, err
			}
			out = append(out, face)
			if explodes(face) {
				next++
			}
		}
		if d.explode.times != 0 && round >= d.explode.times {
			break
		}
		n = next
	}
	return out, nil
}

// throwOn lets one die fall; faces that explode stay, and "what falls then is added to the die".
func (r *run) throwOn(id string, s sides, again func(int64) bool, once bool, explodes func(int64) bool, x *reroll) (
	int64, error) {
	fallen := 0
	face, err := r.throwAgain(id, s, again, once, &fallen)
	total := face
	for n := int64(0); err == nil && explodes != nil && explodes(face); n++ {
		if x.times != 0 && n >= x.times {
			break
		}
		face, err = r.throwAgain(id, s, again, once, &fallen)
		total += face
	}
	return total, err
}

// fallPool lets dice fall "in which each die has faces of its own".
func (r *run) fallPool(id string, d *die) (any, error) {
	v, err := r.newScope().evalFormula(d.pool)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, n := range v.([]any) {
		faces, isInt := n.(int64)
		if !isInt || faces < 1 {
			return nil, newFailure("a die of %v faces", n)
		}
		s := oneTo(faces)
		s.zero = d.zero
		fell, err := r.fallDice(id, d, s, 1)
		if err != nil {
			return nil, err
		}
		for _, f := range fell {
			out = append(out, f)
		}
	}
	return out, nil
}

// fallData lets dice fall that data say: "so many times as many dice, and with others besides".
func (r *run) fallData(id string, x *roll) (any, error) {
	if x.repeat == nil {
		return r.fallOnce(id, x)
	}
	n, err := r.evalInt(*x.repeat)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, newFailure("a negative number of times")
	}
	out := []any{}
	for range n {
		v, err := r.fallOnce(id, x)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (r *run) fallOnce(id string, x *roll) (int64, error) {
	text := x.notation.text
	n, err := r.e.r.notationOf(text)
	if err != nil { // a formula that gives the notation
		v, failed := r.newScope().evalFormula(x.notation)
		if failed != nil {
			return 0, failed
		}
		text, _ = textOf(v)
		if n, err = r.e.r.notationOf(text); err != nil {
			return 0, err
		}
	}
	times := int64(1)
	if x.times != nil {
		if times, err = r.evalInt(*x.times); err != nil {
			return 0, err
		}
		if times < 0 {
			return 0, newFailure("a negative number of times")
		}
	}
	total, err := r.fallTerms(id, n, times)
	if err != nil || x.plus == nil {
		return total, err
	}
	more, err := r.fallOnce(id, x.plus)
	return total + more, err
}
