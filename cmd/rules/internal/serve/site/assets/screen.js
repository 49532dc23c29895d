// The master's screen fills itself with the characters that the browser keeps, and follows its form without another page.
"use strict";

const screenKey = "screen " + ruleset;
const followScreen = async (fields) => {
	fields.set("part", "yes");
	const answer = await fetch("screen", { method: "POST", body: fields });
	if (!answer.ok) return;
	const part = document.createElement("template");
	part.innerHTML = await answer.text();
	const fresh = part.content.querySelector("form"), old = document.getElementById("screen"), now = document.activeElement;
	const open = [...old.querySelectorAll("details")].map((x) => x.open);
	fresh.querySelectorAll("details").forEach((x, i) => { x.open = open[i]; });
	const rolled = old.querySelectorAll("#rolled li:not(.soft)"), list = fresh.querySelector("#rolled");
	if (rolled.length) list.querySelector("li.soft")?.remove();
	list.append(...[...rolled].slice(0, 30));
	const value = now?.value, name = now?.name;
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
let isFollowing = false, isChanged = false;
addEventListener("input", async (event) => {
	if (!event.target.closest?.("#screen") || event.target.matches("textarea, [type=checkbox]")) return;
	isChanged = true;
	if (isFollowing) return;
	isFollowing = true;
	try {
		while (isChanged) {
			isChanged = false;
			await followScreen(fieldsOf());
		}
	} finally {
		isFollowing = false;
	}
});
addEventListener("submit", (event) => {
	if (event.target.id !== "screen" || event.submitter?.formAction.endsWith("/do")) return;
	event.preventDefault();
	followScreen(fieldsOf(event.submitter));
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
	return followScreen(fields);
}).catch(() => { /* this browser keeps nothing */ });
