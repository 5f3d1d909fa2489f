import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { countRecoveryCodes, selectSecondFactor } from "../../../store/access/second-factors.ts";

export const getSecondFactor = defineEndpoint({
  id: "second_factor.get",
  method: "GET",
  path: "/account/second-factor",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "Whether the second factor of the account is on, since when, and how many recovery codes are left.",
  input: z.strictObject({}),
  output: z.object({
    is_on: z.boolean(),
    enabled_at: Timestamp.nullable(),
    recovery_codes_left: z.int(),
  }),
  errors: [],
  example: {
    input: {},
    output: { is_on: true, enabled_at: "2026-11-20T08:00:00.000Z", recovery_codes_left: 10 },
  },

  async handle(_, { db, caller }) {
    const { id } = caller.account;
    const factor = await db.read(selectSecondFactor, id);
    if (!factor) return { is_on: false, enabled_at: null, recovery_codes_left: 0 };
    const recovery_codes_left = await db.read(countRecoveryCodes, id);
    return { is_on: true, enabled_at: toTimestamp(factor.enabledAt), recovery_codes_left };
  },
});
