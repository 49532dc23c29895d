package load

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/explain"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkFields reports the fields that a struct lacks and those that it must not have, by the schema's description of it.
// Definitions and hidden fields are the author's own, except a definition that is spelt nearly as one that is read. The
// correction of a misspelt field is not reported as missing too.
func (n *node) checkFields(path string) {
	set := fieldset.Of(path)
	known := slices.Concat(set.Required, set.Optional)
	for _, k := range n.allFields() {
		switch {
		case k.def:
			n.checkDefinitionName(k, set.Definitions)
		case !slices.Contains(known, k.name):
			n.meant = append(n.meant, n.reportUnknownField(k, known, set.Definitions))
		}
	}
	n.meant = append(n.meant, n.reportUnmet(set)...)
	n.requireFields(slices.DeleteFunc(slices.Clone(set.Required),
		func(name string) bool { return slices.Contains(n.meant, name) })...)
}

// reportUnknownField reports a field that the schema does not have here, and returns the one that is probably meant. The
// value of the field means nothing until it is mended.
func (n *node) reportUnknownField(k *node, known, definitions []string) (meant string) {
	d := n.r.addf("unknown-field", k.place, n.subject, "there is no field %s here", k.name)
	d.Breaks = k.brokenNames()
	if meant = explain.ForeignField(k.name, known); meant == "" {
		meant = diag.Nearest(k.name, known)
	}
	if meant == "" && slices.Contains(known, "keyed") && slices.Contains(known, "bands") {
		meant = k.kindOfRows()
	}
	for _, name := range definitions {
		if isSlipOf("#"+k.name, name) {
			meant = name
		}
	}
	switch {
	case slices.Contains(known, "keyed") && slices.Contains(known, "bands") && k.isStruct() && k.kindOfRows() == "":
		d.Repair = fmt.Sprintf("it is a row, if words find the rows: keyed: %s: {...}", k.labelText())
		return "keyed"
	case slices.Contains(known, "extend") && slices.Contains(fieldset.Of("#Homebrew/add").Optional, k.name):
		d.Repair = fmt.Sprintf("what a homebrew changes stands under add, extend, replace or disable: add: %s: ... "+
			"for a new one, extend: %[1]s: ... for more in one that the ruleset has", k.name)
		if fields := k.dataFields(); k.name == "options" && len(fields) > 0 && fields[0].isString() {
			d.Repair = fmt.Sprintf("how an option is played is replaced: replace: options: %s: {expect: \"...\", with: %q}",
				fields[0].labelText(), textOf(fields[0]))
		}
		return ""
	case slices.Equal(known, fieldset.Of("#Homebrew/extend").Optional) && homebrewChange[k.name] != "":
		d.Repair = homebrewChange[k.name]
		return ""
	case n.isReplacedOption() && k.name == "values":
		d.Repair = homebrewChange["options"]
		return ""
	case strings.HasPrefix(n.subject, "disable procedures.") && k.isString():
		d.Repair = fmt.Sprintf("an event is disabled among the events: events: %s: %q", k.labelText(), textOf(k))
		return "events"
	case strings.HasPrefix(n.subject, "replace rules.") && strings.Count(n.subject, ".") == 1 && k.hasField("expect"):
		d.Repair = fmt.Sprintf("a part stands with its kind: output: %s: {...}, or let, dice, use or require",
			k.labelText())
		return ""
	case strings.HasPrefix(n.subject, "disable tables.") && k.isString():
		d.Repair = fmt.Sprintf("a row is disabled among the rows: rows: %s: %q", k.labelText(), textOf(k))
		return "rows"
	case slices.Contains(known, "errata") && !slices.Contains(known, "extend") &&
		(k.name == "ruleset" || slices.Contains(homebrewSections, k.name)):
		d.Repair = "that is of a homebrew, a module of its own that says ruleset: \"...\": " +
			"rules init DIR --homebrew RULESET makes one"
		return ""
	case slices.Contains([]string{"with", "args", "given", "params", "inputs"}, k.name) &&
		slices.Contains(known, "otherwise") && slices.Contains(known, "rule"):
		d.Repair = "did you mean input?"
		return "input"
	case meant == "" && slices.Contains(known, "otherwise") && slices.Contains(known, "rule"):
		d.Repair = fmt.Sprintf("what the used rule is given stands under input: input: %s: ...", k.labelText())
		return "input"
	case (k.name == "keep" || k.name == "drop") && slices.Contains(known, "explode"):
		d.Repair = "keeping and dropping is said in notation: \"3d6kh2\", \"4d6dl1\""
	case slices.Contains(known, "explode") && (k.name == "dice" || k.name == "roll" && n.subject != ""):
		d.Repair = "dice in notation stand without a struct: roll: \"2d6\"; the faces of one are {die: 6, count: 2}"
	case n.name == "start" && slices.Contains(known, "next"):
		d.Repair = fmt.Sprintf("what the state begins with stands under next: next: %s: ...", k.name)
		if meant != "" {
			d.Repair = "did you mean " + meant + "? " + d.Repair
		}
	case strings.HasPrefix(n.subject, "rule ") && slices.Contains([]string{"next", "start", "events", "ends"}, k.name) &&
		slices.Contains(known, "covers"):
		d.Repair = "a rule changes nothing: write what comes of it as an output; an event of a procedure has next, " +
			"and changes the state or the character"
		return ""
	case (k.name == "page" || k.name == "pages") && slices.Contains(known, "cite"):
		d.Repair = "the page stands in the citation: " + n.citeWith(k)
	case meant != "" && n.hasValue(meant):
		d.Repair = fmt.Sprintf("%s is there already: leave %s out, or put it there", meant, k.name)
	case meant != "":
		d.Repair = "did you mean " + meant + "?"
	case slices.Contains(known, "dice") && slices.Contains(fieldset.Of("#Dice").Optional, k.name):
		d.Repair = fmt.Sprintf("it is a part of a die, and stands in its braces: dice: NAME: {die: 6, %s: ...}", k.name)
	case slices.Contains(known, "rows") && slices.Contains(known, "expect"):
		d.Repair = fmt.Sprintf("rows stand under rows: rows: %s: ...", k.labelText())
		if slices.Contains([]string{"keyed", "bands", "steps"}, k.name) {
			d.Repair = "rows stand under rows, whatever finds them: rows: NAME: ..."
		}
	case len(known) <= diag.MaxListed:
		d.Repair = "here stand " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
	}
	return meant
}

