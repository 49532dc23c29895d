// Package browser opens the pages of rules serve in headless Chromium, as people use them. It is a module of its own, so
// that the main one needs neither a browser nor its driver. axe-core (npm) lies in node_modules beside it: .ci/run
// installs it.
package browser

import (
	"bufio"
	"context"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience bounds one session: an element that never comes is waited for as long.
const patience = 6 * time.Minute

// TestMain runs the tests with the program in PROGRAM, which is compiled here where the variable is not set, and with one
// cache for all servers: each would compile the same rulesets first.
func TestMain(m *testing.M) {
	os.Exit(runWithProgram(m))
}

func runWithProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_CACHE_HOME", dir)
	if os.Getenv("PROGRAM") != "" {
		return m.Run()
	}
	os.Setenv("PROGRAM", filepath.Join(dir, "rules"))
	c := exec.Command("go", "build", "-o", os.Getenv("PROGRAM"), "./cmd/rules")
	c.Dir = filepath.Join("..", "..")
	if out, err := c.CombinedOutput(); err != nil {
		log.Printf("%v: %s", err, out)
		return 1
	}
	return m.Run()
}

// serve starts the server in a directory and gives its address.
func serve(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Getenv("PROGRAM"), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(os.Interrupt)
		c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/")
}

// open starts a browser. Nothing in it talks to any other host.
func open(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, end := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	ctx, end = context.WithTimeout(ctx, patience)
	t.Cleanup(end)
	return ctx
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval is the value of an expression in the page.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// evalPromise is what the promise of an expression in the page comes to.
func evalPromise[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// await waits until an expression holds in a page that has come whole: a button that is pressed before its form is there
// does nothing. While a page is left and the next one comes there may be nothing to ask.
func await(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for end := time.Now().Add(patience / 12); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && (`+expression+`)`)); err == nil && holds {
			return
		}
	}
	t.Fatalf("%s never holds\n%s", expression, eval[string](t, ctx, "document.body.innerText"))
}

// output is the value of an output on the page of a rule or a procedure.
func output(name string) string {
	return `[...document.querySelectorAll("#answer dt, section[aria-label=State] dt")]
		.find(x => x.textContent.toLowerCase() === "` + name + `".toLowerCase())?.nextElementSibling?.firstChild?.textContent`
}

// choose fills a field or, of a choice, takes the one of its values.
const choose = `(name, value) => {
	const one = [...document.querySelectorAll("input[type=radio]")].find(x => x.name === name && x.value === value);
	const x = one ?? document.getElementById(name);
	if (one) one.checked = true; else x.value = value;
	x.dispatchEvent(new Event("input", {bubbles: true})) }`

// press presses a button, also one that is folded.
func press(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	await(t, ctx, "document.querySelector(`"+selector+"`) !== null")
	eval[any](t, ctx, "document.querySelector(`"+selector+"`).click()")
}

func set(t *testing.T, ctx context.Context, name, value string) {
	t.Helper()
	eval[any](t, ctx, `(`+choose+`)("`+name+`", `+"`"+value+"`"+`)`)
}

// TestPages is one reader's way through the pages.
func TestPages(t *testing.T) {
	url := serve(t, t.TempDir())
	ctx := open(t)

	t.Run("find what a heroic success brings", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url), chromedp.Click(chromedp.CSS(`a[href="tempestas/index.html"]`)))
		await(t, ctx, `location.pathname.includes("/tempestas/") && document.readyState === "complete"`)
		do(t, ctx, chromedp.SendKeys(chromedp.ID("q"), "heroic\n"), chromedp.WaitVisible(chromedp.CSS(".found a")))
		do(t, ctx, chromedp.Click(chromedp.CSS(`.found a[href^="heroic.html"]`)))
		await(t, ctx, `document.querySelector("h1").textContent === "Heroic"`)
	})

	t.Run("roll Ada's hard navigation", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test"))
		set(t, ctx, "character", `{"skills": {"navigation": 90}}`)
		set(t, ctx, "in.name", "navigation")
		set(t, ctx, "in.difficulty", "hard")
		set(t, ctx, "die.roll", "61")
		do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ctx, output("Success")+` === "yes"`) // 61 is heroic above an Active Value of 60
		const trace = `document.querySelector("#answer .trace").textContent`
		await(t, ctx, trace+`.includes("heroic = true")`)

		eval[any](t, ctx, `document.querySelectorAll("#ask details").forEach(x => x.open = true)`)
		set(t, ctx, "option.heroic_band", "none")
		do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ctx, output("Success")+` === "no"`)
		await(t, ctx, trace+`.includes("heroic = false")`)
	})

	t.Run("odds follow the form", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test"))
		set(t, ctx, "character", `{"skills": {"navigation": 90}}`)
		set(t, ctx, "in.difficulty", "hard")
		await(t, ctx, `document.getElementById("chance").textContent.includes("57 %")`)
		press(t, ctx, `#odds button[value="odds"]`) // all of them come into the page
		await(t, ctx, `document.getElementById("odds").textContent.includes("57%")`)
		await(t, ctx, `document.activeElement.id === "odds" && !location.search.includes("odds")`)
		set(t, ctx, "in.difficulty", "moderate")
		await(t, ctx, `document.getElementById("odds").textContent.includes("77%")`)
		set(t, ctx, "vary", "difficulty")
		await(t, ctx, `document.querySelectorAll("#odds .grid tbody tr").length === 5`)
		await(t, ctx, `document.getElementById("odds").textContent.includes("Standard, Moderate")`)
	})

	t.Run("compare two settings", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test"))
		set(t, ctx, "ch.skills.navigation", "80") // of the character as JSON, too
		await(t, ctx, `JSON.parse(document.getElementById("character").value).skills.navigation === 80`)
		set(t, ctx, "in.difficulty", "hard")
		press(t, ctx, `button[value="keep"]`)
		await(t, ctx, `document.querySelector("input[name=kept]") !== null`)
		set(t, ctx, "in.difficulty", "standard")
		await(t, ctx, `document.getElementById("odds").textContent.includes("Difficulty Standard")`)
		await(t, ctx, `document.querySelectorAll("#odds svg .bar.s1").length > 1`)
		if colour := eval[string](t, ctx, `getComputedStyle(document.querySelector("#odds svg rect.bar")).fill`); colour ==
			"rgb(0, 0, 0)" {
			t.Error("the bars are black: the page's style does not reach them")
		}
	})

	t.Run("compare two weapons", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/zones/try/melee_attack"))
		weapons := eval[[]string](t, ctx, `[...document.querySelectorAll('[name="in.weapon"] option, input[name="in.weapon"]')].map(x => x.value).filter(x => x)`)
		if len(weapons) < 2 {
			t.Fatalf("weapons are %q", weapons)
		}
		set(t, ctx, "in.weapon", weapons[0])
		press(t, ctx, `button[value="keep"]`)
		await(t, ctx, `document.querySelector("input[name=kept]") !== null`)
		set(t, ctx, "in.weapon", weapons[1])
		await(t, ctx, `document.getElementById("odds").textContent.toLowerCase().includes("weapon `+strings.ReplaceAll(weapons[0], "_", " ")+`")`)
		await(t, ctx, `document.getElementById("odds").textContent.toLowerCase().includes("weapon `+strings.ReplaceAll(weapons[1], "_", " ")+`")`)
	})

	t.Run("move a slider", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/percentage"))
		const slide = `{const x = document.querySelector("input[type=range][aria-label=chance]"); x.value = 30;
			x.dispatchEvent(new Event("input", {bubbles: true}))}`
		eval[any](t, ctx, slide)
		await(t, ctx, `document.getElementById("in.chance").value === "30"`)
		await(t, ctx, `document.getElementById("odds").textContent.includes("30 %")`)
	})

	t.Run("every odds page answers a change at once", func(t *testing.T) {
		for _, page := range oddsPages(t, ctx, url) {
			do(t, ctx, chromedp.Navigate(url+page))
			took := evalPromise[float64](t, ctx, fastest)
			if took > atOnce { // by a machine that does nothing else
				t.Logf("%s takes %.0f ms", page, took)
			}
			if took > 3*atOnce {
				t.Errorf("%s takes %.0f ms", page, took)
			}
		}
	})

	t.Run("decide after the roll, and ask why", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/supermen/try/jump"))
		set(t, ctx, "dice", "10,10")
		do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ctx, `document.getElementById("decide.spend.height") !== null`)
		set(t, ctx, "decide.spend.height", "7")
		press(t, ctx, `button[value="decide"]`)
		await(t, ctx, output("Quality left")+` !== undefined`)
		press(t, ctx, `button[name="why"][value="success"]`)
		await(t, ctx, `document.querySelector("section.why") !== null`)
	})

	t.Run("play a task and take a roll back", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/task"))
		set(t, ctx, "character", `{"skills": {"carpentry": 60}}`)
		set(t, ctx, "in.name", "carpentry")
		set(t, ctx, "in.target_value", "8")
		do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ctx, `document.querySelector("form.play") !== null`)
		for _, step := range [][3]string{{"event roll", "23", "2"}, {"event roll", "34", "5"}, {"undo", "", "2"}} {
			if step[1] != "" {
				set(t, ctx, "dice roll", step[1])
			}
			press(t, ctx, `button[value="`+step[0]+`"]`)
			await(t, ctx, output("Pool")+`.trim() === "`+step[2]+`"`)
		}
		await(t, ctx, `document.body.innerText.includes("Only a failed roll can be declined")`)

		// Another day it is taken up again, from the page of the procedure.
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/task"))
		press(t, ctx, "#resume button")
		await(t, ctx, output("Pool")+`?.trim() === "2"`)
	})

	t.Run("odds of a play, and a decision in it", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/task"))
		set(t, ctx, "policy", "roll: true")
		press(t, ctx, `button[value="odds"]`)
		await(t, ctx, `document.body.innerText.includes("Events until an end")`)

		do(t, ctx, chromedp.Navigate(url+"/supermen/try/movement"))
		set(t, ctx, "in.segment", "1")
		do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ctx, `document.querySelector("form.play") !== null`)
		set(t, ctx, "roll in.segment", "1")
		set(t, ctx, "dice roll", "3,4")
		press(t, ctx, `button[value="event roll"]`)
		await(t, ctx, `document.getElementById("roll decide.spend.ep") !== null`)
		set(t, ctx, "roll decide.spend.ep", "1")
		press(t, ctx, `button[value="decide roll"]`)
		await(t, ctx, output("moving")+`.trim() === "yes"`)
	})

	t.Run("print a chapter", func(t *testing.T) {
		do(t, ctx, chromedp.Navigate(url+"/hybrid/ch2_checks.html"))
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF())
		if err != nil || len(pdf) < 10_000 || string(pdf[:4]) != "%PDF" {
			t.Errorf("%d bytes, %v", len(pdf), err)
		}
	})

	t.Run("on a phone", func(t *testing.T) {
		do(t, ctx, chromedp.EmulateViewport(390, 844))
		for _, page := range kinds {
			do(t, ctx, chromedp.Navigate(url+page))
			if wide := eval[int](t, ctx, "document.documentElement.scrollWidth"); wide > 390 {
				t.Errorf("%s is %d pixels wide", page, wide)
			}
		}
	})
}

