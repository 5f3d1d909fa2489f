import { action } from "../../contract/endpoint/action.ts";
import { selectMonitoredServer } from "../../store/server/servers.ts";
import { selectSender } from "../../store/server/links.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toCaptureState } from "./capture-state.ts";

export const getCaptureState = action({
  id: "captures.get_state",
  who: "person",
  input: { server_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id }, { db, caller, now, found }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    return toCaptureState(server, await db.read(selectSender, server.id), caller, now);
  },
});
