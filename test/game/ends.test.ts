import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { Game } from "../../src/bench/game/game-tests.ts";
import { largestHeap, withinHeap } from "../../src/bench/game/java-options.ts";
import { bundled } from "../support/bundled.ts";
import {
  digestOf,
  groupIsThere,
  isGone,
  ownersPlace,
  runTest,
  type Behaviour,
  type OwnersPlace,
} from "./simulated-game.ts";
import { patience } from "../support/patience.ts";

let place: OwnersPlace;
let games: Game[];
beforeEach(() => {
  place = ownersPlace();
  games = [];
});
afterEach(async () => {
  for (const game of games) await game.stop();
  place.clean();
});

const start = async (behaviour?: Behaviour, options?: Parameters<OwnersPlace["start"]>[1]): Promise<Game> => {
  const game = await place.start(behaviour, options);
  games.push(game);
  return game;
};

const quick = { start: 10_000, answer: 1000, work: 1000, stop: 200 };

it("[OUR-BCH-44] without the owner's agreement no server is started, and the sentence names whose agreement it is", async () => {
  const game = await start({}, { acceptEula: false });
  expect(await runTest(game, "entities_ai")).toEqual({
    outcome: "skipped",
    reason_code: "eula_not_accepted",
  });
  expect(place.logged.join()).toContain("Mojang's End User License Agreement: https://aka.ms/MinecraftEULA");
  expect(() => place.started()).toThrow();
  expect(isGone(place.scratch)).toBe(true);
});

it("[OUR-BCH-45] the server listens on loopback, with a password of its own, in a folder of its own", async () => {
  await start();
  const settings = readFileSync(join(place.scratch, "server.properties"), "utf8");
  const of = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, "m").exec(settings)?.[1];
  expect(of("server-ip")).toBe("127.0.0.1");
  expect(of("online-mode")).toBe("false");
  expect(of("max-tick-time")).toBe("-1");
  expect(of("pause-when-empty-seconds")).toBe("-1");
  expect(of("rcon.password")).toMatch(/^[\w-]{32}$/);
  expect(of("rcon.port")).not.toBe(of("server-port"));
  expect(readFileSync(join(place.scratch, "eula.txt"), "utf8")).toBe("eula=true\n");
  expect(place.started()).toMatchObject({ cwd: place.scratch });
  // A server that is not of the Spigot family is not described by its settings.
  expect(readdirSync(place.scratch)).not.toContain("spigot.yml");
  expect(readFileSync(join(place.scratch, "libraries", "library.jar"), "utf8")).toBe("a library");
  const other = ownersPlace();
  const second = await other.start();
  expect(readFileSync(join(other.scratch, "server.properties"), "utf8")).not.toContain(of("rcon.password"));
  await second.stop();
  other.clean();
});

it("[OUR-BCH-45] on Paper every entity ticks, however far it is from a player", async () => {
  await start({ family: "paper" });
  const settings = readFileSync(join(place.scratch, "spigot.yml"), "utf8");
  expect(settings.match(/: 0$/gm)).toHaveLength(7);
});

it("[OUR-BCH-46] nothing in the owner's folder changes, and options of the JVM that write files are left out", async () => {
  const before = digestOf(place.owners);
  const javaArgs = [
    "-Xmx1G",
    "-Xlog:gc*:file=/srv/gc.log",
    "-XX:HeapDumpPath=/srv",
    "-javaagent:/srv/agent.jar",
  ];
  const game = await start({ forks: true }, { javaArgs });
  await runTest(game, "mechanics_hopper", { length: 0.01 });
  const { javaArguments } = place.started();
  expect(javaArguments).toEqual([
    "-Xmx1G",
    "-Xlog:gc*:file=gc.log:uptime,level,tags:filecount=0",
    "-jar",
    place.jar,
    "nogui",
  ]);
  await game.stop();
  expect(digestOf(place.owners)).toBe(before);
});

