import { action } from "../../contract/endpoint/action.ts";
import { selectStoredPassword } from "../../store/access/account-entry.ts";
import { z } from "zod";

/** Remembers this browser again after the account's browsers were forgotten. */
export const rememberDevice = action({
  id: "sessions.remember_device",
  who: "person",
  input: { device: z.string().nullable() },
  errors: [],

  async run({ device }, { db, caller, people, now }) {
    const { id, email } = caller.account;
    const generation = (await db.read(selectStoredPassword, email))?.deviceGeneration ?? 0;
    return { device: people.devices.remember(device, { accountId: id, generation }, now) };
  },
});
