package golang

import "testing"

// TestNamesOfDeclarations has the author name values as declarations of the package are named. With a number behind it such
// a name would still be one of a declaration, so that there would be no end of trying numbers.
func TestNamesOfDeclarations(t *testing.T) {
	for name, want := range map[string]string{"run_speed": "theRunSpeed", "new_skills": "theNewSkills", "v12": "theV12",
		"row_of_loot": "theRowOfLoot", "check_roll": "checkRoll", "running": "running"} {
		if got := language.Identifier(name); got != want || language.IsReserved(got) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
