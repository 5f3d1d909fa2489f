import { parentPort } from "node:worker_threads";
import { outcomeOf } from "./outcome.ts";
import type { Job } from "./tasks.ts";

/** What a worker thread runs: one job after another, as they come. */
parentPort?.on("message", (job: Job) => parentPort?.postMessage(outcomeOf(job), []));
