import { z } from "zod";
import { Id } from "../id.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";
import { Category } from "./category.ts";
import { codeLength, ownerLength } from "./document.ts";

export const word = () => thirdPartyText(64);
export const version = () => thirdPartyText(120);
export const Owner = thirdPartyText(ownerLength);
export const Method = thirdPartyText(codeLength);
export const count = () => z.int().nullable();

export const KeyPoint = z.object({
  code: z.enum(["few-samples", "plugin-share", "waiting-share", "category-share"]),
  owner: Owner.nullable(),
  category: Category.nullable(),
  pct: z.number().nullable(),
  tick_samples: count(),
});
export type KeyPoint = z.infer<typeof KeyPoint>;

const Lag = z.object({ kind: word().nullable(), slow_ticks: count() });

/** `leastListedPct`: a complete list has every owner with this share, percent. */
export const summaryOwners = 10;
export const summaryMethods = 10;
export const leastListedPct = 0.1;

/** The warning that samples end where a stack was cut, so that their owner is unknown. */
export const stacksCut = "stacks-cut";

/** Kept for a year. Shares are percent of tick samples, never durations. */
export const SummaryBody = z.object({
  schema: z.literal("service-profile-summary/1"),
  local_id: thirdPartyText(120).nullable(),
  trigger: word().nullable(),
  created_at: Timestamp.nullable(),
  lag: Lag.nullable(),
  window: z.object({
    start: Timestamp.nullable(),
    end: Timestamp.nullable(),
    seconds: z.number().nullable(),
  }),
  samples: z.object({ tick: count(), total: count() }),
  platform: z.object({
    server_type: word().nullable(),
    server_version: version().nullable(),
    java_version: version().nullable(),
  }),
  warnings: z.array(word()),
  owners: z.array(
    z.object({ owner: Owner, plugin: z.boolean(), self_pct: z.number(), total_pct: z.number() }),
  ),
  owners_complete: z.boolean(),
  methods: z.array(z.object({ method: Method, owner: Owner, pct: z.number() })),
  categories: z.array(z.object({ category: Category, pct: z.number() })),
  key_points: z.array(KeyPoint),
});
export type SummaryBody = z.infer<typeof SummaryBody>;

/** `profile_id` is null once only the summary is left. */
export const ProfileSummary = z.object({
  id: Id,
  server_id: Id,
  profile_id: Id.nullable(),
  uploaded_at: Timestamp.nullable(),
  captured_at: Timestamp.nullable(),
  summary: SummaryBody,
});
export type ProfileSummary = z.infer<typeof ProfileSummary>;

export const AccountProfile = z.object({
  id: Id,
  server_id: Id,
  server_name: thirdPartyText(80).nullable(),
  profile_id: Id.nullable(),
  captured_at: Timestamp.nullable(),
  uploaded_at: Timestamp.nullable(),
  trigger: word().nullable(),
  lag: Lag.extend({ longest_tick_ms: z.number().nullable() }).nullable(),
  tick_samples: count(),
  total_samples: count(),
  top_plugin: z
    .object({ owner: Owner, self_pct: z.number().nullable(), total_pct: z.number().nullable() })
    .nullable(),
  owners_complete: z.boolean(),
});
export type AccountProfile = z.infer<typeof AccountProfile>;
