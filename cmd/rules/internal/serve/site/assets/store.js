// What the browser keeps, in IndexedDB: characters, rolls, and characters that are too long for an address.
"use strict";

const store = (() => {
	let opened;
	// Chromium keeps a page that was left, for the way back, as it stands. One that was about to open the database then holds
	// it up for every other page, without end. A page that listens for its end is not kept: this one listens while it opens.
	// And who only reads makes no database.
	const isLeft = () => { /* not kept */ };
	const open = () => opened ??= new Promise((resolve, reject) => {
		addEventListener("unload", isLeft);
		const request = indexedDB.open("rules", 1);
		request.onupgradeneeded = () => {
			request.result.createObjectStore("characters", { keyPath: "id" });
			request.result.createObjectStore("rulings", { keyPath: "id" });
			request.result.createObjectStore("rolls", { keyPath: "id" });
			request.result.createObjectStore("texts", { keyPath: "id" });
		};
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	}).finally(() => removeEventListener("unload", isLeft));
	const isMade = async () => opened || !indexedDB.databases || (await indexedDB.databases()).some((x) => x.name === "rules");
	const read = async (name, ask, none) => await isMade() ? run(name, "readonly", ask) : none;
	const run = async (name, mode, ask) => {
		const transaction = (await open()).transaction(name, mode);
		const asked = ask(transaction.objectStore(name));
		return new Promise((resolve, reject) => {
			transaction.oncomplete = () => resolve(asked.result);
			transaction.onerror = transaction.onabort = () => reject(transaction.error);
		});
	};
	const browser = {
		list: (name) => read(name, (s) => s.getAll(), []),
		get: (name, id) => read(name, (s) => s.get(id)),
		put: (name, value) => run(name, "readwrite", (s) => s.put(value)),
		remove: (name, value) => run(name, "readwrite", (s) => s.delete(value.id)),
	};
	if (!document.body.dataset.folder) return browser;

	// The server keeps characters as files. Each has a version, which a page names that writes: where the file has another
	// one by then, nothing is written, and the error is a conflict. A name is that of the file, so that another name is
	// another id.
	const { ruleset } = document.body.dataset;
	const ask = async (path, init) => {
		const answer = await fetch(document.body.dataset.top + "kept/" + ruleset + path, init);
		if (answer.ok) return answer.json();
		throw Object.assign(new Error(await answer.text()), { isConflict: answer.status === 409 });
	};
	const withRuleset = (p) => ({ ...p, ruleset, character: JSON.stringify(p.character), changed: p.version });
	const list = async () => (await ask("")).map(withRuleset);
	const files = {
		list,
		get: async (id) => (await list()).find((p) => p.id === id),
		put: async (person) => Object.assign(person, withRuleset(await ask("/" + encodeURIComponent(person.id), { method: "PUT",
			body: JSON.stringify({ name: person.name, version: person.version ?? "", character: JSON.parse(person.character) }) }))),
		remove: async (person) => {
			await ask("/" + encodeURIComponent(person.id) + "?version=" + (person.version ?? ""), { method: "DELETE" });
			delete person.version; // taken back, it is a new file
		},
	};
	// A page of no ruleset lists the characters of all of them.
	const everybody = { list: async () => {
		const answer = await fetch(document.body.dataset.top + "kept/");
		if (!answer.ok) throw new Error(await answer.text());
		return (await answer.json()).map((p) => ({ ...p, character: JSON.stringify(p.character), changed: p.version }));
	} };
	const of = (name) => name !== "characters" ? undefined : ruleset ? files : everybody;
	return {
		list: (name) => of(name)?.list() ?? browser.list(name),
		get: (name, id) => of(name)?.get?.(id) ?? browser.get(name, id),
		put: (name, value) => of(name)?.put?.(value) ?? browser.put(name, value),
		remove: (name, value) => of(name)?.remove?.(value) ?? browser.remove(name, value),
	};
})();

// A text has the same digest in every browser. It tells texts apart and proves nothing: an address may come from anybody,
// and crypto.subtle is missing where a group plays without TLS.
const digestOf = (text) => {
	let a = 0xcbf29ce4, b = 0x84222325;
	for (let i = 0; i < text.length; i++) {
		a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
		b = Math.imul(b ^ text.charCodeAt(i), 0x5bd1e995) ^ (a >>> 13);
	}
	return [a, b].map((n) => (n >>> 0).toString(16).padStart(8, "0")).join("");
};

const compact = (text) => { try { return JSON.stringify(JSON.parse(text)); } catch { return text; } };

// A character that is too long for an address is kept under its digest before the form is sent.
const longest = 2000;
for (const text of document.querySelectorAll("textarea#character")) {
	const sent = text.form;
	const forget = () => {
		sent.querySelectorAll("[data-sent]").forEach((field) => field.remove());
		if (sent.elements.stored) sent.elements.stored.remove();
	};
	addEventListener("pageshow", forget); // the browser may go back to the page as it was left
	sent.addEventListener("submit", (event) => {
		const character = compact(text.value), id = digestOf(character);
		forget();
		if (character.length <= longest || event.defaultPrevented) return;
		event.preventDefault();
		const submitter = event.submitter;
		store.put("texts", { id, text: character }).then(() => {
			for (const [name, value] of [["stored", id], submitter?.name ? [submitter.name, submitter.value] : []]) {
				if (!name) continue;
				const field = document.createElement("input");
				field.type = "hidden";
				field.dataset.sent = "";
				[field.name, field.value] = [name, value];
				sent.append(field);
			}
		}).catch(() => { /* nothing is kept here: the server answers at once */ }).finally(() => sent.submit());
	});
}

// An address may have but the digest of its character: the page is asked for with the character that is kept under it.
const missing = document.getElementById("missing");
if (missing) {
	const show = async (text) => {
		const fields = new URLSearchParams(location.search);
		fields.set("character", text);
		fields.set("here", "yes");
		const answer = await fetch(location.pathname, { method: "POST", body: fields });
		const html = await answer.text();
		document.open();
		document.write(html);
		document.close();
	};
	store.get("texts", missing.dataset.stored).then((kept) => { if (kept) show(kept.text); }).catch(() => { /* not here */ });
	const file = document.createElement("input");
	file.type = "file";
	file.accept = ".json,application/json";
	file.setAttribute("aria-label", "The character as a file");
	const told = document.createElement("p");
	told.setAttribute("role", "alert");
	file.addEventListener("change", async () => {
		const text = compact(await file.files[0].text());
		if (digestOf(text) !== missing.dataset.stored) {
			told.textContent = "This file has another character, or another state of it, than the link.";
			return;
		}
		await store.put("texts", { id: missing.dataset.stored, text });
		show(text);
	});
	missing.append(file, told);
}

// The address of an answer is copied by a button.
for (const link of document.querySelectorAll("[data-copy-link]")) {
	if (!navigator.clipboard) continue; // a browser has it on secure addresses and on this machine
	link.textContent = "Copy link";
	link.addEventListener("click", async (event) => {
		event.preventDefault();
		await navigator.clipboard.writeText(location.href.replace(/#.*/, ""));
		link.textContent = "Link copied";
	});
}
