import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { selectPasskeys } from "../../../store/access/passkeys.ts";
import { PasskeyRow, toPasskeyRow } from "./passkey-row.ts";

export const listPasskeys = defineEndpoint({
  id: "passkeys.list",
  method: "GET",
  path: "/account/passkeys",
  params: {},
  access: { face: "web", who: "person" },
  summary: "The passkeys of the account, oldest first, and where browsers offer them.",
  input: z.strictObject({}),
  output: z.object({
    data: z.array(PasskeyRow),
    /** The origin whose pages may use passkeys; null where browsers offer none. */
    origin: z.string().nullable(),
  }),
  errors: [],
  example: {
    input: {},
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000075",
          name: "Phone",
          created_at: "2026-11-20T08:00:00.000Z",
          last_used_at: null,
        },
      ],
      origin: "https://tickmark.example",
    },
  },

  async handle(_, { db, caller, people }) {
    const passkeys = await db.read(selectPasskeys, caller.account.id);
    return { data: passkeys.map(toPasskeyRow), origin: people.passkeyParty()?.origin ?? null };
  },
});
