import { isSignedIn } from "../../../../contract/call/person.ts";
import { checkCode } from "../../../../actions/access/check-code.ts";
import { getWaysIn } from "../../../../actions/access/get-ways-in.ts";
import { signUp } from "../../../../actions/access/sign-up.ts";
import { withRedirect, localPath } from "../../../local-path.ts";
import { publicPage, type PageRequest } from "../../../page.ts";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { NewPasswordField } from "../../../parts/new-password.tsx";
import { Empty } from "../../../parts/state.tsx";

/** If no other redirect was requested. */
const home = "/settings";

export const signUpPage = publicPage({
  path: "/sign-up",

  async show(request, problem) {
    const to = localPath(problem?.form.get("to") ?? request.query.get("to"));
    if (isSignedIn(request.person)) return { to: to ?? home };
    const invitation = request.query.get("invitation");
    const invited =
      invitation === null
        ? null
        : await request.call(checkCode, { ...codeOf(invitation), again: problem !== null });
    const why = await whyNot(request, invited?.usable ?? null);
    return {
      title: "Make an account",
      narrow: true,
      body: (
        <>
          <h1>Make an account</h1>
          {why === null ? <SignUp invitation={invitation} email={invited?.email ?? null} to={to} /> : why}
        </>
      ),
    };
  },

  actions: {
    sign_up: async ({ form, userAgent, device, call, setSession, setDevice }) => {
      const signedIn = await call(signUp, {
        email: form.get("email") ?? "",
        password: form.get("password") ?? "",
        invitation: form.get("invitation") || null,
        user_agent: userAgent,
        device,
      });
      setSession(signedIn.secret);
      setDevice(signedIn.device);
      return { to: localPath(form.get("to")) ?? home };
    },
  },
});

/** A text that is too long is cut, and then refused as an unknown code. */
const codeOf = (code: string) => ({ code: code.slice(0, 200) || "-", purpose: "invitation" }) as const;

/** Null if sign-up is possible. `usable` is about the invitation. */
async function whyNot({ call }: PageRequest, usable: boolean | null) {
  const { sign_up } = await call(getWaysIn, {});
  if (sign_up === "closed")
    return (
      <Empty title="This service takes no sign-ups" next={<SignInInstead />}>
        <p>Ask the operator for an account.</p>
      </Empty>
    );
  if (usable === false)
    return (
      <Empty title="This invitation cannot be used" next={<SignInInstead />}>
        <p>The invitation was used already, was withdrawn, or has expired. Ask for a new one.</p>
      </Empty>
    );
  if (sign_up === "invite" && usable === null)
    return (
      <Empty title="Accounts are made by invitation" next={<SignInInstead />}>
        <p>Open the link that an administrator of this service gave you.</p>
      </Empty>
    );
  return null;
}

const SignInInstead = () => (
  <p>
    With an account, <a href="/sign-in">sign in</a>.
  </p>
);

interface SignUpProps {
  readonly invitation: string | null;
  readonly email: string | null;
  readonly to: string | null;
}

function SignUp({ invitation, email, to }: SignUpProps) {
  return (
    <>
      <section class="card">
        <Form does="sign_up" hidden={invitation === null ? {} : { invitation }}>
          {to !== null && <input type="hidden" name="to" value={to} />}
          <FormField
            name="email"
            label="E-mail address"
            type="email"
            value={email}
            autoComplete="username"
            of="sign_up"
            maxLength={254}
            required
          />
          <NewPasswordField of="sign_up" />
          <Button>Make the account</Button>
        </Form>
      </section>
      <p>
        Do you have an account already? <a href={withRedirect("/sign-in", to)}>Sign in</a>
      </p>
    </>
  );
}