// atOnce is how many milliseconds an answer may take that seems to come at once.
const atOnce = 100

// fastest sends the form of a page five times, as its script does, and takes the time of the fastest answer: the others
// wait for whatever else this machine does.
const fastest = `(async () => {
	const form = document.querySelector("form[data-live]"), times = [];
	for (let i = 0; i < 5; i++) {
		const begin = performance.now();
		const answer = await fetch(new URL(form.action).pathname + "/odds", {method: "POST", body: new URLSearchParams(new FormData(form))});
		await answer.text();
		times.push(performance.now() - begin);
	}
	return Math.min(...times);
})()`

// oddsPages are the forms of all rules that have odds.
func oddsPages(t *testing.T, ctx context.Context, url string) []string {
	t.Helper()
	var out []string
	for _, ruleset := range []string{"tempestas", "haze", "supermen", "zones", "hybrid"} {
		do(t, ctx, chromedp.Navigate(url+"/"+ruleset+"/index.html"))
		list := evalPromise[[]string](t, ctx, `(async () => {
			const out = [];
			for (const link of document.querySelectorAll("a.try")) {
				const text = await (await fetch(link.href)).text();
				if (text.includes('data-live="odds"') && text.includes('id="odds"')) out.push(new URL(link.href).pathname);
			}
			return out;
		})()`)
		if len(list) == 0 {
			t.Errorf("no rule of %s has odds", ruleset)
		}
		out = append(out, list...)
	}
	return out
}

