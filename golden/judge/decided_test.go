package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// mostSpent is the greatest value of the field that generated rules let somebody decide; the least is 0.
const mostSpent = 5

// askBest compares what the best decisions lead to. The judge knows none: it is asked for the odds of each value that may be
// decided, and for each way in which the dice before the decision can fall the value is taken after which the rule has outputs
// most often, and of these the one that is worth most. A value that may not be decided is refused, and so never is.
//
// In one case of two only nothing, and an amount by what has fallen before, may be spent.
func (q *inquiry) askBest() (string, error) {
	isLimited := q.g.IntN(2) == 0
	i := slices.IndexFunc(q.asked.Outputs, func(o generated.Output) bool { return o.Kind == "int" })
	whole, err := treesOf(map[string][]byte{"input": q.input})
	input, isMap := whole["input"].(map[string]any)
	if i < 0 || err != nil || !isMap {
		return "", nil //nolint:nilerr // what has a member twice is compared elsewhere
	}
	worth := q.asked.Outputs[i].Name
	ways := map[string][]*sum{} // what each value comes to, by the faces that fell before
	limits := map[string]int{}  // what alone may be spent but 0, likewise
	isAlwaysGood := false       // a value that nothing refuses, whatever falls
	isWhole := true             // all dice are followed to their ends
	for spent := range mostSpent + 1 {
		input["spend"] = spent
		text, err := json.Marshal(input)
		if err != nil {
			return "", err
		}
		decided := *q
		decided.input, decided.outputs = text, []string{worth}
		chances, err := q.o.odds(q.asked.ID, decided.question(nil), 400)
		if err != nil {
			return "", unjudgedAlone(err)
		}
		if !isLimited || spent == 0 {
			isAlwaysGood = isAlwaysGood || !slices.ContainsFunc(chances, func(c judge.Chance) bool { return c.Err != nil })
		}
		for _, c := range chances {
			if _, isUnfollowed := errors.AsType[*judge.Unfollowed](c.Err); isUnfollowed {
				isWhole = false
			}
			n, isNumber := c.Output[worth].(json.Number)
			if c.Err != nil || !isNumber {
				continue
			}
			key := fallsBefore(c.Falls)
			if ways[key] == nil {
				for range mostSpent + 1 {
					ways[key] = append(ways[key], &sum{})
				}
			}
			if isLimited && limits[key] == 0 {
				if limits[key], err = decided.limitOf(c.Falls); err != nil || limits[key] == 0 {
					return "", err
				}
			}
			if !isLimited || spent == 0 || spent == limits[key] {
				ways[key][spent].add(c.P, n)
			}
		}
	}
	want := &sum{}
	for _, key := range slices.Sorted(maps.Keys(ways)) {
		best := slices.MaxFunc(ways[key], (*sum).compare)
		want.chance.Add(&want.chance, &best.chance)
		want.worth.Add(&want.worth, &best.worth)
	}
	delete(input, "spend")
	text, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	decided := *q
	decided.input = text
	choice := odds.Choice{Path: "spend"}
	if isLimited {
		choice.Reads, choice.Symmetric = []string{"before"}, []string{"before"}
		choice.Options = func(_ odds.Records, known []jsonio.Value) ([]jsonio.Value, error) {
			limit, err := limitBy(known[0].AppendJSON(nil))
			return []jsonio.Value{jsonio.IntValue(0), jsonio.IntValue(int64(limit))}, err
		}
	}
	answer, failed := q.rule.Odds(context.Background(), decided.request(dice.Throw{}), &odds.Options{Exact: true, Joint: true,
		Outputs: []string{worth}, Strategy: &odds.Strategy{Choices: []odds.Choice{choice}, Reads: []string{worth},
			Worth: func(o *odds.Outcome) (float64, error) { return odds.Number(o.Values[0]), nil }}})
	if failed != nil {
		if !isAlwaysGood && strings.HasPrefix(failed.Error(), "deciding spend: ") { // in some way of the dice there may be none
			return "", nil
		}
		return fmt.Sprintf("no best decision: %v", failed), nil
	}
	got := &sum{}
	for _, o := range answer.Joint.Outcomes() {
		got.add(fractionOf(o.P, o.N, answer.Joint.Den), json.Number(fmt.Sprint(o.Values[slices.Index(answer.Joint.Names, worth)].Int())))
	}
	if isWhole && got.compare(want) != 0 || !got.isNear(want) {
		return fmt.Sprintf("the best decisions lead to %v, for the judge to %v", got, want), nil
	}
	return "", nil
}

// limitOf returns what may be spent where dice fall so; 0 where what falls before is no number and no list of numbers.
func (q *inquiry) limitOf(falls []judge.Fall) (int, error) {
	faces := make([]int64, len(falls))
	for i, f := range falls {
		faces[i] = f.Face
	}
	sheet, err := q.judge(&judge.InOrder{Faces: faces})
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(sheet.Named["before"])
	if err != nil {
		return 0, err
	}
	limit, err := limitBy(text)
	if err != nil || sheet.Named["before"] == nil {
		return 0, nil //nolint:nilerr // a policy that reads something else is not compared
	}
	return limit, nil
}

// limitBy returns an amount by a number, or by a list of numbers in any order.
func limitBy(text []byte) (int, error) {
	var numbers []int
	if err := json.Unmarshal(text, &numbers); err != nil {
		numbers = []int{0}
		if err := json.Unmarshal(text, &numbers[0]); err != nil {
			return 0, err
		}
	}
	total := len(numbers)
	for _, n := range numbers {
		total += n * n
	}
	return 1 + total%mostSpent, nil
}

// A sum is how likely some outcomes are together, and their worth times their chances.
type sum struct{ chance, worth big.Rat }

func (s *sum) add(p *big.Rat, worth json.Number) {
	v, _ := new(big.Rat).SetString(string(worth))
	s.chance.Add(&s.chance, p)
	s.worth.Add(&s.worth, v.Mul(v, p))
}

func (s *sum) compare(x *sum) int {
	if c := s.chance.Cmp(&x.chance); c != 0 {
		return c
	}
	return s.worth.Cmp(&x.worth)
}

// isNear reports whether two sums differ by no more than what dice come to that are followed no further.
func (s *sum) isNear(x *sum) bool {
	for _, of := range [][2]*big.Rat{{&s.chance, &x.chance}, {&s.worth, &x.worth}} {
		a, _ := of[0].Float64()
		b, _ := of[1].Float64()
		if math.Abs(a-b) > 1e-9*max(1, math.Abs(b)) {
			return false
		}
	}
	return true
}

func (s *sum) String() string { return fmt.Sprintf("%v of %v", &s.worth, &s.chance) }

// fallsBefore are the faces of the dice that fall before a decision, by which they are told apart.
func fallsBefore(falls []judge.Fall) string {
	var faces []string
	for _, f := range falls {
		if strings.HasPrefix(f.ID, "before") {
			faces = append(faces, fmt.Sprint(f.Face))
		}
	}
	return strings.Join(faces, " ")
}

// unjudgedAlone returns an error that says that something is not judged. Another one is compared where all odds are.
func unjudgedAlone(err error) error {
	if isUnjudged(err) {
		return err
	}
	return nil
}
