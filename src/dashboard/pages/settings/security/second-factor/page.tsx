import { encode } from "uqr";
import type { PersonAnswer } from "../../../../../contract/call/call-as-person.ts";
import { disableSecondFactor } from "../../../../../endpoints/web/access/disable-second-factor.ts";
import { enableSecondFactor } from "../../../../../endpoints/web/access/enable-second-factor.ts";
import { getSecondFactor } from "../../../../../endpoints/web/access/get-second-factor.ts";
import { prepareSecondFactor } from "../../../../../endpoints/web/access/prepare-second-factor.ts";
import { rememberDevice } from "../../../../../endpoints/web/access/remember-device.ts";
import { renewRecoveryCodes } from "../../../../../endpoints/web/access/renew-recovery-codes.ts";
import { personPage, type PageContent } from "../../../../page.ts";
import { FactorField } from "../../../../parts/factor-field.tsx";
import { Button, Form, FormField } from "../../../../parts/form.tsx";
import { Card, Notice, State } from "../../../../parts/state.tsx";
import { SettingsTabs } from "../../../../parts/tabs.tsx";
import { Time } from "../../../../parts/value.tsx";

const path = "/settings/security/second-factor";

const framed = (body: PageContent["body"]): PageContent => ({
  title: "Second factor",
  body: (
    <>
      <h1>Settings</h1>
      <SettingsTabs />
      {body}
    </>
  ),
});

/** The second factor of the account: set it up, replace its recovery codes, switch it off. */
export const secondFactorPage = personPage({
  path,

  async show({ query, call }, problem) {
    if (problem?.action === "enable") return framed(<CodeCard setUp={problem.form.get("set_up") ?? ""} />);
    const state = await call(getSecondFactor, {});
    return framed(
      <>
        {query.get("after") === "off" && problem === null && (
          <Notice means="good">The second factor is off. Every other browser was signed out.</Notice>
        )}
        {state.is_on ? <OnCards {...state} /> : <OffCard />}
      </>,
    );
  },

  actions: {
    prepare: async ({ form, call }) => {
      const { secret, link, set_up } = await call(prepareSecondFactor, {
        password: form.get("password") ?? "",
      });
      return framed(
        <>
          <SecretCard secret={secret} link={link} />
          <CodeCard setUp={set_up} />
        </>,
      );
    },
    enable: async ({ form, call, device, setDevice }) => {
      const { recovery_codes } = await call(enableSecondFactor, {
        set_up: form.get("set_up") ?? "",
        second_factor: form.get("second_factor") ?? "",
      });
      setDevice((await call(rememberDevice, { device })).device);
      return framed(<CodesCard codes={recovery_codes} />);
    },
    renew: async ({ form, call }) => {
      const { recovery_codes } = await call(renewRecoveryCodes, typedIn(form));
      return framed(<CodesCard codes={recovery_codes} />);
    },
    disable: async ({ form, call, device, setDevice }) => {
      await call(disableSecondFactor, typedIn(form));
      setDevice((await call(rememberDevice, { device })).device);
      return { to: `${path}?after=off` };
    },
  },
});

const typedIn = (form: URLSearchParams) => ({
  password: form.get("password") ?? "",
  second_factor: form.get("second_factor") ?? "",
});

const PasswordField = ({ of }: { of: string }) => (
  <FormField
    name="password"
    label="Password"
    type="password"
    autoComplete="current-password"
    required
    of={of}
  />
);

function OffCard() {
  return (
    <Card title="Second factor" aside={<State means="watch">off</State>}>
      <p>
        With a second factor, a sign-in needs a code of an authenticator app on your phone as well as the
        password. So do changes of the password and of the address, and new tokens.
      </p>
      <Form does="prepare">
        <PasswordField of="prepare" />
        <Button>Set it up</Button>
      </Form>
    </Card>
  );
}

function SecretCard({ secret, link }: { secret: string; link: string }) {
  return (
    <Card title="1. Add this account to an authenticator app">
      <p>Scan the picture with the app, or open the link on the phone, or type the secret.</p>
      <QrCode text={link} />
      <p>
        <a href={link}>Open in an authenticator app on this device</a>
      </p>
      <p>
        Secret: <code>{secret.replaceAll(/(.{4})(?!$)/g, "$1 ")}</code>
      </p>
    </Card>
  );
}

/** A QR code: dark squares as one path, on white whatever the colours of the page. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="232" height="232" role="img" aria-label="QR code of the link">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
}

function CodeCard({ setUp }: { setUp: string }) {
  return (
    <Card title="2. Type the code that the app shows">
      <Form does="enable" hidden={{ set_up: setUp }}>
        <FormField
          name="second_factor"
          label="Code"
          hint="Six digits. Every other browser is signed out when the second factor is switched on."
          autoComplete="one-time-code"
          maxLength={10}
          required
          of="enable"
        />
        <Button>Switch the second factor on</Button>
      </Form>
      <p>
        <a href={path}>Start again</a>
      </p>
    </Card>
  );
}

function CodesCard({ codes }: { codes: readonly string[] }) {
  return (
    <Card title="Recovery codes" aside={<State means="good">the second factor is on</State>}>
      <p>
        Keep these codes where you keep nothing else of this account. Each of them replaces a code of the app
        once. This page is the only one that shows them.
      </p>
      <ul class="plain-list">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <a href={path}>I have kept them</a>
      </p>
    </Card>
  );
}

function OnCards({ enabled_at, recovery_codes_left }: PersonAnswer<typeof getSecondFactor>) {
  return (
    <>
      <Card title="Second factor" aside={<State means="good">on</State>}>
        <p>
          It is on since <Time at={enabled_at} />. Recovery codes that were not used: {recovery_codes_left}.
        </p>
      </Card>
      <div class="columns">
        <Card title="Replace the recovery codes">
          <Form does="renew">
            <PasswordField of="renew" />
            <FactorField of="renew" />
            <Button plain>Make new recovery codes</Button>
          </Form>
        </Card>
        <Card title="Switch it off">
          <p class="hint">Afterwards the password alone signs in. Every other browser is signed out.</p>
          <Form does="disable">
            <PasswordField of="disable" />
            <FactorField of="disable" />
            <Button danger>Switch the second factor off</Button>
          </Form>
        </Card>
      </div>
    </>
  );
}
