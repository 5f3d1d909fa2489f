import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { leadFrom } from "../report/compare.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { dayMs } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const OfferType = z.enum(["shared", "vps", "dedicated", "game"]);
export type OfferType = z.infer<typeof OfferType>;

/** Best evidence first. */
export const evidenceRanks = ["certified", "measured", "linked", "none"] as const;
export const Evidence = z.enum(evidenceRanks);
export type Evidence = z.infer<typeof Evidence>;

const text = (max: number) => thirdPartyText(max).nullable();
const count = z.int().nullable();

/** A `total` or `hardware` of 0 was not measured; null: the run has no scores. */
const OfferReport = z.object({
  id: Id,
  short_id: Id,
  total: z.number().nullable(),
  hardware: addition(z.number().nullable()),
  algorithm_version: z.string().nullable(),
  created_at: Timestamp,
});

export const Offer = z.object({
  id: Id,
  provider: z.object({ id: Id, name: thirdPartyText(120), url: text(500) }),
  name: thirdPartyText(120),
  type: OfferType,
  cpu_name: text(120),
  cpu_cores: count,
  ram_gb: z.number().nullable(),
  disk_type: text(32),
  disk_gb: z.number().nullable(),
  location: text(120),
  price_eur_cents: count,
  billing_period: z.literal("month"),
  url: text(500),
  evidence: Evidence,
  contested: z.boolean(),
  certified_at: Timestamp.nullable(),
  certificate_expires_at: Timestamp.nullable(),
  report: OfferReport.nullable(),
  updated_at: Timestamp,
});
export type Offer = z.infer<typeof Offer>;

/** A hoster's approval of a report is valid for a year, ms. */
export const certificateMs = 365 * dayMs;

/** Runs further apart than this say nothing about each other, ms. */
export const contestWindowMs = 180 * dayMs;

/** Whether a lower total contests a higher one: by the tie band or more. A total of 0 was not measured. */
export const contests = (total: number | null, lower: number | null): boolean =>
  total !== null && lower !== null && lower > 0 && total - lower >= leadFrom(total, lower);
