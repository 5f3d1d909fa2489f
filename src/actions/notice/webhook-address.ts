import { z } from "zod";
import type { SessionCaller } from "../../contract/call/caller.ts";
import type { Context } from "../../contract/call/context.ts";
import { accepting } from "../../core/accepted-form.ts";
import { webhookUrl } from "../../core/notice/webhook-url.ts";

export const WebhookAddress = accepting(
  z.string().refine((text) => webhookUrl(text) !== null),
  "an https address without a user name, at port 443 or one from 1024",
);

type WebhookContext = Pick<Context<SessionCaller, "validation_error">, "addresses" | "fail">;

/** One message for every reason: the caller must not learn a host's addresses. */
export async function callableWebhook(
  address: z.output<typeof WebhookAddress>,
  { addresses, fail }: WebhookContext,
): Promise<URL> {
  const webhook = webhookUrl(address);
  if (webhook !== null && (await addresses.mayCall(webhook))) return webhook;
  return fail(
    "validation_error",
    "Messages cannot be sent to that host: its name was not found, or it is not on the public internet. Check the spelling of the address.",
    { field: "url" },
  );
}
