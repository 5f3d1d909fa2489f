import { action } from "../../contract/endpoint/action.ts";
import { selectTokens } from "../../store/access/tokens.ts";
import { selectWindowStates } from "../../store/access/rate-windows.ts";
import { accountDay } from "../../contract/limits/quota.ts";
import { tokenWindow } from "../../core/access/token-description.ts";
import { dayMs } from "../../core/time.ts";
import { toTokenRows } from "./token-row.ts";

/** Expired tokens are listed for this long, ms, so that people see why a program stopped. */
const expiredShownMs = 30 * dayMs;

/** The account's tokens and connectors, newest first, and its calls of the day. */
export const listTokens = action({
  id: "tokens.list",
  who: "person",
  errors: [],

  async run(_input, { db, caller, now }) {
    const { tokens: limit } = caller.limits;
    const tokens = await db.read(selectTokens, caller.account.id, now - expiredShownMs);
    const [day] = await db.read(selectWindowStates, [accountDay(caller)], now);
    if (!day) throw new Error("A rate window store answers one state a rule.");
    const data = toTokenRows(tokens, limit, now);
    const active = data.filter(({ state }) => state !== "expired").length;
    return { data, limit, active, calls: tokenWindow(day) };
  },
});
