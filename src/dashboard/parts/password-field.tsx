import { FormField } from "./form.tsx";

/** The current password of the account. */
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
