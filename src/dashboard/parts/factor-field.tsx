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
}

/** A code of the second factor or a passkey, in forms that need it while the second factor is on. */
export const FactorField = ({ of, codes = true, passkeys = false, request }: FactorFieldProps) => (
  <>
    {passkeys && request !== null && (
      <PasskeyButton does="get" field="second_factor" request={request ?? ownPasskeyRequest}>
        Use a passkey
      </PasskeyButton>
    )}
    <FormField
      name="second_factor"
      label={codes ? "Code of the second factor" : "Recovery code"}
      hint={
        codes
          ? "Six digits of your authenticator app, or a recovery code. Each works once."
          : "Each recovery code works once."
      }
      autoComplete="one-time-code"
      maxLength={100}
      required
      once
      of={of}
    />
  </>
);

/** For the signed-in person; nothing while the second factor is off. */
export const OwnFactorField = ({
  of,
  factor,
}: {
  of: string;
  factor: PersonAnswer<typeof getSecondFactor>;
}) =>
  factor.is_on ? (
    <FactorField of={of} codes={factor.enabled_at !== null} passkeys={factor.has_passkeys} />
  ) : null;

/** The password and the second factor that a form sent. */
export const typedProof = (form: URLSearchParams) => ({
  password: form.get("password") ?? "",
  second_factor: form.get("second_factor") ?? "",
});
