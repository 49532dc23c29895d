package browser

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// script is an element that brings a script.
var script = regexp.MustCompile(`<script[^>]*></script>`)

// withoutScripts answers as a server does, and takes the scripts out of its pages.
func withoutScripts(t *testing.T, server string) (address string) {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		text = script.ReplaceAll(text, nil)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Length", strconv.Itoa(len(text)))
		return nil
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

// TestWithoutScript rolls, asks why, plays by another ruling and compares dice on pages that bring no script.
func TestWithoutScript(t *testing.T) {
	url := withoutScripts(t, serve(t, t.TempDir()))
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test?as=ada&in.name=navigation&in.difficulty=hard"))
	await(t, ctx, `document.getElementById("chance").textContent.includes("57 %") && typeof store === "undefined"`)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS(`[name="die.roll"]`), "43"), chromedp.Click(chromedp.CSS(rollButton)))
	await(t, ctx, output("Success")+` === "yes"`)
	press(t, ctx, `button[name="why"][value="success"]`)
	await(t, ctx, `document.querySelector("section.why") !== null`)
	press(t, ctx, `button[name="do"][value="odds"]`)
	await(t, ctx, `document.querySelector("#odds figure") !== null && `+output("Success")+` === "yes"`)

	do(t, ctx, chromedp.Navigate(url+"/tempestas/rulings"))
	await(t, ctx, `document.querySelector("#ruled .callout") !== null`)
	press(t, ctx, `[name="option.heroic_band"][value="none"]`)
	press(t, ctx, "#play-so")
	await(t, ctx, `location.search === "?option.heroic_band=none" && document.querySelector("#ruled .callout").textContent.includes("1 of 18")`)

	do(t, ctx, chromedp.Navigate(url+"/dice?e=2d6"))
	press(t, ctx, `button[name="roll"][value="0"]`)
	await(t, ctx, `document.querySelector(".rolled-n") !== null && location.search.includes("seed=")`)

	// A character is made and taken along as text.
	do(t, ctx, chromedp.Navigate(url+"/tempestas/character?new=yes"))
	await(t, ctx, `document.getElementById("sheet") !== null`)
	typeInto(t, ctx, "ch.skills[0]:key", "riding")
	typeInto(t, ctx, "ch.skills[0]", "70")
	press(t, ctx, "#tools button")
	await(t, ctx, `JSON.parse(document.getElementById("text").value).skills.riding === 70`)
}

// typeKey presses a key where the focus is.
func typeKey(t *testing.T, ctx context.Context, key string) {
	t.Helper()
	do(t, ctx, chromedp.KeyEvent(key))
}

// reach presses Tab until the focus is where an expression says.
func reach(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for range 80 {
		if eval[bool](t, ctx, expression) {
			return
		}
		typeKey(t, ctx, kb.Tab)
	}
	t.Fatalf("no key leads to %s", expression)
}

// TestKeyboardAlone finds a rule, rolls it and asks why, by keys alone; the focus is where reading goes on, and never under
// the bar.
func TestKeyboardAlone(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url))
	await(t, ctx, `document.readyState === "complete"`)
	typeKey(t, ctx, "/")
	await(t, ctx, `document.activeElement.id === "q"`)
	do(t, ctx, chromedp.SendKeys(chromedp.ID("q"), "heroic\r"))
	await(t, ctx, `document.querySelector(".found a.try") !== null`)
	reach(t, ctx, `document.activeElement.matches('.found a.try')`)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test?as=ada&in.name=navigation&in.difficulty=hard"))
	await(t, ctx, `document.readyState === "complete"`)
	reach(t, ctx, `document.activeElement.id === "die.roll"`)
	typeKey(t, ctx, "4")
	typeKey(t, ctx, "3")
	typeKey(t, ctx, kb.Enter)
	await(t, ctx, output("Success")+` === "yes" && document.activeElement.id === "res"`)
	reach(t, ctx, `document.activeElement.name === "why"`)
	const seen = `(() => { const a = document.activeElement.getBoundingClientRect(), b = document.querySelector(".rollbar").getBoundingClientRect();
		return a.top >= 0 && a.bottom <= b.top })()`
	if !eval[bool](t, ctx, seen) {
		t.Error("the bar hides the focus")
	}
	typeKey(t, ctx, kb.Enter)
	await(t, ctx, `document.querySelector("section.why") !== null`)
}

// TestWrongFieldHasTheFocus sends what does not fit: the field says what is wrong with it and has the focus.
func TestWrongFieldHasTheFocus(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test?as=ada"))
	set(t, ctx, "die.roll", "101")
	do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
	await(t, ctx, `document.querySelector("#answer [role=alert]") !== null && document.activeElement.id === "die.roll" &&
		document.activeElement.getAttribute("aria-invalid") === "true"`)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/percentage?asked=yes&in.chance=1000&dice=5"))
	await(t, ctx, `document.activeElement.id === "in.chance" && document.activeElement.getAttribute("aria-invalid") === "true"`)
}

