package browser

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

// typeInto types a text into a field, found by its name, as a reader does.
func typeInto(t *testing.T, ctx context.Context, name, text string) {
	t.Helper()
	eval[any](t, ctx, `(() => { const x = document.querySelector('[name="`+name+`"]'); x.value = "`+text+`";
		x.dispatchEvent(new Event("input", {bubbles: true})) })()`)
}

// TestCharacters builds a character from nothing, closes the page, finds it again in the head of every page and in every
// rule, duplicates, deletes and takes that back, exports, and imports broken files.
func TestCharacters(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/character?new=yes"))
	await(t, ctx, `document.querySelectorAll("#tools button").length > 1`)
	shoot(t, ctx, "builder")
	typeInto(t, ctx, "name", "Brina")
	typeInto(t, ctx, "ch.skills[0]:key", "riding")
	typeInto(t, ctx, "ch.skills[0]", "70")
	const saved = `document.getElementById("saved").textContent.includes("Saved")`
	await(t, ctx, saved+` && location.hash.length > 1`)
	await(t, ctx, `document.querySelector(".who .name").textContent === "Brina"`)

	// The row behind it: the button adds one and goes there.
	eval[any](t, ctx, `document.querySelector('button[name="add"][value="ch.skills"]').click()`)
	await(t, ctx, `document.querySelector('[name="ch.skills[1]:key"]') !== null`)
	typeInto(t, ctx, "ch.skills[1]:key", "swimming")
	typeInto(t, ctx, "ch.skills[1]", "45")
	await(t, ctx, `document.getElementById("saved").textContent.includes("…")`)
	await(t, ctx, saved+` && document.querySelector('.rolls').textContent.includes("Swimming")`)
	shoot(t, ctx, "sheet")

	// Each rule is filled from the character, after a reload and in the book's other rules.
	for _, rule := range []string{"test", "single_test", "test"} {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/"+rule))
		await(t, ctx, `document.getElementById("character").value.includes("riding")`)
		await(t, ctx, `document.querySelector('[name="in.name"]:is(select, :checked)')?.value === "riding" && document.querySelector("#odds .error") === null`)
	}

	// A second page of the same browser changes her; the first one follows.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/character"))
	await(t, ctx, `document.querySelector('[name="name"]').value === "Brina"`)
	tab, end := chromedp.NewContext(ctx)
	defer end()
	do(t, tab, chromedp.Navigate(url+"/tempestas/character"))
	await(t, tab, `document.querySelector('[name="name"]').value === "Brina"`)
	typeInto(t, tab, "ch.skills[0]", "75")
	await(t, tab, saved)
	await(t, ctx, `document.querySelector('[name="ch.skills[0]"]').value === "75"`)

	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	await(t, ctx, `document.querySelectorAll("#people article").length === 1`)
	pressText := func(text string) {
		t.Helper()
		eval[any](t, ctx, `[...document.querySelectorAll("#people button, #told button")].find(x => x.textContent === "`+text+`").click()`)
	}
	pressText("Duplicate")
	await(t, ctx, `document.querySelectorAll("#people article").length === 2`)
	shoot(t, ctx, "characters")
	pressText("Delete")
	await(t, ctx, `document.querySelectorAll("#people article").length === 1`)
	pressText("Undo")
	await(t, ctx, `document.querySelectorAll("#people article").length === 2`)

	// A broken file says what is wrong with it, and takes nothing away; a list of two comes whole.
	dir := t.TempDir()
	for name, text := range map[string]string{"broken.json": `{"skills": `, "two.json": `[{"name": "Cay", "character": {"skills": {"law": 30}}},
		{"name": "Dun", "ruleset": "tempestas", "character": {}}]`, "foreign.json": `{"name": "Eve", "ruleset": "haze", "character": {}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, chromedp.SetUploadFiles(chromedp.ID("import"),
		[]string{filepath.Join(dir, "broken.json"), filepath.Join(dir, "two.json"), filepath.Join(dir, "foreign.json")}))
	await(t, ctx, `document.querySelectorAll("#people article").length === 4`)
	for _, want := range []string{"broken.json is not imported: it is no JSON", "“Eve” is of haze", "Imported: Cay, Dun."} {
		await(t, ctx, `document.getElementById("told").textContent.includes("`+want+`")`)
	}

	// An example is played as a copy.
	eval[any](t, ctx, `document.querySelector("[data-example] button").click()`)
	await(t, ctx, `location.pathname.endsWith("/character") && document.querySelector('[name="name"]')?.value === "Ada"`)
}

// TestTypedWhileOpening loses nothing that was typed just before the next character is opened, or while the changes of
// another page are on their way; nor does anybody type into a form that its character is about to replace.
func TestTypedWhileOpening(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	press(t, ctx, "[data-example] button")
	await(t, ctx, `location.pathname.endsWith("/character") && location.hash.length > 1`)
	const opened = `document.getElementById("saved")?.textContent.includes("Saved") && document.querySelector('[name="name"]').value === `
	others := evalPromise[string](t, ctx, `addPerson("Brina", "{}").then((p) => p.id)`)
	await(t, ctx, opened+`document.querySelector(".who .name").textContent`)
	typeInto(t, ctx, "name", "Changed")
	eval[any](t, ctx, `location.hash = "`+others+`"`)
	await(t, ctx, opened+`"Brina" && location.hash === "#`+others+`"`)
	const names = `people().then((all) => all.map((p) => p.name).join(", "))`
	if got := evalPromise[string](t, ctx, names); got != "Brina, Changed" {
		t.Errorf("%s are kept: the name that was typed is lost", got)
	}

	holdAnswers(t, ctx)
	do(t, ctx, chromedp.Reload())
	await(t, ctx, `window.asked > 0`)
	if !eval[bool](t, ctx, `document.getElementById("sheet").inert`) {
		t.Error("the form takes letters before its character is there")
	}
	eval[any](t, ctx, `window.letThrough(0)`)
	await(t, ctx, opened+`"Brina" && !document.getElementById("sheet").inert`)
	before := eval[int](t, ctx, `window.asked`)
	eval[any](t, ctx, `store.get("characters", "`+others+`").then((p) => store.put("characters", {...p, name: "Elsewhere", changed: 1}))
		.then(() => new BroadcastChannel("characters").postMessage("`+others+`"))`)
	await(t, ctx, `window.asked > `+strconv.Itoa(before))
	typeInto(t, ctx, "name", "Here")
	eval[any](t, ctx, `window.letThrough()`)
	await(t, ctx, opened+`"Here (from another page)"`)
	if got := evalPromise[string](t, ctx, names); got != "Changed, Elsewhere, Here (from another page)" {
		t.Errorf("%s are kept", got)
	}
}
