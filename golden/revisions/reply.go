package revisions

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A reply is a sheet, or why there is none.
type reply struct {
	sheet *jsontree.Tree
	err   string
}

func answerCase(p *runtime.Program, c *golden.Case) reply {
	sheet, err := golden.Play(p, c, c.Options)
	switch {
	case err == nil:
		return reply{sheet: sheet}
	case golden.Refusal(err) != "":
		return reply{err: "refused: " + golden.Refusal(err)}
	}
	return reply{err: describeFailure(err)}
}

// describeFailure returns an error without the place of a failing formula: an edit above the formula moves it, and the
// answer is the same.
func describeFailure(err error) string {
	failed, ok := errors.AsType[*runtime.Failure](err)
	if !ok {
		return err.Error()
	}
	unplaced := *failed
	unplaced.Site.Place = plan.Place{}
	return strings.Replace(err.Error(), failed.Error(), unplaced.Error(), 1)
}

// compared are the members of sheets that rules decide.
var compared = []string{"output", "status", "character", "state", "events"}

// compareWith compares two replies.
func (a reply) compareWith(b reply) []Moved {
	switch {
	case a.err != "" && a.err == b.err:
		return nil
	case a.err != "" || b.err != "":
		return []Moved{{Path: sheetPath, Old: a.describeReply(), New: b.describeReply()}}
	}
	var out []Moved
	for _, name := range compared {
		if x, y := a.sheet.Get(name), b.sheet.Get(name); x != nil && y != nil {
			out = appendMoved(out, name, x, y)
		}
	}
	return out
}

// describeReply returns the reason why there is no sheet, or the outputs.
func (a reply) describeReply() string {
	if a.err != "" {
		return a.err
	}
	return a.sheet.Get("output").String()
}

// appendMoved compares two values both ways: members that only the new one has count too.
func appendMoved(out []Moved, path string, old, new *jsontree.Tree) []Moved {
	switch {
	case old.Kind == jsontree.Object && new.Kind == jsontree.Object:
		return appendMembers(out, path, old, new)
	case old.Kind == jsontree.Array && new.Kind == jsontree.Array && len(old.Items) == len(new.Items):
		for i := range old.Items {
			out = appendMoved(out, fmt.Sprintf("%s[%d]", path, i), old.Items[i], new.Items[i])
		}
		return out
	case old.String() == new.String():
		return out
	}
	return append(out, Moved{Path: path, Old: old.String(), New: new.String()})
}

func appendMembers(out []Moved, path string, old, new *jsontree.Tree) []Moved {
	for i, name := range old.Names {
		if x := new.Get(name); x != nil {
			out = appendMoved(out, golden.MemberPath(path, name), old.Items[i], x)
		} else {
			out = append(out, Moved{Path: golden.MemberPath(path, name), Old: old.Items[i].String()})
		}
	}
	for i, name := range new.Names {
		if old.Get(name) == nil {
			out = append(out, Moved{Path: golden.MemberPath(path, name), New: new.Items[i].String()})
		}
	}
	return out
}
