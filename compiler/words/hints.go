package words

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// keyOfMap stands in @rolls for the key of the map.
const keyOfMap = "key"

// A hinter reads the attributes of the fields of one record.
type hinter struct {
	*maker
	from book.Specification
}

// addFieldHints adds how people are asked for fields, as the attributes of these say.
func (m *maker) addFieldHints() {
	if len(m.book.Marks) == 0 {
		return
	}
	for x := range m.book.Shapes() {
		if x.Root != plan.StateRoot && x.Shape != nil {
			h := hinter{m, x}
			h.addMembers("", x.Shape)
		}
	}
}

// addMembers adds the hints of the fields of a record, and of those within them. A character in an input has the hints of
// #Character.
func (h *hinter) addMembers(prefix string, s *plan.Shape) {
	for i := range s.Fields {
		h.addField(prefix+s.Fields[i].Name, s.Fields[i].Shape)
	}
}

func (h *hinter) addField(path string, s *plan.Shape) {
	if marks, ok := h.book.Marks[s]; ok {
		h.out.Fields = append(h.out.Fields, plan.FieldHint{
			Root: h.from.Root, Of: h.from.ID, Path: path, Primary: h.readPrimary(&marks.Primary),
			Group: h.readGroup(&marks.Group), Steps: h.readSteps(&marks.Steps, s), Rolls: h.readRolls(&marks.Rolls, s),
		})
	}
	if s.Character {
		return
	}
	h.addMembers(path+".", s)
	switch s.Kind {
	case plan.List:
		h.addMembers(path+"[].", s.Elem)
	case plan.Map:
		h.addMembers(path+".*.", s.Elem)
	}
}

// reportf reports a problem of an attribute.
func (h *hinter) reportf(at *book.Text, format string, args ...any) *diag.Diagnostic {
	return h.diags.Addf("attribute", at.Place, h.from.Subject, format, args...)
}

// readPrimary returns the place of a field among those that are asked first; 0 for none.
func (h *hinter) readPrimary(t *book.Text) int64 {
	if !t.Written() {
		return 0
	}
	n, err := strconv.ParseInt(t.S, 10, 8)
	if err != nil || n < 1 || h.from.Root == plan.CharacterRoot {
		d := h.reportf(t, "@primary(%s) is no place among the fields that are asked first", t.S)
		d.Repair = "write @primary(1) at the first field of #Input or #Event, @primary(2) at the second"
		return 0
	}
	return n
}

// identifier is how the id of a group is written.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]*$`) })

// readGroup returns the id of a group. Its words stand in the glossary.
func (h *hinter) readGroup(t *book.Text) string {
	if t.Written() && !identifier().MatchString(t.S) {
		h.reportf(t, "@group(%s) has no id", t.S).Repair =
			"write an id, @group(body), and its label in words: body: \"Body\""
		return ""
	}
	return t.S
}

// readSteps returns the steps of a number: by how much, and from where to where a form offers them.
func (h *hinter) readSteps(t *book.Text, s *plan.Shape) *plan.Steps {
	if !t.Written() {
		return nil
	}
	if s.Elem != nil && s.Kind == plan.Map {
		s = s.Elem
	}
	var numbers []float64
	for part := range strings.SplitSeq(t.S, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || s.Kind == plan.Int && v != float64(int64(v)) {
			numbers = nil
			break
		}
		numbers = append(numbers, v)
	}
	isRange := len(numbers) == 3 && numbers[1] < numbers[2]
	switch {
	case s.Kind != plan.Int && s.Kind != plan.Double:
		h.reportf(t, "@steps(%s) stands at %s, and only numbers have steps", t.S, s.Type())
	case len(numbers) != 1 && !isRange || numbers[0] <= 0:
		h.reportf(t, "@steps(%s) are no steps of %s", t.S, s.Type()).Repair =
			"write @steps(5), or @steps(5, 0, 20) for steps of 5 from 0 to 20"
	case isRange && (s.Min != nil && numbers[1] < s.Min.Value || s.Max != nil && numbers[2] > s.Max.Value):
		h.reportf(t, "@steps(%s) leave the bounds of the field", t.S).Repair =
			"give steps within them, or bounds that are wider"
	case isRange:
		return &plan.Steps{By: numbers[0], Min: &plan.Bound{Value: numbers[1]}, Max: &plan.Bound{Value: numbers[2]}}
	default:
		return &plan.Steps{By: numbers[0]}
	}
	return nil
}

// readRolls returns the rule by which a field of a character is rolled, with the parts of its input that the field
// fills in.
func (h *hinter) readRolls(t *book.Text, s *plan.Shape) *plan.Rolling {
	if !t.Written() {
		return nil
	}
	if h.from.Root != plan.CharacterRoot {
		h.reportf(t, "@rolls(%s) stands at no field of #Character", t.S)
		return nil
	}
	parts := strings.Split(t.S, ",")
	out := &plan.Rolling{Rule: strings.TrimSpace(parts[0])}
	input := h.inputOf(out.Rule)
	if input == nil {
		d := h.reportf(t, "@rolls(%s): there is no rule %s", t.S, out.Rule)
		d.Repair = diag.DidYouMeanOneOf(out.Rule, h.evaluableNames())
		return nil
	}
	for _, part := range parts[1:] {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		field := memberAt(input, name)
		switch {
		case !ok || value == "":
			h.reportf(t, "@rolls(%s): %q fills nothing in", t.S, strings.TrimSpace(part)).Repair =
				"write name=key, or kind=skill"
		case field == nil:
			h.reportf(t, "@rolls(%s): %s has no input %s", t.S, out.Rule, name).Repair =
				diag.DidYouMeanOneOf(name, appendNames(nil, "", input.Type()))
		case value == keyOfMap && s.Kind == plan.Map:
			out.Input = append(out.Input, plan.RollInput{Name: name})
		case field.Enum != nil && !slices.Contains(field.Enum, value):
			h.reportf(t, "@rolls(%s): %s of %s is never %s", t.S, name, out.Rule, value).Repair =
				diag.DidYouMeanOneOf(value, field.Enum)
		case field.Kind != plan.String && !json.Valid([]byte(value)):
			h.reportf(t, "@rolls(%s): %s of %s is %s, and %s is not", t.S, name, out.Rule, field.Type(), value)
		default:
			out.Input = append(out.Input, plan.RollInput{Name: name, Value: value})
		}
	}
	return out
}

// inputOf returns the input of a rule or a procedure; nil where there is none of that name.
func (h *hinter) inputOf(id string) *plan.Shape {
	if r := h.plan.Rule(id); r != nil {
		return r.Input
	}
	if p := h.plan.Procedure(id); p != nil {
		return p.Input
	}
	return nil
}

// evaluableNames returns the ids of the rules and the procedures.
func (h *hinter) evaluableNames() []string {
	var out []string
	for i := range h.plan.Rules {
		out = append(out, h.plan.Rules[i].ID)
	}
	for i := range h.plan.Procedures {
		out = append(out, h.plan.Procedures[i].ID)
	}
	return out
}

// memberAt returns the shape of a field by its path in a record; nil for none.
func memberAt(s *plan.Shape, path string) *plan.Shape {
	for name := range strings.SplitSeq(path, ".") {
		if s = s.Member(name); s == nil {
			return nil
		}
	}
	return s
}
