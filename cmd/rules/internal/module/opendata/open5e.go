package opendata

import (
	"fmt"
	"strings"
)

// open5eModels are the files of Open5e, version 2, that are read, by the model of their elements.
var open5eModels = map[string]func(*Source, []object){
	"api_v2.creature":             (*Source).addOpenCreatures,
	"api_v2.creatureaction":       (*Source).addOpenActions,
	"api_v2.creatureactionattack": (*Source).addOpenAttacks,
	"api_v2.weapon":               (*Source).addOpenWeapons,
	"api_v2.armor":                (*Source).addOpenArmour,
}

// openKey returns the key of an element without its document: srd_adult-black-dragon is adult_black_dragon.
func openKey(o object) string {
	_, name, ok := strings.Cut(o.text("pk"), "_")
	if !ok {
		name = o.text("pk")
	}
	return keyOf(name)
}

func (s *Source) addOpenCreatures(list []object) {
	columns := []column{
		{"armor_class", []string{"armor_class"}, ""}, {"hit_points", []string{"hit_points"}, ""},
		{"hit_dice", []string{"hit_dice"}, ""}, {"challenge", []string{"challenge_rating"}, ""},
	}
	for _, ability := range abilities {
		columns = append(columns, column{ability, []string{"ability_score_" + ability}, ""})
	}
	for _, o := range list {
		fields := o.member("fields")
		s.addRow(open5e, "monsters", openKey(o), fields, columns)
		s.compareMember(openKey(o), fields, "hit_points", "hit_dice")
	}
}

var abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

func (s *Source) addOpenActions(list []object) {
	if s.actions == nil {
		s.actions = map[string]action{}
	}
	for _, o := range list {
		fields := o.member("fields")
		of := action{openKey(o), fields.text("desc"), fields.place + "/desc"}
		s.actions[o.text("pk")] = of
		s.compareAverages(of)
	}
}

func (s *Source) addOpenAttacks(list []object) {
	for _, o := range list {
		fields := o.member("fields")
		s.attacks = append(s.attacks, attack{fields.text("parent"), fields.place, []damage{
			openDamage(fields, ""), openDamage(fields, "extra_"),
		}})
		s.addRow(open5e, "attacks", openKey(o), fields, []column{
			{"to_hit", []string{"to_hit_mod"}, "0"}, {"dice", []string{"damage_die_count"}, "0"},
			{"die", []string{"damage_die_type"}, "none"}, {"bonus", []string{"damage_bonus"}, "0"},
			{"type", []string{"damage_type"}, "none"}, {"reach", []string{"reach"}, "0"},
		})
	}
}

// openDamage returns one of the two kinds of damage of an attack.
func openDamage(fields object, prefix string) damage {
	out := damage{kind: fields.text(prefix + "damage_type"),
		dicePlace: fields.place + "/" + prefix + "damage_die_count", kindPlace: fields.place + "/" + prefix + "damage_type"}
	if count := fields.number(prefix + "damage_die_count"); count > 0 {
		out.dice = fmt.Sprintf("%d%s", count, strings.ToLower(fields.text(prefix+"damage_die_type")))
		if bonus := fields.number(prefix + "damage_bonus"); bonus != 0 {
			out.dice += fmt.Sprintf("%+d", bonus)
		}
	}
	return out
}

func (s *Source) addOpenWeapons(list []object) {
	for _, o := range list {
		s.addRow(open5e, "weapons", openKey(o), o.member("fields"), []column{
			{"damage", []string{"damage_dice"}, "0"}, {"type", []string{"damage_type"}, "none"},
			{"simple", []string{"is_simple"}, "no"}, {"range", []string{"range"}, "0"},
			{"long_range", []string{"long_range"}, "0"},
		})
	}
}

func (s *Source) addOpenArmour(list []object) {
	for _, o := range list {
		fields := o.member("fields")
		s.addRow(open5e, "armour", openKey(o), fields, []column{
			{"base", []string{"ac_base"}, ""}, {"dexterity", []string{"ac_add_dexmod"}, "no"},
			{"dexterity_most", []string{"ac_cap_dexmod"}, uncappedDexterity(fields, "ac_add_dexmod")},
			{"strength", []string{"strength_score_required"}, "0"},
			{"disadvantage", []string{"grants_stealth_disadvantage"}, "no"},
		})
	}
}

// uncappedDexterity returns the highest dexterity bonus of armour without a cap: 10, or 0 where a member says that it adds
// none.
func uncappedDexterity(armour object, adds string) string {
	if armour.text(adds) == "yes" {
		return "10"
	}
	return "0"
}