func (n *node) hasField(name string) bool {
	_, ok := n.fieldNamed(name)
	return ok
}

// hasValue reports whether a struct has a field that is no struct: nothing can be added to it.
func (n *node) hasValue(name string) bool {
	k, ok := n.fieldNamed(name)
	return ok && !k.isStruct()
}

// citeWith returns the citation of a definition with a page.
func (n *node) citeWith(page *node) string {
	cite := "..."
	if k, ok := n.fieldNamed("cite"); ok && k.isString() {
		cite = textOf(k)
	}
	number := strings.Trim(page.readJSON(), `"`)
	if number == "" {
		number = "12"
	}
	return fmt.Sprintf("cite: %q", cite+", p. "+number)
}

// homebrewChange says how a homebrew changes what it does not extend.
var homebrewChange = map[string]string{
	"options": "a homebrew gives an option no other values: add an option of another name, add: options: NAME: " +
		"{...}, and replace the formulas that read the old one",
	"traits":    "a trait is one formula: replace: traits: NAME: {expect: \"...\", with: \"...\"}",
	"functions": "a function is one formula: replace: functions: NAME: {expect: \"...\", with: \"...\"}",
}

// isReplacedOption reports whether a node is what a homebrew replaces of an option.
func (n *node) isReplacedOption() bool {
	return strings.HasPrefix(n.subject, "replace options.") && strings.Count(n.subject, ".") == 1
}

