import { dayMs } from "../../../core/time.ts";
import { keptMs } from "../../../core/job/kept-for.ts";
import { EmptyList, type Kept } from "../../parts/empty-list.tsx";
import { listAllSecurityEvents } from "../../../actions/security-log/list-security-events.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { SecurityTable } from "../../parts/security-table.tsx";
import { Card } from "../../parts/state.tsx";
import { NextPage } from "../../parts/table.tsx";

const kept: Kept = { days: keptMs.securityLog / dayMs, by: "service" };

/** Refused attempts and changes to the security of every account. */
export const adminSecurityPage = adminPage({
  path: "/admin/security",

  async show({ call, query, now }) {
    const cursor = query.get("cursor");
    const { data, page } = await call(listAllSecurityEvents, {
      limit: 50,
      ...(cursor !== null && { cursor }),
    });
    return {
      title: "Security",
      body: (
        <>
          <h1>Administration</h1>
          <AdminTabs />
          <Card title="Security events">
            <p class="hint">
              This log lists refused sign-ins, codes and credentials, and changes of accounts, for 90 days.
              Equal entries within a minute are one line. When there are very many attempts, further ones are
              one line for each account and hour, or for each kind and hour.
            </p>
            {data.length === 0 ? (
              <EmptyList query={query} now={now} one="entry" all="/admin/security" kept={kept}>
                <p>There are no entries in the last {kept.days} days.</p>
              </EmptyList>
            ) : (
              <SecurityTable rows={data} now={now} withAccounts />
            )}
            <NextPage cursor={page.cursor} query={query} />
          </Card>
        </>
      ),
    };
  },
});
