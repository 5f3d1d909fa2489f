import { z } from "zod";
import { confirmFactor } from "../../../contract/access/confirm-factor.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { letIn, ownerOf } from "./let-in.ts";
import { accountOfStep } from "./password-step.ts";

export const completeSignIn = defineEndpoint({
  id: "sessions.complete_sign_in",
  method: "POST",
  path: "/account/sessions/second-factor",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Sign a browser in with the code of the second factor, after its password step.",
  input: z.object({
    password_step: z.string().min(1).max(2000),
    second_factor: typedFactor(),
    /** What the browser that typed the password keeps, without a session. */
    browser: z.string().nullable().default(null),
    user_agent: z.string().nullable(),
    /** What the browser kept of earlier sign-ins. */
    device: z.string().nullable().default(null),
  }),
  output: z.object({ secret: z.string(), device: z.string() }),
  success: [201],
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: {
    input: {
      password_step: "sealed by the password step",
      second_factor: "123456",
      user_agent: "Firefox",
      device: null,
    },
    output: {
      secret: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA",
      device: "BHnZkQ0lxq7Y0mCkT0b4Xk8m2r3vW9dQbTqv",
    },
  },

  async handle({ password_step, second_factor, browser: holder, user_agent, device }, context) {
    const { now, people } = context;
    const known = await accountOfStep(password_step, context);
    const name = people.devices.nameOf(device, ownerOf(known), now);
    const kind = name === null ? ("account_factor" as const) : ("device_factor" as const);
    const browser = { kind, key: known.account.id };
    await confirmFactor(known.account, second_factor, browser, context, holder);
    return created(await letIn(known, { user_agent, device }, context));
  },
});
