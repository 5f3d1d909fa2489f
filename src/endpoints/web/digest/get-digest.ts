import { z } from "zod";
import { regressionSince } from "../../../contract/call/scheduled-runs.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { digestMessage } from "../../../core/digest/digest-message.ts";
import { digestPeriod, nextDigestAt } from "../../../core/digest/week.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { readDigest } from "../../../services/digest/read-digest.ts";

/** A digest as one channel carries it, with the address below it. Names of others in it are visible and in one line. */
const WrittenDigest = z.object({
  title: z.string(),
  lines: z.array(z.string()),
  link: z.string().nullable(),
});

const example = {
  title: "Weekly digest: nothing is wrong with 1 server",
  lines: ["Now: 1 healthy."],
  link: "/digest",
};

export const getDigest = defineEndpoint({
  id: "digest.get",
  method: "GET",
  path: "/account/digest",
  params: {},
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "The digest of the last seven days, as e-mail and chat would carry it if it were sent now.",
  input: z.strictObject({}),
  output: z.object({
    /** Null where no server is monitored: nothing is sent then. */
    digest: z.object({ email: WrittenDigest, chat: WrittenDigest }).nullable(),
    next_at: Timestamp,
  }),
  errors: [],
  example: {
    input: {},
    output: { digest: { email: example, chat: example }, next_at: "2026-11-23T08:00:00.000Z" },
  },

  async handle(_input, { db, caller, now }) {
    const { account, limits } = caller;
    const facts = await readDigest(db, {
      ...digestPeriod(now, limits.retention_days, now),
      accountId: account.id,
      limits,
      now,
      regressionSince: (server) => regressionSince(db, server, now),
    });
    const written = (channel: "email" | "chat", of: NonNullable<typeof facts>) => {
      const { title, lines, link } = digestMessage(of, channel);
      return { title, lines: [...lines], link };
    };
    return {
      digest: facts && { email: written("email", facts), chat: written("chat", facts) },
      next_at: toTimestamp(nextDigestAt(now)),
    };
  },
});
