import { encode } from "uqr";
import type { PersonAnswer } from "../../../../../contract/call/call-as-person.ts";
import { disableSecondFactor } from "../../../../../actions/access/disable-second-factor.ts";
import { enableSecondFactor } from "../../../../../actions/access/enable-second-factor.ts";
import { getSecondFactor } from "../../../../../actions/access/get-second-factor.ts";
import { prepareSecondFactor } from "../../../../../actions/access/prepare-second-factor.ts";
import { rememberDevice } from "../../../../../actions/access/remember-device.ts";
import { renewRecoveryCodes } from "../../../../../actions/access/renew-recovery-codes.ts";
import { personPage, type PageContent } from "../../../../page.ts";
import { FactorField, typedProof } from "../../../../parts/factor-field.tsx";
import { Button, Form, FormField } from "../../../../parts/form.tsx";
import { RecoveryCodes } from "../../../../parts/recovery-codes.tsx";
import { PasswordField } from "../../../../parts/password-field.tsx";
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

/** Sets up the second factor, replaces recovery codes, switches it off. */
export const secondFactorPage = personPage({
  path,

  async show({ query, call }, problem) {
    if (problem?.action === "enable") return framed(<CodeCard setUp={problem.form.get("set_up") ?? ""} />);
    const state = await call(getSecondFactor, {});
    return framed(
      <>
        {query.get("after") === "off" && problem === null && (
          <Notice means="good">
            Codes of an authenticator app are off. Every other browser was signed out.
          </Notice>
        )}
        {state.enabled_at === null ? <OffCard {...state} /> : <OnCards {...state} />}
      </>,
    );
  },

  actions: {
    prepare: async ({ form, call }) => {
      const { secret, link, set_up } = await call(prepareSecondFactor, {
        ...typedProof(form),
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
      return framed(<RecoveryCodes codes={recovery_codes} back={path} />);
    },
    renew: async ({ form, call }) => {
      const { recovery_codes } = await call(renewRecoveryCodes, typedProof(form));
      return framed(<RecoveryCodes codes={recovery_codes} back={path} />);
    },
    disable: async ({ form, call, device, setDevice }) => {
      await call(disableSecondFactor, typedProof(form));
      setDevice((await call(rememberDevice, { device })).device);
      return { to: `${path}?after=off` };
    },
  },
});

function OffCard(state: Factor) {
  return (
    <Card
      title="Authenticator app"
      aside={<State means={state.has_passkeys ? "unknown" : "watch"}>off</State>}
    >
      <p>
        With a second factor, a sign-in needs a code of an authenticator app on your phone as well as the
        password. So do changes of the password and of the address, and new tokens.{" "}
        <a href="/settings/security/passkeys">A passkey</a> does the same without an app.
      </p>
      <Form does="prepare">
        <PasswordField of="prepare" />
        {state.has_passkeys && <FactorField of="prepare" codes={false} passkeys />}
        <Button>Set it up</Button>
      </Form>
      {state.has_passkeys && <RenewForm {...state} />}
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

/** Dark squares as one path, on white in every theme. */
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
          hint="Six digits. Every other browser is signed out, and recovery codes that you had before end."
          autoComplete="one-time-code"
          maxLength={10}
          required
          of="enable"
        />
        <Button>Switch codes on</Button>
      </Form>
      <p>
        <a href={path}>Start again</a>
      </p>
    </Card>
  );
}

type Factor = PersonAnswer<typeof getSecondFactor>;

const RenewForm = ({ enabled_at, has_passkeys, recovery_codes_left }: Factor) => (
  <>
    <p>Recovery codes that were not used: {recovery_codes_left}.</p>
    <Form does="renew">
      <PasswordField of="renew" />
      <FactorField of="renew" codes={enabled_at !== null} passkeys={has_passkeys} />
      <Button plain>Make new recovery codes</Button>
    </Form>
  </>
);

function OnCards(state: Factor) {
  const { enabled_at, codes_readable, has_passkeys } = state;
  const aside = codes_readable ? <State means="good">on</State> : <State means="bad">unreadable</State>;
  return (
    <>
      <Card title="Authenticator app" aside={aside}>
        <p>
          Codes are on since <Time at={enabled_at} />.
        </p>
        {!codes_readable && (
          <Notice means="bad">
            The service cannot check codes any more, because its secret was changed. Switch codes off with a
            recovery code or a passkey, then set them up again.
          </Notice>
        )}
      </Card>
      <div class="columns">
        <Card title="Replace the recovery codes">
          <RenewForm {...state} />
        </Card>
        <Card title="Switch codes off">
          <p class="hint">
            Afterwards {has_passkeys ? "a sign-in needs a passkey" : "the password alone signs in"}. Every
            other browser is signed out.
          </p>
          <Form does="disable">
            <PasswordField of="disable" />
            <FactorField of="disable" passkeys={has_passkeys} />
            <Button danger>Switch codes off</Button>
          </Form>
        </Card>
      </div>
    </>
  );
}
