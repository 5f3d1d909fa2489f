import { getWaysIn } from "../../../../endpoints/web/access/get-ways-in.ts";
import { requestPasswordReset } from "../../../../endpoints/web/access/request-password-reset.ts";
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
              Its operator can give your account a new password, which you change in Settings.
            </NoMail>
          )}
          <p>
            You know it after all? <a href={signInPath(query)}>Sign in</a>
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
            <h1>Look into your mail</h1>
            <p>
              If an account has the address <Text value={email.trim()} />, a mail with a link is on its way to
              it. The link works once, within an hour.
            </p>
            <p class="quiet">
              No mail after a few minutes: look among the unwanted ones, and whether this is the address of
              your account.
            </p>
            <p>
              With the new password, <a href={signInPath(query)}>sign in</a>.
            </p>
          </>
        ),
      };
    },
  },
});

/** The link in the mail carries nothing that somebody else could have typed: this page leads on instead. */
const signInPath = (query: PageRequest["query"]): string =>
  withRedirect("/sign-in", localPath(query.get("to")));

function AskForMail() {
  return (
    <>
      <p>A link that chooses a new password can be mailed to the address of your account.</p>
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
