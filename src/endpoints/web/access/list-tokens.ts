import { selectTokens } from "../../../store/access/tokens.ts";
import { selectWindowStates } from "../../../store/access/rate-windows.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { accountDay } from "../../../contract/limits/quota.ts";
import { TokenWindow, tokenWindow } from "../../../core/access/token-description.ts";
import { dayMs } from "../../../core/time.ts";
import { exampleToken, toTokenRows, TokenRow } from "./token-row.ts";

/** Expired tokens are listed for so long: long enough to see why a program stopped, ms. */
const expiredShownMs = 30 * dayMs;

export const listTokens = defineEndpoint({
  id: "tokens.list",
  method: "GET",
  path: "/account/tokens",
  params: {},
  access: { face: "web", who: "person" },
  summary: "The account's tokens and connectors, newest first, and its calls of the day.",
  input: z.strictObject({}),
  output: z.object({ data: z.array(TokenRow), limit: z.int(), active: z.int(), calls: TokenWindow }),
  errors: [],
  example: {
    input: {},
    output: {
      data: [exampleToken],
      limit: 5,
      active: 1,
      calls: { limit: 50, used: 12, reset_at: "2026-11-21T06:00:00.000Z" },
    },
  },

  async handle(_input, { db, caller, now }) {
    const { tokens: limit } = caller.limits;
    const tokens = await db.read(selectTokens, caller.account.id, now - expiredShownMs);
    const [day] = await db.read(selectWindowStates, [accountDay(caller)], now);
    if (!day) throw new Error("A rate window store answers one state a rule.");
    const data = toTokenRows(tokens, limit, now);
    const active = data.filter(({ state }) => state !== "expired").length;
    return { data, limit, active, calls: tokenWindow(day) };
  },
});
