import { getWaysIn } from "../../../../actions/access/get-ways-in.ts";
import { requestPasswordReset } from "../../../../actions/access/request-password-reset.ts";
import { withRedirect, localPath } from "../../../local-path.ts";
import { publicPage, type PageRequest } from "../../../page.ts";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { NoMail } from "../../../parts/no-mail.tsx";
import { Text } from "../../../parts/value.tsx";

const title = "Forgotten password";

export const passwordForgotPage = publicPage({
  path: "/password/forgot",

  async show({ call, query }) {
    const { sends_mail } = await call(getWaysIn, {});
    return {
      title,
      narrow: true,
      body: (
        <>
          <h1>{title}</h1>
          {sends_mail ? (
            <AskForMail />
          ) : (
            <NoMail command="tickmark account reset-password you@example.org">
              Ask its operator for a new password, and change it in Settings.
            </NoMail>
          )}
          <p>
            Do you remember your password? <a href={signInPath(query)}>Sign in</a>
          </p>
        </>
      ),
    };
  },

  actions: {
    ask: async ({ form, query, call }) => {
      const email = form.get("email") ?? "";
      await call(requestPasswordReset, { email });
      return {
        title,
        narrow: true,
        body: (
          <>
            <h1>Check your mail</h1>
            <p>
              If an account has the address <Text value={email.trim()} />, a mail with a link is sent to it.
              The link works once, within an hour.
            </p>
            <p class="quiet">
              If no mail comes within a few minutes, look in the spam folder, and check that this is the
              address of your account.
            </p>
            <p>
              When you have set the new password, <a href={signInPath(query)}>sign in</a>.
            </p>
          </>
        ),
      };
    },
  },
});

/** The mailed link has no redirect, because somebody else could have typed it; this page has it instead. */
const signInPath = (query: PageRequest["query"]): string =>
  withRedirect("/sign-in", localPath(query.get("to")));

function AskForMail() {
  return (
    <>
      <p>We mail a link to the address of your account. With it you choose a new password.</p>
      <section class="card">
        <Form does="ask">
          <FormField
            name="email"
            label="E-mail address"
            type="email"
            autoComplete="username"
            of="ask"
            maxLength={254}
            required
          />
          <Button>Send the link</Button>
        </Form>
      </section>
    </>
  );
}
