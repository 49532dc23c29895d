package browser

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// rollButton is the button of a form that lets the dice fall.
const rollButton = "#roll"

// rolled is the answer on a page, as its reader sees it.
const rolled = `document.querySelector("#answer .headline").textContent + " " + document.querySelector("#answer .say").textContent`

// roll sends the form of a rule.
func roll(t *testing.T, browser context.Context) string {
	t.Helper()
	eval[any](t, browser, "window.isOld = true")
	press(t, browser, rollButton)
	await(t, browser, `!window.isOld && document.readyState === "complete" && document.querySelector("#answer .headline") !== null && location.search.includes("asked=yes")`)
	return eval[string](t, browser, rolled)
}

// TestAddresses rolls, and sees the same roll after a reload, after going back, and in another browser.
func TestAddresses(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx, friend := open(t), open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test"))
	first := roll(t, ctx)
	address := eval[string](t, ctx, "location.href")
	eval[any](t, ctx, "window.isOld = true")
	do(t, ctx, chromedp.Reload())
	await(t, ctx, `!window.isOld && document.querySelector("#answer .headline") !== null`)
	if again := eval[string](t, ctx, rolled); again != first {
		t.Errorf("reloaded, it says %q instead of %q", again, first)
	}
	for range 20 { // until other faces fall
		if second := roll(t, ctx); second != first {
			break
		}
	}
	do(t, friend, chromedp.Navigate(address))
	await(t, friend, `document.querySelector("#answer .headline") !== null`)
	if seen := eval[string](t, friend, rolled); seen != first {
		t.Errorf("a friend sees %q instead of %q", seen, first)
	}
	eval[any](t, ctx, "history.back()")
	await(t, ctx, `document.readyState === "complete" && document.querySelector("#answer .headline") !== null`)

	// The log has each of them once, and leads back to them.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	await(t, ctx, `document.querySelectorAll("#log li").length >= 2`)
	eval[any](t, ctx, `document.querySelector("#log li:last-child a").click()`)
	await(t, ctx, `document.querySelector("#answer .headline") !== null`)
	if seen := eval[string](t, ctx, rolled); seen != first {
		t.Errorf("the log leads to %q instead of %q", seen, first)
	}

	// A long character stays here, and the friend is asked for it.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test"))
	set(t, ctx, "character", `{"skills": {"navigation": 90, "`+strings.Repeat("x", 7000)+`": 1}}`)
	set(t, ctx, "in.name", "navigation")
	long := roll(t, ctx)
	address = eval[string](t, ctx, "location.href")
	if !strings.Contains(address, "stored=") {
		t.Errorf("the address is %s", address)
	}
	eval[any](t, ctx, "window.isOld = true")
	do(t, ctx, chromedp.Reload())
	await(t, ctx, `!window.isOld && document.querySelector("#answer .headline") !== null`)
	if again := eval[string](t, ctx, rolled); again != long {
		t.Errorf("reloaded, it says %q instead of %q", again, long)
	}
	do(t, friend, chromedp.Navigate(address))
	await(t, friend, `document.body.innerText.includes("is not in this browser")`)
}
