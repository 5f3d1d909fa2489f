import { claimCredential } from "../../services/server/claim-credential.ts";
import { z } from "zod";
import { guessingMessage, noteRefusedSecret } from "../../contract/limits/credential-throttle.ts";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { secretKind } from "../../core/access/secret.ts";
import { linkClaimsPerMinute } from "../../core/server/link-code.ts";
import { minuteMs } from "../../core/time.ts";
import { Id } from "../../core/id.ts";
import { plainText } from "../../core/text/third-party-text.ts";

export const claimLinkCode = defineEndpoint({
  id: "link_codes.claim",
  method: "POST",
  path: "/link-codes/claim",
  params: {},
  access: {
    face: "plugin",
    credential: "none",
    attempts: {
      kind: "address_link_claim",
      lengthMs: minuteMs,
      limit: linkClaimsPerMinute,
      message: `One address may ask at most ${linkClaimsPerMinute} times per minute whether its codes were used. Wait a minute.`,
    },
  },
  summary:
    "Ask whether the code was used. If it was, the answer has the server's credential, until the credential is used for the first time.",
  input: z.object({ claim_secret: plainText(128) }),
  output: z.object({
    status: z.enum(["pending", "linked"]),
    server_id: Id.optional(),
    auth_token: z.string().optional(),
  }),
  errors: ["not_found", "rate_limited"],
  example: {
    input: { claim_secret: "tkc_0000000000000000000000000000000000000000000000000" },
    output: {
      status: "linked",
      server_id: "019a9f5e-1d00-7000-8000-000000000010",
      auth_token: "tks_0000000000000000000000000000000000000000000000000",
    },
  },

  async handle({ claim_secret }, context) {
    const { db, caller, now, secrets, fail, found } = context;
    const token = secrets.newSecret("server");
    const known = secretKind(claim_secret) === "claim";
    const result = known
      ? await claimCredential(db, secrets.digest(claim_secret), secrets.digest(token), now)
      : ({ kind: "unknown" } as const);
    if (result.kind === "unknown") {
      noteSecurity(context, "credential_refused", { detail: "claim secret" });
      const wait = await noteRefusedSecret(db, caller.address, now);
      if (wait !== null) return fail("rate_limited", guessingMessage, {}, wait);
      return found(null);
    }
    if (result.kind === "pending") return { status: "pending" as const };
    return { status: "linked" as const, server_id: result.serverId, auth_token: token };
  },
});
