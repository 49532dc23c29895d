package argdata

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// ParseGiven reads the values of --dice: "43,7", "roll=43,7", or a file that holds an earlier sheet.
func ParseGiven(values []string, files *Files) (dice.Faces, error) {
	var out dice.Faces
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

// facesByColon is faces of a die by its id, with a colon where = belongs.
var facesByColon = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_]\w*: *-?[0-9][0-9, -]*$`) })

// facesOf tells the three forms of a value apart: a name and "=", digits and commas, or else a
// file. A file whose name is all digits is reached as ./43.
func facesOf(value string, files *Files) (dice.Faces, error) {
	if strings.ContainsAny(value, "=[{") || facesByColon().MatchString(value) ||
		strings.Trim(value, "0123456789,- ") == "" && value != Stdin {
		t, err := dice.ParseThrow(value)
		return t.Dice, err
	}
	return sheetFaces(value, files)
}

// sheetFaces returns the dice of an earlier sheet. A sheet has them by the ids of their dice, so
// that they fall again in any order.
func sheetFaces(name string, files *Files) (dice.Faces, error) {
	text, err := files.Read("dice", name)
	if errors.Is(err, fs.ErrNotExist) && dice.IsNotation(name) {
		return dice.Faces{}, fmt.Errorf("%s is dice, and no face: say what fell, --dice 4, or let it be drawn, --seed 1",
			name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return dice.Faces{},
			errors.New("faces are numbers, 5,3 or roll=5, or the file of an earlier sheet, which is not there")
	}
	if err != nil {
		return dice.Faces{}, err
	}
	var sheet struct{ Dice dice.Rolls }
	if err := json.Unmarshal(text, &sheet); err != nil {
		return dice.Faces{}, fmt.Errorf("this is no sheet: %w", err)
	}
	if sheet.Dice == nil {
		return dice.Faces{}, errors.New("this is no sheet: it has no member dice")
	}
	return dice.Faces{ByID: sheet.Dice}, nil
}

// addFaces adds faces that fall after the others of their die.
func addFaces(f *dice.Faces, more dice.Faces) {
	if more.List != nil {
		f.List = append(append([]int64{}, f.List...), more.List...)
	}
	if more.ByID != nil && f.ByID == nil {
		f.ByID = dice.Rolls{}
	}
	for _, r := range more.ByID {
		if at := slices.IndexFunc(f.ByID, func(x dice.Roll) bool { return x.ID == r.ID }); at >= 0 {
			f.ByID[at].Faces = append(f.ByID[at].Faces, r.Faces...)
			continue
		}
		f.ByID = append(f.ByID, r)
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
