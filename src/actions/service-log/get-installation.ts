import { action } from "../../contract/endpoint/action.ts";
import { selectSecretCheck } from "../../store/access/secret-check.ts";
import { selectInstallation } from "../../store/job/installation.ts";
import { algorithmVersion } from "../../core/report/reference.ts";
import { diagnosisVersion } from "../../core/report/diagnosis/thresholds.ts";
import { tuningVersion } from "../../core/report/tuning/tuning-advice.ts";
import { toTimestampOrNull } from "../../core/time.ts";

export const getInstallation = action({
  id: "service.get",
  who: "admin",
  errors: [],

  async run(_input, { db, version }) {
    const before = performance.now();
    const { jobs, ...installation } = await db.read(selectInstallation, db.dialect);
    const answered_in_ms = performance.now() - before;
    const check = await db.read(selectSecretCheck);
    return {
      version,
      algorithm_version: algorithmVersion,
      diagnosis_version: diagnosisVersion,
      tuning_version: tuningVersion,
      answered_in_ms,
      ...installation,
      // From the last count of sealed values; the earlier secret can be removed once no value needs it.
      secret: {
        need_earlier: check?.earlier ?? 0,
        unreadable: check?.closed ?? 0,
        counted_at: toTimestampOrNull(check?.countedAt ?? null),
      },
      jobs: jobs.map(({ name, startedAt, finishedAt }) => ({
        name,
        started_at: toTimestampOrNull(startedAt),
        finished_at: toTimestampOrNull(finishedAt),
      })),
    };
  },
});
