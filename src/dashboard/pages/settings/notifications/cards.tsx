import type { ComponentChildren } from "preact";
import type { NotificationView } from "../../../../core/notice/settings-view.ts";
import { testsPerWindow, testWindowMs } from "../../../../core/notice/store.ts";
import type { Instant } from "../../../../core/time.ts";
import { Button, Check, FormField, Form } from "../../../parts/form.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { Age, span, Text } from "../../../parts/value.tsx";

type Settings = { readonly settings: NotificationView };

/** Sends a test message over one channel. */
function TestForm({ channel }: { channel: "email" | "chat" }) {
  return (
    <Form does="test" hidden={{ channel }}>
      <Button plain>Send a test</Button>
      <p class="hint">
        {testsPerWindow} test messages in {span(testWindowMs)}, tests of rules included.
      </p>
    </Form>
  );
}

const unreadable = "an address that cannot be read any more: set it again";

/** The mail address in use, and how another one takes its place. */
export function EmailCard({ settings, now }: Settings & { now: Instant }) {
  const { email, pending, sends_mail } = settings;
  return (
    <Card title="E-mail">
      {!sends_mail && (
        <Notice means="watch">
          This service sends no mail: its operator has not given it a mail server. Chat and in-app work.
        </Notice>
      )}
      <p>
        <Text value={email.address_hint} none={unreadable} />
        {email.source === "account" ? ", the address of the account" : ", set for notifications"}{" "}
        <Verified is={email.verified} />
      </p>
      {!email.verified && (
        <p class="hint">
          Nothing is sent there before it is confirmed. <a href="/settings">Confirm it in tab Account</a>.
        </p>
      )}
      {pending && <PendingForm pending={pending} now={now} />}
      {sends_mail && (
        <Form does="set-email">
          <FormField
            name="email"
            label="Another address"
            type="email"
            hint="A code is mailed there; the address is used once you typed it in here."
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
        A code was mailed to <Text value={pending.address_hint} none={unreadable} />. It ends{" "}
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

/** The chat webhook: its host alone is shown, what was typed never comes back. */
export function ChatCard({ settings: { chat } }: Settings) {
  return (
    <Card title="Chat webhook">
      <p>
        {chat.set ? (
          <>
            Messages are posted to <Text value={chat.host} none={unreadable} />.
          </>
        ) : (
          "None is set: rules that tell over chat tell nobody."
        )}
      </p>
      <Form does="set-chat">
        <FormField
          name="url"
          label={chat.set ? "Another address" : "Address"}
          type="url"
          hint="As Discord, Slack or another chat that takes Slack's form gives it: https, on the public internet. It is kept sealed and never shown again."
          maxLength={2048}
          autoComplete="off"
          required
        />
        <Button plain>{chat.set ? "Replace" : "Set"}</Button>
      </Form>
      {chat.set && (
        <Form does="remove-chat">
          <Button danger>Remove the webhook</Button>
        </Form>
      )}
      <TestForm channel="chat" />
    </Card>
  );
}

/** Notices that are no alerts. */
export function NoticesCard({ settings }: Settings) {
  return (
    <Card title="Notices">
      <p>
        New reports, regressions, and what a token silences or publishes. They are told in-app always; also
        over:
      </p>
      <Form does="set-notices">
        <Check name="by_email" label="E-mail" checked={settings.notices_by_email} of="set-notices" />
        <Check name="by_chat" label="Chat" checked={settings.notices_by_chat} of="set-notices" />
        <Button plain>Save</Button>
      </Form>
    </Card>
  );
}
