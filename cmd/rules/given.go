package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// given are the faces that --dice gives: in a list in the order in which they fall, or by the id of their die.
type given struct {
	list []int64
	byID map[string][]int64 // nil when the list counts
}

// source gives the faces from the first on.
func (g *given) source() dice.Source {
	if g.byID != nil {
		return dice.ByID(g.byID)
	}
	return dice.FromList(g.list)
}

// parseGiven reads the values of --dice: "43,7", "roll=43,7", or a file that holds an earlier sheet.
func parseGiven(values []string, files *files) (*given, error) {
	out := &given{}
	for _, v := range values {
		if err := out.add(v, files); err != nil {
			return nil, fmt.Errorf("--dice %s: %w", v, err)
		}
	}
	if out.list != nil && out.byID != nil {
		return nil, errors.New("--dice gives some faces by id and some without: give all in one way")
	}
	return out, nil
}

func (g *given) add(value string, files *files) error {
	id, list, named := strings.Cut(value, "=")
	switch {
	case named:
		faces, err := faceList(list)
		return errors.Join(err, g.pile(id, faces))
	case strings.Trim(value, "0123456789,- ") == "" && value != stdin:
		faces, err := faceList(value)
		g.list = append(g.list, faces...)
		return err
	}
	return g.sheet(value, files)
}

// pile adds the faces of a die.
func (g *given) pile(id string, faces []int64) error {
	if id == "" {
		return errors.New("no die stands before the =")
	}
	if g.byID == nil {
		g.byID = map[string][]int64{}
	}
	g.byID[id] = append(g.byID[id], faces...)
	return nil
}

// faceList reads "43,7".
func faceList(text string) ([]int64, error) {
	out := []int64{}
	if strings.TrimSpace(text) == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		face, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no face", strings.TrimSpace(part))
		}
		out = append(out, face)
	}
	return out, nil
}

// sheet takes the dice of an earlier sheet.
func (g *given) sheet(name string, files *files) error {
	text, err := files.read("dice", name)
	if err != nil {
		return err
	}
	var sheet struct{ Dice map[string][]int64 }
	if err := json.Unmarshal(text, &sheet); err != nil {
		return fmt.Errorf("this is no sheet: %w", err)
	}
	if sheet.Dice == nil {
		return errors.New("this is no sheet: it has no member dice")
	}
	if g.byID == nil {
		g.byID = map[string][]int64{}
	}
	maps.Copy(g.byID, sheet.Dice)
	return nil
}

// drawSeed draws the seed of a run. It is below 2^53, so that every reader of JSON keeps it exactly.
func drawSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return binary.LittleEndian.Uint64(b[:]) >> 11
}
