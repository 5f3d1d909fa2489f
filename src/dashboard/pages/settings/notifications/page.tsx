import type { z } from "zod";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { confirmNotificationEmail } from "../../../../endpoints/web/notice/confirm-notification-email.ts";
import { getNotificationSettings } from "../../../../endpoints/web/notice/get-notification-settings.ts";
import { sendTestNotification } from "../../../../endpoints/web/notice/send-test-notification.ts";
import { setChatWebhook } from "../../../../endpoints/web/notice/set-chat-webhook.ts";
import { setDigestChannels } from "../../../../endpoints/web/notice/set-digest-channels.ts";
import { setNoticeChannels } from "../../../../endpoints/web/notice/set-notice-channels.ts";
import { setNotificationEmail } from "../../../../endpoints/web/notice/set-notification-email.ts";
import { typed } from "../../../form-values.ts";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { ChatCard, DigestCard, EmailCard, NoticesCard } from "./cards.tsx";
import { TestMessageResult } from "./test-result.tsx";

/** The channels of this account and the notices they carry. */
export const notificationsPage = personPage({
  path: "/settings/notifications",
  show: (request) => show(request, null),
  actions: {
    "set-email": setEmail,
    "own-email": ownEmail,
    "confirm-email": confirmEmail,
    "set-chat": setChat,
    "remove-chat": removeChat,
    "set-notices": setNotices,
    "set-digest": setDigest,
    test,
  },
});

const here = "/settings/notifications";

/** The result of a test message. */
export type TestDelivery = z.output<(typeof sendTestNotification)["output"]>;

async function show(request: PageRequest<SessionCaller>, tested: TestDelivery | null): Promise<PageContent> {
  const settings = await request.call(getNotificationSettings, {});
  return {
    title: "Notifications",
    body: (
      <>
        <h1>Settings</h1>
        <SettingsTabs />
        <p>
          In-app notices are always kept: <a href="/notices">read them here</a>. Each rule, on the page of its
          server, sets the other channels of its alerts.
        </p>
        {tested && <TestMessageResult tested={tested} />}
        <div class="columns">
          <EmailCard settings={settings} now={request.now} />
          <ChatCard settings={settings} />
          <NoticesCard settings={settings} />
          <DigestCard settings={settings} now={request.now} />
        </div>
      </>
    ),
  };
}

type Sent = Submission<SessionCaller>;

async function setEmail(sent: Sent): Promise<ActionResult> {
  await sent.call(setNotificationEmail, { email: typed(sent.form, "email") ?? "" });
  return { to: here };
}

async function ownEmail(sent: Sent): Promise<ActionResult> {
  await sent.call(setNotificationEmail, { email: null });
  return { to: here };
}

async function confirmEmail(sent: Sent): Promise<ActionResult> {
  await sent.call(confirmNotificationEmail, { code: typed(sent.form, "code") ?? "" });
  return { to: here };
}

async function setChat(sent: Sent): Promise<ActionResult> {
  await sent.call(setChatWebhook, { url: typed(sent.form, "url") ?? "" });
  return { to: here };
}

async function removeChat(sent: Sent): Promise<ActionResult> {
  await sent.call(setChatWebhook, { url: null });
  return { to: here };
}

async function setNotices(sent: Sent): Promise<ActionResult> {
  const { form } = sent;
  await sent.call(setNoticeChannels, { by_email: form.has("by_email"), by_chat: form.has("by_chat") });
  return { to: here };
}

async function setDigest(sent: Sent): Promise<ActionResult> {
  const { form } = sent;
  await sent.call(setDigestChannels, { by_email: form.has("by_email"), by_chat: form.has("by_chat") });
  return { to: here };
}

async function test(sent: Sent): Promise<ActionResult> {
  const channel = sent.form.get("channel") === "chat" ? "chat" : "email";
  return show(sent, await sent.call(sendTestNotification, { channel }));
}
