package golden

import (
	"fmt"
	"regexp"
	"sync"

	"golang.org/x/tools/txtar"
)

// characterHeader is the header that names a file with the character.
var characterHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^character:[ \t]*(.*?)[ \t]*\n`)
})

// Embed returns the text of a file of cases that needs no other file: characters that headers name stand in it. Text
// without such a header stays as it is. Read gives the files, by their paths from the directory of the file. Only headers
// are searched, which end at the first blank line: a sentence that begins with "character:" is none.
//
// A release holds cases as single files, so that they can be played from the release alone. The character is written into
// each case that names it; the meaning of the case does not change.
func Embed(data []byte, read func(name string) ([]byte, error)) ([]byte, error) {
	archive := txtar.Parse(data)
	out := &txtar.Archive{}
	found := false
	embed := func(headers []byte) ([]byte, error) {
		end := len(headers)
		if blank := regexp.MustCompile(`(?m)^[ \t]*$`).FindIndex(headers); blank != nil {
			end = blank[0]
		}
		m := characterHeader().FindSubmatchIndex(headers[:end])
		if m == nil {
			return headers, nil
		}
		name := string(headers[m[2]:m[3]])
		character, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("the character %s cannot be read: %w", name, err)
		}
		found = true
		out.Files = append(out.Files, txtar.File{Name: "character.json", Data: character})
		return append(append([]byte{}, headers[:m[0]]...), headers[m[1]:]...), nil
	}
	var err error
	if out.Comment, err = embed(archive.Comment); err != nil {
		return nil, err
	}
	for _, f := range archive.Files {
		if f.Name != NextCase {
			out.Files = append(out.Files, f)
			continue
		}
		at := len(out.Files)
		out.Files = append(out.Files, f)
		headers, err := embed(f.Data)
		if err != nil {
			return nil, err
		}
		out.Files[at].Data = headers
	}
	if !found {
		return data, nil
	}
	return txtar.Format(out), nil
}
