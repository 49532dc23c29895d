package eliminate

import (
	"math/rand/v2"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A fold is one step of a program, of as many steps of its own as there are dice, or faces of sorted dice. The forecast of
// these walks random ways likewise (forecast.go), from the beginning of the fold on.

// A foldStages is a fold as the forecast walks it.
type foldStages[W pmf.Weight[W]] struct {
	source   plan.ID
	before   float64 // the work that was charged before the fold
	begin    []int64
	dice     int
	faces    int  // different ones
	isSorted bool // the stages are faces in their order, and not dice
	classes  int  // that a state meets in a stage
	// meet lets a state meet a face of a die.
	meet func(state []int64, die, face int) error
}

// foreseeFold refuses a fold that takes more than the budget. So much of its work is charged next.
func (e *engine[W]) foreseeFold(f *foldStages[W], units int) error {
	b := e.budget
	if e.recalls || !b.isForecastDue(&b.foldForecast, int64(units)) {
		return nil
	}
	words := e.stage.LongWork()
	defer func() { b.words += e.stage.LongWork() - words }()
	may := int(b.spent) + units
	for ways := fewWays; ways*f.dice <= 4*may; ways *= moreWays {
		isDecidable, err := f.walk(e, ways, 4*may/f.dice)
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

// walk lets so many ways meet all dice of a fold, and refuses it when they lead to too many states. It reports whether it would
// be refused if so many ways as may be walked met as often as these.
func (f *foldStages[W]) walk(e *engine[W], ways, most int) (isDecidable bool, err error) {
	random := rand.New(rand.NewPCG(1, 2))
	states, faces := make([][]int64, ways), make([][]int, ways)
	for i := range states {
		states[i] = append([]int64{0}, f.begin...)
		faces[i] = drawFaces(random, f.dice, f.faces)
		if f.isSorted {
			slices.Sort(faces[i])
		}
	}
	stages := f.dice
	if f.isSorted {
		stages = f.faces
	}
	var found meetings
	needs, hopes := f.before, f.before
	more := float64(most) / float64(ways)
	for stage := range stages - 1 { // what the states behind the last one take is not the fold's
		on := 0
		for i, state := range states {
			err := f.pass(stage, state, faces[i])
			if _, ends := endingOf(err); err != nil && !ends {
				return false, err
			} else if err == nil {
				states[on], faces[on] = state, faces[i]
				on++
			}
		}
		states, faces = states[:on], faces[:on]
		met := found.count(len(states), func(i int) []int64 { return states[i] })
		needs += leastStates(len(states), met) * float64(f.classes)
		hopes += leastStates(int(more*float64(len(states))), more*more*met) * float64(f.classes)
		if needs > float64(e.budget.all) {
			return false, e.tooMuch(f.source, needs)
		}
	}
	return hopes > float64(e.budget.all), nil
}

// pass lets a state, how many dice have fallen and what is carried, meet the dice of a stage.
func (f *foldStages[W]) pass(stage int, state []int64, faces []int) error {
	from := stage
	if f.isSorted {
		from = int(state[0])
	}
	for die := from; die < f.dice && (die == stage && !f.isSorted || f.isSorted && faces[die] == stage); die++ {
		if err := f.meet(state[1:], die, faces[die]); err != nil {
			return err
		}
		state[0]++
	}
	return nil
}

// drawFaces draws the faces of so many dice, by Hoppe's urn: each die shows a new face, or that of an earlier one. So a way has
// few faces, and the ways lie further apart than if all faces were alike.
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
