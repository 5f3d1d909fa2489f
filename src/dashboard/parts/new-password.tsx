import { passwordLength } from "../../core/access/sign-in.ts";
import { FormField } from "./form.tsx";

export function NewPasswordField({ name = "password", label = "Password", of }: NewPasswordProps) {
  return (
    <FormField
      name={name}
      label={label}
      type="password"
      hint={`${passwordLength.least} to ${passwordLength.most} characters of any kind. A longer password is safer.`}
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
