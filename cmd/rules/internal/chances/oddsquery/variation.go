package oddsquery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Variation is something that is left open: its values as JSON.
type Variation struct {
	Name   string // as --vary has it: names of members between dots
	Values []json.RawMessage
}

// MaxVaried bounds the values of one variation, and all rows of a table: several --vary multiply,
// and each row is a question of its own.
const MaxVaried = 10_000

// everyWord stands for all values that a word may have: the keys of a table, or those of an enum.
const everyWord = "*"

// everyWord returns the values that a word or a truth may have, in the author's order.
func (o *opening) everyWord(root, path string) (out []json.RawMessage, err error) {
	shape, err := o.varied(root, path)
	switch {
	case err != nil:
		return nil, err
	case shape != nil && shape.Kind == plan.Bool:
		return []json.RawMessage{json.RawMessage("false"), json.RawMessage("true")}, nil
	case shape == nil || len(shape.Enum) == 0:
		err = errors.New("* is for a word of a list, a key of a table or a truth")
		if all := allOf(shape); all != "" {
			err = fmt.Errorf("%w: write %s=%s", err, path, all)
		}
		return nil, err
	}
	for _, word := range shape.Enum {
		out = append(out, jsontext.Quote(word))
	}
	return out, nil
}

// varied returns the shape of what is varied; nil of what has none.
func (o *opening) varied(root, path string) (*plan.Shape, error) {
	shape, path, err := o.shapeOf(root, path)
	if err != nil {
		return nil, err
	}
	shape = shape.Path(plan.SplitPath(path))
	if root == optionRoot {
		for i := range o.program.Plan().Options {
			if p := &o.program.Plan().Options[i]; p.ID == path {
				shape = &plan.Shape{Kind: plan.String, Enum: p.Values}
			}
		}
	}
	return shape, nil
}

// allOf returns how all values of a shape are written: * of words, a range of an int with two bounds; "" of any other.
func allOf(s *plan.Shape) string {
	switch {
	case s == nil:
		return ""
	case s.Kind == plan.Bool || len(s.Enum) > 0:
		return everyWord
	case s.Kind == plan.Int && s.Min != nil && s.Max != nil:
		return fmt.Sprintf("%v..%v", s.Min.Value, s.Max.Value)
	}
	return ""
}

// ParseVariation reads "name=1..20", "name=0,10,30" or "name=*". Where it is known that a string is wanted, that needs no
// quotes.
func (o *opening) ParseVariation(text string) (Variation, error) {
	v, err := o.parseValues(text)
	if err != nil {
		return v, fmt.Errorf("--vary %s: %w", text, err)
	}
	return v, nil
}

// parseValues reads a name with one value or several. Those of a cell are values that it may have.
func (o *opening) parseValues(text string) (v Variation, err error) {
	name, list, ok := plan.CutAssignment(text)
	if name == "" {
		return v, errors.New("it is NAME=1..20, NAME=0,10,30 or NAME=*")
	}
	v.Name = name
	root, path := o.split(name)
	if !ok || list == "" {
		if shape, err := o.varied(root, path); err == nil && allOf(shape) != "" {
			return v, fmt.Errorf("it is a name with values: write %s=%s", name, allOf(shape))
		}
		return v, errors.New("it is NAME=1..20, NAME=0,10,30 or NAME=*")
	}
	if root == inputRoot {
		v.Name = path // input.weapon is weapon
	}
	if err := o.checkName(root, path); err != nil {
		return v, err
	}
	lo, hi, isRange := strings.Cut(strings.Replace(list, "…", "..", 1), "..")
	switch {
	case o.meansEvery(root, path, list):
		err = fmt.Errorf("write %s=%s", name, everyWord)
	case list == everyWord:
		v.Values, err = o.everyWord(root, path)
	case isRange && root == tablesRoot && strings.Contains(lo, "d"):
		v.Values, err = diceRange(lo, hi)
	case isRange:
		v.Values, err = intRange(lo, hi)
	default:
		v.Values, err = o.listedValues(name, root, path, list)
	}
	for i := 0; err == nil && root == tablesRoot && i < len(v.Values); i++ {
		_, err = changeCell(o.program.Plan(), path, v.Values[i])
	}
	return v, err
}

