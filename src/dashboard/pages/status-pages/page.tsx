import type { ComponentChildren } from "preact";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import { mostStatusPages, type StatusPage } from "../../../core/status-page/status-page.ts";
import { createStatusPage } from "../../../actions/status-page/create-status-page.ts";
import { listStatusPages } from "../../../actions/status-page/list-status-pages.ts";
import { typed } from "../../form-values.ts";
import {
  personPage,
  type ActionResult,
  type FormProblem,
  type PageContent,
  type PageRequest,
  type Submission,
} from "../../page.ts";
import { PlanNotice } from "../../parts/plan.tsx";
import { Card, Empty, Notice } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Text } from "../../parts/value.tsx";
import { serversOfPerson } from "../servers/fleet.ts";
import { ChoiceForm, choiceIn } from "./choice-form.tsx";

export const statusPagesPage = personPage({ path: "/status-pages", show, actions: { create } });

async function show(request: PageRequest<SessionCaller>, problem: FormProblem | null): Promise<PageContent> {
  const { data } = await request.call(listStatusPages, {});
  const servers = await serversOfPerson(request);
  return {
    title: "Status pages",
    styles: ["status.css"],
    body: (
      <>
        <h1>Status pages</h1>
        <p class="quiet">
          A status page shows everybody who has its address whether your servers are up: their state now, a
          bar for each day, incidents in general words, and maintenance. It has no addresses, ids, plugins or
          events. There is none until you publish one.
        </p>
        <Pages pages={data} baseUrl={request.baseUrl} />
        <New request={request} isFull={data.length >= mostStatusPages}>
          {servers.length === 0 ? (
            <Empty title="No server yet" next={<a href="/servers#link">Link a server</a>}>
              <p>A status page shows the servers that you choose for it.</p>
            </Empty>
          ) : (
            <ChoiceForm does="create" servers={servers} page={null} problem={problem} />
          )}
        </New>
      </>
    ),
  };
}

function Pages({ pages, baseUrl }: { pages: readonly StatusPage[]; baseUrl: string }) {
  if (pages.length === 0) return null;
  return (
    <Card title="Published">
      <Table
        caption="Published status pages"
        rows={pages}
        rowKey={({ id }) => id}
        columns={[
          {
            head: "Title",
            cell: ({ id, title }) => (
              <a href={`/status-pages/${id}`}>
                <Text value={title} />
              </a>
            ),
          },
          {
            head: "Address",
            wide: true,
            cell: ({ address }) => <a href={`/status/${address}`}>{`${baseUrl}/status/${address}`}</a>,
          },
          { head: "Servers", number: true, cell: ({ servers }) => servers.length },
        ]}
      />
    </Card>
  );
}

function New({
  request: { person, plans },
  isFull,
  children,
}: {
  request: PageRequest<SessionCaller>;
  isFull: boolean;
  children: ComponentChildren;
}) {
  if (!planIncludes(person.limits, "monitoring"))
    return (
      <PlanNotice plans={plans} account={person.account} feature="monitoring">
        Status pages show what monitoring recorded.
      </PlanNotice>
    );
  if (isFull) return <Notice>An account can have at most {mostStatusPages} status pages.</Notice>;
  return (
    <Card title="New status page" id="new">
      {!person.account.emailVerified && (
        <Notice means="watch">
          Only an account with a verified e-mail address can publish.{" "}
          <a href="/settings">Verify the address</a> first.
        </Notice>
      )}
      {children}
    </Card>
  );
}

async function create({ form, call }: Submission<SessionCaller>): Promise<ActionResult> {
  const address = typed(form, "address");
  const { id } = await call(createStatusPage, {
    ...choiceIn(form),
    ...(address !== undefined && { address }),
  });
  return { to: `/status-pages/${id}` };
}
