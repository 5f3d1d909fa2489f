import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { Refusal } from "../../../../core/errors.ts";
import { relinkServer } from "../../../../actions/server/relink-server.ts";
import { CodeField, CodeSteps } from "../console-code.tsx";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { personPage, type ActionResult, type PageContent, type Submission } from "../../../page.ts";

/** Takes over an installation that is linked to another account, with a code from its console. */
export const relinkPage = personPage({
  path: "/servers/relink",
  show: async (): Promise<PageContent> => ({
    title: "Take over an installation",
    narrow: true,
    body: (
      <>
        <h1>Take over an installation</h1>
        <Card title="An installation that is linked to another account">
          <p>
            The installation is unlinked from the other account, and its owner is notified. It becomes a new
            server of yours, without any data of the other account. If the installation is linked to your
            account already, the server gets a new credential and keeps all its data.
          </p>
          <CodeSteps where="the server" sender={null} />
          <Form does="relink">
            <CodeField of="relink" />
            <FormField
              name="name"
              label="Name"
              hint="If this stays empty, the server keeps the name that it reports."
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

async function relink({ form, call }: Submission<SessionCaller>): Promise<ActionResult> {
  const name = (form.get("name") ?? "").trim();
  const server = await call(relinkServer, {
    code: codeIn(form),
    ...(name !== "" && { name }),
  }).catch(codeUnknown);
  return { to: `/servers/${server.id}` };
}

/** Without spaces and hyphens, which people type. */
export const codeIn = (form: URLSearchParams): string => (form.get("code") ?? "").replaceAll(/[\s-]/g, "");

/** An unknown code is an error of the form, so 404 becomes a validation error. */
export function codeUnknown(error: unknown): never {
  if (error instanceof Refusal && error.code === "not_found")
    throw new Refusal(
      "validation_error",
      "This code is not known, or older than 15 minutes. Run /bench link in the console for a new code.",
    );
  throw error;
}
