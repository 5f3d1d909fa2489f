import { selectServer } from "../../../store/server/servers.ts";
import { changeServer } from "../../../services/server/change-server.ts";
import { z } from "zod";
import { actingToken, viewerOf, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Secrets } from "../../../app/access/secrets.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { serverVisibilityChanged, type ServerVisibility } from "../../../core/event/own-event.ts";
import { tokenNotice, type Trace } from "../../../core/event/trace.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { Server, toServer, type ServerRecord } from "../../../core/server/server.ts";
import type { ServerChanges } from "../../../core/server/records.ts";
import { callerName } from "../../../core/text/third-party-text.ts";
import type { Instant } from "../../../core/time.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { requireOwner } from "../../../contract/call/require-owner.ts";

export const updateServer = defineEndpoint({
  id: "servers.update",
  method: "PATCH",
  path: "/servers/{id}",
  params: { id: "server_id" },
  access: { face: "api", scope: "servers:write" },
  summary: "Rename a server, or change what others see of it.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    name: callerName(80).optional(),
    is_public: z.boolean().optional(),
    show_address_on_report: z.boolean().optional(),
    notify_on_report: z.boolean().optional(),
  }),
  output: Server,
  errors: ["not_found", "not_owner"],
  example: {
    input: { server_id: exampleServer.id, name: "Lobby" },
    output: exampleServer,
  },

  async handle({ server_id, ...sent }, { db, caller, now, secrets, fail, found }) {
    const viewer = viewerOf(caller);
    const server = found(await db.read(selectServer, server_id, viewer));
    requireOwner(server, caller, fail);
    await db.write(changeServer, server.id, changesOf(sent), (before, after) =>
      traceOf(before, after, caller, secrets, now),
    );
    const changed = found(await db.read(selectServer, server.id, viewer));
    return toServer(changed, caller.account.id);
  },
});

interface Sent {
  name?: string | undefined;
  is_public?: boolean | undefined;
  show_address_on_report?: boolean | undefined;
  notify_on_report?: boolean | undefined;
}

const changesOf = ({ name, is_public, show_address_on_report, notify_on_report }: Sent): ServerChanges => ({
  ...(name !== undefined && { name }),
  ...(is_public !== undefined && { isPublic: is_public }),
  ...(show_address_on_report !== undefined && { showAddressOnReport: show_address_on_report }),
  ...(notify_on_report !== undefined && { notifyOnReport: notify_on_report }),
});

/** A token's change of what others see of the server is recorded, and the owner is notified. */
function traceOf(
  before: ServerRecord,
  after: ServerRecord,
  caller: AccountCaller,
  secrets: Secrets,
  now: Instant,
): Trace | null {
  const token = actingToken(caller);
  if (token === null) return null;
  const { isPublic: is_public, showAddressOnReport: show_address_on_report } = after;
  const changed: ServerVisibility = {
    ...(is_public !== before.isPublic && { is_public }),
    ...(show_address_on_report !== before.showAddressOnReport && { show_address_on_report }),
  };
  const flags = Object.entries(changed).map(([flag, value]) => `${flag} is ${value} now`);
  if (flags.length === 0) return null;
  const event = serverVisibilityChanged({ id: secrets.newId(now), serverId: after.id, now }, token, changed);
  const notice = tokenNotice(
    { id: secrets.newId(now), accountId: after.accountId, serverId: after.id },
    {
      kind: "visibility_changed",
      tokenName: token.name,
      client: token.client,
      subject: flags.join(", "),
      serverName: after.name,
      until: null,
      at: now,
    },
  );
  return { event, notice };
}
