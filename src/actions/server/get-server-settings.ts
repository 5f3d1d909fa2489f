import { action } from "../../contract/endpoint/action.ts";
import { resourceIdInput } from "../../core/id.ts";
import { settingsOf } from "./server-settings.ts";

export const getServerSettings = action({
  id: "servers.get_settings",
  who: "person",
  input: { server_id: resourceIdInput() },
  errors: ["not_found"],

  run: ({ server_id }, context) => settingsOf(server_id, context),
});
