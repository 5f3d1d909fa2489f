import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { claimJob } from "./claim-job.ts";
import { finishJob } from "./finish-job.ts";
import { sendJobHeartbeat } from "./send-job-heartbeat.ts";

/** The side of the machines that run scheduled benchmarks, in the order a job goes through them. */
export const agentEndpoints: readonly Endpoint[] = [claimJob, sendJobHeartbeat, finishJob];
