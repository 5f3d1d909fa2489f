import { isSignedIn } from "../../../contract/access/person.ts";
import { getWaysIn } from "../../../endpoints/web/access/get-ways-in.ts";
import { needsSetUp } from "../../../endpoints/web/access/needs-set-up.ts";
import { completeSignIn } from "../../../endpoints/web/access/complete-sign-in.ts";
import { signIn } from "../../../endpoints/web/access/sign-in.ts";
import { withRedirect, localPath } from "../../local-path.ts";
import { publicPage, type PageContent } from "../../page.ts";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/state.tsx";

/** The redirect after sign-in if no other was requested. */
const home = "/servers";

const notices: Readonly<Record<string, string>> = {
  password: "The password was changed, and every browser was signed out. Sign in with the new one.",
  out: "You are signed out.",
  suspended:
    "You suspended your own account, and all its browsers were signed out. Another admin can make it a user again.",
};

export const signInPage = publicPage({
  path: "/sign-in",

  async show({ person, query, call }, problem) {
    const to = localPath(problem?.form.get("to") ?? query.get("to"));
    if (problem?.action === "second_factor") return factorPage(problem.form.get("password_step") ?? "", to);
    if (isSignedIn(person) && problem === null) return { to: to ?? home };
    if ((await call(needsSetUp, {})).needs_set_up) return { to: "/set-up" };
    const { sign_up } = await call(getWaysIn, {});
    const notice = notices[query.get("after") ?? ""];
    return {
      title: "Sign in",
      narrow: true,
      body: (
        <>
          <h1>Sign in</h1>
          {notice && problem === null && <Notice means="good">{notice}</Notice>}
          <section class="card">
            <Form does="sign_in">
              {to !== null && <input type="hidden" name="to" value={to} />}
              <FormField
                name="email"
                label="E-mail address"
                type="email"
                autoComplete="username"
                of="sign_in"
                maxLength={320}
                required
              />
              <FormField
                name="password"
                label="Password"
                type="password"
                autoComplete="current-password"
                of="sign_in"
                required
              />
              <Button>Sign in</Button>
            </Form>
            <p>
              <a href={withRedirect("/password/forgot", to)}>I forgot my password</a>
            </p>
          </section>
          <SignUpHint policy={sign_up} to={to} />
        </>
      ),
    };
  },

  actions: {
    sign_in: async ({ form, userAgent, device, call, setSession, setDevice }) => {
      const signedIn = await call(signIn, {
        email: form.get("email") ?? "",
        password: form.get("password") ?? "",
        user_agent: userAgent,
        device,
      });
      const to = localPath(form.get("to"));
      const { let_in, password_step } = signedIn;
      if (let_in === null) return factorPage(password_step ?? "", to);
      setSession(let_in.secret);
      setDevice(let_in.device);
      return { to: to ?? home };
    },
    second_factor: async ({ form, userAgent, device, call, setSession, setDevice }) => {
      const letIn = await call(completeSignIn, {
        password_step: form.get("password_step") ?? "",
        second_factor: form.get("second_factor") ?? "",
        user_agent: userAgent,
        device,
      });
      setSession(letIn.secret);
      setDevice(letIn.device);
      return { to: localPath(form.get("to")) ?? home };
    },
  },
});

/** The second step of a sign-in: the code of the second factor. */
const factorPage = (passwordStep: string, to: string | null): PageContent => ({
  title: "Sign in",
  narrow: true,
  body: (
    <>
      <h1>Sign in</h1>
      <section class="card">
        <Form does="second_factor" to="/sign-in" hidden={{ password_step: passwordStep }}>
          {to !== null && <input type="hidden" name="to" value={to} />}
          <FormField
            name="second_factor"
            label="Code of the second factor"
            hint="Six digits of your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            of="second_factor"
            maxLength={100}
            required
          />
          <Button>Sign in</Button>
        </Form>
        <p>
          <a href={withRedirect("/sign-in", to)}>Start again</a>
        </p>
      </section>
      <p class="quiet">If you have neither the app nor a recovery code, ask the operator of this service.</p>
    </>
  ),
});

function SignUpHint({ policy, to }: { policy: string; to: string | null }) {
  if (policy === "open")
    return (
      <p>
        No account yet? <a href={withRedirect("/sign-up", to)}>Make one</a>
      </p>
    );
  return (
    <p class="quiet">
      {policy === "invite"
        ? "Accounts are made by invitation: open the link you were given."
        : "The operator of this service makes the accounts."}
    </p>
  );
}
