import { action } from "../../contract/endpoint/action.ts";
import { openFactorSecret } from "../../app/access/factor-secrets.ts";
import { toTimestampOrNull } from "../../core/time.ts";
import { countPasskeys } from "../../store/access/passkeys.ts";
import { countRecoveryCodes, selectSecondFactor } from "../../store/access/second-factors.ts";

export const getSecondFactor = action({
  id: "second_factor.get",
  who: "person",
  errors: [],

  async run(_, { db, caller, people }) {
    const { id } = caller.account;
    const factor = await db.read(selectSecondFactor, id);
    const has_passkeys = (await db.read(countPasskeys, id)) > 0;
    return {
      is_on: factor !== null || has_passkeys,
      enabled_at: toTimestampOrNull(factor?.enabledAt ?? null),
      // False if no secret of the service opens the stored secret of the app's codes.
      codes_readable: factor === null || openFactorSecret(people.factors, id, factor.sealedSecret) !== null,
      has_passkeys,
      recovery_codes_left: await db.read(countRecoveryCodes, id),
    };
  },
});
