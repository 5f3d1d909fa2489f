import { needsSetUp } from "../../../../actions/access/needs-set-up.ts";
import { setUpService } from "../../../../actions/access/set-up-service.ts";
import { publicPage } from "../../../page.ts";
import { Button, FormField, Form } from "../../../parts/form.tsx";
import { NewPasswordField } from "../../../parts/new-password.tsx";
import { Words } from "../../../parts/words.tsx";

export const setUpPage = publicPage({
  path: "/set-up",

  async show({ call }) {
    if (!(await call(needsSetUp, {})).needs_set_up) return { to: "/sign-in" };
    return {
      title: "Set up",
      narrow: true,
      body: (
        <>
          <h1>Set this service up</h1>
          <p>
            This service has no account yet. The first account administers it. The set-up code is in the log
            of the service. Every start writes it there until there is an account.
          </p>
          <section class="card">
            <Form does="set_up">
              <FormField
                name="code"
                label="Set-up code"
                hint="Four groups of five letters and digits."
                autoComplete="off"
                of="set_up"
                maxLength={100}
                required
              />
              <FormField
                name="email"
                label="E-mail address"
                type="email"
                hint="Your own address. It counts as verified."
                autoComplete="username"
                of="set_up"
                maxLength={254}
                required
              />
              <NewPasswordField of="set_up" />
              <Button>Make the administrator's account</Button>
            </Form>
          </section>
          <p class="quiet">
            Without a browser: <Words of="tickmark account create --admin --email you@example.org" />
          </p>
        </>
      ),
    };
  },

  actions: {
    set_up: async ({ form, userAgent, device, call, setSession, setDevice }) => {
      const signedIn = await call(setUpService, {
        code: form.get("code") ?? "",
        email: form.get("email") ?? "",
        password: form.get("password") ?? "",
        user_agent: userAgent,
        device,
      });
      setSession(signedIn.secret);
      setDevice(signedIn.device);
      return { to: "/servers" };
    },
  },
});
