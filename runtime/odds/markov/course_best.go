package markov

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The best moves of a procedure.
//
// The problem. Where several events can happen, an event may be given several inputs, or something is decided when its
// dice have fallen, the states of a procedure are those of a Markov decision process (Bellman 1957; Puterman 1994,
// chapter 7): what a move is worth is what the states are worth that it may lead to, and these are worth their best
// moves.
//
// The idea. The states that any moves lead to are met first, each once, with every move that can happen there. Then the
// states are improved in turns (value iteration, in place): each takes the move that is best for what the states behind
// it are worth by now, those that an end is near to before those that lead to them. Where no state comes twice, as in a
// procedure that counts its rolls, one turn decides everything. A move that leads back to its own state, because the
// event has changed nothing, is worth what it is worth once it has left: the loop is solved and not walked. A move that
// is refused when its dice have fallen is worth nothing then; one that is refused whatever falls is no move.
//
// What is compared. For a condition, the probability that the procedure ends with it; of equal ones, the more likely end.
// For a number, first the probability of any end, and of equal ones the mean of the number there: otherwise a procedure
// that loses something with every event would be best never ended. A state in which it is stuck has its number, but is no
// end. What never ends, is not followed or is outgrown is worth nothing.
//
// Rounding. A state leaves a move only for one that is better by more than the rounding of sums. So a move that leads
// nowhere never replaces an equally good one that leads to an end.
//
// The course is then followed under the moves that were taken, as under any policy: its probabilities are exact again.

// add adds a prospect that has some probability.
func (x *prospect) add(p float64, of prospect) {
	x.ends, x.worth, x.size = x.ends+p*of.ends, x.worth+p*of.worth, x.size+p*of.size
}

// scale multiplies everything that is expected.
func (x *prospect) scale(by float64) { x.ends, x.worth, x.size = x.ends*by, x.worth*by, x.size*by }

// A valueIteration finds the best offers of all states.
//
// All lists but ordered are by number of node and grow while nodes are met. offers[i] is nil until node i is explored,
// and empty when it is stuck. worth[i] of an end is final; of an open node it begins as nothing and only improveAll
// writes it.
type valueIteration struct {
	*chain
	offers    [][]offer // of each node
	taken     []int     // of each node, the offer that is best by now
	worth     []prospect
	ordered   []int      // the open nodes, those that lead to others behind these
	likeliest [][]likely // of each explored node, what findLikeliest gives
	sums      sums       // of one offer
	greatest  sums       // of all offers of a node, the greatest of each state
}

// maxTurns bounds how often all states are improved. A chance of one in a thousand to leave a circle of states needs some
// 30,000 turns.
const maxTurns = 100_000

// chooseMoves takes the best move in every state that may be reached.
func (c *chain) chooseMoves(begin map[int]*big.Rat, most int) error {
	for _, name := range c.aim.Outputs {
		if i, _ := c.ReadableType().Field(name); i < 0 {
			return &plan.UnknownError{What: "output", Name: name, Known: c.OutcomeType().FieldNames()}
		}
	}
	s := &valueIteration{chain: c}
	c.explores = true
	if err := s.explore(begin, most); err != nil {
		return err
	}
	c.explores = false
	s.taken = make([]int, len(s.nodes))
	s.orderNodes(begin)
	if err := s.improveAll(); err != nil {
		return err
	}
	if err := s.takeOffers(); err != nil {
		return err
	}
	if len(c.reachableNodes(begin)) > MaxExactStates && !c.asked {
		c.exact, c.q.Exact = false, false
	}
	return nil
}

// leastExplored is how likely a state has to be, whatever is chosen, for its moves to be compared. In states that are less
// likely the first move that can happen is taken.
const leastExplored = 1e-12

// explore meets the states, finds their offers, and the worth of those in which the procedure has ended. A procedure
// that counts its rolls has states without end, of which nearly all are too unlikely to matter. So the states are met
// event by event, each with an upper bound of its probability under any moves: the sum, over the states before it, of
// their bound times the greatest probability with which one of their moves leads to it.
//
// In numbers: from A one move leads to B with 0.9, another to C with 0.5. Both bounds hold, B 0.9 and C 0.5, though no
// policy has both. A bound may be too large. It lacks only the share of states that were too unlikely to be explored.
// The parts of a bound that come in different events are added up, so that many small chances cannot hide a likely
// state.
//
// It ends when no open state is left unexplored, or after most events.
func (s *valueIteration) explore(begin map[int]*big.Rat, most int) error {
	s.worth, s.offers = make([]prospect, len(s.nodes)), make([][]offer, len(s.nodes))
	s.likeliest = make([][]likely, len(s.nodes))
	var next, bounds sums // bounds of the open states that are not explored
	isWaiting, waiting := map[int]bool{}, 0
	for i, n := range begin {
		p, _ := n.Float64()
		next.add(i, p)
	}
	if most == 0 {
		most = DefaultMostEvents
	}
	for n := 0; n <= most; n++ {
		now := slices.Clone(next.take())
		for _, x := range now {
			if s.nodes[x.to].status != Open {
				continue
			}
			if s.offers[x.to] == nil {
				if bounds.add(x.to, x.p); bounds.valueAt(x.to) < leastExplored {
					continue
				}
				if isWaiting[x.to] {
					waiting--
				}
				if err := s.exploreNode(x.to); err != nil {
					return err
				}
			}
			for _, e := range s.likeliest[x.to] {
				next.add(e.to, min(1, x.p)*e.p)
				if s.offers[e.to] == nil && s.nodes[e.to].status == Open && !isWaiting[e.to] {
					isWaiting[e.to] = true
					waiting++
				}
			}
		}
		if err := s.charge(len(next.touched)); err != nil || waiting == 0 {
			return err
		}
	}
	return nil
}