// kinds has a page of each kind.
var kinds = []string{"/", "/tempestas/index.html", "/supermen/charts.html", "/hybrid/ch5_combat.html",
	"/zones/search?q=stamina",
	"/tempestas/try/test?vary=difficulty", "/tempestas/try/task", "/haze/try/attack", "/dice?e=4d6kh3,2d6",
	"/dice?show=at-least&e=2d6&e=1d12", "/tempestas/changes", "/tempestas/cases", "/nonesuch/", "/tempestas/characters", "/haze/character?new=yes",
	"/hybrid/try/blow?as=mara", "/tempestas/rulings?option.heroic_band=none", "/tempestas/screen", "/haze/screen", "/search?q=attack",
	"/session/", "/session/aaaaaaaaaaaaaaaa/"}

// violation is a finding of axe-core.
type violation struct {
	ID    string   `json:"id"`
	Where []string `json:"where"`
}

// screens are how pages are looked at: on a desk and on a phone, in the light and in the dark.
var screens = []screen{
	{"light", 1200, 1000, "light"}, {"dark", 1200, 1000, "dark"}, {"phone", 390, 1000, "light"}, {"phone_dark", 390, 1000, "dark"},
}

// A screen is a size in pixels, and the colours that its reader prefers.
type screen struct {
	name          string
	width, height int64
	scheme        string
}

