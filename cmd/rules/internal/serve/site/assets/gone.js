// A page whose server is gone says so and stays as it is, with all that was typed: a form that is sent then, or a link that
// is followed, would leave nothing of it. What was pressed last waits for the server, which may only be slow, until something
// is typed.
"use strict";

const gone = element("p", { className: "note doom gone", role: "alert", hidden: true,
	textContent: "The server does not answer. What you typed stays here, and what you pressed last is done as soon as it is back." });
document.getElementById("main").before(gone);

const isServerHere = async () => {
	const late = setTimeout(() => { gone.hidden = false; }, 4000);
	try {
		await fetch(document.body.dataset.top + "style.css", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(30000) });
		return true;
	} catch { return false; } finally { clearTimeout(late); }
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

// Does what was pressed once the server is there, unless something else is pressed meanwhile, or typed while it is gone.
let pressed = null;
const doPressed = () => {
	const does = pressed;
	pressed = null;
	does?.();
};
const whenHere = async (does) => {
	pressed = does;
	if (await lookForServer() && pressed === does) doPressed();
};
addEventListener("serverback", doPressed);
addEventListener("input", () => { if (!gone.hidden) pressed = null; });

// Other scripts answer some forms themselves: they are asked first.
let passed = null;
addEventListener("load", () => addEventListener("submit", (event) => {
	const { target, submitter } = event;
	if (event.defaultPrevented || passed === target) return;
	event.preventDefault();
	whenHere(() => {
		// Parts of the page may have been replaced meanwhile: then the form and the button that stand for these are meant.
		const sent = target.isConnected ? target : document.getElementById(target.getAttribute("id"));
		const isPressed = (x) => x.type === "submit" && x.name === submitter.name && x.value === submitter.value;
		passed = sent;
		sent?.requestSubmit(submitter?.isConnected ? submitter : submitter && [...sent.elements].find(isPressed));
		passed = null; // the event comes within the call, or not at all where a field is wrong
	});
}));
addEventListener("click", (event) => {
	const link = event.target.closest?.("a[href]");
	if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // this page stays
	if (gone.hidden || !link || link.target === "_blank" || link.origin !== location.origin) return;
	if (link.hash && link.pathname === location.pathname) return;
	event.preventDefault();
	whenHere(() => { location.href = link.href; });
});
