import { action } from "../../contract/endpoint/action.ts";
import { alertFilterOf } from "../../core/alert/alert-list-input.ts";
import { selectAlertCounts } from "../../store/alert/alerts.ts";
import { countUnread } from "../../store/notice/notices.ts";

export const getAttention = action({
  id: "notices.attention",
  who: "person",
  errors: [],

  async run(_input, { db, caller }) {
    const { id } = caller.account;
    const { alerts } = await db.read(selectAlertCounts, id, alertFilterOf({ status: "open" }), 1);
    return { alerts, notices: await db.read(countUnread, id) };
  },
});
