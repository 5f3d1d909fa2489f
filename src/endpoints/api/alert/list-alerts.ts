import { selectAlerts } from "../../../store/alert/alerts.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { Alert, AlertKind, AlertStatus, toAlert } from "../../../core/alert/alert.ts";
import { IdFilter } from "../../../core/id.ts";
import { timePosition } from "../../../core/position.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { parseInstant } from "../../../core/time.ts";
import { IsoInstant } from "../../../core/timestamp.ts";
import { exampleAlert } from "../../../core/alert/example-alert.ts";

export const listAlerts = defineEndpoint({
  id: "alerts.list",
  method: "GET",
  path: "/alert-events",
  params: {},
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "Alerts of the account, newest first, with what each channel did; status=open gives all threshold alerts in progress; since and until give the alerts that were open at some time between the two.",
  input: z.strictObject({
    ...pageInput,
    kind: AlertKind.optional(),
    status: AlertStatus.optional(),
    since: IsoInstant.optional(),
    until: IsoInstant.optional(),
    rule_name: plainText(80, 1).optional(),
    notified: z.boolean().optional(),
    server_id: IdFilter.optional(),
  }),
  output: pageOf(Alert),
  errors: [],
  example: {
    input: { status: "open" },
    output: { data: [exampleAlert], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, ...asked }, { db, caller, after, page }) {
    const filter = {
      kind: asked.kind ?? null,
      status: asked.status ?? null,
      since: asked.since === undefined ? null : parseInstant(asked.since),
      until: asked.until === undefined ? null : parseInstant(asked.until),
      ruleName: asked.rule_name ?? null,
      notified: asked.notified ?? null,
      serverId: asked.server_id ?? null,
    };
    const rows = await db.read(selectAlerts, caller.account.id, filter, timePosition(after), limit + 1);
    return page(rows, limit, (row) => [row.openedAt, row.id], toAlert);
  },
});
