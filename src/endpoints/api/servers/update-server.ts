import { z } from "zod";
import { viewerOf } from "../../../contract/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { Server, toServer } from "../../../core/server/server.ts";
import type { ServerChanges } from "../../../core/server/store.ts";
import { callerName } from "../../../core/text/third-party-text.ts";
import { exampleServer } from "./example-server.ts";
import { requireOwner } from "./require-owner.ts";

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

  async handle({ server_id, ...sent }, { stores, caller, fail, found }) {
    const viewer = viewerOf(caller);
    const server = found(await stores.servers.find(server_id, viewer));
    requireOwner(server, caller, fail);
    await stores.servers.update(server.id, changesOf(sent));
    const changed = found(await stores.servers.find(server.id, viewer));
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
