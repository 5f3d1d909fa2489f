import type { NotificationView } from "../../../../core/notice/settings-view.ts";
import { oldSecretMs } from "../../../../core/notice/webhook-secrets.ts";
import { hourMs, type Instant } from "../../../../core/time.ts";
import type { PageContent } from "../../../page.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { Card } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { Age, Text } from "../../../parts/value.tsx";
import { TestForm, unreadable, WebhookForm } from "./cards.tsx";

/** Only the host is shown. */
export function WebhookCard({ settings: { webhook }, now }: { settings: NotificationView; now: Instant }) {
  return (
    <Card title="Signed webhook" id="webhook">
      <p>
        {webhook.set ? (
          <>
            Events are posted to <Text value={webhook.host} none={unreadable} />: every alert that is not
            silenced, and its end.
          </>
        ) : (
          "No webhook is set. A webhook gets every alert that is not silenced, as signed JSON for a program of yours."
        )}{" "}
        <a href="/docs/guides/webhooks">How a program checks the signature</a>.
      </p>
      <WebhookForm
        does="set-webhook"
        isSet={webhook.set}
        hint="An https address on the public internet. It is stored encrypted and never shown again."
        of="set-webhook"
      />
      {webhook.set && (
        <>
          <Form does="rotate-webhook">
            {webhook.old_secret_until !== null && (
              <p>
                A replaced secret also signs until it ends <Age at={webhook.old_secret_until} now={now} />.
              </p>
            )}
            <p class="hint">
              A new secret replaces the one in use, which also signs for {oldSecretMs / hourMs} more hours. If
              a secret became known to others, remove the webhook and set it again: then only the new one
              signs.
            </p>
            <Button plain>Make a new secret</Button>
          </Form>
          <Form does="remove-webhook">
            <Button danger>Remove the webhook</Button>
          </Form>
        </>
      )}
      <TestForm channel="webhook" />
    </Card>
  );
}

/** Shows the secret once. */
export const madeWebhookSecret = (secret: string): PageContent => ({
  title: "Webhook secret",
  body: (
    <>
      <h1>Webhook secret</h1>
      <SettingsTabs />
      <ShownOnce id="secret" secret={secret}>
        The secret is shown only once. Your program needs it to check that an event comes from this service. A
        lost secret cannot be shown again: make a new one.
      </ShownOnce>
      <p>
        <a href="/settings/notifications#webhook">Back to Notifications</a>
      </p>
    </>
  ),
});
