import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { notFound, Refusal } from "../../../../core/errors.ts";
import type { StatusPage } from "../../../../core/status-page/status-page.ts";
import { deleteStatusPage } from "../../../../actions/status-page/delete-status-page.ts";
import { listStatusPages } from "../../../../actions/status-page/list-status-pages.ts";
import { moveStatusPage } from "../../../../actions/status-page/move-status-page.ts";
import { updateStatusPage } from "../../../../actions/status-page/update-status-page.ts";
import { typed } from "../../../form-values.ts";
import {
  personPage,
  type ActionResult,
  type FormProblem,
  type PageContent,
  type PageRequest,
  type Submission,
} from "../../../page.ts";
import { Button, Check, Form } from "../../../parts/form.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import { serversOfPerson } from "../../servers/fleet.ts";
import { AddressField, ChoiceForm, choiceIn } from "../choice-form.tsx";
import { Embedded } from "../snippets.tsx";

type Sent = Submission<SessionCaller>;

/** For the owner: what the page shows, its address, and the texts that embed its images. */
export const statusPagePage = personPage({
  path: "/status-pages/{id}",
  show,
  actions: { save, move, delete: remove },
});

const idOf = ({ params }: Pick<PageRequest, "params">): string => params["id"] ?? "";

async function pageOf(request: PageRequest<SessionCaller>): Promise<StatusPage> {
  const { data } = await request.call(listStatusPages, {});
  const page = data.find(({ id }) => id === idOf(request));
  if (!page) throw notFound();
  return page;
}

async function show(request: PageRequest<SessionCaller>, problem: FormProblem | null): Promise<PageContent> {
  const page = await pageOf(request);
  const servers = await serversOfPerson(request);
  const url = `${request.baseUrl}/status/${page.address}`;
  return {
    title: page.title,
    styles: ["status.css"],
    body: (
      <>
        <p class="small">
          <a href="/status-pages">Status pages</a>
        </p>
        <h1>
          <Text value={page.title} />
        </h1>
        <p>
          Public at <a href={`/status/${page.address}`}>{url}</a>
        </p>
        {page.servers.length === 0 && (
          <Notice means="watch">
            This page shows no server: its servers were unlinked. Tick others below, or delete the page.
          </Notice>
        )}
        <Card title="What it shows">
          <ChoiceForm does="save" servers={servers} page={page} problem={problem} />
        </Card>
        <div class="columns">
          <Card title="Embed it">
            <Embedded url={url} />
          </Card>
          <div class="stack">
            <Card title="Another address">
              <p>
                The present address leads nowhere as soon as the page has another one, and so do the images
                that are embedded elsewhere.
              </p>
              <Form does="move">
                <AddressField of="move" />
                <Button>Replace the address</Button>
              </Form>
            </Card>
            <Card title="Delete">
              <Form does="delete">
                <Check name="sure" label="Delete this page for everybody, at once" />
                <Button danger>Delete the page</Button>
              </Form>
            </Card>
          </div>
        </div>
      </>
    ),
  };
}

const here = (id: string): ActionResult => ({ to: `/status-pages/${id}` });

async function save(sent: Sent): Promise<ActionResult> {
  const id = idOf(sent);
  await sent.call(updateStatusPage, { status_page_id: id, ...choiceIn(sent.form) });
  return here(id);
}

async function move(sent: Sent): Promise<ActionResult> {
  const id = idOf(sent);
  const address = typed(sent.form, "address");
  await sent.call(moveStatusPage, { status_page_id: id, ...(address !== undefined && { address }) });
  return here(id);
}

async function remove(sent: Sent): Promise<ActionResult> {
  if (!sent.form.has("sure"))
    throw new Refusal("validation_error", "Tick the box to confirm that the page is deleted.");
  await sent.call(deleteStatusPage, { status_page_id: idOf(sent) });
  return { to: "/status-pages" };
}
