import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { confirmStart, looksBefore, serverBeside } from "../../src/cli/bench-start.ts";
import { machineTree } from "../agent/machine-tree.ts";
import { listedServer } from "../support/listed-server.ts";

const { signal } = new AbortController();
const pid = 42;

/** Four processors, or a quota of so many of them. */
const machine = (load: string, quota = "max 100000") =>
  machineTree({
    "proc/loadavg": `${load} 0.40 0.30 2/345 6789\n`,
    "proc/self/mountinfo": "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    [`proc/${pid}/mountinfo`]: "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    [`proc/${pid}/cgroup`]: "0::/one\n",
    [`proc/${pid}/status`]: "Name:\tnode\nCpus_allowed:\tf\n",
    "sys/fs/cgroup/one/cpu.max": `${quota}\n`,
  });

it("[OUR-BCH-96] the load of the last minute is looked at before a benchmark", async () => {
  const look = (root: string) => looksBefore({ root, pid, server: null, signal });
  expect(await look(machine("0.50"))).toEqual([]);
  expect(await look(machine("1.93"))).toEqual([
    "In the last minute 1.9 programs worked at a time on this machine's 4 processors. Tests that others disturb have no scores.",
  ]);
  // A quota of one processor leaves three to others.
  expect(await look(machine("3.40", "100000 100000"))).toEqual([]);
  expect(await look(machine("3.60", "100000 100000"))).toHaveLength(1);
  expect(await look(machineTree({}))).toEqual([]);
});

it("[OUR-BCH-96] players on a known server are looked at, and a server that does not answer has none", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tickmark-bench-start-"));
  const found = async (online: number): Promise<string[]> => {
    const game = await listedServer(online);
    const root = machine("0.00");
    try {
      // The processes of the server are looked for on this machine, its load on the recorded one.
      return await looksBefore({ root, pid, server: { directory, port: game.port }, signal });
    } finally {
      await game.close();
    }
  };
  expect(await found(0)).toEqual([]);
  expect(await found(1)).toEqual([expect.stringMatching(/^1 player is online\. .*--while-serving/)]);
  expect(await found(3)).toEqual([expect.stringMatching(/^3 players are online\./)]);
  const silent = { directory, port: 1 };
  expect(await looksBefore({ root: machine("0.00"), pid, server: silent, signal })).toEqual([]);
  expect(serverBeside(null, "/srv/minecraft/paper.jar")).toEqual({ directory: "/srv/minecraft" });
  expect(serverBeside(silent, "/srv/minecraft/paper.jar")).toBe(silent);
  expect(serverBeside(null, undefined)).toBeNull();
});

it("[OUR-BCH-96] a person on a terminal is asked; a script goes on and says what was found", async () => {
  const [told, asked]: [string[], string[]] = [[], []];
  const begins = (found: readonly string[], answer: string, { canAsk = true, yes = false } = {}) =>
    confirmStart(found, {
      canAsk,
      yes,
      tell: (line) => told.push(line),
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    });
  await begins([], "n");
  await begins(["It is busy."], "", { canAsk: false });
  await begins(["It is busy."], "", { yes: true });
  expect([told, asked]).toEqual([["It is busy.", "It is busy."], []]);
  await begins(["It is busy."], " Yes ");
  await begins(["It is busy."], "y");
  for (const no of ["", "n", "yesterday"])
    await expect(begins(["It is busy."], no)).rejects.toThrow("Nothing was measured.");
  expect(asked).toHaveLength(5);
});
