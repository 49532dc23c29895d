package say

import (
	"slices"
	"strconv"
	"strings"
)

// Die returns what a die of the definition is called within a sentence, by as few words as tell it from the others: of
// attempt.roll and attempt.filter.roll the first is "roll", the second "filter, roll"; of ours.roll and theirs.roll none
// is the "roll". One of several that a use rolls has its number behind it: "roll 3" of strikes[2].roll.
func (t *Teller) Die(id string) string {
	name := t.dieNames()[withoutIndices(id)]
	if name == "" {
		name = t.label(PathOf(id))
	}
	for _, index := range indices().FindAllString(id, -1) {
		if n, err := strconv.Atoi(strings.Trim(index, "[]")); err == nil {
			name += " " + strconv.Itoa(n+1)
		}
	}
	return name
}

func withoutIndices(id string) string { return indices().ReplaceAllString(id, "") }

// dieNames names the dice of the definition, without the indices of their ids.
//
// The own name of a die is its own where its path is the shortest of those that end so. Another die takes the first of its
// longer names that no die without a name has too. Those that are taken may set some free for others, so the dice are gone
// through in rounds until nothing changes; those that are left have all their words.
func (t *Teller) dieNames() map[string]string {
	names := map[string]string{}
	open := map[string][]string{} // by the id, the names that may be taken
	var ids []string              // in the order in which they fall
	for i := range t.dice {
		if id := withoutIndices(t.dice[i].ID); !slices.Contains(ids, id) {
			ids, open[id] = append(ids, id), t.namesOfDie(id)
		}
	}
	for _, id := range ids {
		if isShortest(id, ids, open) {
			names[id] = open[id][0]
		}
	}
	for id := range names {
		delete(open, id)
	}
	for taken := []string{""}; len(taken) > 0; {
		taken = nil
		for _, id := range ids {
			if at := slices.IndexFunc(open[id], func(name string) bool { return isOnlyName(name, id, open) }); at > 0 {
				names[id], taken = open[id][at], append(taken, id)
			}
		}
		for _, id := range taken {
			delete(open, id)
		}
	}
	for id := range open {
		names[id] = t.Called(id)
	}
	return names
}

// isShortest reports whether every other die with the own name of a die has a longer path.
func isShortest(id string, ids []string, names map[string][]string) bool {
	return !slices.ContainsFunc(ids, func(other string) bool {
		return other != id && names[other][0] == names[id][0] && strings.Count(other, ".") <= strings.Count(id, ".")
	})
}

// namesOfDie returns what a die may be called, the shortest first: its own label, and that behind the label of one of the
// uses on the way to it, the nearest first.
func (t *Teller) namesOfDie(id string) []string {
	path := strings.Split(id, ".")
	own := t.label(path)
	out := []string{own}
	for i := len(path) - 1; i > 0; i-- {
		if use := t.label(path[:i]); use != own {
			out = append(out, use+", "+own)
		}
	}
	return out
}

// isOnlyName reports whether a name is longer than the own name of a die, and no other die that is left may have it.
func isOnlyName(name, id string, open map[string][]string) bool {
	for other, names := range open {
		if name == names[0] || other != id && slices.Contains(names, name) {
			return false
		}
	}
	return true
}
