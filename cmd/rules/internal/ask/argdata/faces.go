package argdata

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/golden"
)

// ParseGiven reads the values of --dice: "43,7", "roll=43,7", or a file that holds an earlier sheet.
func ParseGiven(values []string, files *Files) (golden.Faces, error) {
	var out golden.Faces
	for _, v := range values {
		more, err := facesOf(v, files)
		if err != nil {
			return out, fmt.Errorf("--dice %s: %w", v, err)
		}
		addFaces(&out, more)
	}
	if out.List != nil && out.ByID != nil {
		return out, errors.New("--dice gives some faces by id and some without: give all in one way")
	}
	return out, nil
}

// facesOf tells the three forms of a value apart: a name and "=", digits and commas, or else a
// file. A file whose name is all digits is reached as ./43.
func facesOf(value string, files *Files) (golden.Faces, error) {
	if strings.Contains(value, "=") || strings.Trim(value, "0123456789,- ") == "" && value != Stdin {
		return golden.ParseFaces(value)
	}
	return sheetFaces(value, files)
}

// sheetFaces returns the dice of an earlier sheet. A sheet has them by the ids of their dice, so
// that they fall again in any order.
func sheetFaces(name string, files *Files) (golden.Faces, error) {
	text, err := files.Read("dice", name)
	if err != nil {
		return golden.Faces{}, err
	}
	var sheet struct{ Dice map[string][]int64 }
	if err := json.Unmarshal(text, &sheet); err != nil {
		return golden.Faces{}, fmt.Errorf("this is no sheet: %w", err)
	}
	if sheet.Dice == nil {
		return golden.Faces{}, errors.New("this is no sheet: it has no member dice")
	}
	return golden.Faces{ByID: sheet.Dice}, nil
}

// addFaces adds faces that fall after the others of their die.
func addFaces(f *golden.Faces, more golden.Faces) {
	if more.List != nil {
		f.List = append(append([]int64{}, f.List...), more.List...)
	}
	if more.ByID != nil && f.ByID == nil {
		f.ByID = map[string][]int64{}
	}
	for id, faces := range more.ByID {
		f.ByID[id] = append(f.ByID[id], faces...)
	}
}

// DrawSeed draws the seed of a run. It is below 2^53, which a double holds exactly: a seed goes into sheets and receipts,
// and JavaScript reads those.
//
// The upper 53 of 64 random bits are as even as all of them; a shift and not a modulo keeps them
// so.
func DrawSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return binary.LittleEndian.Uint64(b[:]) >> 11
}
