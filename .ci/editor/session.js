// A session through vscode-languageserver-protocol, the library that VS Code and its relatives speak the protocol with: what
// .ci/editor.lua does in Neovim, and what only this family uses (tags, actions on save, refreshes). What it reads is typed by
// the library; it fails where the server's answers are not as the protocol has them.
// Run in a module, after npm install here:  SERVER=rules node .ci/editor/session.js
"use strict";
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const rpc = require("vscode-languageserver-protocol/node");

const patience = 60000; // milliseconds that anything may take

// start begins a session in a directory.
async function start(dir) {
  const server = spawn(process.env.SERVER, ["lsp"], { cwd: dir, stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  const diagnostics = new Map(), messages = [], waiting = [];
  let refreshed = 0;
  const changed = () => waiting.splice(0).forEach((check) => check());
  connection.onNotification(rpc.PublishDiagnosticsNotification.type, (p) => { diagnostics.set(p.uri, p.diagnostics); changed(); });
  connection.onNotification(rpc.ShowMessageNotification.type, (m) => { messages.push(m); changed(); });
  connection.onRequest(rpc.CodeLensRefreshRequest.type, () => { refreshed++; changed(); });
  connection.onRequest(rpc.InlayHintRefreshRequest.type, () => {});
  connection.listen();

  const self = { connection, messages };
  self.uri = (name) => pathToFileURL(path.join(dir, name)).href;
  self.until = (what, value) => new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("waited in vain until " + what)), patience);
    const check = () => {
      const found = value();
      if (!found) return waiting.push(check);
      clearTimeout(timer);
      resolve(found);
    };
    check();
  });
  self.cases = () => { const before = refreshed; return self.until("cases were played", () => refreshed > before); };
  self.of = (name) => diagnostics.get(self.uri(name)) || [];

  const initialized = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(dir).href, workspaceFolders: null,
    capabilities: {
      workspace: { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
      textDocument: { publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [rpc.DiagnosticTag.Unnecessary] } } },
    },
  });
  assert.equal(initialized.serverInfo.name, "rules");
  self.capabilities = initialized.capabilities;
  await connection.sendNotification(rpc.InitializedNotification.type, {});

  // open shows a file, and type replaces its text as if it had been typed.
  const versions = new Map();
  self.open = async (name) => {
    const text = fs.readFileSync(path.join(dir, name), "utf8");
    versions.set(name, 1);
    await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type,
      { textDocument: { uri: self.uri(name), languageId: "cue", version: 1, text } });
    return text;
  };
  self.type = async (name, text) => {
    versions.set(name, versions.get(name) + 1);
    await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type,
      { textDocument: { uri: self.uri(name), version: versions.get(name) }, contentChanges: [{ text }] });
    return text;
  };
  // at is the position of a part of a text, in which a bar is the cursor.
  self.at = (name, text, part) => {
    const [before, behind] = part.split("|");
    const from = text.indexOf(before + behind);
    assert(from >= 0, part + " is not there");
    const head = text.slice(0, from + before.length).split("\n");
    return { textDocument: { uri: self.uri(name) }, position: { line: head.length - 1, character: head.at(-1).length } };
  };
  self.actions = (name, text, part) => {
    const { textDocument, position } = self.at(name, text, part);
    return connection.sendRequest(rpc.CodeActionRequest.type,
      { textDocument, range: { start: position, end: position }, context: { diagnostics: self.of(name) } });
  };
  self.end = async () => {
    await connection.sendRequest(rpc.ShutdownRequest.type);
    const ended = new Promise((resolve) => server.once("exit", resolve));
    await connection.sendNotification(rpc.ExitNotification.type);
    connection.dispose();
    assert.equal(await ended, 0, "the server ended badly");
  };
  return self;
}

// applied is a text with edits.
function applied(text, edits) {
  const lines = text.split("\n");
  const offset = (p) => lines.slice(0, p.line).reduce((n, l) => n + l.length + 1, 0) + p.character;
  for (const e of [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))) {
    text = text.slice(0, offset(e.range.start)) + e.newText + text.slice(offset(e.range.end));
  }
  return text;
}

