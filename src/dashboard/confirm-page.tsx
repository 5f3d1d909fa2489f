import { getSecondFactor } from "../actions/access/get-second-factor.ts";
import type { FormProblem, PageContent, PageRequest } from "./page.ts";
import { OwnFactorField } from "./parts/factor-field.tsx";
import { Button, Form, FormField } from "./parts/form.tsx";
import type { SessionCaller } from "../contract/call/caller.ts";

/** The fields that this page adds to a form; the first one marks the form. */
const added = ["confirms_person", "password", "second_factor"] as const;

/** Fields that each form gets anew. */
const ofEveryForm: ReadonlySet<string> = new Set(["_csrf", "do", "form_id"]);

export const isConfirmation = (form: URLSearchParams): boolean => form.has(added[0]);

export function withoutConfirmation(form: URLSearchParams): URLSearchParams {
  if (!isConfirmation(form)) return form;
  const before = new URLSearchParams(form);
  for (const name of added) before.delete(name);
  return before;
}

/** Asks for the password and the second factor, or a passkey; the original form is sent along with them. */
export async function confirmPage(
  { person, call }: PageRequest<SessionCaller>,
  { action, form, message }: FormProblem,
): Promise<PageContent> {
  const factor = await call(getSecondFactor, {});
  const fields = [...withoutConfirmation(form)].filter(([name]) => !ofEveryForm.has(name));
  return {
    title: "Confirm that it is you",
    narrow: true,
    body: (
      <>
        <h1>Confirm that it is you</h1>
        {!isConfirmation(form) && <p>{message} Nothing was changed yet.</p>}
        <Form does={action} hidden={{ [added[0]]: "yes" }}>
          {fields.map(([name, value], at) => (
            <input key={at} type="hidden" name={name} value={value} />
          ))}
          <FormField
            name="password"
            label={`Password of ${person.account.email}`}
            type="password"
            autoComplete="current-password"
            required={!factor.has_passkeys}
            of={action}
          />
          <OwnFactorField of={action} factor={factor} />
          <Button>Go on</Button>
        </Form>
      </>
    ),
  };
}