// checkName returns the error of a name of nothing that may be left open, with the name that is meant: of the character, an
// option or a cell when there is one, else that of the nearest field.
func (o *opening) checkName(root, path string) error {
	first, _, rest, _ := plan.CutStep(path)
	field := o.shape.Member(first)
	p := o.program.Plan()
	quoted := ""
	if root == inputRoot || root == characterRoot {
		shape, _, _ := o.shapeOf(root, path)
		quoted = shape.QuoteKey(path)
	}
	switch {
	case quoted != "" && root == characterRoot:
		return fmt.Errorf("a name with a dot stands in brackets and quotes: write %s.%s", root, quoted)
	case quoted != "":
		return fmt.Errorf("a name with a dot stands in brackets and quotes: write %s", quoted)
	case root != inputRoot:
		return nil
	case field != nil && rest != "" && field.Kind == plan.String && p.Table(first) != nil:
		return fmt.Errorf("%s of the input has no parts; did you mean %s.%s", first, tablesRoot, path)
	case field != nil:
		return nil
	case p.Character.Member(first) != nil:
		return fmt.Errorf("the input has no field %s; did you mean %s.%s", first, characterRoot, path)
	case slices.ContainsFunc(p.Options, func(x plan.Option) bool { return x.ID == path }):
		return fmt.Errorf("the input has no field %s; did you mean %s.%s", first, optionRoot, path)
	case p.Table(first) != nil && rest != "":
		return fmt.Errorf("the input has no field %s; did you mean %s.%s", first, tablesRoot, path)
	}
	var known []string
	if o.shape != nil {
		for i := range o.shape.Fields {
			known = append(known, o.shape.Fields[i].Name)
		}
	}
	return &plan.UnknownError{What: "field of the input", Name: first, Known: known}
}

// listedValues returns the values of a list.
func (o *opening) listedValues(name, root, path, list string) (out []json.RawMessage, err error) {
	if inner := strings.TrimSuffix(strings.TrimPrefix(list, "["), "]"); len(inner) == len(list)-2 &&
		o.isNumber(root, path) {
		return nil, fmt.Errorf("write --vary %s=%s", name, strings.ReplaceAll(inner, " ", ""))
	}
	for part := range strings.SplitSeq(list, ",") {
		value, err := o.parseValue(root, path, part)
		if err != nil {
			return nil, err
		}
		if meant := phrase.RangeOf(list); meant != "" && o.isNumber(root, path) {
			return nil, fmt.Errorf("write --vary %s=%s", name, meant)
		}
		out = append(out, value)
	}
	return out, nil
}

// adviseStep returns the error of a range with a step, 10..20..5, which lists what is meant.
func adviseStep(from, to, step string) error {
	lo, err1 := strconv.ParseInt(from, 10, 32)
	hi, err2 := strconv.ParseInt(to, 10, 32)
	by, err3 := strconv.ParseInt(step, 10, 32)
	if err1 != nil || err2 != nil || err3 != nil || by < 1 || lo > hi {
		return errors.New("a range is of ints, such as 1..20, each of them in turn")
	}
	var list []string
	for n := lo; n <= hi && len(list) < MaxVaried; n += by {
		list = append(list, strconv.FormatInt(n, 10))
	}
	return fmt.Errorf("a range has no step: write %s", strings.Join(list, ","))
}

// meansEvery reports whether a text means all words that a field may have, and is none of them itself.
func (o *opening) meansEvery(root, path, text string) bool {
	words, err := o.everyWord(root, path)
	isText := func(w json.RawMessage) bool { return bytes.Equal(w, jsontext.Quote(text)) }
	return text == "all" && err == nil && !slices.ContainsFunc(words, isText)
}

// intRange returns the ints from one to another. A range is of ints only: a step for doubles would have to be guessed.
func intRange(lo, hi string) (out []json.RawMessage, err error) {
	if to, step, hasStep := strings.Cut(hi, ".."); hasStep {
		return nil, adviseStep(lo, to, step)
	}
	from, err1 := strconv.ParseInt(lo, 10, 64)
	to, err2 := strconv.ParseInt(hi, 10, 64)
	switch {
	case err2 != nil && strings.HasPrefix(hi, "."):
		return nil, fmt.Errorf("write %s..%s", lo, strings.TrimLeft(hi, "."))
	case err1 != nil || err2 != nil:
		return nil, errors.New("a range is of ints, such as 1..20; all words are NAME=*, some of them NAME=a,b")
	case from > to:
		return nil, fmt.Errorf("the range is empty: write %d..%d", to, from)
	case uint64(to)-uint64(from) >= MaxVaried: // unsigned: the difference of two int64 may overflow
		return nil, fmt.Errorf("more than %d values", MaxVaried)
	}
	for n := range to - from + 1 {
		out = append(out, json.RawMessage(strconv.FormatInt(from+n, 10)))
	}
	return out, nil
}

