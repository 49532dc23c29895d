package toolserver

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
)

// A failure is why there is no answer, and what to do.
type failure struct {
	Problem *api.Problem `json:"problem"`
	Repair  string       `json:"repair,omitempty"`
}

// repairOf returns what to do about a problem with a code, "" where nothing is known.
func repairOf(code string) string {
	switch code {
	case "input":
		return "call needs for the fields of the rule, or check for the character"
	case "dice":
		return "leave dice out to roll, or give the faces that needs lists"
	case "state":
		return "give the state that play returned, or begin anew with a character"
	case "not-offered":
		return "call play without events to see which events are offered"
	case "too-large":
		return "ask for fewer outputs, or give more of the input"
	case "refused":
		return "the rules say no: change the input or the character, and tell the player why"
	}
	return ""
}

// repairOfName returns where names of a kind are listed.
func repairOfName(what string) string {
	switch what {
	case "argument":
		return "" // the message lists them
	case "event", "decision", "output", "option", "field of the input":
		return "call needs for what the rule or procedure takes"
	}
	return "call find for the names that there are"
}

// problemResult returns the answer of a call that has none.
func problemResult(err error) *mcp.CallToolResult {
	f := failure{Problem: api.ProblemOf(err)}
	f.Repair = repairOf(f.Problem.Code)
	if unknown, ok := errors.AsType[*runtime.UnknownError](err); ok {
		f.Repair = repairOfName(unknown.What)
	}
	text, err := json.Marshal(f)
	must.Succeed(err)
	said := f.Problem.Detail
	if f.Problem.Path != "" {
		said = f.Problem.Path + ": " + said
	}
	if f.Repair != "" {
		said += "\n" + f.Repair
	}
	return &mcp.CallToolResult{IsError: true, StructuredContent: json.RawMessage(text),
		Content: []mcp.Content{&mcp.TextContent{Text: said}}}
}
