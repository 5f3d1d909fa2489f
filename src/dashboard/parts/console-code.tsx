import { Field } from "./form.tsx";

/** How whoever may use a server's console proves it: with a code that its plugin prints. */
export function CodeSteps({ where }: { where: string }) {
  return (
    <ol>
      <li>
        Run <kbd>/bench link</kbd> in the console of {where}. It prints a code of 8 characters.
      </li>
      <li>Type the code here within 15 minutes.</li>
    </ol>
  );
}

/** Takes the code of `CodeSteps`; `of` names the action that reads it. */
export function CodeField({ of }: { of: string }) {
  return <Field name="code" label="Code" maxLength={16} autoComplete="off" required of={of} />;
}
