package api

import (
	"encoding/json"
	"net/http"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsonschema"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// object is a JSON object of the description. Its members are written in the order of their names, so that the same plans
// make the same text.
type object map[string]any

// describeAPI writes the description of the API by OpenAPI 3.1, made from the plans on the shelf.
func (s *server) describeAPI(w http.ResponseWriter, _ *http.Request) {
	described, err := Describe(s.library.Shelf())
	if err != nil {
		writeError(w, err)
		return
	}
	writeValue(w, described)
}

// Describe returns the description of the API.
//
// Every rule and procedure gets paths of its own with its own schemas, instead of one path with a parameter: generators
// of clients then make typed calls. It describes the newest revision of each ruleset, under names without a number, so that
// a release renames no type; an earlier one is asked by the header Rules-Revision, or with @REVISION in the path.
func Describe(shelf *library.Shelf) (any, error) {
	answered := recordSchema(object{"odds": object{"type": "object", "additionalProperties": refTo("marginal")},
		"dice": object{"type": "string"}}, "odds")
	paths := object{
		"/v1": object{"get": newOperation("listEditions", "The revisions that are served", nil,
			object{"type": "array", "items": refTo("edition")})},
		"/v1/odds": object{"post": newOperation("diceOdds", "The exact distribution of dice in notation",
			recordSchema(object{"dice": object{"type": "string", "examples": []string{"4d6kh3"}},
				"exact": object{"type": "boolean"}}, "dice"), admitMore(answered))},
	}
	schemas := commonSchemas()
	for _, ruleset := range shelf.Rulesets() {
		e, err := shelf.Find(ruleset, "")
		if err != nil {
			return nil, err
		}
		describeEdition(e, paths, schemas)
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "Rules of tabletop games", "version": "1",
			"description": "Rules carried out, with given dice, with dice drawn from a seed, or over all ways in which " +
				"they fall."},
		"servers":  []any{object{"url": "/"}},
		"security": []any{}, // there are no accounts
		"paths":    paths,
		"components": object{"schemas": schemas, "parameters": commonParameters(),
			"responses": object{"problem": object{"description": "why there is no answer",
				"content": object{"application/problem+json": object{"schema": refTo("problem")}}}}},
	}, nil
}

// An editionDescriber describes the rules of one edition.
type editionDescriber struct {
	*library.Edition
	paths, schemas object
}

// describeEdition adds the paths and schemas of one ruleset.
func describeEdition(e *library.Edition, paths, schemas object) {
	x := &editionDescriber{e, paths, schemas}
	ruleset, root := e.Plan.Ruleset, "/v1/"+e.Plan.Ruleset+"/"
	x.addSchema("character", x.inputSchema(""))
	x.addSchema("options", x.optionsSchema())
	x.addRead("/v1/"+ruleset, "list."+ruleset, "The definitions of "+e.Plan.Title,
		object{"type": "array", "items": refTo("definition")})
	x.addRead(root+"schema", "schema."+ruleset, "JSON Schema of a character", object{"type": "object"})
	for _, id := range describe.EvaluableNames(e.Plan) {
		x.describeSubject(describe.NeedsOf(e.Plan, id), root+id)
	}
}

// addSchema adds a schema under a name of the ruleset, and returns the reference to it.
func (x *editionDescriber) addSchema(name string, schema any) object {
	name = x.Plan.Ruleset + "." + name
	x.schemas[name] = schema
	return refTo(name)
}

// character is the reference to the schema of a character.
func (x *editionDescriber) character() string {
	return refTo(x.Plan.Ruleset + ".character")["$ref"].(string)
}

// inputSchema is the schema of a character, or of the input of a definition.
func (x *editionDescriber) inputSchema(input string) json.RawMessage {
	text, err := jsonschema.Component(x.Plan, input, x.character())
	must.Succeed(err)
	return text
}

// addRead adds a path that is read.
func (x *editionDescriber) addRead(path, id, summary string, answer object) {
	x.paths[path] = object{"get": x.withRevision(newOperation(id, summary, nil, answer))}
}

// addAsked adds a path that is asked.
func (x *editionDescriber) addAsked(path, id, summary string, body, answer object) {
	x.paths[path] = object{"post": x.withRevision(newOperation(id, summary, body, answer))}
}

// withRevision adds the header that names a revision.
func (x *editionDescriber) withRevision(operation object) object {
	list, _ := operation["parameters"].([]any)
	operation["parameters"] = append(list, object{"$ref": "#/components/parameters/revision"})
	return operation
}