it.each([
  [{ version: "1.20.2" }, "skipped", "game_version_unsupported", "1.20.3 or newer; this server is 1.20.2"],
  [{ family: "folia" }, "skipped", "platform_unsupported", "Folia"],
  [{ dies: "java" }, "failure", "wrong_java", "another version of Java"],
  [{ dies: "options" }, "failure", "java_arguments_refused", "UseMagicGC"],
  [{ dies: "jar" }, "failure", "jar_not_usable", "Unable to access jarfile"],
  [{ dies: "memory" }, "failure", "out_of_memory", "-Xmx4G"],
  [{ dies: "killed" }, "failure", "out_of_memory", "The system killed the server"],
  [{ dies: "port" }, "failure", "port_taken", "Run the command again"],
  [{ dies: "silently" }, "failure", "server_did_not_start", "ended at its start (status 0)"],
  [{ neverReady: true }, "failure", "server_not_ready", "not ready after 3 s"],
  [
    { answers: { "function tickmark:setup": "Unknown function" } },
    "failure",
    "answer_not_understood",
    "Unknown function",
  ],
  [{ answers: { "save-off": "" } }, "failure", "answer_not_understood", "nothing"],
] as const)(
  "[OUR-BCH-47] a start that fails has a code and a sentence: %o",
  async (behaviour, outcome, code, words) => {
    const neverReady = "neverReady" in behaviour;
    const game = await start(behaviour, { patience: neverReady ? { ...quick, start: 3000 } : quick });
    expect(await runTest(game, "mechanics_redstone")).toEqual({ outcome, reason_code: code });
    expect(place.logged).toHaveLength(1);
    expect(place.logged[0]).toContain(words);
    expect((await game.blocks()).ticks).toBeNull();
    expect(groupIsThere(place.started().pid)).toBe(false);
    expect(isGone(place.scratch)).toBe(true);
  },
);

it("[OUR-BCH-56] beside the owner's server the heap has at most half of the free memory", async () => {
  const [mib, gib] = [2 ** 20, 2 ** 30];
  expect(largestHeap(["-Xmx4G", "-XX:MaxHeapSize=512m", "-Xms8G"])).toBe(512 * mib);
  expect(largestHeap(["-Xmx1048576k"])).toBe(gib);
  expect(largestHeap(["-Xms8G"])).toBeNull();
  await start({}, { javaArgs: ["-Xms1G"], mostHeapBytes: 2 * gib });
  expect(place.started().javaArguments.slice(0, 2)).toEqual(["-Xms1G", "-Xmx2048m"]);
  expect(withinHeap(["-Xmx2G"], 2 * gib)).toEqual(["-Xmx2G"]);
  expect(withinHeap(["-Xmx64G"], null)).toEqual(["-Xmx64G"]);
  const refused = await start({}, { javaArgs: ["-Xmx3G"], mostHeapBytes: 2 * gib });
  expect(await runTest(refused, "entities_ai")).toEqual({
    outcome: "skipped",
    reason_code: "memory_budget_refused",
  });
  expect(place.logged.join()).toContain("-Xmx2048m");
});

it("[OUR-BCH-51] a command that is killed takes the server with it", async () => {
  const script = await bundled(join(import.meta.dirname, "guarded-groups.ts"));
  const command = spawn(process.execPath, [script.path]);
  const [line] = (await once(command.stdout, "data")) as [Buffer];
  const [left = 0, released = 0] = JSON.parse(line.toString()) as number[];
  try {
    expect([left, released].map(groupIsThere)).toEqual([true, true]);
    command.kill("SIGKILL");
    await vi.waitFor(() => expect(groupIsThere(left)).toBe(false), patience);
    expect(groupIsThere(released)).toBe(true);
  } finally {
    process.kill(-released, "SIGKILL");
    script.remove();
  }
});

it("[OUR-BCH-47] a Java that is not there is a failure with its name", async () => {
  const game = await start({}, { java: "/nowhere/java" });
  expect(await runTest(game, "entities_ai")).toEqual({ outcome: "failure", reason_code: "java_not_started" });
  expect(place.logged[0]).toContain("/nowhere/java");
});

it.each([
  // Another wording, another language, half a word, and a number where a sentence was expected.
  ["tick sprint", "Der Sprint wurde gestartet"],
  ["^tick freeze", "The ga"],
  ["if entity", "640"],
  ["^kill", ""],
  [
    "forceload add 16384",
    "Marked 255 chunks in minecraft:overworld from [1, 1] to [2, 2] to be force loaded",
  ],
])("[OUR-BCH-48] an answer to %s that is not understood is no number", async (command, answer) => {
  const game = await start({ answers: { [command]: answer } }, { patience: quick });
  const id = command.startsWith("forceload") ? "exploration_chunk_generation" : "entities_items";
  expect(await runTest(game, id, { length: 0.01 })).toEqual({
    outcome: "failure",
    reason_code: "answer_not_understood",
  });
  expect(place.logged.join()).toContain(answer === "" ? "nothing" : answer.split("[")[0]);
});

