import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Account } from "../../../core/access/account.ts";
import { toTimestamp } from "../../../core/time.ts";
import { changeEmail } from "../../../actions/access/change-email.ts";
import { changePassword } from "../../../actions/access/change-password.ts";
import { getSecondFactor } from "../../../actions/access/get-second-factor.ts";
import { getWaysIn } from "../../../actions/access/get-ways-in.ts";
import { requestEmailVerification } from "../../../actions/access/request-email-verification.ts";
import { rememberDevice } from "../../../actions/access/remember-device.ts";
import { personPage } from "../../page.ts";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { OwnFactorField } from "../../parts/factor-field.tsx";
import { NewPasswordField } from "../../parts/new-password.tsx";
import { NoMail } from "../../parts/no-mail.tsx";
import { capitalised } from "../../words/capitalised.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { Card, Notice, State } from "../../parts/state.tsx";
import { Facts } from "../../parts/table.tsx";
import { SettingsTabs } from "../../parts/tabs.tsx";
import { Address, Time } from "../../parts/value.tsx";

const notices: Readonly<Record<string, string>> = {
  password: "The password was changed. Every other browser was signed out.",
  email: "The address was changed. It counts as verified when you confirm it.",
  role: "You are no longer an admin, because you changed the role of your own account. Another admin can give it back.",
  mail: "A mail with a link is sent. The link works once, within 3 days.",
};

export const settingsPage = personPage({
  path: "/settings",

  async show({ person, query, call }, problem) {
    const { account } = person;
    const { sends_mail } = await call(getWaysIn, {});
    const factor = await call(getSecondFactor, {});
    const notice = notices[query.get("after") ?? ""];
    return {
      title: "Account",
      body: (
        <>
          <h1>Settings</h1>
          <SettingsTabs />
          {notice && problem === null && <Notice means="good">{notice}</Notice>}
          <AccountCard account={account} sendsMail={sends_mail} />
          <div class="columns">
            <EmailCard sendsMail={sends_mail} factor={factor} />
            <PasswordCard factor={factor} />
          </div>
          <p>
            <a href="/settings/delete-account">Delete the account</a>
          </p>
        </>
      ),
    };
  },

  actions: {
    verify_email: async ({ call }) => {
      await call(requestEmailVerification, {});
      return { to: "/settings?after=mail" };
    },
    change_email: async ({ form, call }) => {
      await call(changeEmail, {
        email: form.get("email") ?? "",
        password: form.get("password") ?? "",
        second_factor: form.get("second_factor") ?? "",
      });
      return { to: "/settings?after=email" };
    },
    change_password: async ({ form, call, device, setDevice }) => {
      await call(changePassword, {
        password: form.get("password") ?? "",
        new_password: form.get("new_password") ?? "",
        second_factor: form.get("second_factor") ?? "",
      });
      setDevice((await call(rememberDevice, { device })).device);
      return { to: "/settings?after=password" };
    },
  },
});

function AccountCard({ account, sendsMail }: { account: Account; sendsMail: boolean }) {
  const { email, emailVerified, plan, role, createdAt } = account;
  return (
    <Card title="Account">
      <Facts
        of={[
          ["E-mail address", <Address key="a" value={email} />],
          [
            "State of the address",
            <State means={emailVerified ? "good" : "watch"}>
              {emailVerified ? "verified" : "not verified"}
            </State>,
          ],
          ["Plan", capitalised(plan)],
          ["Role", capitalised(role)],
          ["Member since", <Time at={toTimestamp(createdAt)} />],
        ]}
      />
      {!emailVerified && <Unverified email={email} sendsMail={sendsMail} />}
    </Card>
  );
}

function Unverified({ email, sendsMail }: { email: string; sendsMail: boolean }) {
  if (!sendsMail)
    return (
      <NoMail command={`tickmark account verify-email ${email}`}>
        Your address cannot be verified by a link. Until the operator verifies it, you cannot make reports
        public.
      </NoMail>
    );
  return (
    <>
      <p>
        Open the link in the mail that was sent to the address. Until the address is verified, it gets no
        other mail, and you cannot make reports public.
      </p>
      <Form does="verify_email" class="form inline">
        <Button plain>Send the mail again</Button>
      </Form>
    </>
  );
}

function EmailCard({
  sendsMail,
  factor,
}: {
  sendsMail: boolean;
  factor: PersonAnswer<typeof getSecondFactor>;
}) {
  return (
    <Card title="Change the address">
      <Form does="change_email">
        <FormField
          name="email"
          label="New e-mail address"
          type="email"
          hint={
            sendsMail
              ? "A link is mailed to the new address. Until you open it, the address of the account is not verified."
              : "This service sends no mail: the operator verifies the new address."
          }
          autoComplete="email"
          of="change_email"
          maxLength={254}
          required
        />
        <PasswordField of="change_email" />
        <OwnFactorField of="change_email" factor={factor} />
        <Button>Change the address</Button>
      </Form>
    </Card>
  );
}

function PasswordCard({ factor }: { factor: PersonAnswer<typeof getSecondFactor> }) {
  return (
    <Card title="Change the password">
      <Form does="change_password">
        <FormField
          name="password"
          label="Current password"
          type="password"
          autoComplete="current-password"
          of="change_password"
          required
        />
        <OwnFactorField of="change_password" factor={factor} />
        <NewPasswordField name="new_password" label="New password" of="change_password" />
        <p class="hint">
          Every other <a href="/settings/security#sessions">browser that is signed in</a> is signed out.
        </p>
        <Button>Change the password</Button>
      </Form>
    </Card>
  );
}