// describeSubject adds what may be asked of a rule or a procedure.
func (x *editionDescriber) describeSubject(needs *describe.Needs, path string) {
	ruleset, id := x.Plan.Ruleset, needs.ID
	character, input := refTo(ruleset+".character"), x.addSchema(id+".input", x.inputSchema(id))
	words := refTo("names")
	asked := object{"character": character, "input": input, "options": refTo(ruleset + ".options"),
		"dice": refTo("faces"), "seed": refTo("seed"), "trace": object{"type": "boolean"}}
	inquiry := object{"character": object{"type": "object"}, "input": object{"type": "object"},
		"options": refTo(ruleset + ".options"), "dice": refTo("faces"),
		"accepted": refTo("accepted")}
	answered := object{"needs": object{"type": "array", "items": object{"type": "object"}}}
	var sheet object
	if d := x.Plan.Procedure(id); d != nil {
		sheet = x.addSchema(id+".sheet", x.playSchema(d))
		asked["state"], asked["events"] = sheet, x.eventsSchema(needs)
		inquiry["state"] = object{"type": "object", "description": "the sheet of a procedure that has begun"}
		inquiry["event"] = object{"type": "string", "description": "what is to happen in that state"}
		answered["play"], answered["offers"] = sheet, object{"type": "array", "items": object{"type": "object"}}
	} else {
		sheet = x.addSchema(id+".sheet", x.sheetSchema(id))
		asked["outputs"], inquiry["outputs"], answered["sheet"] = words, words, sheet
		x.paths[path+"/stream"] = object{"post": x.withRevision(streamOperation(ruleset, id))}
	}
	x.addOdds(id, path, character, input, sheet)
	x.addAsked(path+"/ask", "ask."+ruleset+"."+id, "What "+id+" needs next, or its sheet", recordSchema(inquiry),
		recordSchema(answered))
	x.addRead(path, "needs."+ruleset+"."+id, "What "+id+" needs", object{"type": "object"})
	x.addRead(path+"/schema", "schema."+ruleset+"."+id, "JSON Schema of its input", object{"type": "object"})
	x.addAsked(path+"/eval", "eval."+ruleset+"."+id, summaryOf(needs), recordSchema(asked), sheet)
}

// addOdds adds the question for odds. Those of a procedure are of its end under a policy, or after some events.
func (x *editionDescriber) addOdds(id, path string, character, input, sheet object) {
	flag := object{"type": "boolean"}
	asked := object{"character": character, "input": input, "options": refTo(x.Plan.Ruleset + ".options"),
		"outputs": refTo("names"), "exact": flag, "joint": flag, "given": refTo("condition"), "formulas": refTo("names"),
		"vary": refTo("vary"), "decide": refTo("decide"), "best": refTo("best")}
	eventCount := object{"type": "integer", "minimum": 1}
	if x.Plan.Procedure(id) != nil {
		asked["policy"], asked["state"] = refTo("policy"), sheet
		asked["after"], asked["most"] = eventCount, eventCount
	}
	x.addAsked(path+"/odds", "odds."+x.Plan.Ruleset+"."+id, "The odds of "+id, recordSchema(asked), refTo("odds"))
	text := object{"type": "string"}
	compared := object{"character": character, "input": input, "options": refTo(x.Plan.Ruleset + ".options"),
		"rules": refTo("names"), "of": object{"anyOf": []any{text, refTo("names")}}, "vary": refTo("vary"),
		"given": refTo("condition"), "decide": refTo("decide"), "best": refTo("best")}
	if x.Plan.Procedure(id) != nil {
		number := object{"type": "integer", "minimum": 0}
		compared["policy"], compared["most"] = refTo("policy"), eventCount
		x.addAsked(path+"/fight", "fight."+x.Plan.Ruleset+"."+id, "How "+id+" ends, exactly or by drawing plays",
			recordSchema(object{"character": character, "input": input, "options": refTo(x.Plan.Ruleset + ".options"),
				"state": sheet, "formulas": refTo("names"), "vary": refTo("vary"), "decide": refTo("decide"),
				"policy": refTo("policy"), "most": eventCount, "plays": number, "within": object{"type": "number"},
				"seed": refTo("seed"), "best": refTo("best"), "game": text}), object{"anyOf": []any{refTo("odds"), refTo("game")}})
	}
	x.addAsked(path+"/compare", "compare."+x.Plan.Ruleset+"."+id, "Options of "+id+" beside each other",
		recordSchema(compared, "of"), refTo("contest"))
}

// sheetSchema is the answer of a rule. Outputs that are not asked for are not there, so none is required.
func (x *editionDescriber) sheetSchema(id string) object {
	return object{"allOf": []any{refTo("sheet"), object{"type": "object", "required": []string{"rule", "output"},
		"properties": object{"rule": object{"const": id},
			"output": object{"anyOf": []any{x.outputSchema(&x.Plan.Rule(id).Graph), object{"type": "object"}}}}}}}
}

