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
// Shows whether the server answers and, for as long as it does not, looks again: on one timer, however many ask. What the page
// shows may be old once the server is back, and those who listen for "serverback" ask again.
let looking = null, lookingAgain;
const lookForServer = () => looking ??= (async () => {
	const isHere = await isServerHere(), isBack = isHere && !gone.hidden;
	gone.hidden = isHere;
	looking = null;
	clearTimeout(lookingAgain);
	if (!isHere) lookingAgain = setTimeout(lookForServer, 1000);
	if (isBack) setTimeout(() => dispatchEvent(new Event("serverback"))); // behind those who await the answer
	return isHere;
})();

// Other scripts answer some forms themselves: they are asked first.
let passed = null;
addEventListener("load", () => addEventListener("submit", async (event) => {
	const { target, submitter } = event;
	if (event.defaultPrevented || passed === target) return;
	event.preventDefault();
	if (!await lookForServer()) return;
	// Parts of the page may have been replaced meanwhile: then the form and the button that stand for these are meant.
	const sent = target.isConnected ? target : document.getElementById(target.getAttribute("id"));
	const isPressed = (x) => x.type === "submit" && x.name === submitter.name && x.value === submitter.value;
	passed = sent;
	sent?.requestSubmit(submitter?.isConnected ? submitter : submitter && [...sent.elements].find(isPressed));
	passed = null; // the event comes within the call, or not at all where a field is wrong
}));
addEventListener("click", async (event) => {
	const link = event.target.closest?.("a[href]");
	if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // this page stays
	if (gone.hidden || !link || link.target === "_blank" || link.origin !== location.origin) return;
	if (link.hash && link.pathname === location.pathname) return;
	event.preventDefault();
	if (await lookForServer()) location.href = link.href;
});
