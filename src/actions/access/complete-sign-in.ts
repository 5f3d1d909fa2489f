import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { confirmFactor } from "../../contract/call/confirm-factor.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { letIn, ownerOf } from "./let-in.ts";
import { accountOfStep } from "./password-step.ts";

/** The second step of a sign-in, after the password. */
export const completeSignIn = action({
  id: "sessions.complete_sign_in",
  who: "anyone",
  input: {
    password_step: z.string().min(1).max(2000),
    second_factor: typedFactor(),
    /** Ties the step to the browser that typed the password; there is no session yet. */
    browser: z.string().nullable().default(null),
    user_agent: z.string().nullable(),
    /** The cookie that remembers earlier sign-ins in this browser. */
    device: z.string().nullable().default(null),
  },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ password_step, second_factor, browser: holder, user_agent, device }, context) {
    const { now, people } = context;
    const known = await accountOfStep(password_step, context);
    const name = people.devices.nameOf(device, ownerOf(known), now);
    const kind = name === null ? ("account_factor" as const) : ("device_factor" as const);
    const browser = { kind, key: known.account.id };
    await confirmFactor(known.account, second_factor, browser, context, holder);
    return await letIn(known, { user_agent, device }, context);
  },
});
