import { selectStoredPassword } from "../../../store/access/account-entry.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";

export const rememberDevice = defineEndpoint({
  id: "sessions.remember_device",
  method: "POST",
  path: "/account/device",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Remember this browser as one of the account's browsers, after the others were forgotten.",
  input: z.object({ device: z.string().nullable() }),
  output: z.object({ device: z.string() }),
  errors: [],
  idempotent: true,
  example: { input: { device: null }, output: { device: "BHnZkQ0lxq7Y0mCkT0b4Xk8m2r3vW9dQbTqv" } },

  async handle({ device }, { db, caller, people, now }) {
    const { id, email } = caller.account;
    const generation = (await db.read(selectStoredPassword, email))?.deviceGeneration ?? 0;
    return { device: people.devices.remember(device, { accountId: id, generation }, now) };
  },
});
