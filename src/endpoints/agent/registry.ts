import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { claimJob } from "./claim-job.ts";
import { finishJob } from "./finish-job.ts";
import { sendJobHeartbeat } from "./send-job-heartbeat.ts";

/** In the order in which a job goes through them. */
export const agentEndpoints: readonly Endpoint[] = [claimJob, sendJobHeartbeat, finishJob];
