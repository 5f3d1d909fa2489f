import type { z } from "zod";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import { listActivity } from "../../../../actions/access/list-activity.ts";
import { listSecurityEvents } from "../../../../actions/security-log/list-security-events.ts";
import { getSecondFactor } from "../../../../actions/access/get-second-factor.ts";
import { listSessions } from "../../../../actions/access/list-sessions.ts";
import { createToken } from "../../../../actions/access/create-token.ts";
import { listTokens } from "../../../../actions/access/list-tokens.ts";
import { revokeToken } from "../../../../actions/access/revoke-token.ts";
import { Refusal } from "../../../../core/errors.ts";
import { personPage } from "../../../page.ts";
import { activityPath, ActivityTable } from "../../../parts/activity-table.tsx";
import { securityPath, SecurityTable } from "../../../parts/security-table.tsx";
import { SessionsCard, sessionActions } from "./sessions-card.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { madeToken } from "./made-token.tsx";
import { presetIn } from "./token-presets.tsx";
import { TokensCard } from "./tokens-card.tsx";

const path = "/settings/security";

/** Rows on this page; another page has all of them. */
const activityShown = 20;
const eventsShown = 10;

type NewToken = z.input<(typeof createToken)["input"]>;

/** API tokens and connectors, their activity, and signed-in browsers. */
export const securityPage = personPage({
  path,

  async show(request, problem) {
    const { now, person } = request;
    const tokens = await request.call(listTokens, {});
    const activity = await request.call(listActivity, { limit: activityShown });
    const events = await request.call(listSecurityEvents, { limit: eventsShown });
    const factor = await request.call(getSecondFactor, {});
    const { data: sessions } = await request.call(listSessions, {});
    return {
      title: "Security",
      body: (
        <>
          <h1>Settings</h1>
          <SettingsTabs />
          <TokensCard
            tokens={tokens}
            plan={person.account.plan}
            problem={problem}
            factor={factor}
            preset={presetIn(request.query)}
            now={now}
          />
          <Card
            title="Activity"
            id="activity"
            aside={activity.data.length > 0 && <a href={activityPath}>All activity</a>}
          >
            {activity.data.length === 0 ? (
              <p>No token made a call in the last 30 days. Calls are listed here after about a second.</p>
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
              <p>There are no refused attempts and no changes in the last 90 days.</p>
            ) : (
              <SecurityTable rows={events.data} now={now} />
            )}
          </Card>
          <Card
            title="Second factor"
            id="second-factor"
            aside={<State means={factor.is_on ? "good" : "watch"}>{factor.is_on ? "on" : "off"}</State>}
          >
            <p>{signInNeeds(factor)}</p>
            <p class="row">
              <a href="/settings/security/second-factor">
                {factor.enabled_at === null ? "Set up codes of an app" : "Change the codes"}
              </a>
              <a href="/settings/security/passkeys">{factor.has_passkeys ? "Passkeys" : "Add a passkey"}</a>
            </p>
          </Card>
          <p>
            <a href="/settings/security/profile-links">Links to shared profiles</a>
          </p>
          <SessionsCard sessions={sessions} now={now} />
        </>
      ),
    };
  },

  once: {
    create:
      "This form was sent before, so no second token was made. The token was shown only once, in the first answer. It is in the list above. If you do not have it, revoke it and make another.",
  },

  actions: {
    ...sessionActions(path),
    create: async ({ call, form, baseUrl, guideText }) => {
      const name = form.get("name") ?? "";
      if (!form.has("scopes"))
        throw new Refusal("validation_error", "Tick at least one scope.", { field: "scopes" });
      const { secret } = await call(createToken, {
        name,
        expires_in_days: wholeNumber(form.get("expires_in_days")),
        // The endpoint refuses an unknown scope.
        scopes: form.getAll("scopes") as NewToken["scopes"],
        second_factor: form.get("second_factor") ?? "",
      });
      return madeToken({ name, secret, baseUrl, guide: guideText("clients") });
    },
    revoke: async ({ call, form }) => {
      await call(revokeToken, { token_id: form.get("token_id") ?? "" });
      return { to: path };
    },
  },
});

/** What a sign-in needs. */
function signInNeeds({ enabled_at, has_passkeys }: PersonAnswer<typeof getSecondFactor>): string {
  const code = "the password and a code of an authenticator app";
  if (!has_passkeys) return enabled_at === null ? "The password alone signs in." : `A sign-in needs ${code}.`;
  return enabled_at === null ? "A sign-in needs a passkey." : `A sign-in needs a passkey, or ${code}.`;
}

/** Digits only; NaN for anything else. */
const wholeNumber = (typed: string | null): number => (/^\d{1,9}$/.test(typed ?? "") ? Number(typed) : NaN);
