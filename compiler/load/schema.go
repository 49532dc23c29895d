package load

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A fields is a definition of the schema: what it must and may have. #Character, #Input, #State and #Event are the
// author's to fill and not among them.
type fields struct {
	must []string
	may  []string
}

// The schema's definitions, as schema/schema.cue has them.
var (
	rulesetFields = fields{
		must: []string{"id", "title", "source"},
		may:  []string{"options", "tables", "traits", "functions", "rules", "procedures", "readings", "errata", "allow"},
	}
	allowFields    = fields{must: []string{"code", "why"}, may: []string{"at"}}
	homebrewFields = fields{
		must: []string{"id", "title", "ruleset"},
		may:  []string{"add", "extend", "replace", "disable", "allow"},
	}
	addFields       = fields{may: []string{"options", "tables", "traits", "functions", "rules", "procedures", "readings", "errata"}}
	extendFields    = fields{may: []string{"tables", "rules", "procedures"}}
	rowsFields      = fields{may: []string{"over", "keyed", "bands", "steps"}}
	replaceFields   = fields{may: []string{"options", "tables", "traits", "functions", "rules", "procedures"}}
	disableFields   = fields{may: []string{"tables", "traits", "functions", "rules", "procedures"}}
	replacedFields  = fields{must: []string{"expect", "with"}}
	requiredFields  = replacedFields.and(nil, "says")
	citedFields     = replacedFields.and(nil, "cite")
	wholeFields     = citedFields.and(nil, "rows")
	sourceFields    = fields{must: []string{"book"}, may: []string{"author"}}
	describedFields = fields{must: []string{"cite"}, may: []string{"doc", "covers"}}
	optionFields    = describedFields.and([]string{"default", "values"})
	tableFields     = describedFields.and(nil, "gives", "over", "rising", "falling", "cost", "benefit", "keyed", "bands", "steps")
	traitFields     = describedFields.and([]string{"expr"})
	functionFields  = describedFields.and([]string{"params", "expr"})
	bodyFields      = fields{may: []string{"use", "dice", "let", "require", "output"}}
	ruleFields      = describedFields.and([]string{"output"}, "use", "dice", "let", "require")
	stepFields      = bodyFields.and(nil, "cite", "doc", "covers", "next")
	eventFields     = stepFields.and(nil, "when")
	procedureFields = describedFields.and([]string{"events", "ends"}, "let", "start", "output")
	furtherFields   = fields{may: []string{"let", "start", "events", "ends", "output"}}
	dieFields       = fields{must: []string{"die"}, may: []string{"count", "most", "distinct", "again", "explode"}}
	againFields     = fields{must: []string{"on"}, may: []string{"once"}}
	explodeFields   = fields{must: []string{"on"}, may: []string{"times"}}
	useFields       = fields{must: []string{"rule"}, may: []string{"character", "when", "input", "each", "otherwise"}}
	choiceFields    = fields{must: []string{"by", "is"}}
	readingFields   = fields{must: []string{"cite", "question", "ruled", "rejected", "why"}}
	erratumFields   = fields{must: []string{"cite", "printed", "ruled", "why"}, may: []string{"option"}}
	releaseFields   = fields{must: []string{"rules", "revision"}, may: []string{"rulings"}}
)

// and adds fields to a definition.
func (f fields) and(must []string, may ...string) fields {
	return fields{must: slices.Concat(f.must, must), may: slices.Concat(f.may, may)}
}

// has reports what a struct lacks and what it must not have. Definitions and hidden fields are the author's own.
func (n *node) has(f fields) {
	known := slices.Concat(f.must, f.may)
	for _, k := range n.fields() {
		if k.def || slices.Contains(known, k.name) {
			continue
		}
		n.r.addf("unknown-field", k.place, n.subject, "there is no field %s here", k.name).Repair = diag.DidYouMean(k.name, known)
	}
	for _, name := range f.must {
		if _, ok := n.field(name); !ok {
			n.lacks(name)
		}
	}
}

func (n *node) lacks(name string) {
	if name == "cite" {
		n.r.addf("missing-cite", n.place, n.subject, "cite is missing: where does the book say this").Repair =
			`write cite: "..." with the chapter, heading or table`
		return
	}
	n.r.addf("missing-field", n.place, n.subject, "%s is missing", name)
}
