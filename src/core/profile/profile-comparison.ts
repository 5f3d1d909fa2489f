import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";
import { Category } from "./category.ts";
import { KeyPoint, Method, Owner, count, version, word } from "./profile.ts";

const number = () => z.number().nullable();

export const comparedOwners = 25;
export const comparedMethods = 25;

export const ProfileIssueCode = z.enum([
  "no-tick-samples",
  "trigger-differs",
  "few-samples",
  "server-type-differs",
  "window-differs",
  "lag-kind-differs",
  "server-version-differs",
  "java-version-differs",
  "service-version-differs",
  "owners-incomplete",
  "reading-differs",
]);
export const IssueSeverity = z.enum(["info", "caution", "blocking"]);
export const ComparabilityLevel = z.enum(["comparable", "caution", "not-comparable"]);

export const Side = z.object({
  summary_id: Id,
  profile_id: Id.nullable(),
  local_id: thirdPartyText(120).nullable(),
  trigger: word().nullable(),
  server_type: word().nullable(),
  server_version: version().nullable(),
  java_version: version().nullable(),
  captured_at: Timestamp.nullable(),
  uploaded_at: Timestamp.nullable(),
  lag: z.object({ kind: word().nullable(), slow_ticks: count() }).nullable(),
  window_seconds: number(),
  tick_samples: count(),
  total_samples: count(),
  service_version: word().nullable(),
  warnings: z.array(word()),
});

export const ChangeStatus = z.enum(["appeared", "disappeared", "up", "down", "stable", "unknown"]);

/**
 * Percentage points. An unknown share is null and `…_at_most` at most; its change is from `delta_min` to
 * `delta_max`. A change within `noise_points` is no evidence, and no change is a cause.
 */
const change = {
  base_pct: number(),
  target_pct: number(),
  base_at_most: number(),
  target_at_most: number(),
  delta_points: number(),
  delta_min: number(),
  delta_max: number(),
  noise_points: number(),
  beyond_noise: z.boolean().nullable(),
  status: ChangeStatus,
};

/** The older profile is the base. */
export const ProfileComparison = z.object({
  source: z.enum(["summaries", "documents"]),
  base: Side,
  target: Side,
  elapsed_seconds: z.int().nullable(),
  comparability: z.object({
    level: ComparabilityLevel,
    issues: z.array(
      z.object({
        code: addition(ProfileIssueCode, ["reading-differs"]),
        severity: IssueSeverity,
        base: z.union([version(), z.number(), z.null()]),
        target: z.union([version(), z.number(), z.null()]),
      }),
    ),
  }),
  owners: z.array(
    z.object({
      owner: Owner,
      plugin: z.boolean(),
      ...change,
      base_total_pct: number(),
      target_total_pct: number(),
    }),
  ),
  owners_truncated: z.boolean(),
  methods_truncated: z.boolean(),
  categories: z.array(z.object({ category: Category, ...change })),
  methods: z.array(z.object({ method: Method, owner: Owner, ...change })),
  key_points: z.object({
    appeared: z.array(KeyPoint),
    resolved: z.array(KeyPoint),
    persisting: z.array(KeyPoint),
  }),
});
export type ProfileComparison = z.infer<typeof ProfileComparison>;
