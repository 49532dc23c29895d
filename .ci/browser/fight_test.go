package browser

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestFight lets two teams of saved characters fight to the end, and changes the fight beside the one that was kept. The
// homebrew lets several brawl with several.
func TestFight(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("npm install --no-package-lock puts axe-core here: %v", err)
	}
	homebrew, err := filepath.Abs(filepath.Join("..", "..", "golden", "homebrew", "tempestas_brawl"))
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, t.TempDir(), "tempestas", "--with", homebrew)
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	press(t, ctx, "[data-example] button")
	await(t, ctx, `location.pathname.endsWith("/character") && location.hash.length > 1`)

	// Ada against Ada, both by navigation. She is there twice: as an example, and as the copy that this browser keeps.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/brawl"))
	const choices = `[...document.querySelectorAll("select[aria-label*='among your characters']")]`
	await(t, ctx, choices+`.length === 4`)
	if shipped := eval[string](t, ctx, choices+`[0].querySelector("optgroup[label=Examples]").innerText`); shipped != "Ada" {
		t.Errorf("the examples to choose are %q", shipped)
	}
	eval[any](t, ctx, `(x => { x.value = "shipped Ada"; x.dispatchEvent(new Event("input", {bubbles: true})) })(`+choices+`[2])`)
	if who := eval[string](t, ctx, `document.querySelectorAll("textarea[data-person]")[2].value`); !strings.Contains(who,
		`"navigation"`) {
		t.Errorf("the example is not chosen: %s", who)
	}
	const course = `document.getElementById("course").innerText`
	await(t, ctx, course+`.includes("the character has nothing of that name")`) // by the example of the form
	for i, side := range []string{"ours", "theirs"} {
		eval[any](t, ctx, `(x => { x.selectedIndex = 1; x.dispatchEvent(new Event("input", {bubbles: true})) })(`+choices+`[`+
			strconv.Itoa(2*i)+`])`)
		typeInto(t, ctx, "in."+side+"[0].skill", "navigation")
	}
	press(t, ctx, `button[value="odds"]`)
	await(t, ctx, isLoaded+` && `+course+`.includes("Won") && `+course+`.includes("What is left")`)
	press(t, ctx, `button[value="keep"]`)
	await(t, ctx, isLoaded+` && document.querySelector("button[value=drop]") !== null`)

	// A second one of theirs is seen beside what was kept, without a button.
	await(t, ctx, choices+`.length === 4`)
	eval[any](t, ctx, `(x => { x.selectedIndex = 1; x.dispatchEvent(new Event("input", {bubbles: true})) })(`+choices+`.at(-1))`)
	typeInto(t, ctx, "in.theirs[1].skill", "navigation")
	await(t, ctx, course+`.includes("mean before") && document.querySelectorAll("#course table.outcomes").length === 2 &&
		parseFloat(document.querySelectorAll("#course table.outcomes")[1].querySelector("td b").innerText) < 40`)
	const won = `[...document.querySelectorAll("#course table.outcomes")].map(x => parseFloat(x.querySelector("td b").innerText))`
	if now := eval[[]float64](t, ctx, won); len(now) != 2 || now[0] < 40 || now[0] > 60 || now[1] > 35 {
		t.Errorf("one against one wins %v %%, and one against two", now)
	}

	for _, screen := range screens {
		emulate(t, ctx, screen)
		do(t, ctx, chromedp.Reload()) // a page that is shown keeps some colours of the other scheme
		await(t, ctx, isLoaded+` && `+course+`.includes("mean before")`)
		if said := eval[string](t, ctx, course); strings.Contains(said, "not given") {
			t.Errorf("what nobody has changed is said to differ: %s", said)
		}
		shoot(t, ctx, screen.name+"/fight")
		judge(t, ctx, string(axe), screen.name+" fight")
	}
}
