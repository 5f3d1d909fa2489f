import { passwordLength } from "../../core/access/sign-in.ts";
import { FormField } from "./form.tsx";

/** Where a new password is typed. */
export function NewPasswordField({ name = "password", label = "Password", of }: NewPasswordProps) {
  return (
    <FormField
      name={name}
      label={label}
      type="password"
      hint={`${passwordLength.least} to ${passwordLength.most} characters, any of them. Longer is better than cleverer.`}
      autoComplete="new-password"
      of={of}
      required
    />
  );
}

interface NewPasswordProps {
  readonly name?: string;
  readonly label?: string;
  readonly of: string;
}
