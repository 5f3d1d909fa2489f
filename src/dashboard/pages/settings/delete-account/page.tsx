import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { deleteAccount } from "../../../../actions/access/delete-account.ts";
import { getSecondFactor } from "../../../../actions/access/get-second-factor.ts";
import { OwnFactorField } from "../../../parts/factor-field.tsx";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";

export const deleteAccountPage = personPage({
  path: "/settings/delete-account",
  show,
  actions: { delete: remove },
});

async function show({ person, call }: PageRequest<SessionCaller>): Promise<PageContent> {
  const factor = await call(getSecondFactor, {});
  return {
    title: "Delete the account",
    body: (
      <>
        <h1>Delete the account</h1>
        <SettingsTabs />
        <Card title="What is deleted, at once and for good">
          <ul>
            <li>every server with its measurements, timeline, alerts, rules, profiles and memory reports</li>
            <li>
              every report and single test, the public ones too; a certified report stays, without your name
            </li>
            <li>API tokens, connectors and their grants, and the log of their calls</li>
            <li>scheduled runs and their targets, groups, notification addresses and notices</li>
            <li>all sessions: every browser is signed out, this one too</li>
          </ul>
          <p>
            The plugins and agents of your servers are refused from then on. To keep a server, link it to
            another account first.
          </p>
          <Form does="delete">
            <FormField
              name="password"
              label={`Password of ${person.account.email}`}
              type="password"
              autoComplete="current-password"
              required
              of="delete"
            />
            <OwnFactorField of="delete" factor={factor} />
            <Button danger>Delete the account</Button>
          </Form>
        </Card>
      </>
    ),
  };
}

async function remove({ form, call, setSession }: Submission<SessionCaller>): Promise<ActionResult> {
  await call(deleteAccount, {
    password: form.get("password") ?? "",
    second_factor: form.get("second_factor") ?? "",
  });
  setSession(null);
  return { to: "/" };
}
