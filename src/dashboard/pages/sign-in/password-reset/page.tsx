import { resetPassword } from "../../../../actions/access/reset-password.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { NewPasswordField } from "../../../parts/new-password.tsx";
import { Empty } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import { mailedLinkPage } from "../mailed-link-page.tsx";

export const passwordResetPage = mailedLinkPage({
  path: "/password/reset/{code}",
  purpose: "reset_password",
  title: "New password",
  heading: "Choose a new password",
  Ask: NewPassword,
  Over,

  actions: {
    reset: async ({ params, form, call, setSession }) => {
      await call(resetPassword, { code: params["code"] ?? "", password: form.get("password") ?? "" });
      setSession(null);
      return { to: "/sign-in?after=password" };
    },
  },
});

function NewPassword({ email }: { email: string | null }) {
  return (
    <>
      <p>
        This is for the account <Text value={email} />. Every browser that is signed in to it will be signed
        out.
      </p>
      <section class="card">
        <Form does="reset">
          <NewPasswordField of="reset" label="New password" />
          <Button>Change the password</Button>
        </Form>
      </section>
    </>
  );
}

function Over() {
  return (
    <Empty title="This link cannot be used" next={<a href="/password/forgot">Request a new link</a>}>
      <p>The link was used already, is older than an hour, or was replaced by a newer one.</p>
    </Empty>
  );
}
