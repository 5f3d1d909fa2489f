import { parentPort } from "node:worker_threads";
import { outcomeOf } from "./outcome.ts";
import type { DocumentJob } from "./tasks.ts";

/** Runs in a worker thread, one job after another. */
parentPort?.on("message", (job: DocumentJob) => parentPort?.postMessage(outcomeOf(job), []));
