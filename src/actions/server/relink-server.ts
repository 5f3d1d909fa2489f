import { action } from "../../contract/endpoint/action.ts";
import { consumeWindows } from "../../store/access/rate-windows.ts";
import { relink } from "../../services/server/relink-installation.ts";
import type { SessionCaller } from "../../contract/call/caller.ts";
import type { Context, Fail } from "../../contract/call/context.ts";
import { noteSecurity, notingRefusal } from "../../contract/call/security-notes.ts";
import { secondsUntil } from "../../contract/limits/quota.ts";
import { hourWindowMs } from "../../core/access/rate-window.ts";
import { resourceIdInput } from "../../core/id.ts";
import { serverTakenMessage } from "../../core/notice/notices.ts";
import { relinksPerHour } from "../../core/server/leaving.ts";
import { maxServers, normalizeLinkCode } from "../../core/server/link-code.ts";
import { toServer } from "../../core/server/server.ts";
import { callerName, plainText } from "../../core/text/third-party-text.ts";

/** For a linked installation: an own server gets a new credential, another account's becomes a new server. */
export const relinkServer = action({
  id: "servers.relink",
  who: "person",
  input: {
    code: plainText(64),
    server_id: resourceIdInput().optional(),
    name: callerName(80).optional(),
  },
  errors: ["not_found", "invalid_state", "limit_reached", "rate_limited"],

  async run({ code, server_id, name }, context) {
    const { db, caller, now, secrets, fail, found } = context;
    const { account, limits } = caller;
    await notingRefusal(context, "code_refused", {}, () => countTry(context));
    const refuse = (): never => {
      noteSecurity(context, "code_refused", { detail: "link code" });
      return found(null);
    };
    const result = await db.write(relink, {
      code: normalizeLinkCode(code.trim()) ?? refuse(),
      serverId: server_id ?? null,
      accountId: account.id,
      name: name ?? null,
      newServerId: secrets.newId(now),
      now,
      maxServers,
      monitoredServers: limits.monitored_servers,
      tell: (server) => ({
        id: secrets.newId(now),
        accountId: server.accountId,
        kind: "server_taken",
        serverId: null,
        message: serverTakenMessage({ serverName: server.name, at: now }, null),
        now,
      }),
    });
    switch (result.kind) {
      case "relinked":
        return toServer(result.server, account.id);
      case "linked":
        return toServer(result.server, account.id);
      case "other_installation":
        return fail(
          "invalid_state",
          "This code is from another installation. Get a code with /bench link in the console of this server.",
        );
      case "full":
        return fail("limit_reached", `An account can link at most ${maxServers} servers. Unlink one first.`, {
          limit: maxServers,
        });
      case "unknown":
        return refuse();
    }
  },
});

type Trying = Pick<Context<SessionCaller, never>, "db" | "caller" | "now"> & {
  readonly fail: Fail<"rate_limited">;
};

/** Keeps signed-in people from guessing codes. */
async function countTry({ db, caller, now, fail }: Trying): Promise<void> {
  const rule = {
    kind: "account_relink",
    key: caller.account.id,
    lengthMs: hourWindowMs,
    limit: relinksPerHour,
  } as const;
  const { granted, states } = await consumeWindows(db, [rule], now);
  if (granted) return;
  const wait = secondsUntil(states[0]?.resetAt ?? now + hourWindowMs, now);
  fail("rate_limited", "Too many codes were tried. Wait, then get a new code in the console.", {}, wait);
}