// outputSchema is the schema of the outputs of a graph.
func (x *editionDescriber) outputSchema(g *plan.Graph) any {
	if g.Outputs.Type == nil {
		return object{"type": "object"}
	}
	return jsonschema.OfType(g.Outputs.Type, x.character())
}

// playSchema is a procedure as it stands: the answer, and what the next question goes on from.
func (x *editionDescriber) playSchema(d *plan.Procedure) object {
	return object{"description": "a sheet that is sent back as state is taken as it is: keep it where no player can change it",
		"allOf": []any{refTo("sheet"), object{"type": "object",
			"required": []string{"procedure", "state", "status", "output"},
			"properties": object{"procedure": object{"const": d.ID}, "character": refTo(x.Plan.Ruleset + ".character"),
				"input":  refTo(x.Plan.Ruleset + "." + d.ID + ".input"),
				"state":  jsonschema.OfType(d.State.Type(), x.character()),
				"status": object{"enum": append([]string{"open"}, d.Ends...)}, "output": x.outputSchema(&d.Close),
				"events": object{"type": "array", "items": object{"type": "object"}}}}}}
}

// commonSchemas returns the schemas that all rulesets share.
func commonSchemas() object {
	text, number := object{"type": "string"}, object{"type": "number"}
	texts := object{"type": "array", "items": text}
	chance := recordSchema(object{"value": object{}, "p": number, "at_least": number, "at_most": number, "exact": text},
		"value", "p")
	list := func(doc string) object { return object{"type": "array", "items": text, "description": doc} }
	return object{
		"problem": problemSchema(), "faces": facesSchema(), "seed": seedSchema(), "names": texts,
		"accepted":  list("paths at which, and below which, what is absent is not asked for"),
		"condition": object{"type": "string", "description": "a condition over the outputs"},
		"vary":      list("what is left open: NAME=1..20 or NAME=0,10,30"),
		"decide":    list("FIELD: FORMULA, of what is decided when dice have fallen"),
		"best":      object{"type": "string", "description": "a formula that decisions are made for"},
		"policy":    list("the events that are tried in order: EVENT, EVENT: CONDITION or EVENT INPUT: CONDITION"),
		"edition": recordSchema(object{"ruleset": text, "revision": text, "title": text, "digest": text, "homebrews": texts,
			"rules": texts, "procedures": texts, "operations": object{"type": "array",
				"items": recordSchema(object{"method": text, "path": text}, "method", "path")}},
			"ruleset", "revision", "title", "digest", "rules", "procedures", "operations"),
		"definition": object{"type": "object"},
		"sheet": object{"type": "object", "required": []string{"ruleset", "revision"}, "properties": object{
			"ruleset": text, "revision": text, "options": object{"type": "object", "additionalProperties": text},
			"seed": object{"type": "integer", "description": "from which faces were drawn; the faces of later events of a " +
				"procedure are drawn from it too, so who sees it knows them"},
			"dice": object{"type": "object",
				"additionalProperties": object{"type": "array", "items": object{"type": "integer"}}},
			"trace": object{"type": "array", "items": object{"type": "object"}}}},
		"marginal": admitMore(recordSchema(object{"mean": number, "deviation": number, "skewness": number,
			"entropy": number, "distribution": object{"type": "array", "items": admitMore(chance)}}, "distribution")),
		"ending": admitMore(recordSchema(object{"status": text, "p": number, "most": number, "exact": text,
			"by_event": object{"type": "array", "items": number}}, "status", "p", "by_event")),
		"game": admitMore(recordSchema(object{
			"measure": text, "value": number, "exact": text, "first": text, "second": text,
			"rows":    object{"type": "array", "items": object{"type": "object"}},
			"columns": object{"type": "array", "items": object{"type": "object"}}}, "measure", "value", "rows", "columns")),
		"contest": admitMore(recordSchema(object{"ruleset": text, "revision": text, "rule": text, "procedure": text,
			"rules": texts, "formula": text, "compared": text,
			"situations": object{"type": "array", "items": object{"type": "object"}},
			"options":    object{"type": "array", "items": object{"type": "object"}}}, "compared", "options")),
		"odds": admitMore(recordSchema(object{"ruleset": text, "revision": text, "rule": text, "procedure": text,
			"odds": object{"type": "object", "additionalProperties": refTo("marginal")},
			"joint": object{"type": "array", "items": admitMore(recordSchema(object{"output": object{"type": "object"},
				"p": number, "exact": text}, "output", "p"))},
			"ends": object{"type": "array", "items": refTo("ending")}, "open": number, "mean_events": number,
			"exact_mean_events": text,
			"varied":            texts, "columns": texts, "rows": object{"type": "array", "items": recordSchema(object{
				"at": object{"type": "array"}, "values": object{"type": "array"}}, "at", "values")}})),
	}
}

