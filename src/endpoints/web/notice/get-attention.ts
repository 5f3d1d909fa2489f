import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { alertFilterOf } from "../../../core/alert/alert-list-input.ts";
import { selectAlertCounts } from "../../../store/alert/alerts.ts";
import { countUnread } from "../../../store/notice/notices.ts";

export const getAttention = defineEndpoint({
  id: "notices.attention",
  method: "GET",
  path: "/account/attention",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "How many alerts of the account are in progress, and how many in-app messages are not marked as read.",
  input: z.strictObject({}),
  output: z.object({ alerts: z.int(), notices: z.int() }),
  errors: [],
  example: { input: {}, output: { alerts: 2, notices: 5 } },

  async handle(_input, { db, caller }) {
    const { id } = caller.account;
    const { alerts } = await db.read(selectAlertCounts, id, alertFilterOf({ status: "open" }), 1);
    return { alerts, notices: await db.read(countUnread, id) };
  },
});
