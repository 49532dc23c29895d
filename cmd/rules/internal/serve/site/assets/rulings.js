// The rulings of a group, kept in the browser under a name: one set of each ruleset is played, on every page, unless the
// address says otherwise. The page of rulings keeps its state in its address; the server makes it.
"use strict";

const playedKey = "rulings " + ruleset;
const rulingSets = async () => (await store.list("rulings")).filter((x) => x.ruleset === ruleset)
	.sort((a, b) => a.name.localeCompare(b.name));
const playedRulings = async () => {
	const id = localStorage.getItem(playedKey);
	const set = ruleset && id ? await store.get("rulings", id) : undefined;
	return set?.ruleset === ruleset ? set : undefined;
};
const showOwn = async () => {
	const link = document.querySelector("[data-rulings]"), set = await playedRulings();
	const own = Object.keys(set?.options ?? {}).length;
	if (link) link.textContent = own ? "Rulings: " + own + " of your own" : "Rulings";
};

// The form of a rule or a procedure takes the rulings that are played, unless its address was made by others.
const takeRulings = async () => {
	const form = document.getElementById("ask");
	const says = [...new URLSearchParams(location.search).keys()].some((name) => name.startsWith("option.") || name === "asked");
	if (!form || says) return false;
	let own = 0;
	for (const [id, value] of Object.entries((await playedRulings())?.options ?? {})) {
		for (const field of form.elements) {
			if (field.name !== "option." + id) continue;
			if (field.type !== "radio") field.value = value;
			else if (field.value === value && !field.checked) [field.checked, own] = [true, own + 1];
		}
	}
	const told = own && [...form.querySelectorAll("details > summary")].find((x) => x.textContent.startsWith("Rulings"))?.querySelector(".soft");
	if (told) told.textContent = own + " as your group rules";
	return own > 0;
};
if (ruleset) showOwn().catch(() => { /* this browser keeps nothing */ });

const rulings = document.getElementById("rulings");
if (rulings) {
	document.getElementById("play-so").hidden = true; // it is played as soon as it is chosen
	const told = document.getElementById("told");
	const tell = (text, ...more) => {
		told.hidden = !text;
		told.replaceChildren(text, ...more);
	};
	const act = (text, does, className = "") => {
		const button = element("button", { type: "button", textContent: text, className });
		button.addEventListener("click", () => Promise.resolve(does()).catch(() => tell("Not kept: this browser keeps nothing.")));
		return button;
	};
	let set, undo; // the set that is edited, unless the page shows those of a link; and the options before the last change
	const ofPage = () => Object.fromEntries([...rulings.querySelectorAll("input[type=radio]:checked:not([data-release])")]
		.map((x) => [x.name.slice("option.".length), x.value]));
	const address = (name, options) => {
		const out = new URLSearchParams();
		if (name) out.set("name", name);
		for (const [id, value] of Object.entries(options)) out.set("option." + id, value);
		out.sort();
		return "rulings" + (out.size ? "?" + out : "");
	};
	const same = (a, b) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
	let shown = 0; // changes of which the page was asked
	const show = async (to, focus) => {
		const change = ++shown, answer = await fetch(to);
		const page = new DOMParser().parseFromString(await answer.text(), "text/html");
		if (change !== shown) return; // a later one is on its way
		document.getElementById("ruled").replaceWith(page.getElementById("ruled"));
		document.getElementById("play-so").hidden = true;
		history.replaceState(null, "", answer.url);
		if (focus) rulings.querySelector(`[name="${CSS.escape(focus.name)}"]:checked, input[id="${CSS.escape(focus.id)}"]`)?.focus({ preventScroll: true });
		await list();
	};
	const keep = async (options, name) => {
		set ??= { id: newID(), ruleset, name: "" };
		Object.assign(set, { options, name: name || "Our rulings", changed: Date.now() });
		await store.put("rulings", set);
		localStorage.setItem(playedKey, set.id);
		showOwn();
	};
	const play = async (other) => {
		set = other;
		undo = undefined;
		if (set) localStorage.setItem(playedKey, set.id);
		else localStorage.removeItem(playedKey);
		showOwn();
		await show(address(set?.name, set?.options ?? {}));
	};
	const list = async () => {
		const all = await rulingSets(), place = document.getElementById("sets");
		const choice = element("select", { ariaLabel: "The rulings that are played" },
			element("option", { value: "", textContent: "As ruled here" }),
			...all.map((x) => element("option", { value: x.id, textContent: x.name, selected: x.id === set?.id })));
		choice.addEventListener("change", () => play(all.find((x) => x.id === choice.value)));
		place.replaceChildren(...(all.length ? [choice] : []));
		if (!set && Object.keys(ofPage()).length) place.append(element("span", { textContent: "These are the rulings of a link." }),
			act("Keep them", async () => { await keep(ofPage(), document.getElementById("name").value); await show(address(set.name, set.options)); }));
		if (set) place.append(element("span", { className: "soft", textContent: "✓ Saved in this browser" }), act("Delete", async () => {
			const gone = set;
			await store.remove("rulings", gone);
			await play(undefined);
			tell("“" + gone.name + "” is deleted. ", act("Undo", async () => { await store.put("rulings", gone); tell(""); await play(gone); }, "quiet"));
		}, "quiet"));
		if (undo) document.getElementById("undo").prepend(act("Undo", async () => {
			const before = undo;
			undo = undefined;
			await keep(before, set.name);
			await show(address(set.name, before));
		}));
	};
	rulings.addEventListener("change", async (event) => {
		const options = ofPage(), name = document.getElementById("name").value;
		const isOfLink = !set && location.search.includes("option.");
		if (!isOfLink) {
			undo = event.target.type === "radio" ? { ...set?.options } : undo;
			await keep(options, name).catch(() => tell("Not kept: this browser keeps nothing."));
		}
		await show(address(set?.name ?? name, options), event.target);
	});
	rulings.addEventListener("submit", (event) => event.preventDefault());
	rulings.addEventListener("click", async (event) => {
		if (event.target.id !== "as-ruled") return;
		event.preventDefault();
		if (set) {
			undo = { ...set.options };
			await keep({}, set.name);
		}
		await show(address(set?.name, {}));
	});
	const file = element("input", { type: "file", className: "hidden", id: "import", accept: ".json,application/json" });
	file.addEventListener("change", async () => {
		try {
			const value = JSON.parse(await file.files[0].text());
			if (typeof value?.options !== "object" || value.options === null) throw new Error("it has no rulings");
			if (value.ruleset && value.ruleset !== ruleset) throw new Error("it is of " + value.ruleset);
			set = undefined;
			await keep(value.options, String(value.name || file.files[0].name.replace(/\.json$/i, "")));
			tell("Loaded: " + set.name + ".");
			await play(set);
		} catch (problem) {
			tell(file.files[0].name + " is not loaded: " + (problem instanceof SyntaxError ? "it is no JSON" : problem.message) + ".");
		}
		file.value = "";
	});
	document.getElementById("ruling-tools").append(
		act("Save as file", () => download((set?.name || "rulings") + ".json", document.getElementById("ruling-file").textContent)),
		element("label", { className: "button", textContent: "Load" }, file), act("Print", () => print()));
	(async () => {
		const kept = await playedRulings();
		if (!location.search && kept) return play(kept);
		if (kept && same(kept.options, ofPage())) set = kept;
		await list();
	})().catch(() => { /* this browser keeps nothing */ });
}
