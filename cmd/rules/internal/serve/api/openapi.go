package api

import (
	"encoding/json"
	"net/http"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsonschema"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// object is a JSON object of the description. Its members are written in the order of their names, so that the same plans
// make the same text.
type object map[string]any

// describeAPI writes the description of the API by OpenAPI 3.1, made from the plans on the shelf.
func (s *server) describeAPI(w http.ResponseWriter, _ *http.Request) {
	writeValue(w, Describe(s.library.Shelf()))
}

// Describe returns the description of the API.
//
// Every rule and procedure gets paths of its own with its own schemas, instead of one path with a parameter: generators
// of clients then make typed calls. It is some megabytes for all shipped rulesets, and made only when asked for.
func Describe(shelf *library.Shelf) any {
	paths := object{
		"/v1/": object{"get": newOperation("listEditions", "The revisions that are served", nil, anyJSON())},
		"/v1/odds": object{"post": newOperation("diceOdds", "The exact distribution of dice in notation",
			recordSchema(object{"dice": object{"type": "string", "examples": []string{"4d6kh3"}},
				"exact": object{"type": "boolean"}}, "dice"), anyJSON())},
	}
	schemas := object{"problem": problemSchema(), "faces": facesSchema()}
	for _, e := range shelf.Editions {
		describeEdition(e, paths, schemas)
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "Rules of tabletop games", "version": "1",
			"description": "Rules carried out, with given dice, with dice drawn from a seed, or over all ways in which " +
				"they fall."},
		"paths":      paths,
		"components": object{"schemas": schemas},
	}
}

// describeEdition adds the paths and schemas of one revision.
func describeEdition(e *library.Edition, paths, schemas object) {
	p := e.Plan
	at := p.Ruleset + "@" + p.Revision
	root := "/v1/" + at + "/"
	character := at + ".character"
	// The schemas are those of GET .../schema, put in whole. A reference to their paths would make
	// a description that cannot be used without the server.
	schemas[componentName(character)] = schemaOf(p, "", root+"schema")
	paths[root] = object{"get": newOperation("list."+at, "The definitions of "+p.Title, nil, anyJSON())}
	paths[root+"schema"] = object{"get": newOperation("schema."+at, "JSON Schema of a character", nil, anyJSON())}
	for _, id := range describe.EvaluableNames(p) {
		needs := describe.NeedsOf(p, id)
		input := at + "." + id + ".input"
		schemas[componentName(input)] = schemaOf(p, id, root+id+"/schema")
		asked := object{"character": refTo(character), "input": refTo(input), "options": optionsSchema(needs),
			"dice": refTo("faces"), "seed": seedSchema(), "trace": object{"type": "boolean"}}
		if needs.Kind == "procedure" {
			asked["state"] = object{"type": "object", "description": "the sheet to go on from"}
			asked["events"] = eventsSchema(p, needs, at, root, schemas)
		} else {
			asked["outputs"] = object{"type": "array", "items": object{"type": "string"}}
			paths[root+id+"/stream"] = object{"post": streamOperation(at, id)}
			paths[root+id+"/odds"] = object{"post": newOperation("odds."+at+"."+id, "The odds of "+id, recordSchema(object{
				"character": refTo(character), "input": refTo(input), "options": optionsSchema(needs),
				"outputs": object{"type": "array", "items": object{"type": "string"}}, "exact": object{"type": "boolean"},
				"given":    object{"type": "string", "description": "a condition over the outputs"},
				"formulas": object{"type": "array", "items": object{"type": "string"}},
				"vary": object{"type": "array", "items": object{"type": "string"},
					"description": "inputs left open: NAME=1..20 or NAME=0,10,30"},
			}), anyJSON())}
		}
		inquiry := object{"character": object{"type": "object"}, "input": object{"type": "object"},
			"options": optionsSchema(needs), "dice": refTo("faces"),
			"accepted": object{"type": "array", "items": object{"type": "string"},
				"description": "paths at which, and below which, what is absent is not asked for"}}
		if needs.Kind == "procedure" {
			inquiry["state"] = object{"type": "object", "description": "the sheet of a procedure that has begun"}
			inquiry["event"] = object{"type": "string", "description": "what is to happen in that state"}
		} else {
			inquiry["outputs"] = object{"type": "array", "items": object{"type": "string"}}
		}
		paths[root+id+"/ask"] = object{"post": newOperation("ask."+at+"."+id, "What "+id+" needs next, or its sheet",
			recordSchema(inquiry), anyJSON())}
		paths[root+id] = object{"get": newOperation("needs."+at+"."+id, "What "+id+" needs", nil, anyJSON())}
		paths[root+id+"/schema"] = object{"get": newOperation("schema."+at+"."+id, "JSON Schema of its input", nil,
			anyJSON())}
		paths[root+id+"/eval"] = object{"post": newOperation("eval."+at+"."+id, summaryOf(needs), recordSchema(asked),
			anyJSON())}
	}
}

