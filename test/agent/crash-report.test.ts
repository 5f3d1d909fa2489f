import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { crashReportIn } from "../../src/agent/sources/crash-report.ts";
import { logSource } from "../../src/agent/sources/log.ts";
import { patienceMs } from "../support/patience.ts";
import { sharedData } from "../support/shared-data.ts";
import { installWith } from "./install.ts";

const report = (body: string, head = ""): string =>
  `---- Minecraft Crash Report ----
// A joke.

Time: 2026-11-27 17:10:29
Description: Ticking block entity

java.lang.IllegalStateException: no energy from 203.0.113.7
\tat net.minecraft.world.level.Level.tick(Level.java:499) ~[server-1.20.1-20230612.114412-srg.jar%23170!/:?] {re:mixin}
\tat com.example.pipes.Pipe.push(Pipe.java:28) ~[pipes-1.20.1-1.2.15.jar%23204!/:1.2.15] {re:classloading}
\tat TRANSFORMER/bolts@2.0/org.example.bolts.Bolt.take(Bolt.java:38) ~[?:?]
\tat java.base/java.lang.Thread.run(Thread.java:840) ~[?:?] {}
Caused by: java.lang.NullPointerException
\t... 3 more


A detailed walkthrough of the error, its code path and all known details is as follows:
---------------------------------------------------------------------------------------

-- Head --
Thread: Server thread
${head}Stacktrace:
\tat net.minecraft.world.level.Level.tick(Level.java:499) ~[server-1.20.1.jar%23170!/:?] {re:mixin}
${body}`;

describe("a crash report", () => {
  it("[OUR-AGG-206] tells its exception, first calls, the part that was at work and whose it was", () => {
    const atWork = `-- Block entity being ticked --
Details:
\tName: pipes:energy_pipe // com.example.pipes.PipeEntity
\tBlock: Block{minecraft:stone}
-- Affected level --
`;
    expect(crashReportIn(report(atWork))).toEqual({
      description: "Ticking block entity",
      exception: "java.lang.IllegalStateException: no energy from [address]",
      frames: [
        "net.minecraft.world.level.Level.tick(Level.java:499)",
        "com.example.pipes.Pipe.push(Pipe.java:28)",
        "TRANSFORMER/bolts@2.0/org.example.bolts.Bolt.take(Bolt.java:38)",
        "java.base/java.lang.Thread.run(Thread.java:840)",
      ],
      section: "Block entity being ticked",
      suspects: ["pipes", "bolts"],
    });
  });

  it.each([
    [
      "on one line",
      "Suspected Mods: Pipes of Old (pipes), Bolts (bolts)\n",
      ["Pipes of Old (pipes)", "Bolts (bolts)"],
    ],
    [
      "as a list",
      "Suspected Mods:\n\tPipes of Old (pipes), Version: 1.2\n\t\tat a.b.C.d(C.java:1)\n\tBolts (bolts), Version: 2\n",
      ["Pipes of Old (pipes)", "Bolts (bolts)"],
    ],
    ["none", "Suspected Mods: NONE\n", ["pipes-1.20.1-1.2.15", "bolts"]],
    ["unknown", "    Suspected Mods: Unknown\n", ["pipes-1.20.1-1.2.15", "bolts"]],
  ])("[OUR-AGG-206] names the mods that the report itself suspects: %s", (_name, head, suspects) => {
    expect(crashReportIn(report("", head))?.suspects).toEqual(suspects);
  });

  it("[OUR-AGG-206] any text is read within bounds, and what is no report is none", () => {
    expect(crashReportIn("Stopping server")).toBeNull();
    const begin = "---- Minecraft Crash Report ----\n";
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("\tat a.b.C(D)", "-- X --", "Suspected Mods:", " a (b)", "\0", "x.Y: z")),
        (lines) => {
          const read = crashReportIn(begin + lines.join("\n"));
          expect(JSON.stringify(read).length).toBeLessThan(4000);
          expect(read?.suspects.length).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: 200 },
    );
  });

  const recorded: readonly (readonly [string, string | null, readonly string[]])[] = [
    [
      "Vanilla_Forge_forge-ticking-block-entity-crash-report.log",
      "Block entity being ticked",
      ["pipez", "tesseract"],
    ],
    ["Vanilla_Forge_forge-ticking-entity-1-18-2.log", "Entity being ticked", ["village_employment"]],
    ["Vanilla_Fabric_fabric-crash-report.log", null, ["io.github.flemmli97.improvedmobs"]],
    ["Vanilla_Forge_forge-crash-report.log", "Entity being ticked", ["com.ferreusveritas.dynamictrees.util"]],
    ["Vanilla_NeoForge_neoforge-1-20-4-client-report.log", null, []],
    ["Vanilla_vanilla-crash-report-1-21-11-pre-release-1.log", null, []],
  ];
  it.skipIf(sharedData("logs") === null).each(recorded)(
    "[OUR-AGG-206] the recorded report %s",
    (name, section, suspects) => {
      const read = crashReportIn(readFileSync(sharedData(`logs/${name}`) ?? "", "utf8"));
      expect(read?.section).toBe(section);
      expect(read?.suspects.slice(0, Math.max(1, suspects.length))).toEqual(suspects);
    },
  );
});

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crash-report-"));
  mkdirSync(join(folder, "logs"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const name = "crash-2026-11-27_17.10.29-server.txt";
const clock = (): string => new Date().toTimeString().slice(0, 8);

/** The crash that a log tells, which names the report. */
async function crashOf() {
  const log = join(folder, "logs/latest.log");
  writeFileSync(log, "");
  const source = logSource(installWith({ log, directory: folder }), {});
  await source.read(Date.now(), AbortSignal.timeout(patienceMs));
  appendFileSync(
    log,
    `[${clock()}] [Server thread/INFO]: Done (2.5s)! For help, type "help"\n[${clock()}] [Server thread/ERROR]: This crash report has been saved to: ${folder}/crash-reports/${name}\n`,
  );
  const { events = [] } = await source.read(Date.now(), AbortSignal.timeout(patienceMs));
  await source.close();
  return events.find(({ type }) => type === "server_crash");
}

it("[OUR-AGG-206] the event of a crash holds what its report says", async () => {
  mkdirSync(join(folder, "crash-reports"));
  writeFileSync(join(folder, "crash-reports", name), report(""));
  expect(await crashOf()).toMatchObject({
    metadata: {
      crash_report: name,
      description: "Ticking block entity",
      suspects: ["pipes-1.20.1-1.2.15", "bolts"],
      frames: expect.arrayContaining(["com.example.pipes.Pipe.push(Pipe.java:28)"]),
    },
  });
});

it("[OUR-AGG-206] without the report, or with one behind a link, the crash is told all the same", async () => {
  const bare = { crash_report: name };
  expect((await crashOf())?.metadata).toEqual(bare);
  writeFileSync(join(folder, "elsewhere.txt"), report(""));
  mkdirSync(join(folder, "crash-reports"));
  symlinkSync(join(folder, "elsewhere.txt"), join(folder, "crash-reports", name));
  expect((await crashOf())?.metadata).toEqual(bare);
  rmSync(join(folder, "crash-reports"), { recursive: true });
  writeFileSync(join(folder, "crash-reports"), "no folder");
  expect((await crashOf())?.metadata).toEqual(bare);
});
