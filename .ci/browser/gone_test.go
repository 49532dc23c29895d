package browser

import "testing"

// TestServerIsGone ends the server under a page on which somebody has typed: the page says so and keeps what was typed,
// also when it is sent and when a link is followed; once the server is back, its odds are those of what was typed, and it
// goes on, also where the pressed button was replaced.
func TestServerIsGone(t *testing.T) {
	h := &host{dir: t.TempDir()}
	h.start(t)
	defer func() { h.kill() }()
	ctx := open(t)
	visit(t, ctx, h.address+"/tempestas/try/test")
	set(t, ctx, "in.difficulty", "hard")
	const hasHardChance = `document.getElementById("chance").innerText.includes("57 %")`
	await(t, ctx, hasHardChance)
	const isKept = `location.pathname === "/tempestas/try/test" && location.search === "" &&
		new FormData(document.getElementById("ask")).get("in.difficulty") === "hard"`
	eval[any](t, ctx, countTimers)
	h.kill()
	await(t, ctx, `!document.querySelector(".gone").hidden`) // it hears of it by itself
	if n := evalPromise[int](t, ctx, `(async () => {
		for (let i = 0; i < 4; i++) await lookForServer();
		return timers.size })()`); n != 1 {
		t.Errorf("%d timers look for the server, not one", n)
	}
	set(t, ctx, "in.difficulty", "hard")
	press(t, ctx, "#roll")
	press(t, ctx, `a[href="../index.html"]`)
	await(t, ctx, `document.querySelector(".gone").innerText.includes("does not answer") && `+isKept)
	if eval[bool](t, ctx, pressWithControl) {
		t.Error("a link does not open in another tab")
	}
	set(t, ctx, "in.difficulty", "moderate")
	h.start(t)
	await(t, ctx, `document.querySelector(".gone").hidden`)
	await(t, ctx, `document.getElementById("chance").innerText.includes("77 %")`) // which nobody asks for again
	set(t, ctx, "in.difficulty", "hard")
	await(t, ctx, hasHardChance+" && "+isKept)
	eval[any](t, ctx, `(x => { x.click(); x.replaceWith(x.cloneNode(true)) })(document.getElementById("roll"))`)
	await(t, ctx, `location.search.includes("in.difficulty=hard") && document.querySelector("#answer .headline") !== null`)
}

// TestServerIsSlow presses while the server cannot be reached, or takes longer than the page waits to say so: what was pressed
// last is done once it answers, unless something was typed since.
func TestServerIsSlow(t *testing.T) {
	ctx := open(t)
	url := serve(t, t.TempDir(), "tempestas")
	const isRolled = `document.querySelector("#answer .headline") !== null`
	for name, firstLook := range map[string]string{
		"refused": `Promise.reject(new TypeError())`,
		"late":    `new Promise((resolve) => setTimeout(resolve, 6000))`,
	} {
		t.Run(name, func(t *testing.T) {
			visit(t, ctx, url+"/tempestas/try/test")
			eval[any](t, ctx, `window.looks = 0; (ask => { window.fetch = (to, init) => init?.method === "HEAD" && !looks++ ? `+
				firstLook+` : ask(to, init) })(window.fetch)`)
			press(t, ctx, "#roll")
			await(t, ctx, `!document.querySelector(".gone").hidden`)
			await(t, ctx, isRolled)
		})
	}

	const whileGone = `window.isBack = false; (ask => { window.fetch = (to, init) => init?.method === "HEAD" && !isBack ?
		Promise.reject(new TypeError()) : ask(to, init) })(window.fetch)`
	visit(t, ctx, url+"/tempestas/try/test")
	eval[any](t, ctx, whileGone)
	press(t, ctx, "#roll")
	await(t, ctx, `!document.querySelector(".gone").hidden`)
	set(t, ctx, "in.difficulty", "hard")
	eval[any](t, ctx, `isBack = true`)
	await(t, ctx, `document.querySelector(".gone").hidden && document.getElementById("chance").innerText.includes("57 %")`)
	if eval[bool](t, ctx, isRolled) {
		t.Error("what was pressed before something was typed is done")
	}

	eval[any](t, ctx, whileGone)
	press(t, ctx, "#roll")
	await(t, ctx, `!document.querySelector(".gone").hidden`)
	press(t, ctx, `a[href="../index.html"]`)
	eval[any](t, ctx, `isBack = true`)
	await(t, ctx, `location.pathname === "/tempestas/index.html"`)
}

// countTimers holds the timers that look for the server and have not run.
const countTimers = `(() => {
	const set = window.setTimeout, clear = window.clearTimeout;
	window.timers = new Set();
	window.setTimeout = (f, ...rest) => {
		const id = set(() => { timers.delete(id); f() }, ...rest);
		if (f === lookForServer) timers.add(id);
		return id };
	window.clearTimeout = (id) => { timers.delete(id); clear(id) } })()`

// pressWithControl presses a link as for another tab, which does not open, and reports whether the page prevented it.
const pressWithControl = `(link => {
	let wasPrevented;
	addEventListener("click", (event) => { wasPrevented = event.defaultPrevented; event.preventDefault() }, {once: true});
	link.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, ctrlKey: true}));
	return wasPrevented })(document.querySelector('a[href="../index.html"]'))`
