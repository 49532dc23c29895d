// A table at which people play together: entering it by a link, its page, which changes as others act, and the page of its
// play. Without this file a page shows the table as it was when it was loaded, and its forms work.
"use strict";

// A link has its code behind "#", which no server sees and no log has. It is sent once, and taken out of the address.
const enter = document.getElementById("enter");
if (enter && location.hash.length > 1) {
	enter.elements.code.value = decodeURIComponent(location.hash.slice(1));
	history.replaceState(null, "", location.pathname);
	document.getElementById("ask-code").hidden = true;
	if (enter.elements.code.value.startsWith("players.")) enter.elements.name.focus();
	else enter.submit();
} else if (enter) {
	document.getElementById("ask-code").after(document.getElementById("ask-name"));
}

// SHA-256 (FIPS 180-4) of ASCII, in hexadecimal. Browsers have it on secure addresses only, and a table in a living room
// has none.
const sha256 = (text) => {
	const primes = [], isPrime = (n) => primes.every((p) => n % p);
	for (let n = 2; primes.length < 64; n++) if (isPrime(n)) primes.push(n);
	const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
	const k = primes.map((p) => fraction(Math.cbrt(p))), h = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
	const bytes = [...text].map((c) => c.charCodeAt(0)), length = bytes.length * 8;
	bytes.push(0x80);
	while (bytes.length % 64 !== 56) bytes.push(0);
	for (let i = 7; i >= 0; i--) bytes.push(Math.floor(length / 2 ** (8 * i)) & 255);
	const turn = (x, n) => (x >>> n) | (x << (32 - n));
	for (let at = 0; at < bytes.length; at += 64) {
		const w = [];
		for (let i = 0; i < 64; i++) {
			if (i < 16) w[i] = (bytes[at + 4 * i] << 24) | (bytes[at + 4 * i + 1] << 16) | (bytes[at + 4 * i + 2] << 8) | bytes[at + 4 * i + 3];
			else {
				const a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3), b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
				w[i] = (w[i - 16] + a + w[i - 7] + b) | 0;
			}
		}
		const v = h.slice();
		for (let i = 0; i < 64; i++) {
			const s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25), choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
			const t1 = (v[7] + s1 + choose + k[i] + w[i]) | 0;
			const s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22), most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
			v.pop();
			v[3] = (v[3] + t1) | 0;
			v.unshift((t1 + s0 + most) | 0);
		}
		for (let i = 0; i < 8; i++) h[i] = (h[i] + v[i]) | 0;
	}
	return h.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
};

