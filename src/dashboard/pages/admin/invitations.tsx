import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../core/time.ts";
import { createInvitation } from "../../../actions/access/create-invitation.ts";
import { getWaysIn } from "../../../actions/access/get-ways-in.ts";
import { listInvitations } from "../../../actions/access/list-invitations.ts";
import { withdrawInvitation } from "../../../actions/access/withdraw-invitation.ts";
import { adminPage, type PageContent } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { Card, Notice } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { Age, Text } from "../../parts/value.tsx";

type Invitation = PersonAnswer<typeof listInvitations>["data"][number];

const path = "/admin/invitations";

/** An invitation is a link with which one person can sign up. */
export const adminInvitationsPage = adminPage({
  path,

  async show({ call, now }) {
    const { data } = await call(listInvitations, {});
    const { sends_mail, sign_up } = await call(getWaysIn, {});
    return {
      title: "Invitations",
      body: (
        <>
          <h1>Administration</h1>
          <AdminTabs />
          <Card title="Invitations">
            {data.length === 0 ? <p>No invitation is open.</p> : <InvitationTable rows={data} now={now} />}
          </Card>
          <Card title="New invitation">
            {sign_up === "closed" ? <Closed /> : <NewInvitation sendsMail={sends_mail} />}
          </Card>
        </>
      ),
    };
  },

  once: {
    create:
      "This form was sent before, so no second invitation was made. The link was shown only once, in the first answer. The invitation is in the list above. If nobody has the link, withdraw the invitation and make another.",
  },

  actions: {
    create: async ({ call, form }) => {
      const made = await call(createInvitation, { email: form.get("email")?.trim() || null });
      return madeInvitation(made);
    },
    withdraw: async ({ call, form }) => {
      await call(withdrawInvitation, { invitation_id: form.get("invitation_id") ?? "" });
      return { to: path };
    },
  },
});

const Closed = () => (
  <Notice means="watch">
    Sign-up is closed, so no invitation can be made. With the setting <code>TICKMARK_SIGN_UP=invite</code> the
    operator lets invited people sign up.
  </Notice>
);

function NewInvitation({ sendsMail }: { sendsMail: boolean }) {
  return (
    <Form does="create">
      <FormField
        name="email"
        label="E-mail address"
        type="email"
        of="create"
        hint={
          sendsMail
            ? "The link is mailed to this address. If this stays empty, send the link yourself."
            : "This service sends no mail, so send the link yourself. If you enter an address, it is filled in when the link is opened."
        }
        autoComplete="off"
      />
      <Button>Invite</Button>
    </Form>
  );
}

/** Shows the link once, because only its digest is stored. */
const madeInvitation = ({ link, mailed }: PersonAnswer<typeof createInvitation>): PageContent => ({
  title: "Invitation made",
  body: (
    <>
      <h1>Invitation made</h1>
      <AdminTabs />
      <Card title="The link">
        <Notice means={mailed ? "good" : "watch"}>
          <p>
            {mailed
              ? "The link was mailed. It is also shown here, but only once."
              : "The link was not mailed. Copy it now: it is shown only once."}
          </p>
        </Notice>
        <pre>
          <code>{link}</code>
        </pre>
        <p>One person can make an account with the link, until it expires.</p>
        <p>
          <a href={path}>Back to the invitations</a>
        </p>
      </Card>
    </>
  ),
});

function InvitationTable({ rows, now }: { rows: readonly Invitation[]; now: Instant }) {
  return (
    <Table
      caption="Invitations that nobody used yet, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { head: "For", cell: ({ email }) => <Text value={email} none="anybody who has the link" /> },
        { head: "Made", cell: ({ created_at }) => <Age at={created_at} now={now} /> },
        { head: "Expires", cell: ({ expires_at }) => <Age at={expires_at} now={now} /> },
        {
          head: "Withdraw",
          cell: ({ id, email }) => (
            <Form does="withdraw" hidden={{ invitation_id: id }} class="form inline">
              <Button danger>
                Withdraw<span class="unseen"> {email ?? id}</span>
              </Button>
            </Form>
          ),
        },
      ]}
    />
  );
}
