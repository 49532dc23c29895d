package browser

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
)

// A newcomer knows the address alone, and follows what can be read on the pages.
type newcomer struct {
	t     *testing.T
	ctx   context.Context
	home  string
	steps int
}

// follow presses what can be seen with some words: a link, a button, a choice or what unfolds. It reports whether there was
// any. A page that was left is not pressed again while the next one comes.
const follow = `(words => {
	const found = [...document.querySelectorAll("nav[aria-label=Main] a, main a, main button, main summary, main label, .rollbar button")]
		.find(x => x.checkVisibility() && x.innerText.trim().toLowerCase().startsWith(words.toLowerCase()));
	if (window.isLeft || !found) return false;
	window.isLeft = found.matches("a[href], form button") && !found.matches("[data-copy-link]");
	found.click();
	return true;
})`

// press presses what has some words.
func (n *newcomer) press(words string) {
	n.t.Helper()
	n.steps++
	n.await(follow + `("` + words + `")`)
}

// try presses "try it" beside what was found.
func (n *newcomer) try(title string) {
	n.t.Helper()
	n.steps++
	n.await(`(x => x && (window.isLeft = true, x.click(), true))(
		[...document.querySelectorAll("main li")].find(x => x.innerText.startsWith("` + title + `"))?.querySelector("a.try"))`)
}

// await waits until an expression holds in a page that is not left any more.
func (n *newcomer) await(expression string) {
	n.t.Helper()
	await(n.t, n.ctx, "!window.isLeft && ("+expression+")")
}

// see waits until the page says something.
func (n *newcomer) see(words string) {
	n.t.Helper()
	n.await(`document.querySelector("main").innerText.toLowerCase().includes("` + words + `".toLowerCase())`)
}

// find types words where "Find anything" stands on the first page.
func (n *newcomer) find(words string) {
	n.t.Helper()
	n.steps++
	do(n.t, n.ctx, chromedp.SendKeys(chromedp.ID("find"), words+"\r"))
	n.see("Found for")
}

// choose takes a value of a list that is in sight.
func (n *newcomer) choose(name, value string) {
	n.t.Helper()
	n.steps++
	await(n.t, n.ctx, `document.querySelector('[name="`+name+`"]')?.checkVisibility()`)
	set(n.t, n.ctx, name, value)
}

// mostSteps bounds the steps of a task: three to find the page, and three events of a procedure that begins anew before each.
const mostSteps = 12

// TestSevenTasks does what people come for, from the first page on and by what stands there: each within mostSteps.
func TestSevenTasks(t *testing.T) {
	url := serve(t, t.TempDir())
	for _, task := range []struct {
		name string
		do   func(n *newcomer)
	}{
		{"the chance of a hard navigation, and from where it is 75 %", func(n *newcomer) {
			n.find("navigation")
			n.try("test")
			n.press("Hard")
			n.await(`document.getElementById("chance").innerText.includes("57 %")`)
			n.press("Compare settings")
			n.choose("vary", "character.skills.navigation")
			n.see("110 to 140") // three in four, as TestGridOverTheCharacter counts
		}},
		{"why an attack missed, and what had hit", func(n *newcomer) {
			n.find("attack")
			n.try("attack")
			n.steps++ // rolling until it misses, however the dice fall
			for range 40 {
				n.await(follow + `("Roll")`)
				n.await(`document.querySelector("#answer .result") !== null`)
				if eval[bool](n.t, n.ctx, `document.querySelector("#answer").innerText.includes("Success\nno")`) {
					break
				}
			}
			n.steps++
			press(n.t, n.ctx, `button[name="why"][value="success"]`)
			n.see("It would be otherwise with")
		}},
		{"three events of a procedure", func(n *newcomer) {
			n.press("Tempestas")
			n.try("task")
			n.press("Begin")
			for range 3 { // a roll, or what is due after it; where it has ended, once more
				n.await(`document.querySelector("form.play") !== null`)
				if eval[bool](n.t, n.ctx, `document.querySelector(".rollbar button") === null`) {
					n.press("Begin anew")
					n.press("Begin")
				}
				n.steps++
				n.await(`(x => x && (window.isLeft = true, x.click(), true))(document.querySelector(".rollbar button"))`)
			}
			n.await(`document.querySelectorAll("[aria-label=Log] ol > li").length > 1`)
		}},
		{"a printed contradiction played otherwise, and remembered", func(n *newcomer) {
			n.press("Tempestas")
			n.press("Rulings")
			n.press("Nowhere: only the Active Value itself is heroic")
			n.see("1 of 18")
			visit(n.t, n.ctx, n.home)
			n.press("Tempestas")
			n.press("Rulings")
			n.see("1 of 18")
		}},
		{"two weapons compared", func(n *newcomer) {
			n.find("melee attack")
			n.try("melee attack")
			n.press("Compare settings")
			n.press("Keep this setting")
			n.await(`document.querySelector("input[name=kept]") !== null`)
			n.choose("in.weapon", "warhammer")
			n.await(`document.querySelectorAll(".compared").length === 2 ||
				document.querySelectorAll("#odds svg .bar.s1").length > 1`)
		}},
		{"a character of one's own, closed and opened again", func(n *newcomer) {
			n.press("Play")
			n.press("New character")
			n.await(`document.getElementById("name") !== null`)
			n.steps++
			typeInto(n.t, n.ctx, "name", "Brina")
			n.await(`document.getElementById("saved").textContent.includes("Saved")`)
			visit(n.t, n.ctx, n.home)
			n.press("Brina")
			n.await(`document.getElementById("name")?.value === "Brina"`)
		}},
		{"a roll shared", func(n *newcomer) {
			n.find("navigation")
			n.try("test")
			n.press("Roll")
			n.await(`document.querySelector("#answer .headline") !== null`)
			said := `document.querySelector("#answer .say").innerText`
			link, told := eval[string](n.t, n.ctx, "location.href"), eval[string](n.t, n.ctx, said)
			n.press("Copy link")
			friend := open(n.t)
			visit(n.t, friend, link)
			if got := eval[string](n.t, friend, said); got != told {
				n.t.Errorf("a friend sees %q, not %q", got, told)
			}
		}},
	} {
		t.Run(task.name, func(t *testing.T) {
			n := &newcomer{t: t, ctx: open(t), home: url}
			visit(t, n.ctx, url)
			task.do(n)
			if n.steps > mostSteps {
				t.Errorf("it takes %d steps, and may take %d", n.steps, mostSteps)
			}
		})
	}
}
