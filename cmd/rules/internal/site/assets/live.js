// Makes the pages live: odds that follow the form, sliders beside numbers, a character that the browser keeps or reads from
// a file, and a page that loads itself again when the rules have changed. Every page works without it.
"use strict";

const pause = 150; // milliseconds after the last change

// The odds of a form follow it.
const form = document.querySelector("form[data-live]");
if (form) {
	const part = document.getElementById(form.dataset.live);
	let timer = 0, running = null;
	const refresh = async () => {
		if (!part) return;
		if (running) running.abort();
		running = new AbortController();
		try {
			const body = new URLSearchParams(new FormData(form));
			const answer = await fetch(form.action + "/odds", { method: "POST", body, signal: running.signal });
			if (answer.ok) part.innerHTML = await answer.text();
		} catch (error) {
			if (error.name !== "AbortError") throw error;
		}
	};
	form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(refresh, pause); });
}

// A number between two bounds gets a slider.
for (const input of document.querySelectorAll("input[type=number][min][max]")) {
	const slider = document.createElement("input");
	slider.type = "range";
	slider.className = "slider";
	for (const name of ["min", "max", "step"]) slider.setAttribute(name, input.getAttribute(name));
	slider.value = input.value;
	slider.setAttribute("aria-label", input.name.replace(/^.*\./, ""));
	slider.addEventListener("input", () => {
		input.value = slider.value;
		input.dispatchEvent(new Event("input", { bubbles: true }));
	});
	input.addEventListener("input", () => { slider.value = input.value; });
	input.after(slider);
}

// The browser keeps the last character that was used, and reads one from a file.
for (const text of document.querySelectorAll("textarea[data-keep]")) {
	const kept = localStorage.getItem(text.dataset.keep);
	const own = document.createElement("button");
	own.type = "button";
	own.textContent = "Use the character of last time";
	own.addEventListener("click", () => {
		text.value = localStorage.getItem(text.dataset.keep);
		text.dispatchEvent(new Event("input", { bubbles: true }));
	});
	const label = document.createElement("label");
	label.textContent = "From a file ";
	const file = document.createElement("input");
	file.type = "file";
	file.accept = ".json,application/json";
	file.addEventListener("change", async () => {
		if (!file.files.length) return;
		text.value = await file.files[0].text();
		text.dispatchEvent(new Event("input", { bubbles: true }));
	});
	label.append(file);
	text.after(label);
	if (kept && kept !== text.value) text.after(own);
	text.form.addEventListener("submit", () => localStorage.setItem(text.dataset.keep, text.value));
}

// A page of rules that have changed loads itself again; not while something is being typed. It listens only while it is
// shown: a browser has few connections to one server, and a page that was left would keep one.
const page = document.body;
let news = null;
const listen = () => {
	news = new EventSource(page.dataset.top + "generation");
	news.addEventListener("message", (event) => {
		if (event.data === page.dataset.generation) return;
		news.close();
		if (!form && !document.querySelector("form.play")) location.reload();
	});
};
if (page.dataset.generation) {
	addEventListener("pageshow", listen);
	addEventListener("pagehide", () => { if (news) news.close(); });
}
