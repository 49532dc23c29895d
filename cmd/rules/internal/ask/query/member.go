package query

import "strings"

// NameMembers names the parts of a question in the text of an error as programs and forms do: given, and not --given. The
// packages that answer for all front ends name them by the flags of the command line.
func NameMembers(text string) string {
	parts := strings.Split(text, "--")
	for i, part := range parts[1:] {
		name := part[:len(part)-len(strings.TrimLeft(part, "abcdefghijklmnopqrstuvwxyz"))]
		member, before := memberOf(name), parts[i]
		advice, hasValue := strings.CutPrefix(part[len(name):], " ")
		if hasValue && member != "" && strings.HasSuffix(before, "write ") {
			parts[i+1] = advice // the value alone is written into the member
			continue
		}
		if member == "" || before != "" && !strings.ContainsAny(before[len(before)-1:], " \n\"'(") {
			member = "--" + name
		}
		parts[i+1] = member + part[len(name):]
	}
	return strings.Join(parts, "")
}

// memberOf returns the member of a question that a flag gives; "" of a flag that is none of a question.
func memberOf(flag string) string {
	switch flag {
	case "character", "input", "state", "given", "vary", "decide", "best", "policy", "after",
		"most", "exact", "joint", "of", "plays", "within", "seed", "dice", "game":
		return flag
	case "option", "output":
		return flag + "s"
	case "ask":
		return "formulas"
	}
	return ""
}
