import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { Alert, toAlert } from "../../../core/alert/alert.ts";
import { alertFilterOf, AlertListInput } from "../../../core/alert/alert-list-input.ts";
import { exampleAlert } from "../../../core/alert/example-alert.ts";
import { timePosition } from "../../../core/position.ts";
import { selectAlerts } from "../../../store/alert/alerts.ts";

export const listAlerts = defineEndpoint({
  id: "alerts.list",
  method: "GET",
  path: "/alert-events",
  params: {},
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "Alerts of the account, newest first, with what each channel did; status=open gives all threshold alerts in progress; since and until give the alerts that were open at some time between the two.",
  input: z.strictObject({ ...pageInput, ...AlertListInput.shape }),
  output: pageOf(Alert),
  errors: [],
  example: {
    input: { status: "open" },
    output: { data: [exampleAlert], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, ...input }, { db, caller, after, page }) {
    const rows = await db.read(
      selectAlerts,
      caller.account.id,
      alertFilterOf(input),
      timePosition(after),
      limit + 1,
    );
    return page(rows, limit, (row) => [row.openedAt, row.id], toAlert);
  },
});
