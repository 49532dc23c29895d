package opendata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxPackFiles bounds the files of a directory; the largest collection that is published has some three thousand.
const maxPackFiles = 10_000

// ArePacks reports whether the sources of Foundry's packs lie in a directory or in those right below it. No more is looked
// at, as the directory may be any.
func ArePacks(files fs.FS, read func(file string) ([]byte, error)) bool {
	for _, pattern := range []string{"*.yml", "*/*.yml"} {
		names, err := fs.Glob(files, pattern)
		if err != nil || len(names) == 0 {
			continue
		}
		data, err := read(names[0])
		if err != nil {
			return false
		}
		o, err := parseYAML(names[0], data)
		return err == nil && isThing(o)
	}
	return false
}

// isThing reports whether a document is a thing of Foundry.
func isThing(o object) bool { return o.has("_id") && (o.has("system") || o.has("folder")) }

// AddPacks reads the sources of Foundry's packs of dnd5e below a directory, a file of YAML for each thing. Things of other
// kinds than creatures, weapons and armour are passed over; a file that is no YAML is a finding. Their texts have no
// numbers, so that only averages are compared. Name is the directory's in places.
func (s *Source) AddPacks(name string, files fs.FS, read func(file string) ([]byte, error)) error {
	seen := 0
	return fs.WalkDir(files, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(file) != ".yml" {
			return err
		}
		if seen++; seen > maxPackFiles {
			return fmt.Errorf("%s has more than %d files", name, maxPackFiles)
		}
		data, err := read(file)
		if err != nil {
			return err
		}
		o, err := parseYAML(path.Join(name, file), data)
		if err != nil {
			s.addFinding(brokenFile, file, path.Join(name, file), "", "",
				strings.ReplaceAll(err.Error(), "\n", " "))
			return nil
		}
		if isThing(o) {
			s.addFoundry(o)
		}
		return nil
	})
}

// parseYAML returns the document in a file.
func parseYAML(name string, data []byte) (object, error) {
	var document any
	if err := yaml.Unmarshal(data, &document); err != nil {
		return object{}, err
	}
	text, err := json.Marshal(document)
	if err != nil {
		return object{}, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		return object{}, err
	}
	return object{members, name + "#"}, nil
}

// addFoundry reads a creature, a weapon or armour.
func (s *Source) addFoundry(o object) {
	key := keyOf(o.text("name"))
	system := o.member("system")
	switch o.text("type") {
	case "npc":
		hits := system.member("attributes").member("hp")
		columns := []column{
			{"hit_points", []string{"attributes", "hp", "max"}, "0"},
			{"hit_dice", []string{"attributes", "hp", "formula"}, "0"},
			{"challenge", []string{"details", "cr"}, "0"},
		}
		for _, ability := range abilities {
			columns = append(columns, column{ability, []string{"abilities", ability[:3], "value"}, ""})
		}
		s.addRow(foundry, "monsters", key, system, columns)
		s.compareMember(key, hits, "max", "formula")
	case "weapon":
		if base := system.member("damage").member("base"); base.number("number") > 0 {
			writeAsText(base)
			s.addRow(foundry, "weapons", key, system, []column{
				{"damage", []string{"damage", "base", "number"}, "0"},
				{"type", []string{"damage", "base", "types"}, "none"},
				{"range", []string{"range", "value"}, "0"}, {"long_range", []string{"range", "long"}, "0"},
				{"weight", []string{"weight", "value"}, "0"},
			})
		}
	case "equipment":
		if slices.Contains([]string{"light", "medium", "heavy"}, system.member("type").text("value")) {
			s.addRow(foundry, "armour", key, system, []column{
				{"base", []string{"armor", "value"}, ""}, {"dexterity_most", []string{"armor", "dex"}, "10"},
				{"strength", []string{"strength"}, "0"}, {"weight", []string{"weight", "value"}, "0"},
			})
		}
	}
}

// writeAsText rewrites the members of a damage, which has the number of its dice, their faces and a list of types, so that
// the number is the dice, 1d8, or 1 without faces, and the types are the first.
func writeAsText(damage object) {
	dice := damage.text("number")
	if faces := damage.number("denomination"); faces > 1 {
		dice += fmt.Sprintf("d%d", faces)
	}
	damage.members["number"] = dice
	if types, _ := damage.members["types"].([]any); len(types) > 0 {
		damage.members["types"] = types[0]
	}
}
