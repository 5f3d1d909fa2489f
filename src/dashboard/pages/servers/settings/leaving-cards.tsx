import type { z } from "zod";
import { restorableDays } from "../../../../core/server/restorable.ts";
import type { Server } from "../../../../core/server/server.ts";
import type { Sender } from "../../../../core/server/link-code.ts";
import { CodeField, CodeSteps } from "../console-code.tsx";
import { Button, Check, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";

/** Relinks, unlinks and deletes a server. */
export function LeavingCards({ server, sender }: { server: z.input<typeof Server>; sender: Sender }) {
  const name = <Text value={server.name} none="this server" />;
  return (
    <>
      <Card title="Relink">
        <p>
          Relinking gives {name} a new credential. Do this when others may know the old one. The server keeps
          all its data. The {sender} is refused until it has the new credential.{" "}
          {sender === "agent"
            ? "Its command gets it; start the agent again afterwards."
            : "The plugin gets it by itself."}
        </p>
        <CodeSteps where="this server" sender={sender} />
        <Form does="relink">
          <CodeField of="relink" />
          <Button>Relink</Button>
        </Form>
      </Card>
      <Card title="Unlink">
        <p>
          Unlinking takes {name} out of the account: its credential is revoked, open alerts end, and waiting
          runs are cancelled. Reports and single tests stay yours. If you link the server again within{" "}
          {restorableDays} days, it comes back with its data. After that the data is deleted. If somebody else
          links this installation, the server cannot come back.
        </p>
        <Form does="unlink">
          <Check name="sure" label="Take the server out of my account" />
          <Button danger>Unlink</Button>
        </Form>
      </Card>
      <Card title="Delete">
        <p>
          Deleting unlinks {name}, and deletes at once and for good: measurements, timeline, alerts and rules,
          maintenance, profiles, memory reports, scheduled runs and their targets. Reports and single tests
          stay yours.
        </p>
        <Form does="delete">
          <Check name="sure" label="Delete all data of this server for good" />
          <Button danger>Delete</Button>
        </Form>
      </Card>
    </>
  );
}
