import type { AutoBenchJobStore, TargetStore } from "../../core/auto-bench/store.ts";
import { cancelJob, recordFinish, recordProgress } from "./change-job.ts";
import { changeTarget, removeTarget } from "./change-target.ts";
import { claimNextJob } from "./claim-job.ts";
import { holdJob } from "./hold-job.ts";
import { launchJob } from "./launch-job.ts";
import { jobReads } from "../../store/auto-bench/jobs.ts";
import { targetReads } from "../../store/auto-bench/targets.ts";
import type { Database } from "../../store/engine/database.ts";

export const targetStore = (db: Database): TargetStore => ({
  ...targetReads(db),
  change: (...request) => db.write("saved", () => changeTarget(...request)),
  remove: (...request) => db.write("saved", () => removeTarget(...request)),
});

export const autoBenchJobStore = (db: Database): AutoBenchJobStore => ({
  ...jobReads(db),
  launch: (request) => db.write("saved", () => launchJob(request)),
  cancel: (...request) => db.write("saved", () => cancelJob(...request)),
  claim: (claim, now) => claimNextJob(db, claim, now),
  heartbeat: (...request) => db.write("counted", () => recordProgress(...request)),
  finish: (...request) => db.write("saved", () => recordFinish(...request)),
  settle: (id, now) =>
    db.write("saved", function* () {
      yield* holdJob(id, now);
    }),
});