// exploreNode finds the offers of an open state, and the worth of the states that were not met before.
func (s *valueIteration) exploreNode(i int) (err error) {
	var hindrances []Hindrance
	if s.offers[i], hindrances, err = s.findOffers(i, math.MaxInt); err != nil { // which charges them one by one
		return err
	}
	if len(s.offers[i]) == 0 {
		s.nodes[i].status, s.nodes[i].why = Stuck, s.reasonOf(hindrances)
		if s.worth[i], err = s.prospectOf(i); err != nil {
			return err
		}
	}
	for k := len(s.worth); k < len(s.nodes); k++ {
		of, err := s.prospectOf(k)
		if err != nil {
			return err
		}
		s.worth, s.offers, s.likeliest = append(s.worth, of), append(s.offers, nil), append(s.likeliest, nil)
	}
	s.likeliest[i] = s.findLikeliest(i)
	return nil
}

// findLikeliest finds the states that an explored one leads to, each with its greatest probability among the offers, and no
// more than all.
func (s *valueIteration) findLikeliest(i int) []likely {
	var out []likely
	for k := range s.offers[i] {
		o := &s.offers[i][k]
		for _, e := range o.edges {
			s.sums.add(e.to, e.p)
		}
		if o.branches != nil {
			for k := range o.branches.rows {
				s.sums.add(o.branches.rows[k].to, o.branches.rows[k].p)
			}
		}
		for _, x := range s.sums.take() {
			if p := min(x.p, 1); p > s.greatest.valueAt(x.to) {
				s.greatest.add(x.to, p-s.greatest.valueAt(x.to))
			}
		}
	}
	out = append(out, s.greatest.take()...)
	return out
}

// A likely state is one with a probability, or a bound of it.
type likely struct {
	to int
	p  float64
}

// Sums add up probabilities by node, and are empty again when they are taken.
type sums struct {
	of      []float64 // by node
	touched []int     // those that are not 0
	taken   []likely
}

func (s *sums) valueAt(i int) float64 {
	if i < len(s.of) {
		return s.of[i]
	}
	return 0
}

func (s *sums) add(i int, p float64) {
	if i >= len(s.of) {
		s.of = append(s.of, make([]float64, i+1-len(s.of))...)
	}
	if s.of[i] == 0 {
		s.touched = append(s.touched, i)
	}
	s.of[i] += p
}

// take returns the sums in the order of the nodes, and resets them. They hold until the next ones are taken.
func (s *sums) take() []likely {
	slices.Sort(s.touched)
	s.taken = s.taken[:0]
	for _, i := range s.touched {
		s.taken = append(s.taken, likely{i, s.of[i]})
		s.of[i] = 0
	}
	s.touched = s.touched[:0]
	return s.taken
}

// prospectOf returns the worth of an end. An open state has none yet.
func (s *valueIteration) prospectOf(i int) (out prospect, err error) {
	if s.nodes[i].status == Open {
		return out, nil
	}
	values, ending, err := s.outputsIn(i, s.aim.Outputs, false)
	if err != nil || ending != nil {
		return out, err
	}
	worth, err := s.aim.Worth(&odds.Outcome{Values: values})
	out = prospect{ends: 1, worth: worth, size: math.Abs(worth)}
	if s.nodes[i].status == Stuck {
		out.ends = 0
	}
	return out, err
}

