import { useLinkCode } from "../../../services/server/use-link-code.ts";
import { z } from "zod";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { linkCodeLifetimeMs, maxServers, normalizeLinkCode } from "../../../core/server/link-code.ts";
import { Server, toServer } from "../../../core/server/server.ts";
import { minuteMs } from "../../../core/time.ts";
import { callerName, plainText } from "../../../core/text/third-party-text.ts";
import { exampleServer } from "../../../core/server/example-server.ts";

/** The same answer for a code that is unknown, used, expired, or not for this caller. */
const noSuchCode = `This code links no server. A code is valid for ${linkCodeLifetimeMs / minuteMs} minutes, works once, and does not work for an installation that is linked to another account. Get a new code with /bench link in the server's console.`;

export const linkServer = defineEndpoint({
  id: "servers.link",
  method: "POST",
  path: "/servers/link",
  params: {},
  access: { face: "api", scope: "servers:link" },
  summary: "Link a game server by the code that its plugin printed after /bench link.",
  input: z.strictObject({ code: plainText(8, 8), name: callerName(80).optional() }),
  output: Server,
  success: [201, 200],
  errors: ["not_found", "already_linked", "limit_reached"],
  idempotent: true,
  example: { input: { code: "K7MQ2XWP", name: "Lobby" }, output: exampleServer },

  async handle({ code, name }, context) {
    const { db, caller, now, secrets, fail } = context;
    const refuse = (): never => {
      noteSecurity(context, "code_refused", { detail: "link code" });
      return fail("not_found", noSuchCode);
    };
    const { account, limits } = caller;
    const spelled = normalizeLinkCode(code) ?? refuse();
    const result = await db.write(useLinkCode, {
      code: spelled,
      accountId: account.id,
      name: name ?? null,
      newServerId: secrets.newId(now),
      now,
      maxServers,
      monitoredServers: limits.monitored_servers,
      firstRuleId: secrets.newId(now),
    });
    switch (result.kind) {
      case "linked":
        return created(toServer(result.server, account.id));
      case "same":
        return toServer(result.server, account.id);
      case "already_linked":
        return fail(
          "already_linked",
          "This installation is linked to this account already, and the code was not used up. The server is in the list of servers.",
          { server_id: result.serverId },
        );
      case "full":
        return fail(
          "limit_reached",
          `An account can link at most ${maxServers} servers. Unlink one in the dashboard first.`,
          { limit: maxServers },
        );
      case "unknown":
        return refuse();
    }
  },
});
