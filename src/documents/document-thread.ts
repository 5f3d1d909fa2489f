import { parentPort } from "node:worker_threads";
import { outcomeOf } from "./outcome.ts";
import type { DocumentJob } from "./tasks.ts";

/** What a worker thread runs: one job after another, as they come. */
parentPort?.on("message", (job: DocumentJob) => parentPort?.postMessage(outcomeOf(job), []));
