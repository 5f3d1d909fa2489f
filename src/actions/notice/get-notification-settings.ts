import { action } from "../../contract/endpoint/action.ts";
import { showSettings } from "./show-settings.ts";

/** Addresses are shown only in part. */
export const getNotificationSettings = action({
  id: "notifications.get",
  who: "person",
  errors: ["not_found"],

  run: (_input, context) => showSettings(context, context.found),
});
