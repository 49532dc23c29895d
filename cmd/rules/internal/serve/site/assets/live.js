// Makes the pages live: odds that follow the form, sliders beside numbers, a character that the browser keeps or reads from
// a file, and a page that loads itself again when the rules have changed. Every page works without it.
"use strict";

// The odds of a form follow it, and so do the fields for what the rule reads of the character; not the part in which
// somebody types. A change is sent at once. While it is answered no other one is, and of those that come meanwhile only the
// last: a slider then moves as fast as the odds can follow.
const form = document.querySelector("form[data-live]");
if (form) {
	const putParts = (html) => {
		const parts = document.createElement("template");
		parts.innerHTML = html;
		for (const part of parts.content.querySelectorAll("[data-part]")) {
			const old = document.getElementById(part.dataset.part);
			if (old && (old === document.activeElement || !old.contains(document.activeElement))) old.replaceChildren(...part.childNodes);
		}
		offerPeople();
	};
	let running = false, changed = false, isOther = false; // isOther: another character, whose names the fields offer
	const refresh = async (event) => {
		changed = true;
		isOther ||= event.target.id === "character";
		if (running) return;
		running = true;
		try {
			while (changed) {
				changed = false;
				const body = new URLSearchParams(new FormData(form));
				const fills = isOther;
				if (fills) body.set("fill", "yes");
				isOther = false;
				const answer = await fetch(new URL(form.action).pathname + "/odds", { method: "POST", body });
				if (!answer.ok) continue;
				const parts = await answer.text();
				if (fills && changed) isOther = true; // what was chosen meanwhile must not be put back
				else putParts(parts);
			}
		} catch (error) {
			if (await lookForServer()) throw error;
		} finally {
			running = false;
		}
	};
	let isTouched = false;
	form.addEventListener("input", (event) => {
		isTouched = true;
		return refresh(event);
	});

	addEventListener("serverback", () => refresh({ target: form })); // what changed while it was away

	// Odds that are asked for come into the page, without another one.
	addEventListener("click", async (event) => {
		const button = event.target.closest?.("#odds button[value=odds]");
		if (!button) return;
		event.preventDefault();
		if (!form.elements.odds) form.append(element("input", { type: "hidden", name: "odds", value: "all" }));
		document.getElementById("odds").focus();
		button.disabled = true;
		await refresh({ target: button });
	});

	// Who is played answers, unless the address says who does. The fields are filled anew for them, but not when somebody
	// has chosen something meanwhile: then the form as it is goes with them.
	const address = new URLSearchParams(location.search);
	const says = [...address.keys()].some((name) => name.startsWith("ch.") || ["character", "as", "stored", "asked", "at"].includes(name));
	if (form.dataset.live === "odds") takeRulings().then(async (hasRulings) => {
		const person = says ? undefined : await activePerson();
		if (!person) return hasRulings && refresh({ target: form });
		for (const [name, value] of new FormData(form)) if (name.startsWith("option.")) address.set(name, value);
		address.set("character", person.character);
		address.set("fill", "yes");
		const answer = await fetch(new URL(form.action).pathname + "/odds", { method: "POST", body: address });
		if (!answer.ok) return;
		const parts = await answer.text(), character = document.getElementById("character");
		character.value = JSON.stringify(JSON.parse(person.character), null, "\t");
		if (isTouched) return refresh({ target: character });
		putParts(parts);
	}).catch(() => { /* this browser keeps nothing */ });
}
if (form?.dataset.live !== "odds") {
	takeRulings().catch(() => { /* this browser keeps nothing */ });
}

// A character is there as JSON and as fields for its parts: each follows the other.
const whole = document.getElementById("character");
if (whole && whole.form) {
	const read = () => { try { return JSON.parse(whole.value); } catch { return null; } };
	const parts = () => whole.form.querySelectorAll('[name^="ch."]');
	const pathOf = (field) => field.name.slice(3).split(".");
	const shown = (value) => value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
	whole.form.addEventListener("input", (event) => {
		const character = read();
		if (!character) return;
		if (event.target === whole) {
			for (const field of parts()) field.value = shown(pathOf(field).reduce((x, name) => x?.[name], character));
		} else if (event.target.name?.startsWith("ch.")) {
			const path = pathOf(event.target), last = path.pop();
			const record = path.reduce((x, name) => x[name] ??= {}, character);
			let value = event.target.value;
			if (value === "") delete record[last];
			else {
				if (typeof record[last] !== "string") try { value = JSON.parse(value); } catch { /* a word */ }
				record[last] = value;
			}
			whole.value = JSON.stringify(character, null, 2);
		}
	});
}

