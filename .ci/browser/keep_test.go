package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestKeepInFiles keeps a character as a file: another browser finds it, and when both change it at once there are two, of
// which each browser goes on with its own.
func TestKeepInFiles(t *testing.T) {
	dir := t.TempDir()
	url := serve(t, t.TempDir(), "--keep", dir)
	ctx, friend := open(t), open(t)
	const saved = `document.getElementById("saved").textContent.includes("Saved")`
	do(t, ctx, chromedp.Navigate(url+"/tempestas/character?new=yes"))
	await(t, ctx, `document.querySelectorAll("#tools button").length > 1`)
	typeInto(t, ctx, "name", "Brina")
	typeInto(t, ctx, "ch.skills[0]:key", "riding")
	typeInto(t, ctx, "ch.skills[0]", "70")
	await(t, ctx, saved+` && location.hash === "#Brina"`)
	holds := func(file, want string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, "tempestas", file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s, %v", file, text, err)
		}
	}
	holds("Brina.json", `"riding": 70`)

	do(t, friend, chromedp.Navigate(url+"/tempestas/character#Brina"))
	await(t, friend, `document.querySelector('[name="ch.skills[0]"]')?.value === "70"`)
	typeInto(t, friend, "ch.skills[0]", "75")
	await(t, friend, saved)
	holds("Brina.json", `"riding": 75`)

	// This page has not seen that, and loses nothing of either.
	typeInto(t, ctx, "ch.skills[0]", "71")
	await(t, ctx, `document.getElementById("name").value === "Brina (from another page)" &&
		document.body.innerText.includes("Both are kept")`)
	holds("Brina.json", `"riding": 75`)
	holds("Brina (from another page).json", `"riding": 71`)

	// A name is that of the file.
	typeInto(t, ctx, "name", "Berta")
	await(t, ctx, saved+` && location.hash === "#Berta"`)
	holds("Berta.json", `"riding": 71`)
	if _, err := os.Stat(filepath.Join(dir, "tempestas", "Brina (from another page).json")); err == nil {
		t.Error("the file of the old name is still there")
	}
	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	await(t, ctx, `document.querySelectorAll("#people article").length === 2`)
	eval[any](t, ctx, `document.querySelector('[aria-label="Delete Berta"]').click()`)
	await(t, ctx, `document.querySelectorAll("#people article").length === 1`)
	eval[any](t, ctx, `document.querySelector("#told button").click()`)
	await(t, ctx, `document.querySelectorAll("#people article").length === 2`)
	holds("Berta.json", `"riding": 71`)

	// The first page and a search over all books know them, too.
	do(t, ctx, chromedp.Navigate(url))
	await(t, ctx, `document.readyState === "complete" && document.querySelector('#mine a[href="tempestas/character#Berta"]') !== null`)
	do(t, ctx, chromedp.Navigate(url+"/search?q=bert"))
	await(t, ctx, `document.querySelector('#found-people a[href="tempestas/character#Berta"]') !== null`)
}
