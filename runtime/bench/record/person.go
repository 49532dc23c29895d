package record

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Person is a character as a campaign keeps it: beside what the rule reads, a lot that it does not.
type Person struct {
	Name      string           `json:"name"`
	Player    string           `json:"player"`
	Concept   string           `json:"concept"`
	Strength  int64            `json:"strength"`
	Agility   int64            `json:"agility"`
	Endurance int64            `json:"endurance"`
	Height    int64            `json:"height"`
	Rank      int64            `json:"rank"`
	SB        int64            `json:"sb"`
	DF        int64            `json:"df"`
	Wounded   int64            `json:"wounded"`
	Load      float64          `json:"load"`
	Armor     string           `json:"armor"`
	Skills    map[string]int64 `json:"skills"`
	Languages []string         `json:"languages"`
	Gear      []Item           `json:"gear"`
	Purse     Purse            `json:"purse"`
	Alive     bool             `json:"alive"`
	Notes     string           `json:"notes"`
}

// An Item is a part of a person's gear.
type Item struct {
	Name   string  `json:"name"`
	Count  int64   `json:"count"`
	Weight float64 `json:"weight"`
}

// A Purse holds coins.
type Purse struct {
	Gold   int64 `json:"gold"`
	Silver int64 `json:"silver"`
	Copper int64 `json:"copper"`
}

// beside are the fields of a person that the rule does not read, as the ruleset has them.
const beside = `
	name:    string
	player:  string
	concept: string
	skills: [string]: int & >=0 & <=100
	languages: [...string] & list.MaxItems(8)
	gear: [...{
		name:   string
		count:  int & >=1 & <=1000
		weight: number & >=0 & <=1000
	}] & list.MaxItems(20)
	purse: {
		gold:   int & >=0 & <=1000000
		silver: int & >=0 & <=1000000
		copper: int & >=0 & <=1000000
	}
	alive: bool
	notes: string
}
`

// PersonPlan compiles the ruleset for persons.
func PersonPlan() (*plan.Plan, error) {
	return altered(func(text string) string {
		before, character, _ := strings.Cut(text, "#Character: {\n")
		fields, after, _ := strings.Cut(character, "}\n")
		before = strings.Replace(before, "package reference\n", "package reference\n\nimport \"list\"\n", 1)
		return before + "#Character: {\n" + fields + beside + after
	})
}

// Words of persons.
var (
	given    = []string{"Ada", "Bertrand", "Chloé", "Dmitri", "Eilis", "Faro", "Gwen", "Hanno", "Ines", "Jorun"}
	family   = []string{"Arkwright", "of the Marsh", "Brandt", "Two-Rivers", "Øster", "Vance", "the Younger", "Quill"}
	concepts = []string{"a disgraced knight", "ferryman and smuggler", "herbalist", "runaway apprentice",
		"map maker in debt"}
	skills = []string{"climb", "navigation", "stealth", "swimming", "riding", "first aid", "lore", "trade", "hunting",
		"persuasion", "fletching", "cooking"}
	languages = []string{"common", "old tongue", "trade cant", "river speech", "high court"}
	things    = []string{"rope", "lantern", "oil flask", "iron rations", "bedroll", "crowbar", "chalk", "waterskin",
		"short bow", "arrows"}
	sentences = []string{
		"Owes the ferryman two favors. ", "Carries a letter with a \"broken\" seal. ", "Never sleeps under a roof. ",
		"Knows who burned the mill. ", "Was seen in Kæl the night before. ", "Wants to buy back the farm. ",
	}
)

// Person makes of an input a person with the same numbers.
func (in *Input) Person(r *rand.Rand) *Person {
	p := &Person{
		Name:    fmt.Sprintf("%s %s %d", given[r.IntN(len(given))], family[r.IntN(len(family))], r.IntN(10_000)),
		Player:  given[r.IntN(len(given))],
		Concept: concepts[r.IntN(len(concepts))], Strength: in.Strength, Agility: in.Agility, Endurance: in.Endurance,
		Height: in.Height,
		Rank:   in.Rank, SB: in.SB, DF: in.DF, Wounded: in.Wounded, Load: in.Load, Armor: in.Armor,
		Skills: map[string]int64{}, Purse: Purse{r.Int64N(50), r.Int64N(200), r.Int64N(500)}, Alive: r.IntN(10) > 0,
	}
	for _, i := range r.Perm(len(skills))[:6+r.IntN(4)] {
		p.Skills[skills[i]] = r.Int64N(101)
	}
	for _, i := range r.Perm(len(languages))[:1+r.IntN(3)] {
		p.Languages = append(p.Languages, languages[i])
	}
	for _, i := range r.Perm(len(things))[:4+r.IntN(3)] {
		p.Gear = append(p.Gear, Item{things[i], 1 + r.Int64N(20), float64(r.IntN(100)) / 10})
	}
	for range 4 + r.IntN(4) {
		p.Notes += sentences[r.IntN(len(sentences))]
	}
	return p
}

// Input is what the rule reads of a person.
func (p *Person) Input() Input {
	return Input{
		Strength: p.Strength, Agility: p.Agility, Endurance: p.Endurance, Height: p.Height, Rank: p.Rank, SB: p.SB,
		DF: p.DF, Wounded: p.Wounded, Load: p.Load, Armor: p.Armor,
	}
}

// PersonLines are the persons of inputs as JSON.
func PersonLines(inputs []Input, seed uint64) (lines [][]byte, err error) {
	r := rand.New(rand.NewPCG(seed, 7))
	for i := range inputs {
		line, err := json.Marshal(inputs[i].Person(r))
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}
