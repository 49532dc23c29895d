package browser

import "testing"

// TestServerIsGone ends the server under a page on which somebody has typed: the page says so and keeps what was typed,
// also when it is sent and when a link is followed; once the server is back it goes on.
func TestServerIsGone(t *testing.T) {
	h := &host{program: build(t), dir: t.TempDir()}
	h.start(t)
	defer func() { h.kill() }()
	ctx := open(t)
	visit(t, ctx, h.address+"/tempestas/try/test")
	set(t, ctx, "in.difficulty", "hard")
	await(t, ctx, `document.getElementById("chance").innerText.includes("%")`)
	const isKept = `location.pathname === "/tempestas/try/test" && location.search === "" &&
		new FormData(document.getElementById("ask")).get("in.difficulty") === "hard"`
	h.kill()
	await(t, ctx, `!document.querySelector(".gone").hidden`) // it hears of it by itself
	set(t, ctx, "in.difficulty", "hard")
	press(t, ctx, "#roll")
	press(t, ctx, `a[href="../index.html"]`)
	await(t, ctx, `document.querySelector(".gone").innerText.includes("does not answer") && `+isKept)
	h.start(t)
	await(t, ctx, `document.querySelector(".gone").hidden && `+isKept)
	press(t, ctx, "#roll")
	await(t, ctx, `location.search.includes("in.difficulty=hard") && document.querySelector("#answer .headline") !== null`)
}
