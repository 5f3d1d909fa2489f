import { listSecurityEvents } from "../../../../actions/security-log/list-security-events.ts";
import { keptMs } from "../../../../core/job/kept-for.ts";
import { dayMs } from "../../../../core/time.ts";
import { personPage } from "../../../page.ts";
import { EmptyList, type Kept } from "../../../parts/empty-list.tsx";
import { securityPath, SecurityTable } from "../../../parts/security-table.tsx";
import { NextPage } from "../../../parts/table.tsx";
import { BelowSecurity } from "../below-security.tsx";

const kept: Kept = { days: keptMs.securityLog / dayMs, by: "service" };

/** Refused attempts and security changes of the last 90 days. */
export const securityLogPage = personPage({
  path: securityPath,

  async show({ call, query, now }) {
    const cursor = query.get("cursor");
    const { data, page } = await call(listSecurityEvents, { limit: 50, ...(cursor !== null && { cursor }) });
    return {
      title: "Security events",
      body: (
        <BelowSecurity title="Security events">
          <p>
            This log lists refused attempts on this account, and changes of its password, address, role, plan,
            tokens and programs, for 90 days. Equal entries within a minute are one line.
          </p>
          {data.length === 0 ? (
            <EmptyList query={query} now={now} one="entry" all={securityPath} kept={kept}>
              <p>There are no entries in the last {kept.days} days.</p>
            </EmptyList>
          ) : (
            <SecurityTable rows={data} now={now} />
          )}
          <NextPage cursor={page.cursor} query={query} />
        </BelowSecurity>
      ),
    };
  },
});
