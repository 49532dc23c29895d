package record

// A Band is a row for the integers from Lo to Hi.
type Band[T any] struct {
	Lo, Hi int64
	V      T
}

// A Step is a row for the numbers below To that no earlier row is for.
type Step struct {
	To float64
	V  int64
}

// The tables.
var (
	Heights = []Band[int64]{
		{0, 139, -15}, {140, 149, -10}, {150, 159, -5}, {160, 169, -2}, {170, 179, 0},
		{180, 189, 2}, {190, 199, 4}, {200, 209, 6}, {210, 229, 8}, {230, 400, 10},
	}
	Loads = []Step{{5, 4}, {10, 2}, {15, 0}, {20, -2}, {25, -5}, {30, -8}, {40, -12}, {50, -18}, {70, -26}, {1e9, -40}}
	// Degrees gives the index in DegreeNames and Multipliers.
	Degrees = []Step{{0.05, 0}, {0.1, 1}, {0.2, 2}, {0.35, 3}, {0.5, 4}, {0.75, 5}, {1.0000001, 6}, {1.25, 7}, {1.6, 8},
		{1e9, 9}}
	DegreeNames = []string{"legendary", "critical", "outstanding", "great", "good", "solid", "marginal", "near-miss",
		"failure", "fumble"}
	Multipliers = []float64{4.0, 3.0, 2.5, 2.0, 1.5, 1.25, 1.0, 0.5, 0.25, 0.0}
	Locations   = []Band[string]{
		{1, 5, "head"}, {6, 10, "neck"}, {11, 25, "chest"}, {26, 40, "abdomen"}, {41, 50, "left arm"},
		{51, 60, "right arm"}, {61, 70, "left hand"}, {71, 80, "right hand"}, {81, 90, "left leg"}, {91, 100, "right leg"},
	}
	Armors = []string{
		"none", "cloth", "quilted", "hide", "soft leather", "hard leather", "studded", "ring", "scale", "mail shirt",
		"mail hauberk", "brigandine", "lamellar", "splint", "breastplate", "half plate", "full plate", "jousting plate",
		"gothic plate", "dwarven plate",
	}
	// By the index in Armors.
	ArmorMods        = []int64{0, -1, -2, -3, -3, -4, -5, -7, -9, -8, -11, -10, -12, -14, -13, -17, -21, -30, -19, -16}
	ArmorInitiatives = []int64{0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 12, 7, 6}
	ArmorMod         = byName(Armors, ArmorMods)
	ArmorInitiative  = byName(Armors, ArmorInitiatives)
)

func byName(names []string, values []int64) map[string]int64 {
	out := map[string]int64{}
	for i, name := range names {
		out[name] = values[i]
	}
	return out
}

// InBand finds the row of an integer.
func InBand[T any](t []Band[T], x int64) T {
	lo, hi := 0, len(t)
	for lo < hi {
		if m := (lo + hi) / 2; t[m].Hi < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return t[lo].V
}

// AtStep finds the row of a number.
func AtStep(t []Step, x float64) int64 {
	for i := range t {
		if x < t[i].To {
			return t[i].V
		}
	}
	return t[len(t)-1].V
}
