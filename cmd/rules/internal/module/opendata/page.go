package opendata

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A subject is the kind of a disagreement, and the name of the thing that it is about.
type subject struct {
	kind kind
	name string
}

// Page returns the contradictions of the data as a page of Markdown for those who keep them: each way of
// disagreeing once, the most frequent first, with all its places by their JSON Pointers.
func (s *Source) Page() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# What the data say twice, and differently\n\n%d averages were compared with the dice beside them, "+
		"and the\ndamage of %d attacks with the text of the action", s.Averages, s.Attacks)
	if s.Shared > 0 {
		fmt.Fprintf(&out, ", and %d values with those of another publisher", s.Shared)
	}
	out.WriteString(".\n" +
		"A place is a file and, behind #, the JSON Pointer of a member in it. Which of two values is right,\n" +
		"the document says that both come from: here they are only set beside each other.\n")
	if len(s.Findings) == 0 {
		out.WriteString("\nNothing differs.\n")
		return out.String()
	}
	parts := map[kind][]int{}
	var kinds []kind
	for i := range s.subjects {
		k := s.subjects[i].kind
		if parts[k] == nil {
			kinds = append(kinds, k)
		}
		parts[k] = append(parts[k], i)
	}
	slices.SortStableFunc(kinds, func(a, b kind) int { return cmp.Compare(len(parts[b]), len(parts[a])) })
	out.WriteString("\n")
	for _, k := range kinds {
		fmt.Fprintf(&out, "- %s: %d\n", strings.ToLower(k.title[:1])+k.title[1:], len(parts[k]))
	}
	for _, k := range kinds {
		fmt.Fprintf(&out, "\n## %s: %d\n\n| of | what | at | beside |\n|---|---|---|---|\n", k.title, len(parts[k]))
		for _, i := range parts[k] {
			d, beside := &s.Findings[i], ""
			if len(d.Related) > 0 {
				beside = d.Related[0].Message + ": " + inCode(d.Related[0].Place.File)
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n",
				inCell(s.subjects[i].name), inCell(d.Message), inCode(d.Place.File), beside)
		}
	}
	return out.String()
}

// inCell returns a text of the data as a cell of Markdown: it ends no row, and marks nothing.
func inCell(text string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`, "<", "&lt;", "&", "&amp;", "`", "\\`", "[", `\[`,
		"*", `\*`).Replace(text)
}

// inCode returns a place as code in a cell.
func inCode(place string) string {
	return "`" + strings.NewReplacer("\n", " ", "\r", " ", "|", `\|`, "`", "'").Replace(place) + "`"
}
