import type { ComponentChildren } from "preact";
import { usePageContext } from "../frame.tsx";

/** The address that gives a challenge for a passkey of the signed-in account. */
export const ownPasskeyRequest = "/settings/security/passkeys?data=request";

interface PasskeyButtonProps {
  /** `get` uses a passkey, `create` makes one. */
  readonly does: "get" | "create";
  /** The form's field for the answer, with which the form is sent. */
  readonly field: string;
  /** The request for the browser, or the address that answers it as JSON. */
  readonly request: object | string;
  readonly children: ComponentChildren;
}

/** If browsers offer no passkeys, a sentence says so in place of the button. */
export function PasskeyButton({ does, field, request, children }: PasskeyButtonProps) {
  const { passkeyOrigin } = usePageContext();
  if (passkeyOrigin === null) return <p class="hint">{noPasskeys}</p>;
  return (
    <div
      data-passkey={does}
      data-field={field}
      data-request={typeof request === "string" ? request : JSON.stringify(request)}
      data-origin={passkeyOrigin}
    >
      <p class="hint" role="status">
        A passkey needs JavaScript, which is off in this browser.
      </p>
      <button type="button" class="plain" hidden>
        {children}
      </button>
    </div>
  );
}

const noPasskeys =
  "Passkeys do not work at this address: browsers use them only over https with a domain name, or at localhost.";
