import { selectSecretCheck } from "../../../store/access/secret-check.ts";
import { selectInstallation } from "../../../store/job/installation.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { algorithmVersion } from "../../../core/report/reference.ts";
import { diagnosisVersion } from "../../../core/report/diagnosis/thresholds.ts";
import { tuningVersion } from "../../../core/report/tuning/tuning-advice.ts";
import { toTimestampOrNull } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

const JobRow = z.object({
  name: z.string(),
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
});

export const getInstallation = defineEndpoint({
  id: "service.get",
  method: "GET",
  path: "/admin/service",
  params: {},
  access: { face: "web", who: "admin" },
  summary:
    "The installation itself: versions, its database and how fast it answers, its secret, and the last runs of its jobs.",
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    algorithm_version: z.string(),
    diagnosis_version: z.string(),
    tuning_version: z.string(),
    database: z.enum(["SQLite", "PostgreSQL"]),
    schema: z.string(),
    answered_in_ms: z.number(),
    accounts: z.int(),
    servers: z.int(),
    /** What the last count of the sealed values found. */
    secret: z.object({
      /** Values that need the earlier secret: it may be left out once there are none. */
      need_earlier: z.int(),
      /** Values that no secret opens. */
      unreadable: z.int(),
      counted_at: Timestamp.nullable(),
    }),
    jobs: z.array(JobRow),
  }),
  errors: [],
  example: {
    input: {},
    output: {
      version: "1.0.0",
      algorithm_version: "1",
      diagnosis_version: "1",
      tuning_version: tuningVersion,
      database: "SQLite",
      schema: "6 (activity)",
      answered_in_ms: 0.4,
      accounts: 3,
      servers: 12,
      secret: { need_earlier: 0, unreadable: 0, counted_at: "2026-11-20T08:00:00.000Z" },
      jobs: [
        { name: "sweep", started_at: "2026-11-20T08:00:00.000Z", finished_at: "2026-11-20T08:00:00.040Z" },
      ],
    },
  },

  async handle(_input, { db, version }) {
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
