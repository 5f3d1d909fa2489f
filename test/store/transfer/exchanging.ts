import { once } from "node:events";
import { createInterface } from "node:readline";
import { exampleSample } from "../../../src/endpoints/api/server/example-sample.ts";
import { ReportedSample } from "../../../src/core/metric/reported-sample.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import type { Counts } from "../../../src/store/transfer/format.ts";
import { openSnapshot, openTarget } from "../../../src/store/transfer/open.ts";
import { readExport, type Imported } from "../../../src/store/transfer/read-export.ts";
import { writeExport } from "../../../src/store/transfer/write-export.ts";
import { makeFleet, type Fleet } from "../../support/fleet.ts";
import type { Ingest } from "../engine/ingest-worker.ts";
import type { Worker } from "../engine/workers.ts";

export const exportedAt = Date.UTC(2026, 10, 20, 8);

/** The export of a database, whole. `between` runs after each chunk. */
export async function exportOf(url: string, between: () => Promise<void> = async () => {}): Promise<Buffer> {
  const snapshot = await openSnapshot(url);
  const chunks: Buffer[] = [];
  const put = async (chunk: Buffer): Promise<void> => {
    chunks.push(chunk);
    await between();
  };
  try {
    await writeExport(snapshot, { serviceVersion: "0.0.0", now: exportedAt, put, tell: () => {} });
  } finally {
    await snapshot.close();
  }
  return Buffer.concat(chunks);
}

/** A stream that hands over a few bytes at a time, so that lines begin and end anywhere. */
export async function* streamed(bytes: Uint8Array, length = 10_007): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** Imports an export, and answers what became of its rows. */
export const importedFrom = (url: string, bytes: Uint8Array): Promise<Imported> =>
  readExport(
    streamed(bytes),
    (version) => openTarget(url, version),
    () => {},
  );

export const importInto = (url: string, bytes: Uint8Array): Promise<Counts> =>
  importedFrom(url, bytes).then(({ counts }) => counts);

interface Line {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The rows of an export. */
export const rowsIn = (bytes: Buffer, table?: string): Line[] =>
  bytes
    .toString("utf8")
    .split("\n")
    .slice(1, -2)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => table === undefined || line.table === table);

/** The rows of an export as text, in an order that no database has a say in. */
export const sortedRows = (bytes: Buffer): string[] =>
  bytes.toString("utf8").split("\n").slice(1, -2).toSorted();

/** A process that sends heartbeats and events without end, and what of them was acknowledged so far. */
export interface Writer {
  readonly fleet: Fleet;
  acknowledged(table: "sample" | "server_event"): number;
  /** Waits until that many more samples are acknowledged. */
  more(samples: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startWriter(
  url: string,
  start: (...args: string[]) => Promise<Worker>,
): Promise<Writer> {
  const fleet = await makeFleet(url, 3, "enterprise");
  const plan: Ingest = {
    servers: fleet.servers.map(({ id }) => id),
    from: exportedAt,
    reported: ReportedSample.parse({ ...exampleSample, sampled_at: "2026-11-20T08:00:00Z" }),
    limits: defaultPlans.enterprise,
  };
  const worker = await start(url, JSON.stringify(plan));
  const counts = { sample: 0, server_event: 0 };
  const { stdout } = worker.process;
  if (!stdout) throw new Error("The worker tells nothing.");
  const lines = createInterface({ input: stdout });
  lines.on("line", (line) => {
    if (line.startsWith("sample")) counts.sample += 1;
    else if (line.startsWith("event")) counts.server_event += 1;
  });
  worker.begin();
  const more = async (samples: number): Promise<void> => {
    for (const least = counts.sample + samples; counts.sample < least;) await once(lines, "line");
  };
  const stop = async (): Promise<void> => {
    const ended = once(worker.process, "exit");
    worker.process.kill("SIGKILL");
    await ended;
  };
  return { fleet, acknowledged: (table) => counts[table], more, stop };
}
