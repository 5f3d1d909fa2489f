import { EmptyList } from "../../parts/empty-list.tsx";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { listAccounts } from "../../../actions/access/list-accounts.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { FormField } from "../../parts/form.tsx";
import { capitalised } from "../../words/capitalised.ts";
import { Card, State } from "../../parts/state.tsx";
import { NextPage, Table } from "../../parts/table.tsx";
import { Text, Time } from "../../parts/value.tsx";

type Row = PersonAnswer<typeof listAccounts>["data"][number];

const path = "/admin/accounts";

export const adminAccountsPage = adminPage({
  path,

  async show({ call, query, now }) {
    const search = query.get("search") ?? "";
    const cursor = query.get("cursor");
    const { data, page } = await call(listAccounts, {
      limit: 50,
      search,
      ...(cursor !== null && { cursor }),
    });
    return {
      title: "Accounts",
      body: (
        <>
          <h1>Administration</h1>
          <AdminTabs />
          <Card title="Accounts">
            <form class="form" method="get" action={path}>
              <FormField name="search" label="E-mail address contains" value={search} autoComplete="off" />
              <button type="submit" class="plain">
                Search
              </button>
            </form>
            {data.length === 0 ? (
              <EmptyList
                query={query}
                now={now}
                one="account"
                all={path}
                filters={["search"]}
                filteredHint="No e-mail address contains this text."
              >
                <p>There are no accounts.</p>
              </EmptyList>
            ) : (
              <AccountTable rows={data} />
            )}
            <NextPage cursor={page.cursor} query={query} />
          </Card>
        </>
      ),
    };
  },
});

function AccountTable({ rows }: { rows: readonly Row[] }) {
  return (
    <Table
      caption="Accounts, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "E-mail address",
          cell: ({ id, email }) => (
            <a href={`${path}/${id}`}>
              <Text value={email} />
            </a>
          ),
        },
        { head: "Verified", cell: ({ email_verified }) => <Verified is={email_verified} /> },
        { head: "Plan", cell: ({ plan }) => capitalised(plan) },
        {
          head: "Role",
          cell: ({ role }) =>
            role === "suspended" ? <State means="bad">suspended</State> : capitalised(role),
        },
        { head: "Since", cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}

export function Verified({ is }: { is: boolean }) {
  return is ? <State means="good">verified</State> : <State means="watch">not verified</State>;
}
