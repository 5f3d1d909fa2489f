import { action } from "../../contract/endpoint/action.ts";
import { hasAnyAccount } from "../../store/access/account-entry.ts";
import { addFirstAccount } from "../../services/access/add-first-account.ts";
import { z } from "zod";
import { notingRefusal } from "../../contract/call/security-notes.ts";
import { startSession } from "../../contract/call/person.ts";
import { countSetUpTry } from "../../contract/limits/attempt-limits.ts";
import { accepting } from "../../core/accepted-form.ts";
import type { Account } from "../../core/access/account.ts";
import { newEmail, newPasswordField } from "../../core/access/sign-in.ts";
import type { Act } from "../../core/service-log/entry.ts";

/** Creates the first account, an admin, with the set-up code from the service's log. */
export const setUpService = action({
  id: "accounts.set_up",
  who: "anyone",
  input: {
    code: accepting(z.string().min(1).max(100), "the set-up code from the service's log"),
    email: newEmail(),
    password: newPasswordField(),
    user_agent: z.string().nullable(),
    /** The cookie that remembers earlier sign-ins in this browser. */
    device: z.string().nullable().default(null),
  },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ code, email, password, user_agent, device }, context) {
    const { db, caller, now, secrets, people, fail } = context;
    await notingRefusal(context, "set_up_refused", {}, async () => {
      await countSetUpTry(caller, context);
      if (await db.read(hasAnyAccount)) return fail("invalid_state", doneAlready);
      if (people.isSetUpCode(code)) return;
      fail(
        "unauthorized",
        "The set-up code is wrong. Copy it from the service's log: the service writes it there at its start.",
      );
    });
    const account: Account = {
      id: secrets.newId(now),
      email,
      emailVerified: true,
      plan: "enterprise",
      role: "admin",
      createdAt: now,
    };
    const hash = await people.passwords.hash(password);
    const act: Act = { by: { who: "admin", accountId: account.id }, now };
    if (!(await db.write(addFirstAccount, account, hash, act))) return fail("invalid_state", doneAlready);
    const { secret } = await startSession(context, account, user_agent, now);
    const owner = { accountId: account.id, generation: 0 };
    return { secret, device: people.devices.remember(device, owner, now) };
  },
});

const doneAlready = "This service is set up already. Sign in.";
