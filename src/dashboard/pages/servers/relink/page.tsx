import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { Refusal } from "../../../../core/errors.ts";
import { relinkServer } from "../../../../endpoints/web/server/relink-server.ts";
import { CodeField, CodeSteps } from "../console-code.tsx";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { personPage, type Done, type Shown, type Submission } from "../../../page.ts";

/** For an installation that is linked to another account: a code of its console says whose it is. */
export const relinkPage = personPage({
  path: "/servers/relink",
  show: async (): Promise<Shown> => ({
    title: "Take over an installation",
    narrow: true,
    body: (
      <>
        <h1>Take over an installation</h1>
        <Card title="An installation that is linked to another account">
          <p>
            It is unlinked there, and its owner is told. It becomes a new server of yours without any of the
            other account's data. A server of yours gets a new credential and keeps everything.
          </p>
          <CodeSteps where="the server" sender={null} />
          <Form does="relink">
            <CodeField of="relink" />
            <FormField
              name="name"
              label="Name"
              hint="Empty: the one the server tells itself."
              maxLength={80}
              of="relink"
            />
            <Button danger>Take over</Button>
          </Form>
        </Card>
      </>
    ),
  }),
  actions: { relink },
});

async function relink({ form, call }: Submission<SessionCaller>): Promise<Done> {
  const name = (form.get("name") ?? "").trim();
  const server = await call(relinkServer, {
    code: codeIn(form),
    ...(name !== "" && { name }),
  }).catch(codeUnknown);
  return { to: `/servers/${server.id}` };
}

/** As people type it: spaces and hyphens are no part of a code. */
export const codeIn = (form: URLSearchParams): string => (form.get("code") ?? "").replaceAll(/[\s-]/g, "");

/** A code that is unknown is a mistake in the form, not a page that does not exist. */
export function codeUnknown(error: unknown): never {
  if (error instanceof Refusal && error.code === "not_found")
    throw new Refusal(
      "validation_error",
      "This code is not known, or older than 15 minutes. Run /bench link in the console for a new one.",
    );
  throw error;
}
