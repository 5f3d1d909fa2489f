import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { confirmNotificationEmail } from "../../../../actions/notice/confirm-notification-email.ts";
import { getNotificationSettings } from "../../../../actions/notice/get-notification-settings.ts";
import { sendTestNotification } from "../../../../actions/notice/send-test-notification.ts";
import { rotateWebhookSecret } from "../../../../actions/notice/rotate-webhook-secret.ts";
import { setChatWebhook } from "../../../../actions/notice/set-chat-webhook.ts";
import { setDigestChannels } from "../../../../actions/notice/set-digest-channels.ts";
import { setNoticeChannels } from "../../../../actions/notice/set-notice-channels.ts";
import { setNotificationEmail } from "../../../../actions/notice/set-notification-email.ts";
import { setSecondChannel } from "../../../../actions/notice/set-second-channel.ts";
import { setWebhook } from "../../../../actions/notice/set-webhook.ts";
import { OutsideChannel } from "../../../../core/notice/channel.ts";
import { chosen, typed } from "../../../form-values.ts";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { ChatCard, DigestCard, EmailCard, NoticesCard, SecondChannelCard } from "./cards.tsx";
import { TestMessageResult } from "./test-result.tsx";
import { madeWebhookSecret, WebhookCard } from "./webhook-card.tsx";

const shownOnce =
  "This form was sent before, so nothing was changed again. A secret is shown only once, in the first answer. If you do not have it, make a new one.";

/** The account's channels, and the notices they carry. */
export const notificationsPage = personPage({
  path: "/settings/notifications",
  show: (request) => show(request, null),
  once: {
    "set-webhook": shownOnce,
    "rotate-webhook": shownOnce,
  },
  actions: {
    "set-email": setEmail,
    "own-email": ownEmail,
    "confirm-email": confirmEmail,
    "set-chat": setChat,
    "remove-chat": removeChat,
    "set-webhook": setSignedWebhook,
    "rotate-webhook": rotateWebhook,
    "remove-webhook": removeWebhook,
    "set-second": setSecond,
    "set-notices": setNotices,
    "set-digest": setDigest,
    test,
  },
});

const here = "/settings/notifications";

export type TestDelivery = PersonAnswer<typeof sendTestNotification>;

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
          <WebhookCard settings={settings} now={request.now} />
          <SecondChannelCard settings={settings} />
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

async function setSignedWebhook(sent: Sent): Promise<ActionResult> {
  const { secret } = await sent.call(setWebhook, { url: typed(sent.form, "url") ?? "" });
  return secret === null ? { to: here } : madeWebhookSecret(secret);
}

async function rotateWebhook(sent: Sent): Promise<ActionResult> {
  return madeWebhookSecret((await sent.call(rotateWebhookSecret, {})).secret);
}

async function removeWebhook(sent: Sent): Promise<ActionResult> {
  await sent.call(setWebhook, { url: null });
  return { to: here };
}

async function setSecond(sent: Sent): Promise<ActionResult> {
  await sent.call(setSecondChannel, { channel: chosen(OutsideChannel, sent.form, "channel") ?? null });
  return { to: here };
}

async function setNotices(sent: Sent): Promise<ActionResult> {
  const { form } = sent;
  await sent.call(setNoticeChannels, {
    by_email: form.has("by_email"),
    by_chat: form.has("by_chat"),
    by_webhook: form.has("by_webhook"),
  });
  return { to: here };
}

async function setDigest(sent: Sent): Promise<ActionResult> {
  const { form } = sent;
  await sent.call(setDigestChannels, { by_email: form.has("by_email"), by_chat: form.has("by_chat") });
  return { to: here };
}

async function test(sent: Sent): Promise<ActionResult> {
  const channel = chosen(OutsideChannel, sent.form, "channel") ?? "email";
  return show(sent, await sent.call(sendTestNotification, { channel }));
}
