import type { Message } from "../core/notice/message.ts";
import type { SendResult } from "../core/notice/notifier.ts";
import { webhookUrl } from "../core/notice/webhook-url.ts";
import { chatPost } from "./chat-message.ts";
import { aborted, pinnedClient } from "./pinned-client.ts";
import { UnreachableError, type Reach } from "./reach.ts";
import { failed, sent } from "./send-result.ts";

/** From the look-up of the name to the status of the answer, ms. */
const exchangeMs = 3_000;

/** Posts a message to a chat webhook that a user typed in: once, to checked addresses only, and nowhere else. */
export async function sendToChat(destination: string, message: Message, reach: Reach): Promise<SendResult> {
  const webhook = webhookUrl(destination);
  if (webhook === null) return failed("provider_error", "not the address of a webhook");
  const { url, body } = chatPost(webhook, message);
  const signal = AbortSignal.timeout(exchangeMs);
  try {
    const status = await post(url, JSON.stringify(body), reach, signal);
    if (status >= 200 && status < 300) return sent;
    return failed(status === 429 ? "rate_limited" : "provider_error", `answered ${status}`);
  } catch (error) {
    if (signal.aborted) return failed("timeout", `no answer within ${exchangeMs} ms`);
    return error instanceof UnreachableError
      ? failed("provider_error", error.message)
      : failed("provider_error", "no connection", error);
  }
}

/** The status of the answer. Of its body nothing is read: it may be endless, and is nobody's to see. */
async function post(url: URL, body: string, reach: Reach, signal: AbortSignal): Promise<number> {
  const client = await pinnedClient(url, reach, signal, exchangeMs);
  try {
    const answered = client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers: { "content-type": "application/json", "user-agent": "Tickmark" },
      body,
      signal,
    });
    const answer = await Promise.race([answered, aborted(signal)]);
    answer.body.on("error", () => {}).destroy();
    return answer.statusCode;
  } finally {
    await client.destroy();
  }
}