// summaryOf returns the author's sentence about a rule, which generated clients show as the
// documentation of a method.
func summaryOf(n *describe.Needs) string {
	if n.Doc != "" {
		return n.Doc
	}
	return "The sheet of " + n.ID
}

// componentName returns a name that OpenAPI admits for a component: letters, digits, dot, dash and
// underscore, and so no @.
func componentName(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == '@' {
			out[i] = '-'
		}
	}
	return string(out)
}

func refTo(name string) object { return object{"$ref": "#/components/schemas/" + componentName(name)} }

// schemaOf is the schema of a character, or of the input of a definition. Its $id is the path that serves it, so that
// references within it stay within it.
func schemaOf(p *plan.Plan, input, path string) json.RawMessage {
	text, err := jsonschema.Generate(p, input)
	must.Succeed(err)
	members, err := jsontext.Members(text)
	must.Succeed(err)
	return jsontext.Join(append([]jsontext.Member{{Name: "$id", Value: jsontext.Quote(path)}}, members...))
}

// eventsSchema are the events of a procedure, each with its input.
func eventsSchema(p *plan.Plan, n *describe.Needs, at, root string, schemas object) object {
	var list []any
	for _, e := range n.Events {
		name := at + "." + n.ID + "." + e.ID + ".input"
		schemas[componentName(name)] = schemaOf(p, n.ID+"."+e.ID, root+n.ID+"."+e.ID+"/schema")
		list = append(list, recordSchema(object{"event": object{"const": e.ID}, "input": refTo(name),
			"dice": refTo("faces")},
			"event"))
	}
	return object{"type": "array", "items": object{"anyOf": list}}
}

// optionsSchema lists the options that the rule reads, with their values. Other options of the
// ruleset are admitted and change nothing, so that a client may send the same rulings with every
// question.
func optionsSchema(n *describe.Needs) object {
	options := object{}
	for _, o := range n.Options {
		var values []string
		for _, v := range o.Values {
			values = append(values, v.Value)
		}
		options[o.ID] = object{"enum": values, "default": o.Played, "description": o.Doc}
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

// recordSchema returns the schema of an object with these members and no others, as readBody refuses others too.
func recordSchema(properties object, required ...string) object {
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// anyJSON stands for answers whose form follows from the rule, such as sheets: everything is
// admitted.
func anyJSON() object { return object{} }

// streamOperation is the way to ask for many characters.
func streamOperation(at, id string) object {
	out := newOperation("stream."+at+"."+id, "The sheets of "+id+", a character and a sheet in each line", nil, anyJSON())
	lines := object{"content": object{NDJSON: object{"schema": object{"type": "string"}}}}
	out["requestBody"] = lines
	out["responses"].(object)["200"] = object{"description": "a sheet for each line, or an object with the member error",
		"content": lines["content"]}
	text := object{"type": "string"}
	list := object{"type": "array", "items": text}
	var parameters []any
	for _, p := range []struct {
		name, doc string
		schema    object
	}{{"input", "the input of all lines, in JSON", text},
		{"seed", "draws the faces of all lines", object{"type": "integer"}},
		{"option", "ID=VALUE", list}, {"output", "an output that is asked for", list}} {
		parameters = append(parameters, object{"name": p.name, "in": "query", "description": p.doc, "schema": p.schema})
	}
	out["parameters"] = parameters
	return out
}

// newOperation returns the description of one request and its answers. Every error is a problem.
func newOperation(id, summary string, body, answer object) object {
	out := object{
		"operationId": componentName(id), "summary": summary,
		"responses": object{
			"200": object{"description": "the answer", "content": object{"application/json": object{"schema": answer}}},
			"default": object{"description": "why there is none",
				"content": object{"application/problem+json": object{"schema": refTo("problem")}}},
		},
	}
	if body != nil {
		out["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": body}}}
	}
	return out
}
