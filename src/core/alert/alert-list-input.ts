import { z } from "zod";
import { IdFilter } from "../id.ts";
import { plainText } from "../text/third-party-text.ts";
import { parseInstant, type Instant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { AlertKind, AlertStatus } from "./alert.ts";
import type { AlertFilter } from "./records.ts";

/** What narrows the list of alerts. */
export const AlertListInput = z.strictObject({
  kind: AlertKind.optional(),
  status: AlertStatus.optional(),
  since: IsoInstant.optional(),
  until: IsoInstant.optional(),
  rule_name: plainText(80, 1).optional(),
  notified: z.boolean().optional(),
  server_id: IdFilter.optional(),
});
export type AlertListInput = z.infer<typeof AlertListInput>;

/** How many alerts a list has on all its pages, and of which rules: those with the most first, some of them. */
export interface AlertCounts {
  readonly alerts: number;
  readonly rules: readonly { readonly ruleId: string; readonly alerts: number }[];
}

const instantOrNull = (text: string | undefined): Instant | null =>
  text === undefined ? null : parseInstant(text);

/** The filter of a request that the schema accepted. */
export const alertFilterOf = (input: AlertListInput): AlertFilter => ({
  kind: input.kind ?? null,
  status: input.status ?? null,
  since: instantOrNull(input.since),
  until: instantOrNull(input.until),
  ruleName: input.rule_name ?? null,
  notified: input.notified ?? null,
  serverId: input.server_id ?? null,
});
