package opendata

// addDatabaseMonsters reads the monsters of the 5e-database, whose actions hold text and fields side by side.
func (s *Source) addDatabaseMonsters(list []object) {
	columns := []column{
		{"hit_points", []string{"hit_points"}, ""}, {"hit_dice", []string{"hit_points_roll"}, ""},
		{"challenge", []string{"challenge_rating"}, ""}, {"xp", []string{"xp"}, "0"},
	}
	for _, ability := range abilities {
		columns = append(columns, column{ability, []string{ability}, ""})
	}
	for _, o := range list {
		key := keyOf(o.text("index"))
		s.addRow(database, "monsters", key, o, columns)
		s.compareMember(key, o, "hit_points", "hit_points_roll")
		for _, group := range []string{"special_abilities", "actions", "reactions", "legendary_actions"} {
			for _, a := range o.list(group) {
				of := action{key + ", " + a.text("name"), a.text("desc"), a.place + "/desc"}
				s.compareAverages(of)
				if attack := databaseAttack(a); len(attack.damage) > 0 {
					s.compareAttack(&attack, of)
				}
			}
		}
	}
}

// databaseAttack returns the damage of an action, also that which is one of several to choose.
func databaseAttack(a object) attack {
	var out attack
	for _, d := range a.list("damage") {
		options := append(d.member("from").list("options"), d)
		for _, o := range options {
			if o.has("damage_dice") {
				out.damage = append(out.damage, damage{o.text("damage_dice"), o.member("damage_type").text("index"),
					o.place + "/damage_dice", o.place + "/damage_type"})
			}
		}
	}
	return out
}

// addDatabaseEquipment reads the weapons and the armour of the 5e-database.
func (s *Source) addDatabaseEquipment(list []object) {
	for _, o := range list {
		switch key := keyOf(o.text("index")); {
		case o.has("armor_class"):
			s.addRow(database, "armour", key, o, []column{
				{"base", []string{"armor_class", "base"}, ""}, {"dexterity", []string{"armor_class", "dex_bonus"}, "no"},
				{"dexterity_most", []string{"armor_class", "max_bonus"},
					uncappedDexterity(o.member("armor_class"), "dex_bonus")},
				{"strength", []string{"str_minimum"}, "0"},
				{"disadvantage", []string{"stealth_disadvantage"}, "no"}, {"weight", []string{"weight"}, "0"},
			})
		case o.member("damage").has("damage_dice"):
			s.addRow(database, "weapons", key, o, []column{
				{"damage", []string{"damage", "damage_dice"}, "0"},
				{"type", []string{"damage", "damage_type", "index"}, "none"},
				{"range", []string{"range", "normal"}, "0"}, {"long_range", []string{"range", "long"}, "0"},
				{"weight", []string{"weight"}, "0"},
			})
		}
	}
}