const table = document.getElementById("table");
if (table) {
	const { session, who } = table.dataset, problem = document.getElementById("problem"), state = document.getElementById("live-state");
	const entries = document.getElementById("entries");
	const tell = (text) => {
		problem.hidden = !text;
		problem.textContent = text;
	};
	const send = async (fields) => {
		const answer = await fetch("do", { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "text/plain" } });
		if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
	};
	const isTransient = (error) => error instanceof TypeError || error.status === 429 || error.status >= 500;

	const parse = (html) => {
		const part = document.createElement("template");
		part.innerHTML = html;
		return part.content;
	};

	// The nonce of a round stays in the browser until it is revealed, also when the page is loaded anew.
	const memory = {};
	const keep = (key, value) => {
		memory[key] = value;
		try { localStorage.setItem(key, value); } catch { /* nothing is kept here */ }
	};
	const recall = (key) => {
		try { return memory[key] ?? localStorage.getItem(key); } catch { /* nothing is kept here */ }
	};
	// Rounds that are over need nothing any more.
	const forgetRounds = (open) => {
		const isPast = (key) => {
			const [kind, of, round] = key.split(" ");
			return (kind === "nonce" || kind === "committed") && of === session && round !== open;
		};
		for (const key of Object.keys(memory).filter(isPast)) delete memory[key];
		try {
			for (const key of Object.keys(localStorage).filter(isPast)) localStorage.removeItem(key);
		} catch { /* nothing is kept here */ }
	};

	// A player may be here in several tabs and browsers, of which only the first one commits. A round asks them all: the
	// others hold their errors back for as long as an event needs that says that it does not ask any more.
	const grace = 2000;
	const refused = new Set(); // rounds to which this page could not commit
	const commit = async (round, opening) => {
		const key = "nonce " + session + " " + round;
		const nonce = recall(key) ?? [...crypto.getRandomValues(new Uint8Array(32))].map((b) => b.toString(16).padStart(2, "0")).join("");
		keep(key, nonce);
		try {
			await send({ do: "commit", round, commitment: sha256(["rules session commitment 1", opening, who, nonce].join("\n")) });
		} catch (error) {
			if (!isTransient(error)) refused.add(round);
			throw error;
		}
		keep("committed " + session + " " + round, nonce);
	};
	const reveal = async (round) => {
		// An answer that was lost leaves open whether the nonce is committed.
		const nonce = recall("committed " + session + " " + round) ?? (refused.has(round) ? null : recall("nonce " + session + " " + round));
		if (!nonce) throw new Error("These dice wait for another browser in which you are at this table: open it there.");
		await send({ do: "reveal", round, nonce });
	};
	const roundPart = document.getElementById("round");
	const asked = () => parse(roundPart.dataset.late ?? roundPart.innerHTML).getElementById("dice")?.dataset ?? {};
	let sent = "";
	const takePart = async () => {
		const { round, opening, asks } = asked(), key = asks + round;
		forgetRounds(round);
		if (!asks || sent === key) return;
		sent = key;
		try {
			await (asks === "commit" ? commit(round, opening) : reveal(round));
		} catch (error) {
			if (sent === key) sent = "";
			setTimeout(() => {
				const now = asked();
				if (now.asks + now.round !== key) return;
				tell(error instanceof TypeError ? "The server does not answer." : error.message);
				if (isTransient(error)) takePart().then(() => { if (sent === key) tell(""); });
			}, grace);
		}
	};

	// Buttons that may be pressed only after some time wait for it.
	const hold = () => {
		for (const form of document.querySelectorAll("[data-later]")) {
			const left = Number(document.getElementById("dice").dataset.since) + form.dataset.later * 1000 - Date.now();
			const button = form.querySelector("button");
			if (left <= 0 || button.disabled) continue;
			button.disabled = true;
			setTimeout(() => { button.disabled = false; }, Math.min(left, form.dataset.later * 1000) + 200);
		}
	};

	// Each event has the entries and parts that have changed. What has the focus is left alone.
	const show = (news) => {
		if (news.isCut) {
			entries.replaceChildren();
			document.getElementById("cut").hidden = false;
		}
		for (const { n, html } of news.entries ?? []) {
			const fresh = parse(html).querySelector("li"), old = document.getElementById("e" + n);
			if (!fresh) continue;
			if (old) old.replaceWith(fresh);
			else if (!(n < entries.lastElementChild?.dataset.n)) entries.prepend(fresh); // what is older is not shown here
		}
		for (const [id, html] of Object.entries(news.parts)) {
			const part = document.getElementById(id);
			if (part?.contains(document.activeElement)) part.dataset.late = html;
			else if (part) {
				delete part.dataset.late;
				if (part.innerHTML !== html) part.innerHTML = html;
			}
		}
		hold();
		takePart();
	};
	addEventListener("focusout", (event) => {
		const part = event.target.closest?.("[data-late]");
		if (!part) return;
		setTimeout(() => {
			if (part.contains(document.activeElement) || part.dataset.late === undefined) return;
			part.innerHTML = part.dataset.late;
			delete part.dataset.late;
			hold();
			takePart();
		});
	});

	let stream, at = table.dataset.at;
	const listen = () => {
		stream = new EventSource("events?after=" + at);
		stream.addEventListener("open", () => { state.textContent = "live"; });
		stream.addEventListener("message", (event) => {
			at = event.lastEventId;
			show(JSON.parse(event.data));
		});
		stream.addEventListener("error", () => {
			state.textContent = "The server does not answer. What you type stays; the page goes on as soon as it is back.";
			if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 1000); // it was answered with an error
		});
	};
	addEventListener("pageshow", listen);
	addEventListener("pagehide", () => stream?.close());

	// Forms act without leaving the page.
	addEventListener("submit", async (event) => {
		const form = event.target.closest("form[data-act]");
		if (!form) return;
		event.preventDefault();
		const fields = new FormData(form);
		if (event.submitter?.name) fields.set(event.submitter.name, event.submitter.value);
		document.activeElement?.blur();
		try {
			await send(fields);
			tell("");
			if (form.id === "bring") location.reload(); // what it can roll
		} catch (error) {
			tell(error instanceof TypeError ? "The server does not answer: nothing was sent." : error.message);
		}
	});

	// A character comes to the table from those that the browser keeps.
	const bring = document.getElementById("bring");
	if (bring) people().then((all) => {
		if (!all.length) return;
		document.getElementById("own-people").append(element("p", { className: "row" }, ...all.map((p) => {
			const button = element("button", { type: "button", textContent: "Bring " + (p.name || "the nameless one") });
			button.addEventListener("click", () => {
				bring.elements.called.value = p.name || "nameless";
				bring.elements.character.value = p.character;
				bring.requestSubmit();
			});
			return button;
		})));
	}).catch(() => { /* this browser keeps nothing */ });

	for (const field of document.querySelectorAll("[data-select]")) field.addEventListener("focus", () => field.select());
}

// The page of a play goes on with it, unless something is typed there.
const played = document.querySelector("form.play[data-table]");
if (played) {
	let stream, isLeft = false;
	let isTyped = document.getElementById("problem") !== null; // fields that were refused come back as they were typed
	const next = document.querySelector("#gone-on a");
	played.addEventListener("input", () => { isTyped = true; });
	played.addEventListener("submit", () => { isLeft = true; });
	addEventListener("pageshow", () => {
		isLeft = false;
		stream = new EventSource(played.dataset.table + "play");
		stream.addEventListener("message", (event) => {
			if (isLeft || event.data === played.elements.step.value) return;
			if (isTyped) next.parentElement.hidden = false;
			else location.replace(next.href);
		});
	});
	addEventListener("pagehide", () => stream?.close());
}
