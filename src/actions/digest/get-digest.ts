import { action } from "../../contract/endpoint/action.ts";
import { regressionSince } from "../../services/auto-bench/scheduled-runs.ts";
import { digestMessage } from "../../core/digest/digest-message.ts";
import { digestPeriod, nextDigestAt } from "../../core/digest/week.ts";
import { toTimestamp } from "../../core/time.ts";
import { readDigest } from "../../services/digest/read-digest.ts";

/** The digest of the last seven days, as e-mail and chat would show it now. */
export const getDigest = action({
  id: "digest.get",
  who: "person",
  plan: "monitoring",
  errors: [],

  async run(_input, { db, caller, now }) {
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
    // Null without monitored servers: no digest is sent then.
    return {
      digest: facts && { email: written("email", facts), chat: written("chat", facts) },
      next_at: toTimestamp(nextDigestAt(now)),
    };
  },
});
