import { signOut } from "../../endpoints/web/sessions/sign-out.ts";
import { personPage } from "../page.ts";
import { Button, Form } from "../parts/form.tsx";
import { Text } from "../parts/value.tsx";

export const signOutPage = personPage({
  path: "/sign-out",

  show: async ({ person }) => ({
    title: "Sign out",
    narrow: true,
    body: (
      <>
        <h1>Sign out</h1>
        <p>
          This browser is signed in as <Text value={person.account.email} />.
        </p>
        <Form does="sign_out">
          <Button>Sign out</Button>
        </Form>
      </>
    ),
  }),

  actions: {
    sign_out: async ({ ask, setSession }) => {
      await ask(signOut, {});
      setSession(null);
      return { to: "/sign-in?after=out" };
    },
  },
});
