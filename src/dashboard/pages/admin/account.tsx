import { planNames, type PlanName } from "../../../core/access/plan.ts";
import { roles, type Role } from "../../../core/access/scope.ts";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { getAccount } from "../../../actions/access/get-account.ts";
import { updateAccount } from "../../../actions/access/update-account.ts";
import { adminPage } from "../../page.ts";
import { AdminTabs } from "./admin-tabs.tsx";
import { Button, Choice, Form } from "../../parts/form.tsx";
import { capitalised } from "../../words/capitalised.ts";
import { Card } from "../../parts/state.tsx";
import { Facts } from "../../parts/table.tsx";
import { Address, Quantity, Time } from "../../parts/value.tsx";
import { Verified } from "./accounts.tsx";

type Account = PersonAnswer<typeof getAccount>["account"];

const pathOf = (id: string): string => `/admin/accounts/${id}`;

/** For admins who took the role from their own account: they may no longer see these pages. */
const afterOwn: Readonly<Partial<Record<Role, string>>> = {
  user: "/settings?after=role",
  suspended: "/sign-in?after=suspended",
};

export const adminAccountPage = adminPage({
  path: pathOf("{id}"),

  async show({ call, params }) {
    const { account, servers, active_tokens } = await call(getAccount, { account_id: params["id"] ?? "" });
    return {
      title: account.email,
      body: (
        <>
          <h1>
            <Address value={account.email} />
          </h1>
          <AdminTabs />
          <Card title="Account">
            <Facts
              of={[
                ["Identifier", <code>{account.id}</code>],
                ["E-mail address", <Verified is={account.email_verified} />],
                ["Plan", capitalised(account.plan)],
                ["Role", capitalised(account.role)],
                ["Since", <Time at={account.created_at} />],
                ["Linked servers", <Quantity value={servers} digits={0} />],
                ["Active tokens", <Quantity value={active_tokens} digits={0} />],
              ]}
            />
          </Card>
          <div class="columns">
            <PlanCard plan={account.plan} />
            <RoleCard role={account.role} />
            {!account.email_verified && <VerifyCard />}
          </div>
        </>
      ),
    };
  },

  actions: {
    plan: async ({ call, form, params }) => {
      // The endpoint refuses an unknown plan.
      const plan = form.get("plan") as PlanName;
      const { id } = await call(updateAccount, { account_id: params["id"] ?? "", plan });
      return { to: pathOf(id) };
    },
    role: async ({ call, form, params, person }) => {
      const { id, role } = await call(updateAccount, {
        account_id: params["id"] ?? "",
        role: form.get("role") as Role,
      });
      const isOwn = id === person.account.id;
      return { to: (isOwn && afterOwn[role]) || pathOf(id) };
    },
    verify: async ({ call, params }) => {
      const { id } = await call(updateAccount, { account_id: params["id"] ?? "", email_verified: true });
      return { to: pathOf(id) };
    },
  },
});

function PlanCard({ plan }: { plan: Account["plan"] }) {
  return (
    <Card title="Plan">
      <p class="hint">
        The plan applies from the next call on. With a smaller plan nothing is deleted at once: data that only
        the larger plan keeps stays for 30 days.
      </p>
      <Form does="plan">
        <Choice
          name="plan"
          label="Plan"
          value={plan}
          of="plan"
          options={planNames.map((name) => [name, capitalised(name)] as const)}
        />
        <Button>Set plan</Button>
      </Form>
    </Card>
  );
}

function RoleCard({ role }: { role: Account["role"] }) {
  return (
    <Card title="Role">
      <p class="hint">
        A suspended account is signed out of all browsers, cannot sign in, and its tokens are refused until
        its role is user again. Nothing is deleted. The last admin cannot lose the role.
      </p>
      <Form does="role">
        <Choice
          name="role"
          label="Role"
          value={role}
          of="role"
          options={roles.map((name) => [name, capitalised(name)] as const)}
        />
        <Button danger>Set role</Button>
      </Form>
    </Card>
  );
}

function VerifyCard() {
  return (
    <Card title="E-mail address">
      <p class="hint">
        Do this only if you know that the address belongs to this person. The account can then publish reports
        and receive mail.
      </p>
      <Form does="verify">
        <Button>Mark as verified</Button>
      </Form>
    </Card>
  );
}