// module works on a ruleset of the module in this directory.
async function workOnModule() {
  const file = "tables/tempestas/testing.cue";
  const s = await start(process.cwd());
  const whole = await s.open(file);
  await s.cases();

  // Break a formula, see it, read what it means, and let it be mended.
  const broken = await s.type(file, whole.replace('"base - penalty - hard"', '"base - penalti - hard"'));
  const [found] = await s.until("the mistake is seen", () => s.of(file).length === 1 && s.of(file));
  assert.match(found.message, /penalty/);
  const actions = await s.actions(file, broken, "base - |penalti");
  const repair = actions.find((a) => a.title === "write penalty");
  assert(repair && rpc.CodeAction.is(repair), JSON.stringify(actions));
  const explain = actions.find((a) => a.command);
  await s.connection.sendRequest(rpc.ExecuteCommandRequest.type, explain.command);
  await s.until("the code is explained", () => s.messages.some((m) => m.message.startsWith(found.code + ": ")));
  const mended = await s.type(file, applied(broken, repair.edit.changes[s.uri(file)]));
  assert.equal(mended, whole);
  await s.until("it is mended", () => s.of(file).length === 0);

  // Complete a value inside of a formula, jump to a function, rename it.
  const half = await s.type(file, whole.replace("base - penalty - hard", "option.heroic_cap == '' ? 0 : base"));
  const items = await s.connection.sendRequest(rpc.CompletionRequest.type, s.at(file, half, "option.heroic_cap == '|'"));
  assert.deepEqual(items.map((i) => i.label).filter((l) => l === "none" || l === "hundred").sort(), ["hundred", "none"]);
  await s.type(file, whole);
  const here = s.at(file, whole, "hindran|ce(");
  const [to] = await s.connection.sendRequest(rpc.DefinitionRequest.type, here);
  assert.match(to.uri, /difficulty\.cue$/);
  const edit = await s.connection.sendRequest(rpc.RenameRequest.type, { ...here, newName: "burden" });
  assert(Object.keys(edit.changes).length >= 2);
  const help = await s.connection.sendRequest(rpc.SignatureHelpRequest.type, s.at(file, whole, "hindrance(|"));
  assert.match(help.signatures[0].label, /^hindrance\(/);

  // What the cases and the odds say.
  const lenses = await s.connection.sendRequest(rpc.CodeLensRequest.type, { textDocument: { uri: s.uri(file) } });
  assert(lenses.length > 0 && lenses.every((l) => rpc.CodeLens.is(l)));
  const range = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
  const hints = await s.connection.sendRequest(rpc.InlayHintRequest.type, { textDocument: { uri: s.uri(file) }, range });
  assert(hints.length > 0 && hints.every((h) => /\d/.test(h.label)), JSON.stringify(hints));
  const show = (await s.actions(file, whole, "rules: tes|t: {")).find((a) => a.title === "show odds for ada");
  assert(show, "no character is offered");
  await s.connection.sendRequest(rpc.ExecuteCommandRequest.type, show.command);
  const chosen = await s.connection.sendRequest(rpc.InlayHintRequest.type, { textDocument: { uri: s.uri(file) }, range });
  assert(chosen.some((h) => h.tooltip.includes("golden/tempestas/ada.json")), JSON.stringify(chosen));
  const tokens = await s.connection.sendRequest(rpc.SemanticTokensRequest.type, { textDocument: { uri: s.uri(file) } });
  assert(tokens.data.length > 0 && tokens.data.length % 5 === 0);
  await s.end();
}

// workOnHomebrew works on a homebrew, which nobody trusts.
async function workOnHomebrew() {
  const dir = path.join(process.cwd(), "golden/homebrew/tempestas_riverfolk"), file = "riverfolk.cue";
  const s = await start(dir);
  const whole = await s.open(file);
  await s.cases();
  const moved = await s.type(file, whole.replace('{expect: "up"', '{expect: "down"'));
  const [found] = await s.until("the homebrew does not fit", () => s.of(file).length > 0 && s.of(file));
  assert.equal(found.code, "overlay-moved", JSON.stringify(found));
  const range = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
  const hints = await s.connection.sendRequest(rpc.InlayHintRequest.type, { textDocument: { uri: s.uri(file) }, range });
  assert(hints.some((h) => h.label === "found now: up"), JSON.stringify(hints));

  // Take a column away, and let it be written again.
  const short = await s.type(file, whole.replace("boathook: {damage: 5, silver: 4}", "boathook: {damage: 5}"));
  await s.until("the column is missed", () => s.of(file).some((d) => d.code === "table-column"));
  const add = (await s.actions(file, short, "|boathook: {damage")).find((a) => a.title === "add silver: int");
  assert.match(applied(short, add.edit.changes[s.uri(file)]), /boathook: \{damage: 5, silver: int\}/);
  await s.end();
}

workOnModule().then(workOnHomebrew).then(
  () => { console.log("client session passed"); process.exit(0); },
  (err) => { console.error(err); process.exit(1); });
