import { action } from "../../contract/endpoint/action.ts";
import { changeServer } from "../../services/server/change-server.ts";
import { z } from "zod";
import { accepting } from "../../core/accepted-form.ts";
import { resourceIdInput } from "../../core/id.ts";
import { callerName } from "../../core/text/third-party-text.ts";
import { ownServer, settingsOf } from "./server-settings.ts";

const Port = accepting(z.int().min(1).max(65_535), "a port from 1 to 65535");

/** Others see the address only on the server's reports, and only if that is switched on. */
export const setAddress = action({
  id: "servers.set_address",
  who: "person",
  input: {
    server_id: resourceIdInput(),
    address: callerName(255).nullable(),
    port: Port.nullable(),
  },
  errors: ["not_found"],

  async run({ server_id, address, port }, context) {
    const server = await ownServer(server_id, context);
    await context.db.write(changeServer, server.id, { address, port });
    return settingsOf(server.id, context);
  },
});
