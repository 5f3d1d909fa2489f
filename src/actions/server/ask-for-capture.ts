import { action } from "../../contract/endpoint/action.ts";
import { updateCollection } from "../../store/server/collections.ts";
import { selectMonitoredServer } from "../../store/server/servers.ts";
import { selectSender } from "../../store/server/links.ts";
import { resourceIdInput } from "../../core/id.ts";
import { Collectable, collectMs } from "../../core/server/collection.ts";
import { toCaptureState } from "./capture-state.ts";

/** Every heartbeat's answer requests it for ten minutes. */
export const askForCapture = action({
  id: "captures.ask",
  who: "person",
  input: { server_id: resourceIdInput(), what: Collectable },
  errors: ["not_found"],

  async run({ server_id, what }, { db, caller, now, found }) {
    const server = found(await db.read(selectMonitoredServer, server_id, caller.account.id));
    const until = now + collectMs;
    await db.write(updateCollection, server.id, what, until);
    const collecting = { ...server.collecting, [what]: until };
    const sender = await db.read(selectSender, server.id);
    return toCaptureState({ ...server, collecting }, sender, caller, now);
  },
});
