import type { ComponentChildren } from "preact";
import { nextDigestAt } from "../../../../core/digest/week.ts";
import type { NotificationView } from "../../../../core/notice/settings-view.ts";
import { OutsideChannel } from "../../../../core/notice/channel.ts";
import { testsPerWindow, testWindowMs } from "../../../../core/notice/records.ts";
import { retryForMs } from "../../../../core/notice/retry.ts";
import { hourMs, toTimestamp, type Instant } from "../../../../core/time.ts";
import { Button, Check, Choice, FormField, Form } from "../../../parts/form.tsx";
import { channelNames } from "../../../words/alerts.ts";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { Age, span, Text, Time } from "../../../parts/value.tsx";

type Settings = { readonly settings: NotificationView };

export function TestForm({ channel }: { channel: OutsideChannel }) {
  return (
    <Form does="test" hidden={{ channel }}>
      <Button plain>Send a test</Button>
      <p class="hint">
        At most {testsPerWindow} test messages can be sent in {span(testWindowMs)}, including tests of rules.
      </p>
    </Form>
  );
}

/** In place of a stored address that cannot be decrypted. */
export const unreadable = "an address that cannot be decrypted: set it again";

export function EmailCard({ settings, now }: Settings & { now: Instant }) {
  const { email, pending, sends_mail } = settings;
  return (
    <Card title="E-mail">
      {!sends_mail && (
        <Notice means="watch">
          This service sends no mail, because its operator has not set a mail server. Chat and in-app notices
          work.
        </Notice>
      )}
      <p>
        <Text value={email.address_hint} none={unreadable} />
        {email.source === "account" ? ", the address of the account" : ", set for notifications"}{" "}
        <Verified is={email.verified} />
      </p>
      {!email.verified && (
        <p class="hint">
          No mail is sent to this address before it is confirmed.{" "}
          <a href="/settings">Confirm it under Account</a>.
        </p>
      )}
      {pending && <PendingForm pending={pending} now={now} />}
      {sends_mail && (
        <Form does="set-email">
          <FormField
            name="email"
            label="Another address"
            type="email"
            hint="A code is mailed to this address. Type the code here to confirm the address."
            maxLength={254}
            required
            of="set-email"
          />
          <Button plain>Mail the code</Button>
        </Form>
      )}
      {(email.source === "other" || pending) && (
        <Form does="own-email">
          <Button plain>Use the account&apos;s address</Button>
        </Form>
      )}
      <TestForm channel="email" />
    </Card>
  );
}

const Verified = ({ is }: { is: boolean }): ComponentChildren =>
  is ? <State means="good">confirmed</State> : <State means="watch">not confirmed</State>;

function PendingForm({ pending, now }: { pending: NonNullable<NotificationView["pending"]>; now: Instant }) {
  return (
    <Form does="confirm-email">
      <p>
        A code was mailed to <Text value={pending.address_hint} none={unreadable} />. It expires{" "}
        <Age at={pending.expires_at} now={now} />.
      </p>
      <FormField
        name="code"
        label="Code from the mail"
        maxLength={64}
        autoComplete="one-time-code"
        required
        of="confirm-email"
      />
      <Button>Confirm</Button>
    </Form>
  );
}

interface WebhookFormProps {
  /** The action that sets the address. */
  readonly does: string;
  readonly isSet: boolean;
  readonly hint: string;
  /** The action whose refusal restores the typed address. */
  readonly of?: string;
}

export function WebhookForm({ does, isSet, ...field }: WebhookFormProps) {
  return (
    <Form does={does}>
      <FormField
        name="url"
        label={isSet ? "Another address" : "Address"}
        type="url"
        maxLength={2048}
        autoComplete="off"
        required
        {...field}
      />
      <Button plain>{isSet ? "Replace" : "Set"}</Button>
    </Form>
  );
}

/** Only the host is shown. */
export function ChatCard({ settings: { chat } }: Settings) {
  return (
    <Card title="Chat webhook">
      <p>
        {chat.set ? (
          <>
            Messages are posted to <Text value={chat.host} none={unreadable} />.
          </>
        ) : (
          "No webhook is set: rules send no chat messages."
        )}
      </p>
      <WebhookForm
        does="set-chat"
        isSet={chat.set}
        hint="The webhook address from Discord, Slack or another chat that accepts Slack's format. It must be an https address on the public internet. It is stored encrypted and never shown again."
      />
      {chat.set && (
        <Form does="remove-chat">
          <Button danger>Remove the webhook</Button>
        </Form>
      )}
      <TestForm channel="chat" />
    </Card>
  );
}

/** For notices that are not alerts. */
export function NoticesCard({ settings }: Settings) {
  return (
    <Card title="Notices">
      <p>
        Notices are sent for new reports, regressions, and for what a token mutes or publishes. They are
        always in-app. They can also be sent by:
      </p>
      <Form does="set-notices">
        <Check name="by_email" label="E-mail" checked={settings.notices_by_email} of="set-notices" />
        <Check name="by_chat" label="Chat" checked={settings.notices_by_chat} of="set-notices" />
        <Check name="by_webhook" label="Webhook" checked={settings.notices_by_webhook} of="set-notices" />
        <Button plain>Save</Button>
      </Form>
    </Card>
  );
}

/** It gets messages that another channel could not deliver. */
export function SecondChannelCard({ settings }: Settings) {
  return (
    <Card title="Second channel" id="second">
      <p>
        If a message was refused for good, or could not be delivered within {retryForMs / hourMs} hours, it is
        sent over this channel. The page of the alert shows it.
      </p>
      <Form does="set-second">
        <Choice
          name="channel"
          label="Channel"
          options={[
            ["", "None"],
            ...OutsideChannel.options.map((channel) => [channel, channelNames[channel]] as const),
          ]}
          value={settings.second_channel ?? ""}
          of="set-second"
        />
        <Button plain>Save</Button>
      </Form>
    </Card>
  );
}

export function DigestCard({ settings, now }: Settings & { now: Instant }) {
  const isOn = settings.digest_by_email || settings.digest_by_chat;
  return (
    <Card title="Weekly digest" id="digest">
      <p>
        The health of all monitored servers now, and of the week: availability, findings, changes, alerts and
        next steps. It is sent every Monday at 08:00 UTC. <a href="/digest">Read it now</a>.
      </p>
      <p class="quiet">
        {isOn ? (
          <>
            The next one is due on <Time at={toTimestamp(nextDigestAt(now))} />.
          </>
        ) : (
          "It is off."
        )}
      </p>
      <Form does="set-digest">
        <Check name="by_email" label="E-mail" checked={settings.digest_by_email} of="set-digest" />
        <Check name="by_chat" label="Chat" checked={settings.digest_by_chat} of="set-digest" />
        <Button plain>Save</Button>
      </Form>
    </Card>
  );
}
