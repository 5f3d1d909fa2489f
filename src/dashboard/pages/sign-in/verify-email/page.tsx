import { verifyEmail } from "../../../../actions/access/verify-email.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { Empty, State } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import { mailedLinkPage } from "../mailed-link-page.tsx";

const title = "Confirm your e-mail address";

export const verifyEmailPage = mailedLinkPage({
  path: "/verify-email/{code}",
  purpose: "verify_email",
  title,
  Ask: Confirm,
  Over,

  actions: {
    verify: async ({ params, call }) => {
      const { email } = await call(verifyEmail, { code: params["code"] ?? "" });
      return {
        title,
        narrow: true,
        body: (
          <>
            <h1>Confirmed</h1>
            <p>
              <State means="good">verified</State> <Text value={email} />
            </p>
            <p>
              <a href="/settings">To your account</a>
            </p>
          </>
        ),
      };
    },
  },
});

function Confirm({ email }: { email: string | null }) {
  return (
    <>
      <p>
        Is <Text value={email} /> your address, and is the account with this address yours?
      </p>
      <Form does="verify">
        <Button>Yes, confirm it</Button>
      </Form>
    </>
  );
}

function Over() {
  return (
    <Empty
      title="This link cannot be used"
      next={
        <p>
          <a href="/settings">Your account</a> shows whether the address is verified. You can request a new
          link there.
        </p>
      }
    >
      <p>The link was used already, is older than 3 days, or was replaced by a newer one.</p>
    </Empty>
  );
}
