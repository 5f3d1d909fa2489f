import { linkCodeLifetimeMs } from "../../../core/server/link-code.ts";
import { CodeField } from "./console-code.tsx";
import { LinkWays } from "./link-ways.tsx";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { Card, Notice } from "../../parts/state.tsx";
import { span } from "../../parts/value.tsx";

interface LinkCardProps {
  /** The server to which the installation is already linked. */
  readonly already: string | null;
  readonly baseUrl: string;
  /** Of this service. */
  readonly version: string;
  /** The account has no server: the first way is open. */
  readonly isFirst: boolean;
}

/** Links a server by its plugin, or by the agent beside it. */
export function LinkCard({ already, baseUrl, version, isFirst }: LinkCardProps) {
  return (
    <Card title="Link a server" id="link" aside={<a href="/groups">Server groups</a>}>
      {already !== null && (
        <Notice means="watch">
          This installation is linked to this account already, and the code was not used. To give it a new
          credential, <a href={`/servers/${already}/settings`}>relink it in the settings of that server</a>.
        </Notice>
      )}
      <div class="columns">
        <ol class="steps">
          <li>
            Choose how the server sends its data, and copy what stands there:
            <LinkWays baseUrl={baseUrl} version={version} isOpen={isFirst} />
          </li>
          <li>
            The command prints a code of 8 characters. The code is valid for {span(linkCodeLifetimeMs)}.
          </li>
          <li>
            Enter the code here. The plugin or agent then receives its credential by itself, and the next page
            shows each step until the first chart.
          </li>
        </ol>
        <Form does="link" to="/servers">
          <CodeField of="link" />
          <FormField
            name="name"
            label="Name"
            of="link"
            hint="If this stays empty, the server keeps the name that it reports."
            maxLength={80}
            autoComplete="off"
          />
          <Button>Link the server</Button>
        </Form>
      </div>
      <p class="hint">
        Is the installation linked to another account? <a href="/servers/relink">Take it over</a>.
      </p>
    </Card>
  );
}