// emulate shows the page as on the screen.
func emulate(t *testing.T, ctx context.Context, s screen) {
	t.Helper()
	do(t, ctx, chromedp.EmulateViewport(s.width, s.height))
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAccessible lets axe-core judge a page of each kind on each screen, and the pages that a roll and a play come to. With
// SHOTS=DIR in the environment it writes a picture of each.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("npm install --no-package-lock puts axe-core here: %v", err)
	}
	url := serve(t, t.TempDir(), "--session", t.TempDir())
	ctx := open(t)
	for _, screen := range screens {
		emulate(t, ctx, screen)
		for _, page := range kinds {
			do(t, ctx, chromedp.Navigate(url+page))
			shoot(t, ctx, screen.name+page)
			judge(t, ctx, string(axe), screen.name+" "+page)
		}
		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/test"))
		set(t, ctx, "die.roll", "43")
		do(t, ctx, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ctx, output("Success")+` === "yes"`)
		press(t, ctx, `button[name="why"][value="success"]`)
		await(t, ctx, `document.querySelector("section.why") !== null`)
		shoot(t, ctx, screen.name+"/rolled")
		judge(t, ctx, string(axe), screen.name+" a roll")

		do(t, ctx, chromedp.Navigate(url+"/tempestas/try/task"))
		press(t, ctx, rollButton) // not where it was: the play that is kept comes to stand above it
		await(t, ctx, `document.querySelector("form.play") !== null`)
		press(t, ctx, `button[value="odds"]`)
		await(t, ctx, `document.body.innerText.includes("Events until an end")`)
		shoot(t, ctx, screen.name+"/played")
		judge(t, ctx, string(axe), screen.name+" a play")
	}
}

// shoot writes a picture of the page, when there is a directory for it.
func shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	var png []byte
	var err error
	for range 3 { // a page that has just come may still have no width
		if png, err = chromedp.Run(ctx, chromedp.FullScreenshot(100)); err == nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := strings.Map(func(r rune) rune {
		if strings.ContainsRune("/?=&.,", r) {
			return '_'
		}
		return r
	}, name)
	if err := os.WriteFile(filepath.Join(dir, file+".png"), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

// judge lets axe-core look at all that a page has, opened; nothing may lie beside the window.
func judge(t *testing.T, ctx context.Context, axe, name string) {
	t.Helper()
	if over := eval[int](t, ctx, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
		t.Errorf("%s: %d pixels lie beside the window", name, over)
	}
	eval[any](t, ctx, `document.querySelectorAll("details").forEach(x => x.open = true)`)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](axe))
	for _, v := range evalPromise[[]violation](t, ctx, `axe.run(document, {resultTypes: ["violations"]}).then(r =>
		r.violations.map(v => ({id: v.id, where: v.nodes.slice(0, 3).map(n => n.html)})))`) {
		t.Errorf("%s: %s: %q", name, v.ID, v.Where)
	}
}

// TestEdit breaks and mends a table of a module while the page with it is open: the page says what is wrong, at the table
// and with the repair, by itself, and goes on.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	c := exec.CommandContext(t.Context(), os.Getenv("PROGRAM"), "init", "game")
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	url := serve(t, filepath.Join(dir, "game"))
	ctx := open(t)
	file := filepath.Join(dir, "game", "tables", "game", "ruleset.cue")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) {
		t.Helper()
		text := strings.Replace(string(good), old, new, 1)
		if text == string(good) {
			t.Fatalf("%s has no %s", file, old)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, chromedp.Navigate(url+"/game/ruleset.html"))
	edit(`gives: "difficulty"`, `gives: "dificulty"`)
	await(t, ctx, `document.querySelector(".problems")?.innerText.includes("tables/game/ruleset.cue:30:10")`)
	await(t, ctx, `document.querySelector(".problem")?.innerText.includes("did you mean difficulty?")`)
	await(t, ctx, `document.querySelector(".problem").nextElementSibling.id === "table.gap"`)
	edit("brook: difficulty: 9", "brook: difficulty: 11")
	await(t, ctx, `!document.querySelector(".problems")`)
	await(t, ctx, `document.getElementById("table.gap").innerText.match(/brook\s+11/) !== null`)
}
