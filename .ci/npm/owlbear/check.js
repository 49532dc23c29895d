// Plays the host of the extension, a stub of it: the messages between a page and Owlbear Rodeo are those of its SDK, and what is
// behind them is not run here.
import { deepStrictEqual, match, strictEqual } from "node:assert";
import { build } from "esbuild";

const origin = "https://host.example";
const sent = [];
let listen;
const tell = (id, data) => listen({ origin, data: { id, data } });
globalThis.window = {
  location: { search: `?obrref=${btoa(`${origin} room`)}`, origin: "https://extension.example" },
  addEventListener: (_, listener) => (listen = listener),
  setTimeout: () => 0,
  parent: {
    postMessage({ id, data, nonce }, to) {
      strictEqual(to, origin);
      sent.push({ id, data });
      queueMicrotask(() => tell(`${id}_RESPONSE${nonce}`, { id: "1" }));
    },
  },
};

// A page has one file, as a bundler makes it.
const out = new URL("../made/extension.js", import.meta.url).pathname;
await build({ entryPoints: [new URL("extension.js", import.meta.url).pathname], outfile: out, bundle: true, format: "esm", logLevel: "error" });
await import(out);
tell("OBR_READY", { ref: "ref", userId: "user" });
const menu = sent.find(({ id }) => id === "OBR_CONTEXT_MENU_CREATE").data;
strictEqual(menu.icons[0].label, "Navigation");

const notified = async () => {
  while (sent.at(-1).id !== "OBR_NOTIFICATION_SHOW") await new Promise(setImmediate);
  return sent.at(-1).data;
};
const click = (character) =>
  tell("OBR_CONTEXT_MENU_EVENT_CLICK", { id: menu.id, context: { items: [{ name: "Ada", metadata: { "example.tabletop-rules/character": character } }] } });
click({ skills: { navigation: 60 } });
match((await notified()).message, /^Ada: \d+, (fools_failure|failure|success|heroic)$/);
const { channel, data, options } = sent.find(({ id }) => id === "OBR_BROADCAST_SEND_MESSAGE").data;
deepStrictEqual([channel, data.sheet.rule, options.destination], ["example.tabletop-rules/roll", "test", "REMOTE"]);

sent.push({}); // whoever is not able to do it is told
click({ skills: { navigation: "60" } });
deepStrictEqual(await notified(), { message: "Ada: character.skills.navigation: must be a whole number, not a string", variant: "ERROR" });

sent.push({}); // and what others roll
tell(`OBR_BROADCAST_MESSAGE_${channel}`, { data: { name: "Berta", sheet: data.sheet } });
match((await notified()).message, /^Berta: \d+, /);
