/** Reads one file as an upload of a plugin would be, in a process of its own, and prints what that took as JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [built, kind, path] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(built, file)).href);
const readers = {
  profile: (await load("core/import/spark-profile.js")).profileOfSpark,
  heap: (await load("core/import/spark-heap.js")).heapSummaryOfSpark,
  histogram: (await load("core/import/class-histogram.js")).histogramOf,
};

const { HeapSummary } = await load("core/memory-report/document.js");
const { ProfileDocument } = await load("core/profile/document.js");
const schemas = { profile: ProfileDocument, heap: HeapSummary, histogram: HeapSummary };

const digest = "0".repeat(64);
const bytes = new Uint8Array(readFileSync(path));
const before = peakMb();
const started = performance.now();
const cpu = process.cpuUsage();
let document = null;
let refusal = null;
try {
  document = readers[kind](bytes, digest);
} catch (error) {
  refusal = error.message;
}
const readMs = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const cpuMs = (user + system) / 1000;
const grownMb = peakMb() - before;
const taken = document === null ? null : beside(document);
console.log(JSON.stringify({ readMs, cpuMs, grownMb, peakMb: before + grownMb, taken, refusal }));

/** What comes after the reader, and the same from an upload in JSON, ms. */
function beside(document) {
  const json = JSON.stringify(document);
  const parsing = performance.now();
  JSON.parse(json);
  const checking = performance.now();
  schemas[kind].parse(document);
  return { parseMs: checking - parsing, checkMs: performance.now() - checking };
}

/** The most memory this process held so far, MB (Linux). */
function peakMb() {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
}
