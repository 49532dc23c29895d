// Package opendata reads published data of the fifth edition: Open5e (version 2), the 5e-database, and Foundry's packs. It
// takes numbers and facts alone, as rows of tables, and compares data that stand twice: a printed average with its dice,
// and the dice and types in fields with those in the text of an action.
//
// A place is a JSON Pointer behind the name of its file: monsters.json#/3/hit_points.
package opendata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A Source is files of published data that belong together.
type Source struct {
	Tables   []*Table
	Findings []diag.Diagnostic // where the data disagree with themselves
	Averages int               // printed averages that were compared
	Attacks  int               // attacks whose fields were compared with their text
	Shared   int               // cells that two publishers have and that were compared
	subjects []subject         // by index of the finding
	actions  map[string]action // by their keys, of data that keep texts and numbers in different files
	attacks  []attack
}

// A Table is the numbers of one kind of thing: its first row names the columns, and its first column holds the keys.
type Table struct {
	Name   string
	from   publisher
	Rows   [][]string
	Places [][]string // of each cell, where it comes from; of the head, where the list begins
}

// A publisher is who publishes data, each in a form of its own.
type publisher string

const (
	open5e   publisher = "Open5e"
	database publisher = "5e-database"
	foundry  publisher = "Foundry"
)

// An action is the text of a creature's action, what it is called, and its place.
type action struct{ name, text, place string }

// An attack is the damage of an action by its fields.
type attack struct {
	key, place string
	damage     []damage
}

// A damage is dice and their type, and the places of both.
type damage struct {
	dice, kind           string
	dicePlace, kindPlace string
}

// An object is an element of a list in a file, with its place.
type object struct {
	members map[string]any
	place   string
}

// IsData reports whether a file is one of those that Add reads.
func IsData(data []byte) bool {
	list, _ := parseObjects("", data) // Add says what is wrong behind the list
	return len(list) > 0 && formatOf(list[0]) != nil
}

// Add reads a file of data.
func (s *Source) Add(name string, data []byte) error {
	list, err := parseObjects(name, data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 || formatOf(list[0]) == nil {
		return fmt.Errorf("%s is no data that are known: Open5e's files of version 2 and those of the 5e-database are read",
			name)
	}
	formatOf(list[0])(s, list)
	return nil
}

// parseObjects returns the objects of the list that a file is. With an error about text behind it the list is whole.
func parseObjects(name string, data []byte) ([]object, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var list []map[string]any
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	out := make([]object, len(list))
	for i, members := range list {
		out[i] = object{members, fmt.Sprintf("%s#/%d", name, i)}
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return out, fmt.Errorf("behind the list, at byte %d, stands more: a file of data is one list", len(data)-len(rest))
	}
	return out, nil
}

// formatOf returns the reader of a list with such an element; nil when nobody knows it.
func formatOf(first object) func(*Source, []object) {
	if model := first.text("model"); model != "" {
		return open5eModels[model]
	}
	if first.text("index") == "" {
		return nil
	}
	if first.has("hit_points") {
		return (*Source).addDatabaseMonsters
	}
	if first.has("equipment_category") || first.has("equipment_categories") {
		return (*Source).addDatabaseEquipment
	}
	return nil
}

func (o object) has(name string) bool { _, ok := o.members[name]; return ok }

// member returns an object in a member; one without members where there is none.
func (o object) member(name string) object {
	members, _ := o.members[name].(map[string]any)
	return object{members, o.place + "/" + name}
}

// list returns the objects of a list in a member.
func (o object) list(name string) (out []object) {
	list, _ := o.members[name].([]any)
	for i, x := range list {
		if members, ok := x.(map[string]any); ok {
			out = append(out, object{members, fmt.Sprintf("%s/%s/%d", o.place, name, i)})
		}
	}
	return out
}

// text returns a member as a cell has it: a number as it is written but for zeros behind its point, a truth as yes or no,
// and nothing for null.
func (o object) text(name string) string {
	switch v := o.members[name].(type) {
	case string:
		return trimZeros(v)
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case json.Number:
		return trimZeros(v.String())
	}
	return ""
}

// trimZeros returns a text without the zeros at its end where it is a number with a point.
func trimZeros(text string) string {
	if !isDecimal().MatchString(text) {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

var isDecimal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
})

// number returns a member that is a whole number, 0 for none.
func (o object) number(name string) int {
	n, _ := o.wholeNumber(name)
	return n
}

// wholeNumber returns a member that is a whole number; false for none.
func (o object) wholeNumber(name string) (int, bool) {
	n, err := strconv.Atoi(o.text(name))
	return n, err == nil
}

// A column is a column of a table: its name, and the member that it is read from, below others.
type column struct {
	name string
	path []string
	zero string // in the place of nothing
}

// addRow writes an object as a row of a publisher's table.
func (s *Source) addRow(from publisher, table, key string, o object, columns []column) {
	var t *Table
	for _, known := range s.Tables {
		if known.Name == table && known.from == from {
			t = known
		}
	}
	if t == nil {
		t = &Table{Name: table, from: from, Rows: [][]string{{"key"}}, Places: [][]string{{o.place}}}
		for _, c := range columns {
			t.Rows[0], t.Places[0] = append(t.Rows[0], c.name), append(t.Places[0], o.place)
		}
		s.Tables = append(s.Tables, t)
	}
	row, places := []string{key}, []string{o.place}
	for _, c := range columns {
		in := o
		for _, name := range c.path[:len(c.path)-1] {
			in = in.member(name)
		}
		last := c.path[len(c.path)-1]
		text := in.text(last)
		if text == "" {
			text = c.zero
		}
		row, places = append(row, text), append(places, in.place+"/"+last)
	}
	t.Rows, t.Places = append(t.Rows, row), append(t.Places, places)
}

// keyOf returns a key as rulesets write names: adult_black_dragon.
func keyOf(text string) string {
	return strings.Trim(notInKey().ReplaceAllString(strings.ToLower(text), "_"), "_")
}

var notInKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[^\pL0-9]+`)
})
