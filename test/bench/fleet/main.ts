import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepareFleet, runFleet, type FleetOptions } from "./run-fleet.ts";
import { summaryOf } from "./summary.ts";

const usage = `npm run bench:fleet -- [options]
  --servers N       servers of the fleet (1000)
  --minutes N       measured minutes (2)
  --warm-up N       minutes before them (1)
  --database KIND   sqlite or postgres (sqlite)
  --processes N     processes that serve it, in turn (1); more than one need PostgreSQL
  --account-size N  servers of an account (100)
  --reads N         reads of assistants a second (one for each 1000 servers)
  --connections N   connections of the generator (64)
  --data FOLDER     keeps the SQLite database of the fleet there, and uses it again
  --sync-ms N       each sync of the service's disk takes so many ms longer (0); needs gcc
  --profile FILE    writes a profile of the service's CPU there
  --program FILE    the program that is measured (dist/main.js)
  --prepare         only makes the fleet of SQLite in --data`;

const { values } = parseArgs({
  options: {
    servers: { type: "string", default: "1000" },
    minutes: { type: "string", default: "2" },
    "warm-up": { type: "string", default: "1" },
    database: { type: "string", default: "sqlite" },
    processes: { type: "string", default: "1" },
    "account-size": { type: "string", default: "100" },
    reads: { type: "string" },
    connections: { type: "string", default: "64" },
    data: { type: "string" },
    "sync-ms": { type: "string", default: "0" },
    profile: { type: "string" },
    program: { type: "string" },
    prepare: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function number(name: string, text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`--${name} takes a number.\n${usage}`);
  return value;
}

if (values.help) {
  console.log(usage);
} else {
  const servers = number("servers", values.servers);
  const folder = values.data ?? mkdtempSync(join(tmpdir(), "tickmark-fleet-"));
  const options: FleetOptions = {
    servers,
    accountSize: number("account-size", values["account-size"]),
    minutes: number("minutes", values.minutes),
    warmUpMinutes: number("warm-up", values["warm-up"]),
    database: values.database === "postgres" ? "postgres" : "sqlite",
    processes: number("processes", values.processes),
    folder,
    connections: number("connections", values.connections),
    rates: {
      heartbeatEveryMs: 30_000,
      eventsEveryMs: 300_000,
      readsPerSecond: values.reads === undefined ? servers / 1000 : number("reads", values.reads),
      pageEveryMs: 15_000,
    },
    scrapeEveryMs: 15_000,
    syncMs: number("sync-ms", values["sync-ms"]),
    profile: values.profile ?? null,
    ...(values.program !== undefined && { program: values.program }),
    print: (line) => console.log(line),
  };
  if (values.prepare) await prepareFleet({ ...options, database: "sqlite" });
  else console.log(`\n${summaryOf(options, await runFleet(options)).join("\n")}`);
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
}