it("[OUR-BCH-48] an answer that is not understood ends one test, and the next one runs", async () => {
  const answers = { "if block .* minecraft:redstone_lamp": "Wer weiß" };
  const game = await start({ answers });
  expect(await runTest(game, "mechanics_redstone")).toMatchObject({ reason_code: "answer_not_understood" });
  expect(await runTest(game, "mechanics_hopper")).toMatchObject({ outcome: "success" });
});

it("[OUR-BCH-49] a load that does nothing is a failure, and one that half works has a witness below its expectation", async () => {
  const still = await start({ costs: { lampsStayDark: 1 } });
  expect(await runTest(still, "mechanics_redstone")).toMatchObject({ reason_code: "load_did_not_run" });
  await still.stop();
  place.clean();
  place = ownersPlace();
  const light = await start({
    costs: { item: 0.00001 },
    answers: { "^execute if entity @e.tag=tickmark.$": "Test passed. Count: 320" },
  });
  expect(await runTest(light, "entities_items")).toMatchObject({ reason_code: "load_not_measurable" });
  const half = await runTest(light, "entities_ai");
  expect(half).toMatchObject({ outcome: "success", witnesses: [{ expected: 640, actual: 320 }, {}, {}] });
});

it.each([
  [{ silentOn: "^tick sprint" }, "no_answer", "did not answer"],
  [{ crashesOn: "^tick sprint" }, "server_crashed", "Exception ticking world"],
  [
    { crashesOn: "^tick sprint", crashesWith: "java.lang.OutOfMemoryError: Java heap space" },
    "out_of_memory",
    "-Xmx4G",
  ],
  [{ dropsOn: "^tick sprint" }, "console_lost", "connection to the server's console broke"],
] as const)(
  "[OUR-BCH-50] a server that is lost fails this test and the next: %o",
  async (behaviour, code, words) => {
    const game = await start(behaviour, { patience: quick });
    const expected = { outcome: "failure", reason_code: code };
    expect(await runTest(game, "entities_ai")).toEqual(expected);
    expect(await runTest(game, "mechanics_hopper")).toEqual(expected);
    expect(place.logged[0]).toContain(words);
  },
);

it("[OUR-BCH-51] an end leaves no process and no folder, also of a server that ignores the request and has children", async () => {
  const game = await start({ ignoresTerm: true, forks: true });
  const { pid } = place.started();
  expect(groupIsThere(pid)).toBe(true);
  expect(await runTest(game, "mechanics_hopper")).toMatchObject({ outcome: "success" });
  await game.stop();
  expect(groupIsThere(pid)).toBe(false);
  expect(isGone(place.scratch)).toBe(true);
});

it.each([0, 60, 150, 400])("[OUR-BCH-51] an abort %i ms after the start leaves nothing", async (ms) => {
  const ending = new AbortController();
  const reason = new Error("Ctrl-C");
  setTimeout(() => ending.abort(reason), ms);
  const run = async (): Promise<void> => {
    const game = await start({ forks: true }, { signal: ending.signal });
    for (;;) await runTest(game, "entities_ai", { signal: ending.signal });
  };
  await expect(run()).rejects.toBe(reason);
  for (const game of games) await game.stop();
  expect(isGone(place.scratch)).toBe(true);
  const started = isGone(join(place.scratch, "..", "record")) ? null : place.started();
  if (started) expect(groupIsThere(started.pid)).toBe(false);
});

it.each(["tick freeze", "run function tickmark:ai", "tick sprint", "second_look"])(
  "[OUR-BCH-51] an abort while the server is at %s leaves nothing",
  async (command) => {
    const ending = new AbortController();
    const game = await start({ forks: true, silentOn: command });
    const running = runTest(game, "entities_ai", { signal: ending.signal });
    running.catch(() => undefined);
    while (!place.commands().some((each) => each.includes(command))) await after(5);
    ending.abort(new Error("Ctrl-C"));
    await expect(running).rejects.toThrow("Ctrl-C");
    const { pid } = place.started();
    await game.stop();
    expect(groupIsThere(pid)).toBe(false);
    expect(isGone(place.scratch)).toBe(true);
  },
);
