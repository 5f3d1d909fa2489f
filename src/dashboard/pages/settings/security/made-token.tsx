import type { PageContent } from "../../../page.ts";
import { Copyable } from "../../../parts/copyable.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { Card } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { Text } from "../../../parts/value.tsx";
import { ClientEntries } from "./client-entries.tsx";

interface Made {
  readonly name: string;
  readonly secret: string;
  readonly baseUrl: string;
  /** The text of the guide `clients`. */
  readonly guide: string;
}

/** Shows the secret once, and how to use it. */
export const madeToken = ({ name, secret, baseUrl, guide }: Made): PageContent => ({
  title: "Token created",
  body: (
    <>
      <h1>Token created</h1>
      <SettingsTabs />
      <ShownOnce id="token" secret={secret}>
        The token <Text value={name} /> is shown only once and is not stored. A lost token cannot be
        recovered: revoke it and make another.
      </ShownOnce>
      <Card title="Use it">
        <p>
          Keep it in an environment variable, <code>TICKMARK_TOKEN</code>, and call the API with it:
        </p>
        <Copyable id="token-call" what="a call of the API">
          {`curl -H "Authorization: Bearer $TICKMARK_TOKEN" ${baseUrl}/api/v1/token`}
        </Copyable>
        <p>
          Connect an assistant: open the client that you use. Where an entry has <code>tkm_…</code>, the token
          stands.
        </p>
        <ClientEntries guide={guide} baseUrl={baseUrl} />
        <p>
          <a href="/settings/security">Back to Security</a>
        </p>
      </Card>
    </>
  ),
});
