import { linkCodeLifetimeMs } from "../../../core/server/link-code.ts";
import { CodeField } from "./console-code.tsx";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { Card, Notice } from "../../parts/state.tsx";
import { span } from "../../parts/value.tsx";
import { Words } from "../../parts/words.tsx";

interface LinkCardProps {
  /** The server whose installation was linked before. */
  readonly already: string | null;
  readonly baseUrl: string;
}

/** How a server comes to this account: by its plugin, or by the agent beside it. */
export function LinkCard({ already, baseUrl }: LinkCardProps) {
  return (
    <Card title="Link a server" id="link" aside={<a href="/groups">Server groups</a>}>
      {already !== null && (
        <Notice means="watch">
          This installation is linked to this account already; the code was not used. To give it a new
          credential, <a href={`/servers/${already}/settings`}>relink it in the settings of that server</a>.
        </Notice>
      )}
      <div class="columns">
        <ol class="steps">
          <li>
            Put the plugin on the game server, then enter this in its console:
            <pre>
              <code>/bench link</code>
            </pre>
            Without a plugin, run the agent in the server's folder:
            <pre>
              <Words of={`tickmark agent link --url ${baseUrl}`} />
            </pre>
          </li>
          <li>It prints a code of 8 characters. It holds for {span(linkCodeLifetimeMs)}.</li>
          <li>
            Enter the code here. The server shows up in this list, and whoever printed the code picks up the
            rest by itself.
          </li>
        </ol>
        <Form does="link" to="/servers">
          <CodeField of="link" />
          <FormField
            name="name"
            label="Name"
            of="link"
            hint="Left empty, the server keeps the name it tells itself."
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
