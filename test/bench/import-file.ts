import { readFileSync } from "node:fs";
import { histogramOf } from "../../src/core/import/class-histogram.ts";
import { heapSummaryOfSpark } from "../../src/core/import/spark-heap.ts";
import { profileOfSpark } from "../../src/core/import/spark-profile.ts";
import { HeapSummary } from "../../src/core/memory-report/document.ts";
import { ProfileDocument } from "../../src/core/profile/document.ts";

/** Reads one file as an upload of a plugin would be, in a process of its own, and prints what that took as JSON. */
const kinds = {
  profile: { read: profileOfSpark, schema: ProfileDocument },
  heap: { read: heapSummaryOfSpark, schema: HeapSummary },
  histogram: { read: histogramOf, schema: HeapSummary },
};

const [sent = "", path = ""] = process.argv.slice(2);
const kind = kinds[sent as keyof typeof kinds];
const digest = "0".repeat(64);
const bytes = new Uint8Array(readFileSync(path));
const before = peakMb();
const started = performance.now();
const cpu = process.cpuUsage();
let document: unknown = null;
let refusal: string | null = null;
try {
  document = kind.read(bytes, digest);
} catch (error) {
  refusal = (error as Error).message;
}
const readMs = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const cpuMs = (user + system) / 1000;
const grownMb = peakMb() - before;
const taken = document === null ? null : beside(document);
console.log(JSON.stringify({ readMs, cpuMs, grownMb, peakMb: before + grownMb, taken, refusal }));

/** What comes after the reader, and the same from an upload in JSON, ms. */
function beside(read: unknown): { parseMs: number; checkMs: number } {
  const json = JSON.stringify(read);
  const parsing = performance.now();
  JSON.parse(json);
  const checking = performance.now();
  kind.schema.parse(read);
  return { parseMs: checking - parsing, checkMs: performance.now() - checking };
}

/** The most memory this process held so far, MB (Linux). */
function peakMb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}
