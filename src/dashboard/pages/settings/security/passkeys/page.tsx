import type { ComponentChildren } from "preact";
import type { PersonAnswer } from "../../../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../../../core/time.ts";
import { createPasskey } from "../../../../../actions/access/create-passkey.ts";
import { deletePasskey } from "../../../../../actions/access/delete-passkey.ts";
import { getSecondFactor } from "../../../../../actions/access/get-second-factor.ts";
import { listPasskeys } from "../../../../../actions/access/list-passkeys.ts";
import { preparePasskey } from "../../../../../actions/access/prepare-passkey.ts";
import { rememberDevice } from "../../../../../actions/access/remember-device.ts";
import { requestOwnPasskey } from "../../../../../actions/access/request-own-passkey.ts";
import { personPage, type PageContent } from "../../../../page.ts";
import { OwnFactorField, typedProof } from "../../../../parts/factor-field.tsx";
import { Button, Choice, Form, FormField } from "../../../../parts/form.tsx";
import { PasskeyButton } from "../../../../parts/passkey-button.tsx";
import { RecoveryCodes } from "../../../../parts/recovery-codes.tsx";
import { PasswordField } from "../../../../parts/password-field.tsx";
import { Card, Notice, State } from "../../../../parts/state.tsx";
import { Table } from "../../../../parts/table.tsx";
import { SettingsTabs } from "../../../../parts/tabs.tsx";
import { Age, Text } from "../../../../parts/value.tsx";

const path = "/settings/security/passkeys";

type Passkeys = PersonAnswer<typeof listPasskeys>["data"];
type Factor = PersonAnswer<typeof getSecondFactor>;

const framed = (body: ComponentChildren): PageContent => ({
  title: "Passkeys",
  body: (
    <>
      <h1>Settings</h1>
      <SettingsTabs />
      {body}
    </>
  ),
});

const notices: Readonly<Record<string, string>> = {
  added: "The passkey was added. Every other browser was signed out.",
  removed: "The passkey was removed, and no longer signs in. Every other browser was signed out.",
};

export const passkeysPage = personPage({
  path,

  async show({ query, now, call }, problem) {
    const { data: passkeys, origin } = await call(listPasskeys, {});
    const factor = await call(getSecondFactor, {});
    const notice = notices[query.get("after") ?? ""];
    return framed(
      <>
        {notice && problem === null && <Notice means="good">{notice}</Notice>}
        <ListCard passkeys={passkeys} now={now} />
        <div class="columns">
          <AddCard canAdd={origin !== null} factor={factor} />
          {passkeys.length > 0 && <RemoveCard passkeys={passkeys} factor={factor} />}
        </div>
      </>,
    );
  },

  data: { request: ({ call }) => call(requestOwnPasskey, {}) },

  actions: {
    prepare: async ({ form, call }) => {
      const name = form.get("name") ?? "";
      const { sealed, options } = await call(preparePasskey, { name, ...typedProof(form) });
      const hidden = { name, sealed };
      return framed(
        <Card title="Make the passkey">
          <p>The browser asks where the passkey is kept, and for your fingerprint, your face or your PIN.</p>
          <Form does="add" hidden={hidden}>
            <PasskeyButton does="create" field="passkey" request={options}>
              Make the passkey
            </PasskeyButton>
          </Form>
          <p>
            <a href={path}>Start again</a>
          </p>
        </Card>,
      );
    },
    add: async ({ form, call, device, setDevice }) => {
      const { recovery_codes } = await call(createPasskey, {
        name: form.get("name") ?? "",
        sealed: form.get("sealed") ?? "",
        passkey: form.get("passkey") ?? "",
      });
      setDevice((await call(rememberDevice, { device })).device);
      return recovery_codes
        ? framed(<RecoveryCodes codes={recovery_codes} back={path} />)
        : { to: `${path}?after=added` };
    },
    remove: async ({ form, call, device, setDevice }) => {
      await call(deletePasskey, { passkey_id: form.get("passkey_id") ?? "", ...typedProof(form) });
      setDevice((await call(rememberDevice, { device })).device);
      return { to: `${path}?after=removed` };
    },
  },
});

function ListCard({ passkeys, now }: { passkeys: Passkeys; now: Instant }) {
  return (
    <Card
      title="Passkeys"
      aside={
        <State means={passkeys.length > 0 ? "good" : "watch"}>
          {passkeys.length > 0 ? passkeys.length : "none"}
        </State>
      }
    >
      <p>
        A passkey is kept by a device or a password manager of yours. It signs in after a look at your
        fingerprint, your face or your PIN, in place of the password and a code. While the account has one,
        the password alone signs nobody in.
      </p>
      {passkeys.length > 0 && (
        <Table
          caption="Passkeys"
          rows={passkeys}
          rowKey={({ id }) => id}
          columns={[
            { head: "Name", cell: ({ name }) => <Text value={name} /> },
            { head: "Made", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
            {
              head: "Last used",
              cell: ({ last_used_at }) =>
                last_used_at === null ? (
                  <span class="quiet">never</span>
                ) : (
                  <Age at={last_used_at} now={now} />
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

/** The password, and the second factor if the account has one. */
const Proof = ({ of, factor }: { of: string; factor: Factor }) => (
  <>
    <PasswordField of={of} />
    <OwnFactorField of={of} factor={factor} />
  </>
);

function AddCard({ canAdd, factor }: { canAdd: boolean; factor: Factor }) {
  return (
    <Card title="Add a passkey">
      {canAdd ? (
        <Form does="prepare">
          <FormField
            name="name"
            label="Name"
            hint="The device that keeps it, such as: phone."
            maxLength={80}
            autoComplete="off"
            required
            of="prepare"
          />
          <Proof of="prepare" factor={factor} />
          <Button>Continue</Button>
        </Form>
      ) : (
        <p>
          Passkeys do not work at this address: browsers use them only over https with a domain name, or at
          localhost. The operator of this service can change its address.
        </p>
      )}
    </Card>
  );
}

function RemoveCard({ passkeys, factor }: { passkeys: Passkeys; factor: Factor }) {
  const isOnlyFactor = passkeys.length === 1 && factor.enabled_at === null;
  const options = passkeys.map(({ id, name }) => [id, name] as const);
  return (
    <Card title="Remove a passkey">
      <p class="hint">
        It is refused from then on, and every other browser is signed out. Remove it on the device too.
        {isOnlyFactor &&
          " It is the only second factor: afterwards the password alone signs in, and the recovery codes end."}
      </p>
      <Form does="remove">
        <Choice name="passkey_id" label="Passkey" options={options} of="remove" />
        <Proof of="remove" factor={factor} />
        <Button danger>Remove the passkey</Button>
      </Form>
    </Card>
  );
}
