import type { PageContent } from "../../../page.ts";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { Card } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { Text } from "../../../parts/value.tsx";
import { Words } from "../../../parts/words.tsx";

interface Made {
  readonly name: string;
  readonly secret: string;
  readonly baseUrl: string;
}

const connectorEntry = (baseUrl: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        tickmark: {
          type: "http",
          url: `${baseUrl}/mcp`,
          headers: { Authorization: "Bearer ${TICKMARK_TOKEN}" },
        },
      },
    },
    null,
    2,
  );

/** The page that shows the secret once, and how to use it. */
export const madeToken = ({ name, secret, baseUrl }: Made): PageContent => ({
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
        <p>Keep it in an environment variable, and call the API with it:</p>
        <pre>
          <Words of={`curl -H "Authorization: Bearer $TICKMARK_TOKEN" ${baseUrl}/api/v1/token`} />
        </pre>
        <p>An MCP client needs this entry:</p>
        <pre>
          <code>{connectorEntry(baseUrl)}</code>
        </pre>
        <p>
          <a href="/settings/security">Back to Security</a>
        </p>
      </Card>
    </>
  ),
});
