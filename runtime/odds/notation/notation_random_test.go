package notation

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
)

var (
	randomNotations = flag.Int("notations", 80,
		"how many different random notations are compared with every way in which their dice fall")
	notationSeed = flag.Uint64("notations-seed", 3, "the seed of the random notations")
)

// A notationWriter writes random notations of so few dice that all ways can be listed.
type notationWriter struct{ *rand.Rand }

func (w notationWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

// die writes the faces of a die, and how many it has.
func (w notationWriter) die() (text string, faces int) {
	if w.IntN(6) == 0 {
		if w.IntN(3) == 0 {
			return w.pick("d{d2,d3}", "d{d2:2,3}", "d{0,d2!}", "d{d3kl1,1..2:2}", "d(d3)", "d(d2+1)"), 3
		}
		return w.pick("dF", "d{0,1,1}", "d{-1,2}", "dC", "d{1..3}", "d{1:2,3}", "d{0..1:2}"), 3
	}
	n := 2 + w.IntN(5)
	return fmt.Sprint("d", n), n
}

// pool writes a group of dice; every other one is kept from or explodes.
func (w notationWriter) pool() string {
	die, faces := w.die()
	count := 1 + w.IntN(3)
	text := fmt.Sprint(count, die)
	plain, mixed := !strings.ContainsAny(die, "FC{("), strings.Contains(die[1:], "d")
	var parts []string
	if !mixed && w.IntN(4) == 0 {
		parts = append(parts, w.pick("ro<=1", "ro1", "r1", "ro>=2"))
	}
	grows := false
	if plain && faces > 2 && w.IntN(3) == 0 {
		on := w.pick("", fmt.Sprint(">=", faces), fmt.Sprint("=", faces), fmt.Sprint(faces-1))
		parts, grows = append(parts, w.pick("!", "!!", "!p", "!o", "!{2}", "!!{1}", "ra")+on), true
		if parts[len(parts)-1] == "ra" {
			parts[len(parts)-1] += fmt.Sprint(faces)
		}
		if strings.HasSuffix(parts[len(parts)-1], "{2}"+on) || strings.HasSuffix(parts[len(parts)-1], "{1}"+on) {
			parts[len(parts)-1] = strings.TrimSuffix(parts[len(parts)-1], on) // the limit stands last
		}
	}
	if w.IntN(4) == 0 {
		parts = append(parts, w.pick("mi2", "ma3", "mi2ma4"))
	}
	if w.IntN(2) == 0 {
		keep := w.pick("kh", "kl", "dl", "dh", fmt.Sprint("kh", count), fmt.Sprint("kl", count), "k>=2", "p1", "kh1", "dl0")
		if count == 3 {
			keep = w.pick(keep, "km1", "dl1dh1", "kh2", "kl2")
		}
		parts = append(parts, keep)
	}
	if w.IntN(4) == 0 {
		parts = append(parts, w.pick(">=2", ">=3", "=1", "<>2", ">=2f1", ">=2t3", "<=2f>=3"))
	}
	if plain && !grows && count <= faces && len(parts) == 0 && w.IntN(8) == 0 {
		parts = append(parts, "u")
	}
	score := -1
	for i, p := range parts {
		if strings.ContainsAny(p[:1], "<>=") {
			score = i
		}
	}
	w.Shuffle(len(parts), func(i, k int) {
		if i != score && k != score { // a comparison stands against what is in front of it
			parts[i], parts[k] = parts[k], parts[i]
		}
	})
	return text + strings.Join(parts, "")
}

// expression writes a notation of one or two groups, or rarely of three.
func (w notationWriter) expression() string {
	a, k := w.pool(), fmt.Sprint(1+w.IntN(9))
	if w.IntN(2) == 0 {
		return w.pick(a, a+"+"+k, "-"+a, a+"*"+k, k+"-"+a, "floor("+a+"/"+k+")", "abs("+a+"-"+k+")", a+"//"+k, "2x "+a,
			"{"+a+"}>"+k, "(d2)d3", a+"/2", a+" >= "+k, a+" < "+k, "max("+a+", "+k+")", "abs("+a+")%"+k,
			"ceil("+a+"/"+k+")")
	}
	b := w.pool()
	if w.IntN(8) == 0 {
		c := fmt.Sprint("d", 2+w.IntN(3))
		return w.pick("{"+a+", "+b+", "+c+"}kl2", "{"+a+", "+b+", "+c+"}kh1", a+" + "+b+" - "+c, a+" + "+b+" > "+c,
			"max("+a+", "+b+", "+c+")", a+" * "+c+" - "+b)
	}
	return w.pick(a+" + "+b, a+" - "+b, a+" > "+b, a+" = "+b, "max("+a+", "+b+")", "min("+a+", "+b+")", "{"+a+", "+b+"}kh1",
		"{"+a+", "+b+", 2}kl2", a+" * "+b, "{"+a+", "+b+"}>="+k, a+" + "+b+" >= "+k, a+" + "+b+" - "+k)
}

// checkedWays is how many faces of a way are followed.
const checkedWays = 7

// Random notations, each different from those before it, have the distribution that all ways in which their dice can fall
// give. At least half of them keep some of their dice, have dice that explode, or have two groups.
func TestRandomNotations(t *testing.T) {
	w := notationWriter{rand.New(rand.NewPCG(14, *notationSeed))}
	seen := map[string]bool{}
	compared, special, made := 0, 0, 0
	for compared < *randomNotations {
		if made++; made > 10*(*randomNotations)+1000 {
			t.Fatalf("only %d of %d notations are new, have a meaning and have few enough ways", compared, made)
		}
		text := w.expression()
		if seen[text] {
			continue
		}
		seen[text] = true
		most := 400.0
		if w.IntN(32) == 0 {
			most = 3000
		}
		n, err := dice.ParseNotation(text)
		if err != nil || !isSmall(n, most) || slices.ContainsFunc(n.Pools(), explodesMostly) {
			continue
		}
		checkNotation(t, text, checkedWays)
		if compared++; isSpecial(n.Pools()) {
			special++
		}
		if t.Failed() {
			t.Fatalf("%q differs", text)
		}
	}
	t.Logf("%d notations were compared, of which %d keep, explode or have several groups; %d were made", compared, special,
		made)
	if 2*special < compared {
		t.Errorf("only %d of %d notations keep dice, explode or have several groups", special, compared)
	}
}

// explodesMostly reports whether at least half of the faces explode of a pool from which dice are kept or in which some are
// rolled again, such as 2d6dl!<>2: chains of hundreds of faces matter, so that a question takes seconds or is refused.
func explodesMostly(p *dice.Pool) bool {
	if p.Explode == nil || p.Faces.Values != nil || len(p.Select)+len(p.Once)+len(p.Again) == 0 {
		return false
	}
	explode := 0
	for f := range int64(p.Faces.Count) {
		if p.Explode.On.Holds(f + 1) {
			explode++
		}
	}
	return 2*explode >= p.Faces.Count
}

// isSpecial reports whether dice are kept or explode, or whether there are several groups of them.
func isSpecial(pools []*dice.Pool) bool {
	for _, p := range pools {
		if p.Explode != nil || len(p.Select) > 0 {
			return true
		}
	}
	return len(pools) > 1
}

// isSmall reports whether the ways in which dice fall are fewer than so many: those that go on are followed for so many
// faces.
func isSmall(n *dice.Notation, most float64) bool {
	ways := 1.0
	for _, p := range n.Pools() {
		for range max(1, p.Count) {
			ways *= float64(max(3, p.Faces.Count)) // that of faces may be rolled
		}
		if p.Explode != nil || len(p.Again)+len(p.Once) > 0 || p.Unique != dice.AnyFaces {
			ways *= 8
		}
	}
	return math.Pow(ways, float64(max(1, n.Repeat))) < most
}
