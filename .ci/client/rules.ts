// What a program in TypeScript knows of a generated client: what is right compiles, and each @ts-expect-error stands before
// a mistake that does not.
import { connect, inProcess, labels, overHTTP, Problem, release } from "./made/tempestas.js";
import type { Character, Client, Difficulty, TaskEvents, TestInput } from "./made/tempestas.js";
import { connect as connectZones } from "./made/zones.js";

const ada: Character = { skills: { navigation: 90 }, fatigue: 20 };
const navigation: TestInput = { name: "navigation", difficulty: "hard" };

export async function right(fetched: typeof fetch): Promise<string> {
  const client: Client = await connect(overHTTP("http://127.0.0.1:7777", { fetch: fetched }));
  const sheet = await client.test({ character: ada, input: navigation, dice: [43], options: { heroic_band: "none" } });
  const odds = await client.test.odds({ character: ada, input: navigation, outputs: ["success"] });
  const chance: number | undefined = odds.odds.success?.distribution[0]?.p;
  const begun = await client.task.start({ character: ada, input: { name: "navigation", target_value: 8 } });
  const course = await client.task.odds({ character: ada, input: { name: "navigation", target_value: 8 },
    policy: ["roll", 'roll {"difficulty": "hard"}', "pay: state.owes > 0"], after: 2 });
  const pool: number | undefined = course.after?.[0]?.state?.pool;
  const won: number | undefined = course.ends.find(({ status }) => status === "won")?.p;
  const both = await client.test.odds({ character: ada, input: navigation, joint: true });
  const first: boolean | undefined = both.joint?.[0]?.output.success;
  if (begun.status === "open") {
    const { output, play } = await begun.do("roll", { difficulty: "hard" }, { roll: [35] });
    await begun.do("pay");
    return `${sheet.output.outcome} ${chance} ${output.outcome} ${play.state.pool} ${labels.Difficulty.hard} ${won} ${first} ${pool}`;
  }
  return `${begun.status} ${release.plan}`;
}

export async function wrong(client: Client): Promise<void> {
  const { test, task, contest, thresholds } = client;
  const sheet = await test({ character: ada, input: navigation });
  const odds = await test.odds({ character: ada, input: navigation });
  const play = await task.start({ character: ada, input: { name: "navigation", target_value: 8 } });
  const both = await test.odds({ character: ada, input: navigation, joint: true });
  const zones = await connectZones(overHTTP(""));

  // Wrong words.
  // @ts-expect-error
  test({ character: ada, input: { name: "navigation", difficulty: "hrad" } });
  // @ts-expect-error
  test({ character: ada, input: { name: "navigation", kind: "stat" } });
  // @ts-expect-error
  const difficulty: Difficulty = "impossible";
  // @ts-expect-error
  const comparison = sheet.output.outcome === "sucess";
  // @ts-expect-error
  const end = play.status === "abandoned";
  // @ts-expect-error
  const label = labels.Difficulty.hrad;
  // @ts-expect-error
  zones.ranged_attack({ input: { weapon: "rok", attribute: "agility", range: "short" } });

  // Fields that are missing.
  // @ts-expect-error
  test({ character: ada, input: { difficulty: "hard" } });
  // @ts-expect-error
  test({ character: ada });
  // @ts-expect-error
  test({ character: ada, input: {} });
  // @ts-expect-error
  task.start({ character: ada });
  // @ts-expect-error
  contest.start({ character: ada, input: { target_value: 5 } });
  // @ts-expect-error
  const input: TestInput = { complications: 10 };
  // @ts-expect-error
  zones.ranged_attack({ character: {}, input: { weapon: "rock", attribute: "agility", range: "short" } });

  // Values of another type.
  // @ts-expect-error
  test({ character: { fatigue: "20" }, input: navigation });
  // @ts-expect-error
  test({ character: { skills: { navigation: "90" } }, input: navigation });
  // @ts-expect-error
  test({ character: ada, input: { name: 7 } });
  // @ts-expect-error
  test({ character: ada, input: { name: "navigation", areas: "arm" } });
  // @ts-expect-error
  test({ character: ada, input: { name: "navigation", complications: true } });
  // @ts-expect-error
  test({ character: ada, input: navigation, dice: "43" });
  // @ts-expect-error
  test({ character: ada, input: navigation, seed: "7" });
  // @ts-expect-error
  const text: string = sheet.output.active_value;
  // @ts-expect-error
  const count: number = sheet.output.success;

  // Names that nothing has.
  // @ts-expect-error
  test({ character: ada, input: { name: "navigation", difficult: "hard" } });
  // @ts-expect-error
  test({ character: { skill: {} }, input: navigation });
  // @ts-expect-error
  test({ charcter: ada, input: navigation });
  // @ts-expect-error
  test({ character: ada, input: navigation, outputs: ["success"] });
  // @ts-expect-error
  sheet.output.sucess;
  // @ts-expect-error
  sheet.outputs;
  // @ts-expect-error
  odds.odds.sucess;
  // @ts-expect-error
  test.odds({ character: ada, input: navigation, outputs: ["sucess"] });
  // @ts-expect-error
  client.tset({ character: ada, input: navigation });
  // @ts-expect-error
  labels.Difficulties;
  // @ts-expect-error
  play.state.pol;
  // @ts-expect-error
  play.output.outcome;

  // Options.
  // @ts-expect-error
  test({ character: ada, input: navigation, options: { heroic_band: "sideways" } });
  // @ts-expect-error
  test({ character: ada, input: navigation, options: { heroic: "up" } });
  // @ts-expect-error
  test({ character: ada, input: navigation, options: { heroic_band: true } });

  // Procedures.
  // @ts-expect-error an event may happen while it is open alone
  play.do("roll");
  // @ts-expect-error a rule is called, a procedure started
  task({ character: ada, input: { name: "navigation", target_value: 8 } });
  // @ts-expect-error
  test.start({ character: ada, input: navigation });
  // @ts-expect-error
  task.odds({ character: ada, input: { name: "navigation", target_value: 8 } });
  // @ts-expect-error
  task.odds({ character: ada, input: { name: "navigation", target_value: 8 }, policy: ["climb"] });
  // @ts-expect-error
  both.joint?.[0]?.output.sucess;
  if (play.status === "open") {
    // @ts-expect-error
    play.do("rol");
    // @ts-expect-error
    play.do("roll", { difficulty: "hrad" });
    // @ts-expect-error
    play.do("roll", { skill: "navigation" });
    // @ts-expect-error
    play.do("roll", {}, "43");
    // @ts-expect-error
    (await play.do("roll")).output.sucess;
    // @ts-expect-error
    (await play.do("pay")).output.outcome;
    // @ts-expect-error what follows an event may have ended
    (await play.do("pay")).play.do("roll");
    // @ts-expect-error a play stays as it is
    play.status = "won";
  }
  if (play.status === "won") {
    // @ts-expect-error
    play.do("roll");
  }

  // Answers are read, and a promise is none.
  // @ts-expect-error
  test({ character: ada, input: navigation }).output;
  // @ts-expect-error
  sheet.output.success = true;
  // @ts-expect-error
  release.revision = "0.2.0";
  // @ts-expect-error
  const event: keyof TaskEvents = "climb";
  // @ts-expect-error
  connect("http://127.0.0.1:7777");
  // @ts-expect-error
  inProcess({});
  // @ts-expect-error a client of Zones is none of Tempestas
  const other: Client = zones;
  // @ts-expect-error
  new Problem({}).status = 1;
  // @ts-expect-error
  thresholds({ character: ada, input: { name: [] } });
}
