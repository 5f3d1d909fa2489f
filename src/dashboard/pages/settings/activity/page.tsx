import { listActiveTokens } from "../../../../actions/access/list-active-tokens.ts";
import { listActivity } from "../../../../actions/access/list-activity.ts";
import { listTokens } from "../../../../actions/access/list-tokens.ts";
import { personPage } from "../../../page.ts";
import { activityPath, ActivityTable } from "../../../parts/activity-table.tsx";
import { Choice } from "../../../parts/form.tsx";
import { NextPage } from "../../../parts/table.tsx";
import { clock } from "../../../parts/value.tsx";
import { BelowSecurity } from "../below-security.tsx";
import { keptMs } from "../../../../core/job/kept-for.ts";
import { dayMs } from "../../../../core/time.ts";
import { EmptyList, type Kept } from "../../../parts/empty-list.tsx";
import { Empty } from "../../../parts/state.tsx";

const kept: Kept = { days: keptMs.activity / dayMs, by: "service" };

/** Calls of all tokens, or of one, in the last 30 days. */
export const activityPage = personPage({
  path: activityPath,

  async show({ call, query, now }) {
    const token = query.get("token_id") || null;
    const cursor = query.get("cursor");
    const { data, page } = await call(listActivity, {
      limit: 50,
      ...(token !== null && { token_id: token }),
      ...(cursor !== null && { cursor }),
    });
    const { data: tokens } = await call(listTokens, {});
    const { data: active } = await call(listActiveTokens, {});
    const known = new Map([
      ...tokens.map(({ id, name }) => [id, name] as const),
      ...active.map(({ id, name, revoked_at }) => [id, nameOf(name, revoked_at)] as const),
    ]);
    if (token !== null && !known.has(token)) known.set(token, "Another token");
    return {
      title: "Activity",
      body: (
        <BelowSecurity title="Activity">
          <p>
            This log lists the calls of each token and connector in the last 30 days, with their results, but
            not their content. Equal calls within a second are one line. Calls that were refused before they
            were counted are one line for a minute.
          </p>
          <form class="form" method="get" action={activityPath}>
            <Choice name="token_id" label="Token" value={token} options={[["", "All tokens"], ...known]} />
            <button type="submit" class="plain">
              Show
            </button>
          </form>
          {data.length === 0 ? (
            <EmptyList
              query={query}
              now={now}
              one="call"
              all={activityPath}
              filters={["token_id"]}
              kept={kept}
            >
              <Empty
                title="No calls"
                next={<a href="/settings/security#new-token">Make a token for a program or an assistant</a>}
              >
                <p>There are no calls in the last {kept.days} days.</p>
              </Empty>
            </EmptyList>
          ) : (
            <ActivityTable rows={data} now={now} />
          )}
          <NextPage cursor={page.cursor} query={query} />
        </BelowSecurity>
      ),
    };
  },
});

const nameOf = (name: string, revokedAt: string | null): string =>
  `${name || "a deleted token"}${revokedAt === null ? "" : ` (revoked ${clock(revokedAt)})`}`;
