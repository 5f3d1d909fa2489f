import type { PersonAnswer } from "../../contract/call/call-as-person.ts";
import type { getSecondFactor } from "../../actions/access/get-second-factor.ts";
import { FormField } from "./form.tsx";
import { ownPasskeyRequest, PasskeyButton } from "./passkey-button.tsx";

interface FactorFieldProps {
  readonly of: string;
  /** Whether an app makes codes; recovery codes are always accepted. */
  readonly codes?: boolean;
  /** Whether the account has passkeys: a button uses one in place of a code. */
  readonly passkeys?: boolean;
  /** The request for the browser if nobody is signed in. */
  readonly request?: object | null;
  /** What the code is needed for, if the form can also be sent without one. */
  readonly onlyFor?: string;
}

/** A code of the second factor or a passkey, in forms that need it while the second factor is on. */
export const FactorField = ({ of, codes = true, passkeys = false, request, onlyFor }: FactorFieldProps) => (
  <>
    {passkeys && request !== null && (
      <PasskeyButton does="get" field="second_factor" request={request ?? ownPasskeyRequest}>
        Use a passkey
      </PasskeyButton>
    )}
    <FormField
      name="second_factor"
      label={codes ? "Code of the second factor" : "Recovery code"}
      hint={[
        codes
          ? "Six digits of your authenticator app, or a recovery code. Each works once."
          : "Each recovery code works once.",
        ...(onlyFor === undefined ? [] : [`Needed only ${onlyFor}.`]),
      ].join(" ")}
      autoComplete="one-time-code"
      maxLength={100}
      required={onlyFor === undefined}
      once
      of={of}
    />
  </>
);

/** For the signed-in person; nothing while the second factor is off. */
export const OwnFactorField = ({
  factor,
  ...form
}: Pick<FactorFieldProps, "of" | "onlyFor"> & { factor: PersonAnswer<typeof getSecondFactor> }) =>
  factor.is_on ? (
    <FactorField codes={factor.enabled_at !== null} passkeys={factor.has_passkeys} {...form} />
  ) : null;

/** The password and the second factor that a form sent. */
export const typedProof = (form: URLSearchParams) => ({
  password: form.get("password") ?? "",
  second_factor: form.get("second_factor") ?? "",
});
