import { offerLinkCode } from "../../services/server/offer-link-code.ts";
import { z } from "zod";
import { created, defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { accepting } from "../../core/accepted-form.ts";
import { hourWindowMs } from "../../core/access/rate-window.ts";
import {
  claimPollSeconds,
  linkCodeLifetimeMs,
  linkCodesPerHour,
  noFacts,
  ServerFacts,
} from "../../core/server/link-code.ts";
import { toTimestamp } from "../../core/time.ts";
import { Timestamp } from "../../core/timestamp.ts";

/** A code that is already in use is drawn again; with 10^12 codes even a second draw is rare. */
const draws = 5;

export const requestLinkCode = defineEndpoint({
  id: "link_codes.request",
  method: "POST",
  path: "/link-codes",
  params: {},
  access: {
    face: "plugin",
    credential: "none",
    attempts: {
      kind: "address_link_code",
      lengthMs: hourWindowMs,
      limit: linkCodesPerHour,
      message: `One address gets at most ${linkCodesPerHour} link codes per hour. Wait, or use the code already shown.`,
    },
  },
  summary: "Get the code that an owner types to link this installation; a newer code replaces an older one.",
  input: z.object({
    installation_id: accepting(z.guid(), "a UUID that stays the same for one installation"),
    server: ServerFacts.nullish(),
  }),
  output: z.object({
    code: z.string(),
    claim_secret: z.string(),
    expires_at: Timestamp,
    poll_after_seconds: z.int(),
  }),
  success: [201],
  errors: ["unavailable"],
  example: {
    input: {
      installation_id: "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11",
      server: { name: "Lobby", port: 25565, type: "paper" },
    },
    output: {
      code: "K7MQ2XWP",
      claim_secret: "tkc_0000000000000000000000000000000000000000000000000",
      expires_at: "2026-11-20T07:49:00.000Z",
      poll_after_seconds: 5,
    },
  },

  async handle({ installation_id, server }, { db, now, secrets, fail }) {
    const secret = secrets.newSecret("claim");
    const expiresAt = now + linkCodeLifetimeMs;
    const common = {
      installationId: installation_id.toLowerCase(),
      claimDigest: secrets.digest(secret),
      facts: server ?? noFacts,
      createdAt: now,
      expiresAt,
    };
    for (let draw = 0; draw < draws; draw += 1) {
      const code = secrets.newLinkCode();
      if (await db.write(offerLinkCode, { ...common, code })) {
        return created({
          code,
          claim_secret: secret,
          expires_at: toTimestamp(expiresAt),
          poll_after_seconds: claimPollSeconds,
        });
      }
    }
    return fail("unavailable", "No free link code was found. Try again.", {}, 1);
  },
});
