import { FormField } from "./form.tsx";

/** The field for a code of the second factor, in the forms that need one while it is on. */
export const FactorField = ({ of }: { of: string }) => (
  <FormField
    name="second_factor"
    label="Code of the second factor"
    hint="Six digits of your authenticator app, or a recovery code. Each works once."
    autoComplete="one-time-code"
    maxLength={100}
    required
    of={of}
  />
);