// TestRollBarOnAPhone opens rules on a phone: the button that rolls is in sight, and nothing lies beside the page.
func TestRollBarOnAPhone(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.EmulateViewport(390, 844))
	for _, page := range []string{"/tempestas/try/test", "/haze/try/attack", "/hybrid/try/blow", "/zones/try/melee_attack",
		"/supermen/try/jump", "/tempestas/try/task"} {
		do(t, ctx, chromedp.Navigate(url+page))
		await(t, ctx, `document.getElementById("roll") !== null`)
		for _, at := range []string{"0", "document.body.scrollHeight / 2"} {
			const inSight = `(() => { scrollTo(0, %); const r = document.getElementById("roll").getBoundingClientRect();
				return r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth && r.height >= 44 })()`
			if !eval[bool](t, ctx, string(bytes.ReplaceAll([]byte(inSight), []byte("%"), []byte(at)))) {
				t.Errorf("%s: the button is out of sight at %s", page, at)
			}
		}
		if wide := eval[int](t, ctx, "document.documentElement.scrollWidth"); wide > 390 {
			t.Errorf("%s is %d pixels wide", page, wide)
		}
	}
}

// pdfPage finds the pages of a PDF.
var pdfPage = regexp.MustCompile(`/Type */Page\b[^s]`)

// TestPrint prints a sheet on one page, a roll on one, and the widest table of each book within the width of the paper.
func TestPrint(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	for _, page := range []string{"/tempestas", "/haze", "/zones", "/supermen", "/hybrid"} {
		do(t, ctx, chromedp.Navigate(url+page+"/characters"))
		press(t, ctx, "[data-example] button")
		await(t, ctx, `location.pathname.endsWith("/character") && document.querySelector(".rolls") !== null && document.getElementById("saved").textContent !== ""`)
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(pdfPage.FindAll(pdf, -1)); n != 1 {
			t.Errorf("the sheet of %s takes %d pages", page, n)
		}
	}
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test?as=ada&asked=yes&in.name=navigation&dice=43&why=success"))
	await(t, ctx, `document.querySelector("section.why") !== null`)
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(pdfPage.FindAll(pdf, -1)); n != 1 {
		t.Errorf("a roll with its why takes %d pages", n)
	}
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.EmulateViewport(690, 1000)) // A4 less its margins
	for _, page := range []string{"/supermen/charts.html", "/hybrid/ch5_combat.html", "/zones/rounds.html", "/haze/actions.html"} {
		do(t, ctx, chromedp.Navigate(url+page))
		await(t, ctx, `document.querySelector("table") !== null`)
		wide := eval[[]string](t, ctx, `[...document.querySelectorAll(".scroll")].filter(x => x.scrollWidth > x.clientWidth + 1)
			.map(x => x.closest("section").id + " " + x.scrollWidth + " of " + x.clientWidth)`)
		if len(wide) > 0 {
			t.Errorf("%s: cut off in print: %q", page, wide)
		}
	}
}

// holdAnswers lets the answers that the pages fetch come when they are let through: all, by letThrough(), or one of those that
// wait, by letThrough(i).
func holdAnswers(t *testing.T, ctx context.Context) {
	t.Helper()
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `{
			const ask = fetch, waiting = [];
			let held = true;
			window.asked = window.answered = 0;
			window.letThrough = (i) => {
				if (i !== undefined) return waiting[i]();
				held = false;
				for (const go of waiting) go();
			};
			window.fetch = async (...of) => {
				const turn = new Promise((resolve) => { held ? waiting.push(resolve) : resolve(); });
				window.asked++;
				const answer = await ask(...of);
				await turn;
				window.answered++;
				return answer;
			};
		}`}); err != nil {
		t.Fatal(err)
	}
}

// TestChosenBeforeTheFirstAnswer keeps of a form what was chosen while the fields for the active character were on their
// way.
func TestChosenBeforeTheFirstAnswer(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	press(t, ctx, "[data-example] button")
	await(t, ctx, `location.pathname.endsWith("/character") && location.hash.length > 1`)
	holdAnswers(t, ctx)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/opposed"))
	await(t, ctx, `window.asked > 0 && document.querySelector("select[aria-label*='among your characters']") !== null`)
	eval[any](t, ctx, `{const x = document.querySelector("select[aria-label*='among your characters']"); x.selectedIndex = 1;
		x.dispatchEvent(new Event("input", {bubbles: true})); window.letThrough()}`)
	await(t, ctx, `window.answered >= 3 && window.answered === window.asked`) // the fields, the choice, both together
	if !eval[bool](t, ctx, `JSON.parse(document.querySelector("textarea[data-person]").value || "{}").skills?.navigation > 0`) {
		t.Error("the opponent that was chosen is gone")
	}
}

// TestOpponentAmongSaved plays an opposed roll against a character that the browser keeps.
func TestOpponentAmongSaved(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/characters"))
	press(t, ctx, "[data-example] button")
	await(t, ctx, `location.pathname.endsWith("/character") && location.hash.length > 1`)
	do(t, ctx, chromedp.Navigate(url+"/tempestas/try/opposed"))
	// The fields come anew for the character that is played.
	await(t, ctx, `(x => x && (x.selectedIndex = 1, x.dispatchEvent(new Event("input", {bubbles: true})),
		JSON.parse(document.querySelector("textarea[data-person]").value).skills?.navigation > 0))(
		document.querySelector("select[aria-label*='among your characters']"))`)
	do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
	await(t, ctx, `document.querySelector("#answer .headline, #answer [role=alert]") !== null`)
	if said := eval[string](t, ctx, `document.querySelector("#answer [role=alert]")?.innerText ?? ""`); said != "" {
		t.Errorf("refused: %s", said)
	}
}
