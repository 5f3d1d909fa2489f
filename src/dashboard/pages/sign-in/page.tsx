import { isSignedIn } from "../../../contract/call/person.ts";
import { signInFormLimit } from "../../../contract/limits/body-limits.ts";
import { getWaysIn } from "../../../actions/access/get-ways-in.ts";
import { needsSetUp } from "../../../actions/access/needs-set-up.ts";
import { getSecondStep } from "../../../actions/access/get-second-step.ts";
import { requestSignInPasskey } from "../../../actions/access/request-sign-in-passkey.ts";
import { signInWithPasskey } from "../../../actions/access/sign-in-with-passkey.ts";
import { completeSignIn } from "../../../actions/access/complete-sign-in.ts";
import { signIn } from "../../../actions/access/sign-in.ts";
import { attempt } from "../../request-input.ts";
import { withRedirect, localPath } from "../../local-path.ts";
import { publicPage, type PageContent, type PageRequest, type Submission } from "../../page.ts";
import { FactorField } from "../../parts/factor-field.tsx";
import { Button, FormField, Form } from "../../parts/form.tsx";
import { PasskeyButton } from "../../parts/passkey-button.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { Notice } from "../../parts/state.tsx";

/** If no other redirect was requested. */
const home = "/servers";

const notices: Readonly<Record<string, string>> = {
  password: "The password was changed, and every browser was signed out. Sign in with the new one.",
  out: "You are signed out.",
  suspended:
    "You suspended your own account, and all its browsers were signed out. Another admin can make it a user again.",
};

export const signInPage = publicPage({
  path: "/sign-in",
  openFormLimit: signInFormLimit,

  async show(request, problem) {
    const { person, query, call } = request;
    const to = localPath(problem?.form.get("to") ?? query.get("to"));
    if (problem?.action === "second_factor") {
      const passwordStep = problem.form.get("password_step") ?? "";
      const again = await attempt([409], () => factorPage(request, passwordStep, to));
      // Too late: the first step is shown again, with the reason.
      if (again.value) return again.value;
    }
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
              <PasswordField of="sign_in" />
              <Button>Sign in</Button>
            </Form>
            <p>
              <a href={withRedirect("/password/forgot", to)}>I forgot my password</a>
            </p>
          </section>
          <section class="card">
            <Form does="passkey">
              {to !== null && <input type="hidden" name="to" value={to} />}
              <PasskeyButton does="get" field="passkey" request="/sign-in?data=passkey">
                Sign in with a passkey
              </PasskeyButton>
            </Form>
          </section>
          <SignUpHint policy={sign_up} to={to} />
        </>
      ),
    };
  },

  data: { passkey: ({ browser, call }) => call(requestSignInPasskey, { browser }) },

  actions: {
    sign_in: async (sent) => {
      const { form, userAgent, device, call } = sent;
      const signedIn = await call(signIn, {
        email: form.get("email") ?? "",
        password: form.get("password") ?? "",
        user_agent: userAgent,
        device,
      });
      const { let_in, password_step } = signedIn;
      return let_in === null
        ? factorPage(sent, password_step ?? "", localPath(form.get("to")))
        : enter(sent, let_in);
    },
    passkey: async (sent) => {
      const { form, browser, userAgent, device, call } = sent;
      const letIn = await call(signInWithPasskey, {
        passkey: form.get("passkey") ?? "",
        browser,
        user_agent: userAgent,
        device,
      });
      return enter(sent, letIn);
    },
    second_factor: async (sent) => {
      const { form, browser, userAgent, device, call } = sent;
      const letIn = await call(completeSignIn, {
        password_step: form.get("password_step") ?? "",
        second_factor: form.get("second_factor") ?? "",
        browser,
        user_agent: userAgent,
        device,
      });
      return enter(sent, letIn);
    },
  },
});

/** Sets the cookies, and redirects to the requested page. */
function enter(
  { form, setSession, setDevice }: Submission,
  letIn: { readonly secret: string; readonly device: string },
): { readonly to: string } {
  setSession(letIn.secret);
  setDevice(letIn.device);
  return { to: localPath(form.get("to")) ?? home };
}

/** The second step of a sign-in: a passkey, or a code. */
async function factorPage(
  { browser, call }: PageRequest,
  passwordStep: string,
  to: string | null,
): Promise<PageContent> {
  const step = await call(getSecondStep, { password_step: passwordStep, browser });
  return {
    title: "Sign in",
    narrow: true,
    body: (
      <>
        <h1>Sign in</h1>
        <section class="card">
          <Form does="second_factor" to="/sign-in" hidden={{ password_step: passwordStep }}>
            {to !== null && <input type="hidden" name="to" value={to} />}
            <FactorField
              of="second_factor"
              codes={step.has_codes}
              passkeys={step.has_passkeys}
              request={step.passkey}
            />
            <Button>Sign in</Button>
          </Form>
          <p>
            <a href={withRedirect("/sign-in", to)}>Start again</a>
          </p>
        </section>
        <p class="quiet">If you have no {factorWords(step)}, ask the operator of this service.</p>
      </>
    ),
  };
}

const factorWords = ({ has_codes, has_passkeys }: { has_codes: boolean; has_passkeys: boolean }): string =>
  has_codes && has_passkeys
    ? "passkey, no app and no recovery code"
    : `${has_codes ? "app" : "passkey"} and no recovery code`;

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