// diceRange returns the dice from some to others.
func diceRange(from, to string) (out []json.RawMessage, err error) {
	list, err := diceBetween(from, to)
	for _, x := range list {
		out = append(out, jsontext.Quote(x))
	}
	return out, err
}

// A Setting is a choice of values for what is left open.
type Setting struct {
	Names  []string
	Values []json.RawMessage
}

// String writes the values by name.
func (s Setting) String() string {
	var out []string
	for i, n := range s.Names {
		out = append(out, n+"="+string(s.Values[i]))
	}
	return strings.Join(out, ", ")
}

// With returns the setting with one more value.
func (s Setting) With(name string, value json.RawMessage) Setting {
	return Setting{append(slices.Clip(s.Names), name), append(slices.Clip(s.Values), value)}
}

// ByName returns the values by name, as JSON prints them. The names are in no order there; String
// has that of the flags.
func (s Setting) ByName() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i, n := range s.Names {
		out[n] = s.Values[i]
	}
	return out
}

// Variations returns the open names with their values, in the order of the flags.
func (o *opening) Variations() ([]Variation, error) {
	var out []Variation
	for _, text := range o.vary {
		v, err := o.ParseVariation(text)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, RefuseTwice(out)
}

// RefuseTwice refuses a name that is left open twice, and a part of another one: the values of one of the two would be
// passed over in silence.
func RefuseTwice(variations []Variation) error {
	for i, v := range variations {
		for _, other := range variations[:i] {
			if Overlaps(v.Name, other.Name) {
				return fmt.Errorf("--vary %s: %s is left open already", v.Name, other.Name)
			}
		}
	}
	return nil
}

// Settings returns all combinations of values of the open names.
func (o *opening) Settings() ([]Setting, error) {
	variations, err := o.Variations()
	if err != nil {
		return nil, err
	}
	return Combine(variations)
}

// Combine returns all combinations of values of open names, the last name's varying fastest; one without names where
// nothing is open. There are at most MaxVaried.
func Combine(variations []Variation) ([]Setting, error) {
	var names []string
	rows := [][]json.RawMessage{nil}
	for _, v := range variations {
		names = append(names, v.Name)
		var next [][]json.RawMessage
		for _, row := range rows {
			for _, x := range v.Values {
				// Clip makes append copy: rows that share a beginning must not share its spare
				// room.
				next = append(next, append(slices.Clip(row), x))
			}
		}
		if rows = next; len(rows) > MaxVaried {
			return nil, fmt.Errorf("--vary asks for more than %d rows", MaxVaried)
		}
	}
	var out []Setting
	for _, row := range rows {
		out = append(out, Setting{names, row})
	}
	return out, nil
}

// describeError says with which values of a setting something went wrong. Of a value that does not fit it quotes what was
// given, the flag with a name that is left open, because the place in the input is not one that the reader wrote.
func (o *opening) describeError(s Setting, err error) error {
	for i, name := range s.Names {
		what, is := strings.CutPrefix(err.Error(), placeOf(name)+": ")
		if !is {
			continue
		}
		return fmt.Errorf("%s%s=%s: %s", o.flagOf(name), name, strings.Trim(string(s.Values[i]), `"`), what)
	}
	if len(s.Names) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w", s, err)
}

// placeOf returns the path of a field of the input as messages have it.
func placeOf(name string) string {
	out := inputRoot
	for _, step := range plan.SplitPath(name) {
		out += jsonio.PathStep(step)
	}
	return out
}

// flagOf returns how a message begins about a name that is set: with the flag when it is left open.
func (o *opening) flagOf(name string) string {
	isOf := func(text string) bool {
		open, _, _ := plan.CutAssignment(text)
		return strings.TrimPrefix(open, inputRoot+".") == name
	}
	if slices.ContainsFunc(o.vary, isOf) {
		return "--vary "
	}
	return ""
}

// A Row is the answer for one setting.
type Row struct {
	Setting
	*Answer
}

// makeTable answers for every setting.
func (o *opening) makeTable(ctx context.Context, answer func(context.Context, Setting) (*Answer, error)) ([]Row, error) {
	settings, err := o.Settings()
	if err != nil {
		return nil, err
	}
	var out []Row
	for _, s := range settings {
		a, err := answer(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, Row{s, a})
	}
	return out, nil
}
