package eliminate

import (
	"math/rand/v2"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A fold is one step of a program, of as many steps of its own as there are dice, or faces of sorted dice. The forecast of
// these walks random ways likewise (forecast.go), from the beginning of the fold on.

// A foldWalk is a fold as the forecast walks it, in rounds: one for each die or, of sorted dice, for each face.
type foldWalk[W pmf.Weight[W]] struct {
	source   plan.ID
	charged  float64 // the work that was charged before the fold
	initial  []int64 // the values that are carried into the fold
	dice     int
	faces    int  // different ones
	isSorted bool // the rounds are faces in their order, and not dice
	classes  int  // that a state meets in a round
	// meetFace lets a state meet a face of a die.
	meetFace func(state []int64, die, face int) error
}

// foreseeFold refuses a fold that takes more than the budget. So much of its work is charged next.
func (e *engine[W]) foreseeFold(f *foldWalk[W], units int) error {
	b := e.budget
	if e.recalls || !b.isForecastDue(&b.foldForecast, int64(units)) {
		return nil
	}
	words := e.executor.LongWork()
	defer func() { b.words += e.executor.LongWork() - words }()
	allowance := int(b.spent) + units
	for ways := fewWays; ways*f.dice <= 4*allowance; ways *= moreWays {
		isDecidable, err := f.walkRounds(e, ways, 4*allowance/f.dice, words+int64(allowance)*wordsOfUnit)
		if err != nil {
			return ignoreMemory(err)
		}
		if !isDecidable {
			return nil
		}
	}
	b.foldForecast = 2 * (b.spent + int64(units))
	return nil
}

// walkRounds lets so many ways meet all dice of a fold, and refuses it when they lead to too many states. It reports
// whether it would be refused if so many ways as may be walked met as often as these. Formulas that take more words than
// may be taken decide nothing.
func (f *foldWalk[W]) walkRounds(e *engine[W], ways, most int, words int64) (isDecidable bool, err error) {
	random := rand.New(rand.NewPCG(1, 2))
	states, faces := make([][]int64, ways), make([][]int, ways)
	for i := range states {
		states[i] = append([]int64{0}, f.initial...)
		faces[i] = drawFaces(random, f.dice, f.faces)
		if f.isSorted {
			slices.Sort(faces[i])
		}
	}
	rounds := f.dice
	if f.isSorted {
		rounds = f.faces
	}
	var found equalPairCounter
	needs, hopes := f.charged, f.charged
	more := float64(most) / float64(ways)
	for round := range rounds - 1 { // the work of the states behind the last one is not the fold's
		remaining := 0
		for i, state := range states {
			if e.executor.LongWork() > words {
				return false, nil
			}
			err := f.meetRound(round, state, faces[i])
			if _, ends := endingOf(err); err != nil && !ends {
				return false, err
			} else if err == nil {
				states[remaining], faces[remaining] = state, faces[i]
				remaining++
			}
		}
		states, faces = states[:remaining], faces[:remaining]
		met := found.countEqualPairs(len(states), func(i int) []int64 { return states[i] })
		needs += leastStates(len(states), met) * float64(f.classes)
		hopes += leastStates(int(more*float64(len(states))), more*more*met) * float64(f.classes)
		if needs > float64(e.budget.all) {
			return false, e.tooMuch(f.source, needs)
		}
	}
	return hopes > float64(e.budget.all), nil
}

// meetRound lets a state, which is the number of dice that have fallen and the carried values, meet the dice of a round.
func (f *foldWalk[W]) meetRound(round int, state []int64, faces []int) error {
	from := round
	if f.isSorted {
		from = int(state[0])
	}
	for die := from; die < f.dice && (die == round && !f.isSorted || f.isSorted && faces[die] == round); die++ {
		if err := f.meetFace(state[1:], die, faces[die]); err != nil {
			return err
		}
		state[0]++
	}
	return nil
}

// drawFaces draws the faces of so many dice, by Hoppe's urn: each die shows a new face, or that of an earlier one. So a way
// has few faces, and the ways lie further apart than if all faces were alike.
func drawFaces(random *rand.Rand, dice, faces int) []int {
	const newFaces = 2.0
	out := make([]int, dice)
	for i := range out {
		if random.Float64()*(newFaces+float64(i)) < newFaces {
			out[i] = random.IntN(faces)
		} else {
			out[i] = out[random.IntN(i)]
		}
	}
	return out
}
