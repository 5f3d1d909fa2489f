import { openFactor } from "../../../../actions/access/open-factor.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { Empty } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import { mailedLinkPage } from "../mailed-link-page.tsx";

const title = "Open codes again";

export const openCodesPage = mailedLinkPage({
  path: "/sign-in/open-codes/{code}",
  purpose: "open_factor",
  title,
  Ask: Open,
  Over,

  actions: {
    open: async ({ params, call }) => {
      const { email } = await call(openFactor, { code: params["code"] ?? "" });
      return {
        title,
        narrow: true,
        body: (
          <>
            <h1>Codes are open again</h1>
            <p>
              The account <Text value={email} /> signs in with codes again.
            </p>
            <p>
              If the wrong codes were not yours, somebody knows your password:{" "}
              <a href="/password/forgot">choose a new one</a> now.
            </p>
            <p>
              <a href="/sign-in">Sign in</a>
            </p>
          </>
        ),
      };
    },
  },
});

function Open({ email }: { email: string | null }) {
  return (
    <>
      <p>
        Codes of the account <Text value={email} /> were closed after 100 wrong ones in a row, typed by
        somebody who knows the password.
      </p>
      <Form does="open">
        <Button>Open codes again</Button>
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
          <a href="/sign-in">Sign in</a> with a code: while codes are closed, this mails a new link.
        </p>
      }
    >
      <p>The link was used already, is older than a day, or was replaced by a newer one.</p>
    </Empty>
  );
}
