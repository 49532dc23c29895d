// A page whose server is gone says so and stays as it is, with all that was typed: a form that is sent then, or a link that
// is followed, would leave nothing of it.
"use strict";

const gone = element("p", { className: "note doom gone", role: "alert", hidden: true,
	textContent: "The server does not answer. What you typed stays here: go on as soon as it is back." });
document.getElementById("main").before(gone);

const isServerHere = async () => {
	try {
		await fetch(document.body.dataset.top + "style.css", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(4000) });
		return true;
	} catch { return false; }
};
// Shows whether the server answers and, for as long as it does not, looks again.
let looking = null;
const lookForServer = () => looking ??= (async () => {
	const isHere = await isServerHere();
	gone.hidden = isHere;
	looking = null;
	if (!isHere) setTimeout(lookForServer, 1000);
	return isHere;
})();

// Other scripts answer some forms themselves: they are asked first.
let passed = null;
addEventListener("load", () => addEventListener("submit", async (event) => {
	const { target, submitter } = event;
	if (event.defaultPrevented || passed === target) {
		passed = null;
		return;
	}
	event.preventDefault();
	if (!await lookForServer()) return;
	passed = target;
	target.requestSubmit(submitter);
}));
addEventListener("click", async (event) => {
	const link = event.target.closest?.("a[href]");
	if (gone.hidden || !link || link.origin !== location.origin || link.hash && link.pathname === location.pathname) return;
	event.preventDefault();
	if (await lookForServer()) location.href = link.href;
});
