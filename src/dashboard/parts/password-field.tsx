import { FormField } from "./form.tsx";

/** The field for the password of the account that a form changes, or that signs in. */
export const PasswordField = ({ of }: { of: string }) => (
  <FormField
    name="password"
    label="Password"
    type="password"
    autoComplete="current-password"
    required
    of={of}
  />
);
