// Characters in the browser: kept as they are edited, one of each ruleset active and shown in the head of every page. The
// server makes the sheet (POST character), so that this file knows nothing of any game.
"use strict";

const ruleset = document.body.dataset.ruleset, up = document.body.dataset.up || "./";
const channel = ruleset && "BroadcastChannel" in window ? new BroadcastChannel("characters") : null; // from other pages
const newID = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
const activeKey = "active " + ruleset;
const people = async () => (await store.list("characters")).filter((p) => p.ruleset === ruleset)
	.sort((a, b) => a.name.localeCompare(b.name));
const activePerson = async () => {
	const list = await people();
	return list.find((p) => p.id === localStorage.getItem(activeKey)) ?? list[0];
};
const keepPerson = async (person) => {
	const was = person.id;
	person.changed = Date.now() + Math.random(); // two pages never save at the same time
	await store.put("characters", person);
	if (person.id !== was && localStorage.getItem(activeKey) === was) localStorage.setItem(activeKey, person.id);
	channel?.postMessage(person.id);
	return person;
};
const addPerson = (name, character) => keepPerson({ id: newID(), ruleset, name, character });
const element = (tag, properties, ...children) => {
	const out = Object.assign(document.createElement(tag), properties);
	out.append(...children);
	return out;
};
const whenOf = (time) => new Date(time).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
const initials = (name) => (name || "?").slice(0, 2);

// The head of the page says who is played.
const showActive = async () => {
	const head = document.querySelector("details.who");
	if (!head) return;
	const list = await people(), active = await activePerson();
	head.hidden = false;
	const others = list.filter((p) => p !== active && p.id !== active?.id).map((p) => {
		const button = element("button", { type: "button", className: "quiet", textContent: "Play " + (p.name || "the nameless one") });
		button.addEventListener("click", () => {
			localStorage.setItem(activeKey, p.id);
			location.reload();
		});
		return element("li", {}, button);
	});
	const links = element("ul", { className: "plain stack" });
	if (active) links.append(element("li", {}, element("a", { href: up + "character#" + encodeURIComponent(active.id), textContent: (active.name || "The") + (active.name ? "’s sheet" : " sheet") })));
	links.append(...others, element("li", {}, element("a", { href: up + "character?new=yes", textContent: "New character" })),
		element("li", {}, element("a", { href: up + "characters", textContent: "All characters" })));
	head.replaceChildren(element("summary", {},
		element("span", { className: "face", ariaHidden: "true", textContent: active ? initials(active.name) : "?" }),
		element("span", { className: "name", textContent: active ? active.name || "nameless" : "Nobody" }),
		element("span", { className: "hidden", textContent: ", the character you play. Change" })), element("div", {}, links));
};
if (ruleset) {
	showActive();
	channel?.addEventListener("message", showActive);
}