// orderNodes puts the open nodes in an order in which a node stands behind all that it leads to, unless they lead back to
// it.
//
// That is the postorder of a depth-first search, with a path of its own instead of recursion: paths may be as long as
// there are states. In a chain without circles each state then stands behind all its successors, and the first turn of
// improveAll decides it; a second one sees that nothing changes.
func (s *valueIteration) orderNodes(begin map[int]*big.Rat) {
	type visit struct {
		at   int
		next []int
	}
	seen := make([]bool, len(s.nodes))
	var path []visit
	enter := func(i int) {
		if !seen[i] && len(s.offers[i]) > 0 {
			seen[i] = true
			path = append(path, visit{i, s.successors(i)})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(begin)) {
		for enter(i); len(path) > 0; {
			top := &path[len(path)-1]
			if len(top.next) == 0 {
				s.ordered = append(s.ordered, top.at)
				path = path[:len(path)-1]
				continue
			}
			to := top.next[0]
			top.next = top.next[1:]
			enter(to)
		}
	}
}

// successors returns the nodes that any offer of a node leads to.
func (s *valueIteration) successors(i int) (out []int) {
	for k := range s.offers[i] {
		o := &s.offers[i][k]
		for _, e := range o.edges {
			out = append(out, e.to)
		}
		if o.branches != nil {
			for k := range o.branches.rows {
				out = append(out, o.branches.rows[k].to)
			}
		}
	}
	return out
}

// improveAll improves the states until none changes.
func (s *valueIteration) improveAll() error {
	cost := 0
	for _, i := range s.ordered {
		cost += len(s.successors(i))
	}
	for range maxTurns {
		if err := s.charge(cost); err != nil {
			return err
		}
		isSettled := true
		for _, i := range s.ordered {
			of, k := s.bestOffer(i)
			was := s.worth[i]
			if k != s.taken[i] || math.Abs(of.ends-was.ends) > tolerance ||
				math.Abs(of.worth-was.worth) > tolerance*of.size {
				isSettled = false
			}
			s.worth[i], s.taken[i] = of, k
		}
		if isSettled {
			return nil
		}
	}
	return fmt.Errorf("what is best is not settled after %d turns through %d states", maxTurns, len(s.ordered))
}

// tolerance is how much the worth of a state may still change when value iteration ends.
const tolerance = 1e-13

// bestOffer returns the best offer of a node and its worth. It is the one taken before unless another is better.
func (s *valueIteration) bestOffer(i int) (prospect, int) {
	best := s.taken[i]
	of := s.prospectOfOffer(i, &s.offers[i][best])
	for k := range s.offers[i] {
		if k == s.taken[i] {
			continue
		}
		if other := s.prospectOfOffer(i, &s.offers[i][k]); s.isBetter(other, of) {
			of, best = other, k
		}
	}
	return of, best
}

// prospectOfOffer returns the worth of an offer, which is 0 of one that never leaves its state.
//
// In numbers: a move that wins with 1/6 and changes nothing with 5/6 has the prospect 1/6 of winning in one event.
// Divided by 1 - 5/6 that is 1: whoever repeats the move wins at last. Walked turn by turn, it would need some 160
// turns to come within 1e-13 of that.
func (s *valueIteration) prospectOfOffer(i int, o *offer) (out prospect) {
	stays := 0.0
	if o.branches != nil {
		o.branches.chooseBest(s)
		out, stays = o.branches.prospectFrom(s, i)
	}
	for _, e := range o.edges {
		if e.to == i {
			stays += e.p
		} else {
			out.add(e.p, s.worth[e.to])
		}
	}
	if stays >= 1-pmf.RoundingOfSums {
		return prospect{}
	}
	if stays > 0 {
		out.scale(1 / (1 - stays))
	}
	return out
}

// isBetter reports whether a prospect is better than another one by more than rounding.
//
// It is no order: a may be as good as b, and b as c, and a better than c. bestOffer therefore compares with the best so
// far, beginning with the offer that is taken, and improveAll bounds its turns.
func (s *valueIteration) isBetter(a, b prospect) bool {
	byEnd, byWorth := a.ends-b.ends, a.worth-b.worth
	if math.Abs(byEnd) <= pmf.RoundingOfSums {
		byEnd = 0
	}
	if math.Abs(byWorth) <= pmf.RoundingOfSums*max(a.size, b.size) {
		byWorth = 0
	}
	if s.aim.IsCondition {
		byEnd, byWorth = byWorth, byEnd
	}
	return byEnd > 0 || byEnd == 0 && byWorth > 0
}

// takeOffers makes the edges of the best offers the edges of their nodes.
func (s *valueIteration) takeOffers() (err error) {
	s.moves = make([]*offer, len(s.nodes))
	for _, i := range s.ordered {
		o := s.offers[i][s.taken[i]]
		if err := s.makeChoices(i, &o); err != nil {
			return err
		}
		s.nodes[i].next, s.nodes[i].den = o.edges, o.den
		s.moves[i] = &o
	}
	return nil
}

// takenMoves returns the best move of each open state that can be reached and was explored. It returns none unless
// moves were chosen.
func (c *chain) takenMoves(begin map[int]*big.Rat) (out []Taken) {
	if c.moves == nil {
		return nil
	}
	for _, i := range c.reachableNodes(begin) {
		if i >= len(c.moves) || c.moves[i] == nil {
			continue
		}
		x := Taken{Event: c.policy[c.moves[i].move].Event, Input: c.moves[i].input}
		if x.Character, x.State = c.textsOf(i); !c.plan.Changes {
			x.Character = ""
		}
		out = append(out, x)
	}
	return out
}
