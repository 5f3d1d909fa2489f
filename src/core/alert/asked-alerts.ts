import { z } from "zod";
import { IdFilter } from "../id.ts";
import { plainText } from "../text/third-party-text.ts";
import { parseInstant, type Instant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { AlertKind, AlertStatus } from "./alert.ts";
import type { AlertFilter } from "./records.ts";

/** What narrows the list of alerts. */
export const AskedAlerts = z.strictObject({
  kind: AlertKind.optional(),
  status: AlertStatus.optional(),
  since: IsoInstant.optional(),
  until: IsoInstant.optional(),
  rule_name: plainText(80, 1).optional(),
  notified: z.boolean().optional(),
  server_id: IdFilter.optional(),
});
export type AskedAlerts = z.infer<typeof AskedAlerts>;

/** How many alerts a list has on all its pages, and of which rules: those with the most first, some of them. */
export interface AlertCounts {
  readonly alerts: number;
  readonly rules: readonly { readonly ruleId: string; readonly alerts: number }[];
}

const instantOrNull = (text: string | undefined): Instant | null =>
  text === undefined ? null : parseInstant(text);

/** The filter of a request that the schema accepted. */
export const alertFilterOf = (asked: AskedAlerts): AlertFilter => ({
  kind: asked.kind ?? null,
  status: asked.status ?? null,
  since: instantOrNull(asked.since),
  until: instantOrNull(asked.until),
  ruleName: asked.rule_name ?? null,
  notified: asked.notified ?? null,
  serverId: asked.server_id ?? null,
});