// Characters leave as files, and come back from them: one as it is, several as a list of their names with them.
const download = (name, text) => {
	const url = URL.createObjectURL(new Blob([text + "\n"], { type: "application/json" }));
	element("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
};
const exported = (person) => ({ name: person.name, ruleset: person.ruleset, character: JSON.parse(person.character) });
const readCharacters = (text, file) => {
	const value = JSON.parse(text);
	return (Array.isArray(value) ? value : [value]).map((x) => {
		if (typeof x !== "object" || x === null || Array.isArray(x)) throw new Error("it has no character");
		if (!("character" in x)) return { name: file.replace(/\.json$/i, ""), character: x };
		if (x.ruleset && x.ruleset !== ruleset) throw new Error("“" + x.name + "” is of " + x.ruleset);
		if (typeof x.character !== "object" || x.character === null) throw new Error("“" + x.name + "” has no character");
		return { name: String(x.name ?? ""), character: x.character };
	});
};

// Rolls are kept by their address, which shows them again.
const mostRolls = 200;
const result = document.querySelector("#answer .result .headline");
// Who asks why rolls nothing.
if (result && ruleset && document.querySelector("[data-copy-link]") && !new URLSearchParams(location.search).has("why")) {
	const id = location.pathname + location.search;
	const keep = async () => {
		if (await store.get("rolls", id)) return;
		await store.put("rolls", { id, ruleset, time: Date.now(), title: document.querySelector("h1").textContent, headline: result.textContent,
			say: document.querySelector("#answer .say")?.textContent ?? "" });
		const old = (await store.list("rolls")).sort((a, b) => b.time - a.time).slice(mostRolls);
		for (const roll of old) await store.remove("rolls", roll);
	};
	keep().catch(() => { /* this browser keeps nothing */ });
}

// A play is kept as it stands, by its beginning: taken back or gone on with, it is the same play.
const play = document.querySelector("form.play");
if (play && ruleset) {
	const log = play.elements.log.value, { events, ...start } = JSON.parse(log);
	store.put("rolls", { id: "play " + location.pathname + " " + digestOf(JSON.stringify(start)), ruleset, play: location.pathname, log,
		isOpen: document.querySelector(".next") !== null || document.querySelector("[value^='decide ']") !== null, time: Date.now(),
		title: document.querySelector("h1").textContent + ", " + document.querySelector(".line li:last-child .soft").textContent,
		headline: play.querySelector(".headline").textContent, say: events.length + (events.length === 1 ? " step" : " steps"),
	}).catch(() => { /* this browser keeps nothing */ });
}
const takeUp = (kept) => {
	const button = element("button", { className: "quiet", textContent: kept.title + " (" + kept.say + ")" });
	return element("form", { method: "post", action: kept.play }, element("input", { type: "hidden", name: "asked", value: "yes" }),
		element("input", { type: "hidden", name: "log", value: kept.log }), button);
};
const resume = document.getElementById("resume");
if (resume) store.list("rolls").then((rolls) => {
	const own = rolls.filter((r) => r.play === location.pathname && r.isOpen).sort((a, b) => b.time - a.time).slice(0, 5);
	if (!own.length) return;
	resume.hidden = false;
	resume.append(element("h2", { textContent: "Go on playing" }), element("ul", { className: "plain log" }, ...own.map((r) => element("li", {},
		element("span", { className: "tag", textContent: r.headline }), takeUp(r),
		element("span", { className: "when", textContent: whenOf(r.time) })))));
}).catch(() => { /* this browser keeps nothing */ });

const log = document.getElementById("log");
if (log) store.list("rolls").then((rolls) => {
	const own = rolls.filter((r) => r.ruleset === ruleset).sort((a, b) => b.time - a.time).slice(0, 30);
	log.closest("section").hidden = own.length === 0;
	log.replaceChildren(...own.map((r) => element("li", {},
		element("span", { className: "tag", textContent: r.headline }),
		r.play ? takeUp(r) : element("a", { href: r.id, textContent: r.title + (r.say ? ": " + r.say : "") }),
		element("span", { className: "when", textContent: whenOf(r.time) }))));
}).catch(() => { /* this browser keeps nothing */ });

// The first page has all characters, and what was played and rolled last.
const mine = document.getElementById("mine");
if (mine) Promise.all([store.list("characters"), store.list("rolls")]).then(([all, rolls]) => {
	if (!all.length && !rolls.length) return;
	const last = rolls.sort((a, b) => b.time - a.time).slice(0, 6);
	mine.hidden = false;
	if (all.length) mine.append(element("h2", { textContent: "Your characters" }), element("ul", { className: "plain three" }, ...all.map((p) =>
		element("li", { className: "card person" }, element("span", { className: "face", ariaHidden: "true", textContent: initials(p.name) }),
			element("div", {}, element("h3", {}, element("a", { href: p.ruleset + "/character#" + encodeURIComponent(p.id), textContent: p.name || "nameless" }),
				" ", element("small", { className: "soft", textContent: p.ruleset })))))));
	if (last.length) mine.append(element("h2", { textContent: "Last rolls" }), element("ul", { className: "plain log" }, ...last.map((r) => element("li", {},
		element("span", { className: "tag", textContent: r.headline }),
		r.play ? takeUp(r) : element("a", { href: r.id, textContent: r.title + (r.say ? ": " + r.say : "") }),
		element("span", { className: "when", textContent: whenOf(r.time) })))));
}).catch(() => { /* this browser keeps nothing */ });

// A search finds the reader's characters, too.
const found = document.getElementById("found-people");
if (found?.dataset.query) store.list("characters").then((all) => {
	const words = found.dataset.query.toLowerCase().split(/\s+/);
	const own = all.filter((p) => (!ruleset || p.ruleset === ruleset) && words.every((w) => p.name.toLowerCase().includes(w)));
	if (own.length) found.append(element("ul", { className: "found" }, ...own.map((p) => element("li", {},
		element("a", { href: (ruleset ? "" : p.ruleset + "/") + "character#" + encodeURIComponent(p.id), textContent: p.name }), " ",
		element("span", { className: "kind", textContent: "your character" })))));
}).catch(() => { /* this browser keeps nothing */ });

// The page of all characters.
const kept = document.getElementById("people");
if (kept) {
	const told = document.getElementById("told");
	const tell = (text, ...more) => {
		told.hidden = false;
		told.replaceChildren(text, ...more);
	};
	const list = async () => {
		const all = await people(), active = await activePerson();
		document.getElementById("nobody").hidden = all.length > 0;
		document.getElementById("manage").hidden = false;
		kept.replaceChildren(...all.map((p) => {
			const act = (text, does) => {
				const button = element("button", { type: "button", className: "quiet", textContent: text, ariaLabel: text + " " + p.name });
				button.addEventListener("click", does);
				return button;
			};
			const row = element("p", { className: "row" });
			if (p.id !== active?.id) row.append(act("Play", () => { localStorage.setItem(activeKey, p.id); list(); showActive(); }));
			else row.append(element("span", { className: "tag win", textContent: "✓ played" }));
			row.append(act("Duplicate", async () => { await addPerson(p.name + " (copy)", p.character); list(); }),
				act("Export", () => download((p.name || "character") + ".json", JSON.stringify(JSON.parse(p.character), null, "\t"))),
				act("Delete", async () => {
					await store.remove("characters", p);
					channel?.postMessage(p.id);
					const undo = element("button", { type: "button", className: "quiet", textContent: "Undo" });
					undo.addEventListener("click", async () => { await keepPerson(p); told.hidden = true; list(); showActive(); });
					tell("“" + p.name + "” is deleted. ", undo);
					list();
					showActive();
				}));
			return element("article", { className: "card person" },
				element("span", { className: "face", ariaHidden: "true", textContent: initials(p.name) }),
				element("div", {}, element("h3", {}, element("a", { href: "character#" + encodeURIComponent(p.id), textContent: p.name || "nameless" })), row));
		}));
	};
	list();
	channel?.addEventListener("message", list);
	document.getElementById("export-all").addEventListener("click", async () => {
		download(ruleset + " characters.json", JSON.stringify((await people()).map(exported), null, "\t"));
	});
	document.getElementById("import").addEventListener("change", async (event) => {
		const names = [], wrong = [];
		for (const file of event.target.files) {
			try {
				for (const x of readCharacters(await file.text(), file.name)) {
					await addPerson(x.name, JSON.stringify(x.character));
					names.push(x.name);
				}
			} catch (problem) {
				wrong.push(file.name + " is not imported: " + (problem instanceof SyntaxError ? "it is no JSON" : problem.message) + ". ");
			}
		}
		event.target.value = "";
		tell(wrong.join(""), names.length ? "Imported: " + names.join(", ") + "." : "");
		list();
		showActive();
	});
	for (const example of document.querySelectorAll("[data-example] form")) {
		const { example: name, character } = example.parentElement.parentElement.dataset;
		example.addEventListener("submit", async (event) => {
			event.preventDefault();
			const person = await addPerson(name, character);
			localStorage.setItem(activeKey, person.id);
			location.href = "character#" + encodeURIComponent(person.id);
		});
	}
}

// The sheet of a character, which is saved as it is edited.
if (document.getElementById("sheet")) {
	let person, timer, dirty = false;
	const ask = async (fields) => {
		fields.set("part", "yes");
		const answer = await fetch("character", { method: "POST", body: fields });
		const template = element("template");
		template.innerHTML = await answer.text();
		return template.content.querySelector("form");
	};
	const alone = element("p", { className: "note", role: "status", hidden: true,
		textContent: "Another page or program changed this character meanwhile. Both are kept: this page goes on with its own, as another character." });
	document.getElementById("sheet").before(alone);
	const say = (text) => { const place = document.getElementById("saved"); if (place) place.textContent = text; };
	const addTools = () => {
		const tool = (text, does) => {
			const button = element("button", { type: "button", textContent: text });
			button.addEventListener("click", does);
			return button;
		};
		document.getElementById("tools").append(
			tool("Export", () => download((person?.name || "character") + ".json", document.getElementById("text").value)),
			tool("Print", () => print()));
	};
	const show = (form, focus) => {
		document.getElementById("sheet").replaceWith(form);
		document.title = document.title.replace(/^[^,]*/, form.dataset.name || "Character");
		addTools();
		if (focus) document.getElementById(focus)?.focus();
	};
	const idOfAddress = () => decodeURIComponent(location.hash.slice(1));
	const open = async () => {
		const id = idOfAddress() || person?.id;
		const sent = document.getElementById("text").value; // by an address or a form
		let kept = id ? await store.get("characters", id) : undefined;
		if (!kept && !id && sent === "{}" && !location.search) kept = await activePerson();
		if (!kept) {
			person = undefined;
			return addTools();
		}
		const form = await ask(new URLSearchParams({ name: kept.name, character: kept.character }));
		if (dirty) return; // what was typed meanwhile stays: saving it finds that the other is newer
		person = kept;
		show(form);
		say("✓ Saved in this browser");
	};
	// Nothing can be typed before the character is there: it would be typed into another one.
	const openFirst = async () => {
		document.getElementById("sheet").inert = true;
		try {
			await open();
		} finally {
			document.getElementById("sheet").inert = false;
		}
	};
	const save = async (submitter) => {
		const fields = new URLSearchParams(new FormData(document.getElementById("sheet")));
		if (submitter?.name) fields.set(submitter.name, submitter.value);
		dirty = false;
		const form = await ask(fields), name = fields.get("name"), character = compact(form.querySelector("#text").value);
		if (!person) {
			person = await addPerson(name, character);
			localStorage.setItem(activeKey, person.id);
			history.replaceState(null, "", "character#" + encodeURIComponent(person.id));
		} else {
			const now = await store.get("characters", person.id);
			let isConflict = now && now.changed !== person.changed;
			if (!isConflict) await keepPerson(Object.assign(person, { name, character })).catch((error) => {
				if (!error.isConflict) throw error;
				isConflict = true;
			});
			if (isConflict) { // nothing of either page is lost
				person = await addPerson(name + " (from another page)", character);
				const field = document.getElementById("name");
				field.value = form.querySelector("#name").value = person.name;
				alone.hidden = false;
			}
			if (location.hash.slice(1) !== encodeURIComponent(person.id)) history.replaceState(null, "", "character#" + encodeURIComponent(person.id));
		}
		if (dirty) return; // what was typed meanwhile is sent next
		if (submitter) show(form, submitter.name === "add" ? submitter.value + "[" + (form.querySelectorAll(`[id="${CSS.escape(submitter.value)}"] .entry`).length - 1) + "]" : "");
		else for (const part of ["#lacks", ".two > .stack:last-child"]) {
			const old = document.querySelector("#sheet " + part), fresh = form.querySelector(part);
			if (old?.contains(document.activeElement)) continue;
			if (old && fresh) old.replaceWith(fresh);
			else if (old) old.remove();
			else if (fresh) document.querySelector("#sheet > .two").before(fresh);
		}
		say("✓ Saved in this browser");
		showActive();
	};
	let saving = Promise.resolve();
	const saveNext = (submitter) => { saving = saving.then(() => save(submitter)).catch(() => say("Not saved: the server does not answer, or this browser keeps nothing")); };
	document.addEventListener("input", (event) => {
		if (!event.target.closest("#sheet")) return;
		dirty = true;
		say("…");
		clearTimeout(timer);
		timer = setTimeout(saveNext, 250);
	});
	document.addEventListener("submit", (event) => {
		if (event.target.id !== "sheet") return;
		event.preventDefault();
		clearTimeout(timer);
		saveNext(event.submitter ?? {});
	});
	addEventListener("hashchange", async () => {
		const id = idOfAddress();
		if (dirty) { // saved before the next one is opened, and under its own address
			clearTimeout(timer);
			saveNext();
			await saving;
			history.replaceState(null, "", "character#" + encodeURIComponent(id));
		}
		await openFirst();
	});
	addEventListener("pagehide", () => { if (dirty) saveNext(); });
	channel?.addEventListener("message", async (event) => {
		if (event.data === person?.id && !dirty) open();
	});
	openFirst();
}
