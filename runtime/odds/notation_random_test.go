package odds

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
)

var randomNotations = flag.Int("notations", 150,
	"random notations that are compared with every way in which their dice fall")

// A notationWriter writes random notations of so few dice that all ways can be listed.
type notationWriter struct{ *rand.Rand }

func (w notationWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

// die writes the faces of a die, and how many it has.
func (w notationWriter) die() (text string, faces int) {
	if w.IntN(6) == 0 {
		return w.pick("dF", "d{0,1,1}", "d{-1,2}", "dC", "d{1..3}"), 3
	}
	n := 2 + w.IntN(5)
	return fmt.Sprint("d", n), n
}

// pool writes a group of dice; every other one is kept from or explodes.
func (w notationWriter) pool() string {
	die, faces := w.die()
	count := 1 + w.IntN(3)
	text := fmt.Sprint(count, die)
	plain := !strings.ContainsAny(die, "FC{")
	var parts []string
	if w.IntN(4) == 0 {
		parts = append(parts, w.pick("ro<=1", "ro1", "r1", "ro>=2"))
	}
	grows := false
	if plain && faces > 2 && w.IntN(3) == 0 {
		on := w.pick("", fmt.Sprint(">=", faces), fmt.Sprint("=", faces), fmt.Sprint(faces-1))
		parts, grows = append(parts, w.pick("!", "!!", "!p", "!o", "!{2}", "!!{1}")+on), true
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

// expression writes a notation of one or two groups.
func (w notationWriter) expression() string {
	a := w.pool()
	if w.IntN(2) == 0 {
		return w.pick(a, a+"+1", "-"+a, a+"*2", "floor("+a+"/2)", "abs("+a+"-2)", a+"//2", "2x "+a, "{"+a+"}>2", "(d2)d3", a+"/2")
	}
	b := w.pool()
	return w.pick(a+" + "+b, a+" - "+b, a+" > "+b, a+" = "+b, "max("+a+", "+b+")", "min("+a+", "+b+")", "{"+a+", "+b+"}kh1",
		"{"+a+", "+b+", 2}kl2", a+" * "+b, "{"+a+", "+b+"}>=2", a+" + "+b+" >= 4")
}

// checkedWays is how many faces of a way are followed.
const checkedWays = 7

func TestRandomNotations(t *testing.T) {
	w := notationWriter{rand.New(rand.NewPCG(14, 3))}
	checked := 0
	for range *randomNotations {
		text := w.expression()
		n, err := parseAny(text)
		if err != nil || !isSmall(n.Pools()) {
			continue
		}
		checkNotation(t, text, checkedWays)
		checked++
		if t.Failed() {
			t.Fatalf("%q differs", text)
		}
	}
	t.Logf("%d of %d notations were compared", checked, *randomNotations)
	if checked < *randomNotations/4 {
		t.Errorf("only %d of %d notations were small enough", checked, *randomNotations)
	}
}

func parseAny(text string) (*dice.Notation, error) { return dice.ParseNotation(text) }

// isSmall reports whether all ways in which dice fall can be listed: those that go on are followed for so many faces.
func isSmall(pools []*dice.Pool) bool {
	ways := 1.0
	for _, p := range pools {
		for range max(1, p.Count) {
			ways *= float64(p.Faces.Count)
		}
		if p.Explode != nil || len(p.Again)+len(p.Once) > 0 || p.Unique != dice.AnyFaces {
			ways *= 8
		}
	}
	return ways < 3000
}
