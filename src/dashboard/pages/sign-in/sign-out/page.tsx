import { isSignedIn } from "../../../../contract/call/person.ts";
import { signOut } from "../../../../actions/access/sign-out.ts";
import { publicPage } from "../../../page.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { Text } from "../../../parts/value.tsx";

/** A visitor without a session is redirected to the start page. */
export const signOutPage = publicPage({
  path: "/sign-out",

  async show({ person }) {
    if (!isSignedIn(person)) return { to: "/" };
    return {
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
    };
  },

  actions: {
    sign_out: async ({ person, call, setSession }) => {
      if (!isSignedIn(person)) return { to: "/" };
      await call(signOut, {});
      setSession(null);
      return { to: "/sign-in?after=out" };
    },
  },
});
