import { z } from "zod";
import { addition } from "../addition.ts";
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

/** Owners on so many of the stacks, percent, are named though a list of own shares leaves them out; so many at most. */
export const namedByTotalPct = 5;
export const ownersByTotal = 10;
/** A row of the account's list names its plugins on so many stacks, so many at most. */
export const rowPluginsByTotal = 3;

/** Own share, and the share of the stacks that the owner is anywhere on. */
const OwnerShares = z.object({
  owner: Owner,
  plugin: z.boolean(),
  self_pct: z.number(),
  total_pct: z.number(),
});
export type OwnerShares = z.infer<typeof OwnerShares>;

/**
 * The owners that stand on most stacks, the heaviest first, of those that a list leaves out. Null if not known: the
 * profile was stored before this was kept.
 */
export const OwnersByTotal = z.array(OwnerShares).nullable();

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
  owners_by_total: addition(OwnersByTotal),
  owners: z.array(OwnerShares),
  owners_complete: z.boolean(),
  methods: z.array(z.object({ method: Method, owner: Owner, pct: z.number() })),
  categories: z.array(z.object({ category: Category, pct: z.number() })),
  key_points: z.array(KeyPoint),
});
export type SummaryBody = z.infer<typeof SummaryBody>;

/** As it is stored: summaries of earlier versions have no owners by their total shares. */
export type StoredSummary = Omit<SummaryBody, "owners_by_total"> &
  Partial<Pick<SummaryBody, "owners_by_total">>;

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
  owners_by_total: addition(OwnersByTotal),
  top_plugin: z
    .object({ owner: Owner, self_pct: z.number().nullable(), total_pct: z.number().nullable() })
    .nullable(),
  owners_complete: z.boolean(),
});
export type AccountProfile = z.infer<typeof AccountProfile>;
