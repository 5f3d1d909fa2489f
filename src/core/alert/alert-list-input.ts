import { z } from "zod";
import { IdFilter } from "../id.ts";
import { plainText } from "../text/third-party-text.ts";
import { parseInstant, type Instant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { AlertChannel } from "./delivery.ts";
import { AlertKind, AlertStatus } from "./alert.ts";
import type { AlertFilter } from "./records.ts";

export const AlertListInput = z.strictObject({
  kind: AlertKind.optional(),
  status: AlertStatus.optional(),
  since: IsoInstant.optional(),
  until: IsoInstant.optional(),
  rule_name: plainText(80, 1).optional(),
  notified: z.boolean().optional(),
  channel: AlertChannel.meta({ "x-tickmark-addition": true }).optional(),
  server_id: IdFilter.optional(),
});
export type AlertListInput = z.infer<typeof AlertListInput>;

/** All alerts that the filter matches, and the rules with the most of them, at most as many as requested. */
export interface AlertCounts {
  readonly alerts: number;
  readonly rules: readonly { readonly ruleId: string; readonly alerts: number }[];
}

const instantOrNull = (text: string | undefined): Instant | null =>
  text === undefined ? null : parseInstant(text);

export const alertFilterOf = (input: AlertListInput): AlertFilter => ({
  kind: input.kind ?? null,
  status: input.status ?? null,
  since: instantOrNull(input.since),
  until: instantOrNull(input.until),
  ruleName: input.rule_name ?? null,
  notified: input.notified ?? null,
  channel: input.channel ?? null,
  serverId: input.server_id ?? null,
});
