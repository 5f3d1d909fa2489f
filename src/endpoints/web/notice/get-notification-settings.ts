import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { NotificationView } from "../../../core/notice/settings-view.ts";
import { exampleNotificationSettings } from "./example-settings.ts";
import { showSettings } from "./show-settings.ts";

export const getNotificationSettings = defineEndpoint({
  id: "notifications.get",
  method: "GET",
  path: "/account/notifications",
  params: {},
  access: { face: "web", who: "person" },
  summary: "The channels and notices of the account; addresses are shown only in part.",
  input: z.strictObject({}),
  output: NotificationView,
  errors: ["not_found"],
  example: { input: {}, output: exampleNotificationSettings },

  handle: (_input, context) => showSettings(context, context.found),
});