// admitMore lets an object have members that are not described.
func admitMore(record object) object {
	delete(record, "additionalProperties")
	return record
}

// summaryOf returns the author's sentence about a rule, which generated clients show as the
// documentation of a method.
func summaryOf(n *describe.Needs) string {
	if n.Doc != "" {
		return n.Doc
	}
	return "The sheet of " + n.ID
}

func refTo(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// eventsSchema are the events of a procedure, each with its input.
func (x *editionDescriber) eventsSchema(n *describe.Needs) object {
	var list []any
	for _, e := range n.Events {
		name := n.ID + "." + e.ID
		list = append(list, recordSchema(object{"event": object{"const": e.ID},
			"input": x.addSchema(name+".input", x.inputSchema(name)), "dice": refTo("faces")}, "event"))
	}
	return object{"type": "array", "items": object{"anyOf": list}}
}

// optionsSchema lists the options of a ruleset, with their values. Those that a rule does not read change nothing there, so
// that a client may send the same rulings with every question.
func (x *editionDescriber) optionsSchema() object {
	options := object{}
	for i := range x.Plan.Options {
		o := &x.Plan.Options[i]
		options[o.ID] = object{"enum": o.Values, "x-default": o.Values[o.Default]}
		if e := x.Plan.Entry(o.ID, plan.OptionEntry); e != nil && e.Doc != "" {
			options[o.ID].(object)["description"] = e.Doc
		}
	}
	return object{"type": "object", "properties": options, "additionalProperties": object{"type": "string"}}
}

func seedSchema() object {
	return object{"type": "integer", "minimum": 0,
		"description": "draws the faces; drawn and told when there is neither seed nor dice"}
}

func facesSchema() object {
	faces := object{"type": "array", "items": object{"type": "integer"}}
	return object{"description": "faces that fell: in the order in which they fell, or by the id of their die",
		"anyOf": []any{faces, object{"type": "object", "additionalProperties": faces}}}
}

// problemSchema has by hand the members of Problem: whoever adds one there adds it here, or strict
// clients refuse the answer.
func problemSchema() object {
	text, number := object{"type": "string"}, object{"type": "integer"}
	return recordSchema(object{"type": text, "title": text, "status": number, "code": text, "detail": text, "path": text,
		"line": number, "column": number, "event": number, "cite": text}, "type", "title", "status", "code", "detail")
}

// recordSchema returns the schema of an object with these members and no others, as Decode refuses others too.
func recordSchema(properties object, required ...string) object {
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// streamOperation is the way to ask for many characters.
func streamOperation(at, id string) object {
	out := newOperation("stream."+at+"."+id, "The sheets of "+id+", a character and a sheet in each line", nil, object{})
	lines := object{"content": object{NDJSON: object{"schema": object{"type": "string"}}}}
	out["requestBody"] = lines
	out["responses"].(object)["200"] = object{"description": "a sheet for each line, or an object with the member error",
		"content": lines["content"]}
	var parameters []any
	for _, name := range []string{"input", "seed", "option", "output"} {
		parameters = append(parameters, object{"$ref": "#/components/parameters/stream." + name})
	}
	out["parameters"] = parameters
	return out
}

// commonParameters returns the header that names a revision, and what all lines of a stream have in common.
func commonParameters() object {
	text := object{"type": "string"}
	list := object{"type": "array", "items": text}
	query := func(name, doc string, schema object) object {
		return object{"name": name, "in": "query", "description": doc, "schema": schema}
	}
	return object{
		"revision": object{"name": revisionHeader, "in": "header",
			"description": "the revision that is asked, which a path names as RULESET@REVISION. Where neither names one, the " +
				"revision answers that the character is pinned to by $revision, or by which the sheet in state was played, " +
				"and else the newest. A revision that is named refuses a character that is pinned to another.",
			"schema": text},
		"stream.input":  query("input", "the input of all lines, in JSON", text),
		"stream.seed":   query("seed", "draws the faces of all lines", object{"type": "integer"}),
		"stream.option": query("option", "ID=VALUE", list),
		"stream.output": query("output", "an output that is asked for", list),
	}
}

// newOperation returns the description of one request and its answers. Every error is a problem.
func newOperation(id, summary string, body, answer object) object {
	out := object{
		"operationId": id, "summary": summary,
		"responses": object{
			"200":     object{"description": "the answer", "content": object{"application/json": object{"schema": answer}}},
			"default": object{"$ref": "#/components/responses/problem"},
		},
	}
	if body != nil {
		out["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": body}}}
	}
	return out
}
