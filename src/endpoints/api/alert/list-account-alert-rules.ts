import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { AccountRule, eventRuleOf, thresholdRuleOf } from "../../../core/alert/account-rule.ts";
import { AlertKind } from "../../../core/alert/alert.ts";
import { exampleEventRule } from "../../../core/alert/example-event-rule.ts";
import { timePosition } from "../../../core/position.ts";
import { rulesOfAccount } from "../../../services/alert/rules-of-account.ts";
import { exampleRule } from "./example-rule.ts";

export const listAccountAlertRules = defineEndpoint({
  id: "alert_rules.list_all",
  method: "GET",
  path: "/monitoring/alert-rules",
  params: {},
  access: { face: "api", scope: "monitoring:read" },
  summary: "The rules of all own servers, on figures and on events, newest first.",
  isAddition: true,
  input: z.strictObject({ kind: AlertKind.optional(), enabled: z.boolean().optional(), ...pageInput }),
  output: pageOf(AccountRule),
  errors: [],
  example: {
    input: { enabled: true },
    output: {
      data: [thresholdRuleOf(exampleRule, "Lobby"), eventRuleOf(exampleEventRule, "Lobby")],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ kind = null, enabled = null, limit }, { db, caller, after, page }) {
    const filter = { kind, enabled };
    const rows = await db.read(rulesOfAccount, caller.account.id, filter, timePosition(after), limit + 1);
    return page(
      rows,
      limit,
      ({ place }) => [place.at, place.id],
      ({ rule }) => rule,
    );
  },
});
