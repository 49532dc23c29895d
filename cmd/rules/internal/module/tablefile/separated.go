package tablefile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// decodeSeparated returns the text of a file of rows, and the character between its cells. In a file of CSV this is the one
// of comma, semicolon and tab that its first row with several cells has most often: where numbers have a decimal comma,
// spreadsheet programs write semicolons. A first line sep=; says it too, and is no row.
func decodeSeparated(data []byte, form string) (text []byte, separator rune, err error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, 0, errors.New("the text is in UTF-16: save it as CSV in UTF-8")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // a mark of the byte order, which spreadsheet programs write
	if !utf8.Valid(data) {
		at := 0
		for r, size := utf8.DecodeRune(data); r != utf8.RuneError || size != 1; r, size = utf8.DecodeRune(data[at:]) {
			at += size
		}
		return nil, 0, fmt.Errorf("line %d is no text in UTF-8: save it as CSV in UTF-8",
			bytes.Count(data[:at], []byte("\n"))+1)
	}
	if !bytes.Contains(data, []byte("\n")) { // as spreadsheet programs of old Macintoshes end lines
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	if form == ".tsv" {
		return data, '\t', nil
	}
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if sep, ok := bytes.CutPrefix(bytes.ToLower(bytes.TrimSpace(head)), []byte("sep=")); ok && len(sep) == 1 {
		return rest, rune(sep[0]), nil
	}
	return data, separatorOf(string(data)), nil
}

// separatorOf returns the character that separates the cells of the first row with several, a comma in doubt. A title may
// stand above.
func separatorOf(text string) rune {
	counts := map[rune]int{}
	isQuoted := false
	for _, r := range text {
		switch {
		case r == '"':
			isQuoted = !isQuoted
		case isQuoted:
		case r == '\n' && counts[',']+counts[';']+counts['\t'] > 0:
			return mostFrequent(counts)
		default:
			counts[r]++
		}
	}
	return mostFrequent(counts)
}

func mostFrequent(counts map[rune]int) rune {
	best := ','
	for _, r := range ";\t" {
		if counts[r] > counts[best] {
			best = r
		}
	}
	return best
}

// readSeparated reads rows whose cells a character separates.
func readSeparated(data []byte, separator rune) (rows [][]string, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord = separator, -1
	next := 1 // the line behind the last row
	for {
		row, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		// The reader passes empty lines over, which are rows of the sheet.
		for line, _ := r.FieldPos(0); next < line && len(rows) <= maxRows; next++ {
			rows = append(rows, nil)
		}
		switch {
		case len(rows) < maxRows:
			rows = append(rows, row)
		case !isEmpty(row):
			return nil, fmt.Errorf("the sheet has more than %d rows", maxRows)
		}
		line, _ := r.FieldPos(len(row) - 1)
		next = line + strings.Count(row[len(row)-1], "\n") + 1
	}
}