// A number between two bounds gets a slider, unless these are so far apart that a step would be less than a pixel.
const widest = 1000;
for (const input of document.querySelectorAll(".ask input[type=number][min][max]")) {
	if (input.max - input.min > widest) continue;
	const slider = document.createElement("input");
	slider.type = "range";
	slider.className = "slider";
	for (const name of ["min", "max", "step"]) slider.setAttribute(name, input.getAttribute(name));
	slider.value = input.value || input.min; // of nothing, a slider would stand in the middle
	slider.setAttribute("aria-label", input.name.replace(/^.*\./, ""));
	slider.addEventListener("input", () => {
		input.value = slider.value;
		input.dispatchEvent(new Event("input", { bubbles: true }));
	});
	input.addEventListener("input", () => { slider.value = input.value; });
	input.after(slider);
}

// A text that people take along gets a button that copies it.
for (const text of document.querySelectorAll("[data-copy]")) {
	if (!navigator.clipboard) continue; // a browser has it on secure addresses and on this machine
	const button = document.createElement("button");
	button.type = "button";
	button.className = "second";
	button.textContent = "Copy";
	button.addEventListener("click", async () => {
		await navigator.clipboard.writeText(text.textContent);
		button.textContent = "Copied";
	});
	text.before(button);
}

// A page of rules that have changed loads itself again; not while something is being typed. It listens only while it is
// shown: a browser has few connections to one server, and a page that was left would keep one.
const page = document.body;
let news = null;
const listen = () => {
	news = new EventSource(page.dataset.top + "generation");
	news.addEventListener("error", lookForServer);
	news.addEventListener("message", (event) => {
		if (event.data === page.dataset.generation) return;
		news.close();
		if (!form && !document.querySelector("form.play")) location.reload();
	});
};
if (page.dataset.generation && !document.getElementById("table")) { // a table has a stream of its own
	addEventListener("pageshow", listen);
	addEventListener("pagehide", () => { if (news) news.close(); });
}

// The first page shows books as they become ready.
const showBooks = async () => {
	const books = document.querySelector("#books[data-late]");
	if (!books) return;
	const answer = await fetch(location.href), page = new DOMParser().parseFromString(await answer.text(), "text/html");
	const fresh = page.getElementById("books");
	if (fresh && !books.contains(document.activeElement)) books.replaceWith(fresh);
	setTimeout(showBooks, 300);
};
setTimeout(showBooks, 300);

// "/" finds, from everywhere.
addEventListener("keydown", (event) => {
	if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
	if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
	const find = document.getElementById("q");
	if (!find) return;
	event.preventDefault();
	find.focus();
});

// The answer is where reading goes on, or the field that is wrong. A browser passes "autofocus" over on an address with a
// fragment, and looks for the fragment once the page is there: the focus is set behind that.
addEventListener("load", () => setTimeout(() => {
	const wrong = document.querySelector("[aria-invalid=true]");
	if (wrong) {
		for (let x = wrong.closest("details"); x; x = x.parentElement.closest("details")) x.open = true;
		wrong.focus();
	} else if (location.hash === "#answer") document.getElementById("res")?.focus({ preventScroll: true });
}));

// Another character, such as an opponent, is chosen among those that the browser keeps and the examples that ship.
const offerPeople = async () => {
	const own = await people().catch(() => []); // this browser may keep nothing
	const shipped = [...document.querySelectorAll("#shipped data")].map((x) => ({ id: "shipped " + x.textContent,
		name: x.textContent, character: x.value }));
	const list = [...own, ...shipped];
	const optionsOf = (some) => some.map((p) => element("option", { value: p.id, textContent: p.name || "nameless" }));
	for (const text of document.querySelectorAll("textarea[data-person]")) {
		if (!list.length || text.dataset.person) continue;
		text.dataset.person = "offered";
		const choice = element("select", { ariaLabel: text.ariaLabel + ", among your characters and examples" },
			element("option", { value: "", textContent: text.value ? "As it stands" : "Choose …" }), ...optionsOf(own));
		if (shipped.length) choice.append(element("optgroup", { label: "Examples" }, ...optionsOf(shipped)));
		choice.addEventListener("input", (event) => {
			event.stopPropagation();
			const chosen = list.find((p) => p.id === choice.value);
			if (!chosen) return;
			text.value = JSON.stringify(JSON.parse(chosen.character));
			text.dispatchEvent(new Event("input", { bubbles: true }));
		});
		text.closest("details").before(choice);
	}
};
if (ruleset) offerPeople();
