import type { z } from "zod";
import { restorableDays } from "../../../../core/server/restorable.ts";
import type { Server } from "../../../../core/server/server.ts";
import type { Sender } from "../../../../core/server/link-code.ts";
import { CodeField, CodeSteps } from "../console-code.tsx";
import { Button, Check, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";

/** The ways a server changes hands or leaves, the gentlest first. */
export function LeavingCards({ server, sender }: { server: z.input<typeof Server>; sender: Sender }) {
  const name = <Text value={server.name} none="this server" />;
  return (
    <>
      <Card title="Relink">
        <p>
          Gives {name} a new credential: do this when the old one may be known to others. It stays the same
          server with all its data; the {sender} is refused until it has taken the new credential, which{" "}
          {sender === "agent" ? "its command does. Start it again afterwards." : "it does by itself."}
        </p>
        <CodeSteps where="this server" sender={sender} />
        <Form does="relink">
          <CodeField of="relink" />
          <Button>Relink</Button>
        </Form>
      </Card>
      <Card title="Unlink">
        <p>
          {name} leaves the account: its credential is revoked, open alerts end, waiting runs are cancelled.
          Reports and single tests stay yours. When you link it again within {restorableDays} days it comes
          back with its data; afterwards the data is deleted. Once somebody else links this installation it
          cannot come back.
        </p>
        <Form does="unlink">
          <Check name="sure" label="Take the server out of my account" />
          <Button danger>Unlink</Button>
        </Form>
      </Card>
      <Card title="Delete">
        <p>
          Unlinks {name} and deletes, at once and for good: measurements, timeline, alerts and rules,
          maintenance, profiles, memory reports, scheduled runs and their targets. Reports and single tests
          stay yours.
        </p>
        <Form does="delete">
          <Check name="sure" label="Delete everything of this server; it does not come back" />
          <Button danger>Delete</Button>
        </Form>
      </Card>
    </>
  );
}
