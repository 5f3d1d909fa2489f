import { action } from "../../contract/endpoint/action.ts";
import { showSettings } from "./show-settings.ts";

/** The channels and notices of the account; addresses are shown only in part. */
export const getNotificationSettings = action({
  id: "notifications.get",
  who: "person",
  errors: ["not_found"],

  run: (_input, context) => showSettings(context, context.found),
});