// kindOfRows returns the field in which the rows of a table stand that stand in a field of another name; "" where the value
// is no rows.
func (n *node) kindOfRows() string {
	isRow := func(m *node) bool { return m.isStruct() }
	switch rows := n.dataFields(); {
	case n.isList() && slices.ContainsFunc(n.listElements(), isRow):
		return kindOfRow(n.listElements()[0]).String()
	case n.isStruct() && slices.ContainsFunc(rows, isRow):
		return plan.KeyedTable.String()
	case n.isStruct() && slices.ContainsFunc(rows, (*node).isList):
		return "rows"
	}
	return ""
}

// homebrewSections are the sections that a homebrew has and a ruleset has not.
var homebrewSections = []string{"add", "extend", "replace", "disable"}

// brokenNames are the names that are unknown as long as nothing reads the node: those of its fields or of those of its
// elements, and of the definition in which it stands.
func (n *node) brokenNames() []string {
	out := []string{n.name}
	if _, id, ok := strings.Cut(n.subject, " "); ok && !strings.Contains(id, " ") {
		out = append(out, id)
	}
	read := []*node{n}
	if n.value.IncompleteKind() == cue.ListKind { // the rows of a table, which have its columns
		read = append(read, n.listElements()...)
	}
	for _, k := range read {
		for _, f := range site.MembersOf(k.flatSites()) {
			if f.Name != "" && !slices.Contains(out, f.Name) {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// checkDefinitionName reports a definition that differs by a slip from one that is read and is not there. A definition of
// the author's own is referred to from elsewhere.
func (n *node) checkDefinitionName(k *node, definitions []string) {
	if isGivenDefinition(k.name) && !slices.Contains(definitions, k.name) && !n.r.IsReferredTo(k.name) {
		d := n.r.addf("unread-definition", k.place, n.subject, "%s is read by nothing here", k.name)
		d.Breaks = k.brokenNames()
		if len(definitions) > 0 {
			d.Repair = "here stands " + strings.Join(definitions, " and ")
			if root, ok := strings.CutPrefix(definitions[0], "#"); ok && len(definitions) == 1 {
				d.Repair += ", which formulas read as " + strings.ToLower(root) + ".NAME"
			}
		}
		if n.r.isHomebrew && k.name == "#Character" {
			d.Repair = "new fields of characters stand at the head of the homebrew: " + k.name + ": ..."
		}
		if path, ok := strings.CutPrefix(n.subject, "replace "); ok {
			kind, id, _ := strings.Cut(path, ".")
			id, _, _ = strings.Cut(id, ".")
			d.Repair = "a homebrew adds fields and changes none: " + makeAnew(kind, id)
		}
		return
	}
	for _, name := range definitions {
		if _, there := n.fieldNamed(name); there || k.name == name || !isSlipOf(k.name, name) || n.r.IsReferredTo(k.name) {
			continue
		}
		d := n.r.addf("unread-definition", k.place, n.subject, "%s is read by nothing", k.name)
		d.Breaks = append(k.brokenNames(), name)
		d.Repair = "did you mean " + name + "?"
	}
}

// isGivenDefinition reports whether a definition describes a record that comes with a request, or the state.
func isGivenDefinition(name string) bool {
	return name == "#Character" || name == "#Input" || name == "#State" || name == "#Event"
}

// isSlipOf reports whether one name of a definition is probably a misspelt form of another.
func isSlipOf(name, meant string) bool {
	return strings.EqualFold(name, meant) || strings.EqualFold(name, meant+"s") || diag.Nearest(name, []string{meant}) != ""
}

// requireFields reports fields that are not there.
func (n *node) requireFields(names ...string) {
	for _, name := range names {
		if _, ok := n.fieldNamed(name); ok {
			continue
		}
		n.r.addf("missing-field", n.place, n.subject, "%s is missing", name).Repair = explain.MissingForm(name)
	}
}
