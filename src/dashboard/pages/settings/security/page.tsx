import type { z } from "zod";
import { listActivity } from "../../../../endpoints/web/access/list-activity.ts";
import { listSecurityEvents } from "../../../../endpoints/web/security-log/list-security-events.ts";
import { listSessions } from "../../../../endpoints/web/access/list-sessions.ts";
import { createToken } from "../../../../endpoints/web/access/create-token.ts";
import { listTokens } from "../../../../endpoints/web/access/list-tokens.ts";
import { revokeToken } from "../../../../endpoints/web/access/revoke-token.ts";
import { personPage } from "../../../page.ts";
import { activityPath, ActivityTable } from "../../../parts/activity-table.tsx";
import { securityPath, SecurityTable } from "../../../parts/security-table.tsx";
import { SessionsCard, sessionActions } from "./sessions-card.tsx";
import { Card } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { madeToken } from "./made-token.tsx";
import { TokensCard } from "./tokens-card.tsx";

const path = "/settings/security";

/** Rows of activity on this page; the others are on a page of their own. */
const activityShown = 20;
/** Security events on this page, likewise. */
const eventsShown = 10;

type NewToken = z.input<(typeof createToken)["input"]>;

/** Security: API tokens and connectors, what they did, and the browsers that are signed in. */
export const securityPage = personPage({
  path,

  async show(request, problem) {
    const { now, person } = request;
    const tokens = await request.call(listTokens, {});
    const activity = await request.call(listActivity, { limit: activityShown });
    const events = await request.call(listSecurityEvents, { limit: eventsShown });
    const { data: sessions } = await request.call(listSessions, {});
    return {
      title: "Security",
      body: (
        <>
          <h1>Settings</h1>
          <SettingsTabs />
          <TokensCard tokens={tokens} plan={person.account.plan} problem={problem} now={now} />
          <Card
            title="Activity"
            id="activity"
            aside={activity.data.length > 0 && <a href={activityPath}>All activity</a>}
          >
            {activity.data.length === 0 ? (
              <p>No token did anything in the last 30 days. What they do is listed here, a second later.</p>
            ) : (
              <ActivityTable rows={activity.data} now={now} />
            )}
          </Card>
          <Card
            title="Security events"
            id="security-events"
            aside={events.data.length > 0 && <a href={securityPath}>All security events</a>}
          >
            {events.data.length === 0 ? (
              <p>No attempt was refused and nothing was changed in the last 90 days.</p>
            ) : (
              <SecurityTable rows={events.data} now={now} />
            )}
          </Card>
          <SessionsCard sessions={sessions} now={now} />
        </>
      ),
    };
  },

  once: {
    create:
      "This form was sent before, and no second token was made. Its token was shown in the first answer, once, and stands in the list above. If you do not have it, revoke it there and make another.",
  },

  actions: {
    ...sessionActions(path),
    create: async ({ call, form, baseUrl }) => {
      const name = form.get("name") ?? "";
      const { secret } = await call(createToken, {
        name,
        expires_in_days: wholeNumber(form.get("expires_in_days")),
        // What is no scope is refused where the input is read.
        scopes: form.getAll("scopes") as NewToken["scopes"],
      });
      return madeToken({ name, secret, baseUrl });
    },
    revoke: async ({ call, form }) => {
      await call(revokeToken, { token_id: form.get("token_id") ?? "" });
      return { to: path };
    },
  },
});

/** What is typed is a number only when it is digits. */
const wholeNumber = (typed: string | null): number => (/^\d{1,9}$/.test(typed ?? "") ? Number(typed) : NaN);
