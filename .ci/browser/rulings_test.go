package browser

import (
	"context"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// pick takes a value of a ruling and waits until the page has it.
func pick(t *testing.T, ctx context.Context, id, value string) {
	t.Helper()
	eval[any](t, ctx, `{const x = document.querySelector('[name="option.`+id+`"][value="`+value+`"]'); x.checked = true;
		x.dispatchEvent(new Event("change", {bubbles: true}))}`)
	await(t, ctx, `location.search.includes("option.`+id+`=`+value+`") && document.querySelector("#ruling\\.`+id+` .tag.mine") !== null`)
}

// TestRulings plays a printed contradiction otherwise: it is remembered over reloads and on the page of a rule, undone,
// named, part of a link that a friend may keep, and kept apart from what others load.
func TestRulings(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/rulings"))
	await(t, ctx, `document.querySelector("#ruling-tools button") !== null`)
	if made := evalPromise[int](t, ctx, `indexedDB.databases().then((x) => x.length)`); made != 0 {
		t.Errorf("reading made %d databases", made)
	}
	pick(t, ctx, "heroic_band", "none")
	await(t, ctx, `document.querySelector("#ruled .callout").textContent.includes("1 of 18") &&
		document.querySelector("[data-rulings]").textContent === "Rulings: 1 of your own"`)

	// An address without rulings has those that are kept, over a reload too.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/rulings"))
	await(t, ctx, `document.querySelector('[name="option.heroic_band"][value="none"]').checked`)

	// A rule is played by them: 56 of 100 numbers succeed, and not the heroic 61.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test?character="+`{"skills":{"navigation":90}}`+"&in.name=navigation&in.difficulty=hard"))
	await(t, ctx, `document.getElementById("chance").textContent.includes("56 %")`)
	set(t, ctx, "die.roll", "61")
	do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
	await(t, ctx, output("Success")+` === "no"`)
	address := eval[string](t, ctx, `location.href`)

	// The link of the roll has them, and a friend's browser has its own.
	friend := open(t)
	do(t, friend, chromedp.Navigate(address))
	await(t, friend, output("Success")+` === "no"`)
	do(t, friend, chromedp.Navigate(url+"/tempestas/try/test?character="+`{"skills":{"navigation":90}}`+"&in.name=navigation&in.difficulty=hard"))
	await(t, friend, `document.getElementById("chance").textContent.includes("57 %")`)

	// So does a link of the rulings, which the friend keeps.
	do(t, friend, chromedp.Navigate(url+"/tempestas/rulings?name=Thursday&option.heroic_band=none"))
	await(t, friend, `document.getElementById("sets").textContent.includes("rulings of a link")`)
	eval[any](t, friend, `document.querySelector("#sets button").click()`)
	await(t, friend, `document.getElementById("sets").textContent.includes("Saved in this browser")`)
	do(t, friend, chromedp.Navigate(url+"/tempestas/try/test?character="+`{"skills":{"navigation":90}}`+"&in.name=navigation&in.difficulty=hard"))
	await(t, friend, `document.getElementById("chance").textContent.includes("56 %")`)

	// A change is taken back, and a broken file changes nothing.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/rulings"))
	await(t, ctx, `document.querySelector('[name="option.heroic_band"][value="none"]').checked`)
	pick(t, ctx, "fools_fail", eval[string](t, ctx, `document.querySelector('[name="option.fools_fail"]:not([data-release])').value`))
	await(t, ctx, `document.querySelector("#undo button") !== null`)
	eval[any](t, ctx, `document.querySelector("#undo button").click()`)
	await(t, ctx, `document.querySelector("#ruled .callout").textContent.includes("1 of 18")`)
	load := func(text string) {
		eval[any](t, ctx, `{const data = new DataTransfer(), input = document.getElementById("import");
			data.items.add(new File([`+"`"+text+"`"+`], "group.json")); input.files = data.files;
			input.dispatchEvent(new Event("change", {bubbles: true}))}`)
	}
	load(`{"options": `)
	await(t, ctx, `document.getElementById("told").textContent.includes("group.json is not loaded: it is no JSON")`)
	load(`{"ruleset": "haze", "options": {}}`)
	await(t, ctx, `document.getElementById("told").textContent.includes("it is of haze")`)
	load(`{"ruleset": "tempestas", "name": "Friday", "options": {"heroic_band": "down"}}`)
	await(t, ctx, `document.querySelector('[name="option.heroic_band"][value="down"]').checked &&
		document.querySelector("#sets select").selectedOptions[0].textContent === "Friday" &&
		document.querySelectorAll("#sets option").length === 3`)

	// What is deleted comes back.
	eval[any](t, ctx, `[...document.querySelectorAll("#sets button")].find(x => x.textContent === "Delete").click()`)
	await(t, ctx, `document.getElementById("told").textContent.includes("is deleted")`)
	eval[any](t, ctx, `document.querySelector("#told button").click()`)
	await(t, ctx, `document.querySelector('[name="option.heroic_band"][value="down"]').checked`)

	// Of two changes in a hurry the later one is shown, whichever answer comes first.
	holdAnswers(t, ctx)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/rulings?option.heroic_band=none"))
	await(t, ctx, `document.getElementById("sets").textContent.includes("rulings of a link") || window.asked > 0`)
	for i, value := range []string{"down", "none"} {
		eval[any](t, ctx, `{const x = document.querySelector('[name="option.heroic_band"][value="`+value+`"]'); x.checked = true;
			x.dispatchEvent(new Event("change", {bubbles: true}))}`)
		await(t, ctx, `window.asked === `+strconv.Itoa(i+1))
	}
	eval[any](t, ctx, `window.letThrough(1)`)
	await(t, ctx, `location.search.includes("option.heroic_band=none")`)
	eval[any](t, ctx, `window.letThrough(0)`)
	await(t, ctx, `window.answered === 2`)
	if !eval[bool](t, ctx, `document.querySelector('[name="option.heroic_band"][value="none"]').checked`) {
		t.Error("the earlier of two changes is shown")
	}
}
