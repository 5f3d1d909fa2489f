import { z } from "zod";
import { openFactorSecret } from "../../../contract/access/factor-secrets.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { toTimestampOrNull } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { countPasskeys } from "../../../store/access/passkeys.ts";
import { countRecoveryCodes, selectSecondFactor } from "../../../store/access/second-factors.ts";

export const getSecondFactor = defineEndpoint({
  id: "second_factor.get",
  method: "GET",
  path: "/account/second-factor",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "The second factor of the account: since when an app makes codes, whether there are passkeys, and how many recovery codes are left.",
  input: z.strictObject({}),
  output: z.object({
    /** By codes of an app, or by a passkey. */
    is_on: z.boolean(),
    /** Since when an app makes codes; null while none does. */
    enabled_at: Timestamp.nullable(),
    /** False where no secret of the service opens what checks the codes of the app. */
    codes_readable: z.boolean(),
    has_passkeys: z.boolean(),
    recovery_codes_left: z.int(),
  }),
  errors: [],
  example: {
    input: {},
    output: {
      is_on: true,
      enabled_at: "2026-11-20T08:00:00.000Z",
      codes_readable: true,
      has_passkeys: false,
      recovery_codes_left: 10,
    },
  },

  async handle(_, { db, caller, people }) {
    const { id } = caller.account;
    const factor = await db.read(selectSecondFactor, id);
    const has_passkeys = (await db.read(countPasskeys, id)) > 0;
    return {
      is_on: factor !== null || has_passkeys,
      enabled_at: toTimestampOrNull(factor?.enabledAt ?? null),
      codes_readable: factor === null || openFactorSecret(people.factors, id, factor.sealedSecret) !== null,
      has_passkeys,
      recovery_codes_left: await db.read(countRecoveryCodes, id),
    };
  },
});
