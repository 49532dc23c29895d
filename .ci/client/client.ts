// What a program in TypeScript knows of the server's answers, from the types that openapi-typescript makes of their
// description: what is right compiles, and each @ts-expect-error stands before a mistake that does not.
import type { components, paths } from "./api";

type Asked = paths["/v1/tempestas/test/eval"]["post"]["requestBody"]["content"]["application/json"];
type Sheet = paths["/v1/tempestas/test/eval"]["post"]["responses"]["200"]["content"]["application/json"];
type Task = components["schemas"]["tempestas.task.sheet"];
type Chances = paths["/v1/tempestas/task/odds"]["post"]["requestBody"]["content"]["application/json"];

// What has a default may be left out.
export const asked: Asked = { character: { skills: { navigation: 90 } }, input: { name: "navigation" } };
export const rule = (sheet: Sheet): "test" => sheet.rule;
export const pool = (task: Task): number => task.state.pool;
export const chances: Chances = { input: { name: "navigation", target_value: 8 }, policy: ["roll"], joint: true };

// @ts-expect-error a word that the table does not have
export const word: Asked = { input: { name: "navigation", difficulty: "hrad" } };
// @ts-expect-error a text for a number
export const text: Asked = { character: { fatigue: "20" }, input: { name: "navigation" } };
// @ts-expect-error a field that must be given
export const missing: Asked = { input: { difficulty: "hard" } };
// @ts-expect-error a field that is not there
export const unknown: Asked = { input: { name: "navigation", bonus: 3 } };
// @ts-expect-error an option that has no such value
export const option: Asked = { input: { name: "navigation" }, options: { heroic_band: "sideways" } };
// @ts-expect-error an output that is not there
export const output = (task: Task): number => task.output.nothing;
// @ts-expect-error an end that the procedure does not have
export const end = (task: Task): boolean => task.status === "abandoned";
// @ts-expect-error one event where a policy is a list
export const policy: Chances = { input: { name: "navigation", target_value: 8 }, policy: "roll" };
