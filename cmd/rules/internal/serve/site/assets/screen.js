// The master's screen fills itself with the characters that the browser keeps, and follows its form without another page.
"use strict";

const screenKey = "screen " + ruleset;
const changed = new Set(); // names of the fields that were changed since the form was sent
const followScreen = async (fields) => {
	fields.set("part", "yes");
	changed.clear();
	const answer = await fetch("screen", { method: "POST", body: fields });
	if (!answer.ok) throw new Error(await answer.text());
	const part = document.createElement("template");
	part.innerHTML = await answer.text();
	const fresh = part.content.querySelector("form"), old = document.getElementById("screen"), now = document.activeElement;
	const open = [...old.querySelectorAll("details")].map((x) => x.open);
	fresh.querySelectorAll("details").forEach((x, i) => { x.open = open[i]; });
	const rolled = old.querySelectorAll("#rolled li:not(.soft)"), list = fresh.querySelector("#rolled");
	if (rolled.length) list.querySelector("li.soft")?.remove();
	list.append(...[...rolled].slice(0, 30));
	const value = now?.value, name = now?.name;
	for (const field of changed) if (old.elements[field] && fresh.elements[field]) fresh.elements[field].value = old.elements[field].value;
	old.replaceWith(fresh);
	const again = name && [...fresh.querySelectorAll("[name]")].find((x) => x.name === name && (x.type !== "radio" && x.tagName !== "BUTTON" || x.value === value));
	again?.focus({ preventScroll: true });
	try { localStorage.setItem(screenKey, JSON.stringify(new FormData(fresh).getAll("pin"))); } catch { /* nothing is kept here */ }
};
const fieldsOf = (submitter) => {
	const fields = new URLSearchParams(new FormData(document.getElementById("screen")));
	if (submitter?.name) fields.set(submitter.name, submitter.value);
	return fields;
};

// One question waits for the answer to the other: each brings a whole form, and would undo a later one.
let queue = Promise.resolve(), isWaiting = false;
const enqueue = (fields) => {
	queue = queue.then(() => followScreen(fields())).catch((error) => {
		const problem = document.getElementById("problem");
		problem.hidden = false;
		problem.textContent = error instanceof TypeError ? "The server does not answer." : error.message;
	});
};
addEventListener("input", (event) => {
	if (!event.target.closest?.("#screen") || event.target.matches("[type=checkbox]")) return;
	changed.add(event.target.name);
	if (event.target.matches("textarea") || isWaiting) return;
	isWaiting = true;
	enqueue(() => {
		isWaiting = false;
		return fieldsOf();
	});
});
addEventListener("submit", (event) => {
	if (event.target.id !== "screen" || event.submitter?.formAction.endsWith("/do")) return;
	event.preventDefault();
	enqueue(() => fieldsOf(event.submitter));
});
people().then((all) => {
	const fields = fieldsOf();
	let pins = [];
	try { pins = JSON.parse(localStorage.getItem(screenKey)) ?? []; } catch { /* nothing is kept here */ }
	if (pins.length) {
		fields.delete("pin");
		for (const pin of pins) fields.append("pin", pin);
	}
	if (all.length && "examples" in document.getElementById("screen").dataset) {
		fields.set("party", JSON.stringify(all.map((p) => ({ name: p.name || "nameless", character: JSON.parse(p.character) }))));
	} else if (!pins.length) return;
	enqueue(() => fields);
}).catch(() => { /* this browser keeps nothing */ });
